// check makes the two scripts short: it compares, prints what differs, and
// sets the exit status.
import { isDeepStrictEqual, inspect } from "node:util";

export function check(what, got, want) {
  if (!isDeepStrictEqual(got, want)) {
    console.error(`${what}: got ${inspect(got)}, want ${inspect(want)}`);
    process.exitCode = 1;
  }
}

export async function rejects(what, promise, message) {
  try {
    const got = await promise;
    check(what, got, new Error(message));
  } catch (err) {
    check(what, err.message, message);
  }
}

export function address() {
  const [host, port] = process.argv[process.argv.length - 1].split(":");
  return { host, port: Number(port) };
}
