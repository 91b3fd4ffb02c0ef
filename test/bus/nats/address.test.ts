import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readNatsAddress } from "../../../src/bus/nats/address.ts";

describe("NATS addresses", () => {
  test("scheme, port and credentials are optional; several addresses are joined by commas", () => {
    assert.deepEqual(readNatsAddress("localhost"), { servers: ["localhost:4222"], isTlsAsked: false });
    assert.deepEqual(readNatsAddress("tls://token%21@a:1, nats://b:2"), {
      servers: ["a:1", "b:2"],
      isTlsAsked: true,
      token: "token!",
    });
    assert.deepEqual(readNatsAddress("nats://me:p%40ss@[::1]:5"), {
      servers: ["[::1]:5"],
      isTlsAsked: false,
      user: "me",
      password: "p@ss",
    });
  });

  test("a wrong address is refused without repeating it", () => {
    for (const bad of [
      "",
      "nats://",
      "nats://a,",
      "http://me:secret@host",
      "nats://me:secret@:99999",
      "nats://%zz@a",
    ]) {
      assert.throws(
        () => readNatsAddress(bad),
        (error) => error instanceof Error && !error.message.includes("secret"),
        bad,
      );
    }
  });
});
