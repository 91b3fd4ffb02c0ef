/** Faults of sending orders and settling what became of them. */
import type { Fault } from "./fault.ts";

const SETTLE = "engine/order/outbox/settle.ts";
const TRACKED = "engine/order/outbox/tracked-order.ts";
const LANE = "engine/order/outbox/lane/lane.ts";
const OUTBOX_TESTS = ["test/engine/order/outbox"];

export const outboxFaults: readonly Fault[] = [
  {
    id: "a refusal of a repeat is proof",
    part: "outbox",
    file: SETTLE,
    find: 'const canDoubt = known.wasInDoubt && known.promise !== "none" && canLookUp;',
    replace: "const canDoubt = false;",
    tests: OUTBOX_TESTS,
  },
  {
    id: "UNAVAILABLE is taken for not sent",
    part: "outbox",
    file: SETTLE,
    find: '    case "NOT_SENT":\n      return afterNotAccepted(known, reply.code, reply.message, conditions);\n    case "UNAVAILABLE":\n',
    replace:
      '    case "NOT_SENT":\n      return afterNotAccepted(known, reply.code, reply.message, conditions);\n    case "UNAVAILABLE":\n      return afterNotAccepted(known, "NOT_SENT", reply.message, conditions);\n',
    tests: OUTBOX_TESTS,
  },
  {
    id: "an unknown outcome is sent again unasked",
    part: "outbox",
    file: SETTLE,
    find: '      return { type: "lookUp", atMs: nowMs + settleMs, provenFromMs: nowMs + settleMs, reason };',
    replace: '      return { type: "sendAnew", reason };',
    tests: OUTBOX_TESTS,
  },
  {
    id: "NOT_FOUND proves too early",
    part: "outbox",
    file: SETTLE,
    find: "  if (asked.steadyMs < boundMs) {",
    replace: "  if (asked.steadyMs < 0) {",
    tests: OUTBOX_TESTS,
  },
  {
    id: "a standstill counts as time of trying",
    part: "outbox",
    file: "engine/order/outbox/outbox.ts",
    find: "      onStandstill: () => this.#noteStandstill(),",
    replace: "      onStandstill: () => undefined,",
    tests: OUTBOX_TESTS,
  },
  {
    id: "an order is acceptable no longer than its clock says",
    part: "outbox",
    file: SETTLE,
    find: "  return Math.max(0, leftMs + CLOCK_SKEW_MS);",
    replace: "  return Math.max(0, leftMs - 9_000);",
    tests: OUTBOX_TESTS,
  },
  {
    id: "a brokerage's clock is never behind",
    part: "outbox",
    file: SETTLE,
    find: "export const CLOCK_SKEW_MS = 1_000;",
    replace: "export const CLOCK_SKEW_MS = 0;",
    tests: OUTBOX_TESTS,
  },
  {
    id: "what may never be sent again is sent again",
    part: "outbox",
    file: SETTLE,
    find: '    case "none":\n      return { type: "quarantine", reason };',
    replace: '    case "none":\n      return { type: "sendAnew", reason };',
    tests: OUTBOX_TESTS,
  },
  {
    id: "a rejected order counts as placed",
    part: "outbox",
    file: SETTLE,
    find: '  if (orderStatus === ORDER_REJECTED && filledQuantity === 0) return refused("REJECTED", message || REJECTED_MESSAGE);\n',
    replace: "",
    tests: OUTBOX_TESTS,
  },
  {
    id: "an order leaves without an attempt record",
    part: "outbox",
    file: TRACKED,
    find: "  if (entry.promise !== rules.promise || !wasMaybeSent(entry)) return true;",
    replace: "  if (entry.promise !== rules.promise || !wasMaybeSent(entry)) return false;",
    tests: OUTBOX_TESTS,
  },
  {
    id: "a second attempt goes without a record of its own",
    part: "outbox",
    file: TRACKED,
    find: "  return order.isAttemptRecordSpent || (entry",
    replace: "  return (entry",
    tests: OUTBOX_TESTS,
  },
  {
    id: "what may exist is taken back",
    part: "outbox",
    file: TRACKED,
    find: '  return (state === "queued" || state === "retrying") && !mayExist && !isDecided;',
    replace: "  return !isDecided;",
    tests: [...OUTBOX_TESTS, "test/engine/command/trading/bot.test.ts"],
  },
  {
    id: "every attempt has the same fence",
    part: "outbox",
    file: TRACKED,
    find: '  return entry.promise === "idempotent" ? attempt : entry.attempt;',
    replace: "  return 1;",
    tests: [...OUTBOX_TESTS, "test/engine/connector/host", "test/engine/order/gateway"],
  },
  {
    id: "an account sends two orders at once",
    part: "outbox",
    file: LANE,
    find: "      const head = account.isSending ? undefined : peekValid(account.sends);\n      if (head === undefined || head.order.notBeforeMs > nowMs) continue;",
    replace:
      "      const head = peekValid(account.sends);\n      if (head === undefined || head.order.notBeforeMs > nowMs) continue;",
    tests: OUTBOX_TESTS,
  },
  {
    id: "clients' orders go before stop-losses",
    part: "outbox",
    file: LANE,
    find: "{ stopLoss: 0, triggered: 1, client: 2 }",
    replace: "{ stopLoss: 2, triggered: 1, client: 0 }",
    tests: OUTBOX_TESTS,
  },
  {
    id: "the quota is not kept",
    part: "outbox",
    file: LANE,
    find: "    while (this.window.freeCount(nowMs) > 0) {",
    replace: "    for (;;) {",
    tests: OUTBOX_TESTS,
  },
  {
    id: "a late look-up lowers the bar",
    part: "outbox",
    file: "engine/connector/host/fence.ts",
    find: "    const highest = bar === undefined || isAtOrUnder(bar, { epoch, attempt }) ? { epoch, attempt } : bar;",
    replace: "    const highest = bar === undefined || attempt > 0 ? { epoch, attempt } : bar;",
    tests: ["test/engine/connector/host"],
  },
];
