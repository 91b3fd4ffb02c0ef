import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";

/** Returns `count` different ports of loopback that are not in use. */
export async function freePorts(count: number): Promise<number[]> {
  const listeners = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(listeners.map((listener) => once(listener, "listening")));
  const ports = listeners.map((listener) => {
    const address = listener.address();
    assert.ok(address !== null && typeof address === "object");
    return address.port;
  });
  await Promise.all(listeners.map((listener) => once(listener.close(), "close")));
  return ports;
}

/** Returns a port of loopback that is not in use. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}
