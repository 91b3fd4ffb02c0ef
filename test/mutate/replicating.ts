/** Faults of a log that several engines share: what its design says would break the promise that a row is sold once. */
import type { Fault } from "./fault.ts";

const COPY = "engine/replica/copy.ts";
const MODEL = "test/engine/replica/simulation.test.ts";
const COPY_TESTS = [MODEL, "test/engine/replica/copy.test.ts"];

export const replicatingFaults: readonly Fault[] = [
  {
    id: "a batch is in the copy before the log holds it",
    part: "replica",
    file: "engine/store/log/logged-store.ts",
    find: "    await log.append(lastSequence, [encodeRecord({ isFirst: false, operations })]);\n    this.#changed(operations, lastSequence + 1);",
    replace:
      "    this.#changed(operations, lastSequence + 1);\n    await log.append(lastSequence, [encodeRecord({ isFirst: false, operations })]);",
    tests: [MODEL, "test/engine/store/log/logged-store.test.ts"],
  },
  {
    id: "a leader acts after its lease",
    part: "replica",
    file: "engine/replica/lease.ts",
    find: "  return nowMs - provenAtMs < ACTING_SHARE * leaseMs;",
    replace: "  return nowMs - provenAtMs < 4 * leaseMs;",
    tests: [MODEL, "test/engine/replica/lease.test.ts"],
  },
  {
    id: "a leader of the past is passed on",
    part: "replica",
    file: "engine/connector/host/fence.ts",
    find: "    if (fence.epoch < heard) return",
    replace: "    if (fence.epoch < 0) return",
    tests: [MODEL, "test/engine/connector/host"],
  },
  {
    id: "an attempt that was asked back is passed on when it comes",
    part: "replica",
    file: "engine/connector/host/guard.ts",
    find: "    this.#options.fence.raiseBar(clientOrderId, fence);\n    this.#heard.noteRecalled(clientOrderId, fence);\n",
    replace: "    this.#heard.noteRecalled(clientOrderId, fence);\n",
    tests: [MODEL, "test/engine/connector/host"],
  },
  {
    id: "an attempt that comes late makes the one under way one that was not heard",
    part: "replica",
    file: "engine/connector/host/heard-attempts.ts",
    find: "    if (last !== undefined && isAtOrUnder(heard, last)) return () => undefined;\n",
    replace: "",
    tests: ["test/engine/connector/host"],
  },
  {
    id: "an attempt that has its answer is passed on",
    part: "replica",
    file: "engine/connector/host/fence.ts",
    find: "    if (bar === undefined || !isAtOrUnder(fence, bar)) return undefined;",
    replace: "    if (bar === undefined || fence.epoch === bar.epoch) return undefined;",
    tests: [MODEL, "test/engine/connector/host"],
  },
  {
    id: "a claim goes under an id that was used before",
    part: "replica",
    file: COPY,
    find: "newId()}`",
    replace: "owner}`",
    tests: COPY_TESTS,
  },
  {
    id: "a copy ends when the log gives no answer",
    part: "replica",
    file: COPY,
    find: "      this.#trouble = reasonOf(error);\n      this.#tellSilence(false);\n      return undefined;",
    replace: "      throw error;",
    tests: COPY_TESTS,
  },
  {
    id: "an epoch is forgotten with a restart",
    part: "replica",
    file: "engine/replica/stream/log-reader.ts",
    find: "    if (this.#epoch !== undefined && frame.epoch !== this.#epoch) {",
    replace: "    if (frame.epoch !== (this.#epoch ?? 0)) {",
    tests: COPY_TESTS,
  },
  {
    id: "silence counts before reading began",
    part: "replica",
    file: COPY,
    find: "    this.#heard = { ...this.#heard, heardAtMs: this.#nowMs(), leaseMs: this.#reader.leaseMs, release };",
    replace: "    this.#heard = { ...this.#heard, heardAtMs: this.#nowMs(), leaseMs: 0, release };",
    tests: COPY_TESTS,
  },
  {
    id: "a release counts that others followed",
    part: "replica",
    file: COPY,
    find: 'event?.kind === "release" ? { to: event.to } : undefined;',
    replace: 'event?.kind === "release" ? { to: event.to } : this.#heard.release;',
    tests: COPY_TESTS,
  },
  {
    id: "one partition that is lost ends the process",
    part: "replica",
    file: "engine/partition/hosting/replica.ts",
    find: "            if (!term.isOver) fatal(reason, cause);",
    replace: "            fatal(reason, cause);",
    tests: ["test/engine/partition/hosting/replica.test.ts"],
  },
];
