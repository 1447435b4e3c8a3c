// Connects as a client does by default, sends PING, and ends: for recording
// what it sends. Usage: node connect.js ioredis|redis|redis2 host:port
import Redis from "ioredis";
import { createClient } from "redis";
import { address } from "./check.js";

const { host, port } = address();
if (process.argv[2] === "ioredis") {
  const redis = new Redis({ host, port, db: 1, connectionName: "app" });
  await redis.ping();
  await redis.quit();
} else {
  const RESP = process.argv[2] === "redis2" ? 2 : 3;
  const client = await createClient({ RESP, database: 1, name: "app", socket: { host, port } }).connect();
  await client.ping();
  await client.close();
}
