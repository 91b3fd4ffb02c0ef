import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { readEngineConfig } from "../../engine/config.ts";
import { readBrokeragesFile } from "../../engine/order/registry.ts";
import { EXIT_CODES, exitCodeOf, refuseTogether, tellFailure, UserError } from "../../src/runtime/user-error.ts";

class Refused extends Error {
  override readonly name = "PretendRefused";
}

test("only what was made to be told to operators is told in one line", () => {
  assert.equal(tellFailure(new UserError("DATA_DIR is missing")), "DATA_DIR is missing");
});

test("a fault of ours keeps its stack, whatever class or name it has", () => {
  for (const fault of [new Error("odd"), new ReferenceError("odd"), new RangeError("odd"), new Refused("odd")]) {
    assert.match(tellFailure(fault), /odd\n +at .*user-error\.test/);
  }
  assert.equal(tellFailure("thrown text"), "thrown text");
});

test("what the configuration is refused for is an operator's mistake", () => {
  assert.throws(() => readEngineConfig({ PARTITIONS: "many" }), UserError);
  assert.throws(() => readBrokeragesFile("/nowhere.json"), UserError);
});

test("an address that is taken is told in words, with an exit code of its own", async () => {
  const first = createServer().listen(0, "127.0.0.1");
  await once(first, "listening");
  const address = first.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const second = createServer();
  const failed = once(second, "error");
  second.listen(port, "127.0.0.1");
  const [error] = await failed;
  assert.equal(tellFailure(error), `127.0.0.1:${port} is taken by another process: stop it, or set PORT to another`);
  assert.equal(exitCodeOf(error), EXIT_CODES.unavailable);
  first.close();
});

test("the exit code says what kind of mistake it was, and 70 that it was ours", () => {
  assert.equal(exitCodeOf(new UserError("x")), 78);
  assert.equal(exitCodeOf(new UserError("x", { reason: "data" })), 65);
  assert.equal(exitCodeOf(new RangeError("x")), 70);
});

test("several refusals of one start are told together, and a fault is not taken for one", async () => {
  const refuse = (line: string) => () => {
    throw new UserError(line, { reason: "data" });
  };
  const told = refuseTogether([refuse("one"), () => Promise.resolve(), refuse("two")]);
  await assert.rejects(told, (error) => tellFailure(error) === "one\ntwo" && exitCodeOf(error) === 65);
  const fault = refuseTogether([
    refuse("one"),
    () => {
      throw new RangeError("ours");
    },
  ]);
  await assert.rejects(fault, RangeError);
  await refuseTogether([() => undefined]);
});

test("an address that a machine does not have yet is asked for again, and one that does not exist is configuration", () => {
  const failed = (code: string): Error =>
    Object.assign(new Error(code), { code, syscall: "listen", address: "10.0.0.1" });
  assert.equal(exitCodeOf(failed("EADDRNOTAVAIL")), 69);
  assert.equal(exitCodeOf(failed("EAI_AGAIN")), 69);
  assert.equal(exitCodeOf(failed("ENOTFOUND")), 78);
});

test("a port that this user may not listen on is a lack of rights, with an exit code of its own", () => {
  const error = Object.assign(new Error("listen EACCES: permission denied 127.0.0.1:80"), {
    ...{ code: "EACCES", syscall: "listen", address: "127.0.0.1", port: 80 },
  });
  assert.match(tellFailure(error), /^127\.0\.0\.1:80 may not be listened on by this user: set PORT to one above 1023/);
  assert.equal(exitCodeOf(error), EXIT_CODES.notAllowed);
});
