// ioredis against the server at host:port.
import Redis from "ioredis";
import { address, check, rejects } from "./check.js";

const { host, port } = address();
const redis = new Redis({ host, port, db: 5, connectionName: "ioredis-test", maxRetriesPerRequest: 1 });
await redis.flushdb();

check("set", await redis.set("k", "v", "EX", 100), "OK");
check("get", await redis.get("k"), "v");
check("get of nothing", await redis.get("nothing"), null);
const ttl = await redis.ttl("k");
check("ttl", ttl > 90 && ttl <= 100, true);
check("setnx", await redis.set("k", "w", "NX"), null);
check("incr", await redis.incr("n"), 1);
check("incrbyfloat", await redis.incrbyfloat("f", 0.5), "0.5");
check("mset", await redis.mset({ a: "1", b: "2" }), "OK");
check("mget", await redis.mget("a", "b", "nothing"), ["1", "2", null]);
check("del", await redis.del("a", "b", "nothing"), 2);
check("buffer", await redis.getBuffer("k"), Buffer.from("v"));
check("binary", await redis.set("bin", Buffer.from([0, 255, 13, 10])), "OK");
check("binary back", await redis.getBuffer("bin"), Buffer.from([0, 255, 13, 10]));
check("client getname", await redis.client("GETNAME"), "ioredis-test");
check("echo", await redis.call("ECHO", "hi"), "hi");
await rejects("incr of a string", redis.incr("k"), "ERR value is not an integer or out of range");

const pipeline = redis.pipeline();
for (let i = 0; i < 500; i++) pipeline.set(`p:${i}`, i);
const replies = await pipeline.exec();
check("pipeline", replies.every(([err, v]) => err === null && v === "OK"), true);

const found = new Set();
for await (const keys of redis.scanStream({ match: "p:*", count: 100 })) keys.forEach((k) => found.add(k));
check("scan", found.size, 500);

const other = redis.duplicate();
check("a second connection", await other.get("p:7"), "7");
check("info", (await redis.info()).includes("redis_version:"), true);
await other.quit();
check("quit", await redis.quit(), "OK");
