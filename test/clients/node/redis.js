// node-redis against the server at host:port, over both protocols.
import { createClient } from "redis";
import { address, check, rejects } from "./check.js";

const { host, port } = address();
for (const RESP of [2, 3]) {
  const client = createClient({ RESP, database: 5 + RESP, name: "node-test", socket: { host, port, reconnectStrategy: false } });
  client.on("error", (err) => {
    console.error(err);
    process.exitCode = 1;
  });
  await client.connect();
  await client.flushDb();

  check("set", await client.set("k", "v", { expiration: { type: "EX", value: 100 } }), "OK");
  check("get", await client.get("k"), "v");
  check("get of nothing", await client.get("nothing"), null);
  const ttl = await client.ttl("k");
  check("ttl", ttl > 90 && ttl <= 100, true);
  check("incrBy", await client.incrBy("n", 5), 5);
  check("mSet", await client.mSet({ a: "1", b: "2" }), "OK");
  check("mGet", await client.mGet(["a", "b", "nothing"]), ["1", "2", null]);
  check("exists", await client.exists(["a", "b", "nothing"]), 2);
  check("rename", await client.rename("a", "c"), "OK");
  check("clientGetName", await client.clientGetName(), "node-test");
  check("configGet", (await client.configGet("maxmemory-policy"))["maxmemory-policy"], "noeviction");
  await rejects("incr of a string", client.incr("k"), "ERR value is not an integer or out of range");

  const sets = [];
  for (let i = 0; i < 500; i++) sets.push(client.set(`p:${i}`, String(i)));
  check("many at once", (await Promise.all(sets)).every((v) => v === "OK"), true);

  const found = new Set();
  for await (const keys of client.scanIterator({ MATCH: "p:*", COUNT: 100 })) [keys].flat().forEach((k) => found.add(k));
  check("scan", found.size, 500);

  const other = await client.duplicate().connect();
  check("a second connection", await other.get("p:7"), "7");
  await other.close();
  await client.close();
}
