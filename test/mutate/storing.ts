/** Faults of storing, of reading back, and of going on from a backup. */
import type { Fault } from "./fault.ts";

const JOURNAL = "engine/store/journal/journal.ts";
const HOST = "engine/actor/host.ts";
const JOURNAL_TESTS = ["test/engine/store/journal/journal.test.ts", "test/engine/store/journal/journal-ahead.test.ts"];
const HOST_TESTS = ["test/engine/actor", "test/engine/partition/partition.test.ts"];

export const storingFaults: readonly Fault[] = [
  {
    id: "acts run before their batch is durable",
    part: "journal",
    file: JOURNAL,
    find: "    const head = this.#head;\n    this.#options.store.write(operations).then(\n      () => this.#onWritten(layer.acts, head),",
    replace:
      "    const head = this.#head;\n    this.#letOut(layer.acts);\n    this.#options.store.write(operations).then(\n      () => this.#onWritten([], head),",
    tests: JOURNAL_TESTS,
  },
  {
    id: "work that rests on others passes them",
    part: "journal",
    file: JOURNAL,
    find: "    if (this.#isPassing) this.#stopPassing();\n  }\n\n  beforeClose",
    replace: "  }\n\n  beforeClose",
    tests: JOURNAL_TESTS,
  },
  {
    id: "events pass those before them",
    part: "journal",
    file: "engine/store/event/event-log.ts",
    find: "    journal.keepOrder();\n",
    replace: "",
    tests: ["test/engine/store/event/event-log.test.ts", "test/engine/store/event/event-order.test.ts"],
  },
  {
    id: "a key is in both layers",
    part: "journal",
    file: JOURNAL,
    find: "      if (!this.#making.changes.has(key)) return this.#ahead;\n      this.#stopPassing();\n    }",
    replace: "      return this.#ahead;\n    }",
    tests: JOURNAL_TESTS,
  },
  {
    id: "the sequence starts over after a restart",
    part: "journal",
    file: JOURNAL,
    find: "    this.#sequence = options.head.sequence;",
    replace: "    this.#sequence = 0;",
    tests: JOURNAL_TESTS,
  },
  {
    id: "a failed write is gone over",
    part: "journal",
    file: JOURNAL,
    find: '        this.#isDead = true;\n        this.#options.fatal("a write to the store failed", cause);',
    replace: "        void cause;\n        this.#onWritten(layer.acts, head);",
    tests: JOURNAL_TESTS,
  },
  {
    id: "ids are given out again after a restart",
    part: "journal",
    file: JOURNAL,
    find: "    return { ...this.#head, ids: this.#ids, sequence: this.#sequence };",
    replace: "    return { ...this.#head, sequence: this.#sequence };",
    tests: JOURNAL_TESTS,
  },
  {
    id: "the log is not synced",
    part: "journal",
    file: "engine/store/log/level-log.ts",
    find: "await this.#level.put(keyOf(first), record, { sync: true });",
    replace: "await this.#level.put(keyOf(first), record, { sync: false });",
    tests: ["test/engine/store/log/synced.test.ts"],
  },
  {
    id: "a store with a hole is armed",
    part: "recovery",
    file: "engine/store/recovery.ts",
    find: "  if (found !== head.liveHash) {",
    replace: "  if (found === undefined) {",
    tests: ["test/engine/store/journal/journal.test.ts", "test/engine/store/folder/data-folder.test.ts"],
  },
  {
    id: "an old copy is taken for the newest",
    part: "recovery",
    file: "engine/store/recovery.ts",
    find: "  if (head.batch >= witness.batch) return;",
    replace: "  if (head.batch >= 0) return;",
    tests: ["test/engine/store/journal/journal.test.ts", "test/engine/store/folder/data-folder.test.ts"],
  },
  {
    id: "what is read back is not watched",
    part: "recovery",
    file: HOST,
    find: "    this.#arming.watch(id, actor.facts);\n",
    replace: "",
    tests: HOST_TESTS,
  },
  {
    id: "claims are not read back",
    part: "recovery",
    file: "engine/partition/memory.ts",
    find: "    else if (table === TABLES.claims) this.claims.add(table.nameOf(key));\n",
    replace: "",
    tests: HOST_TESTS,
  },
  {
    id: "orders on their way are not read back",
    part: "recovery",
    file: "engine/partition/recovery.ts",
    find: "    else if (table === TABLES.outbox) outbox.recover(key, value);\n",
    replace: "",
    tests: HOST_TESTS,
  },
  {
    id: "the last record of the log is not redone",
    part: "recovery",
    file: "engine/store/log/logged-store.ts",
    find: "        this.#take(sequence, bytes, mustBeFirst && sequence === from);",
    replace:
      "        if (sequence !== log.lastSequence) this.#take(sequence, bytes, mustBeFirst && sequence === from);",
    tests: ["test/engine/store/log/logged-store.test.ts"],
  },
  {
    id: "a restored installation gives out old ids",
    part: "restore",
    file: "engine/store/backup/restored.ts",
    find: "ids: head.ids + reserve,",
    replace: "ids: head.ids,",
    tests: ["test/engine/store/backup/restored.test.ts"],
  },
  {
    id: "what a lost life may have sent is sent unasked",
    part: "restore",
    file: "engine/broker/gateway/look-first.ts",
    find: 'if (resend === "idempotent" || !mayBeKnown(clientOrderId)) return send();',
    replace: 'if (resend !== "none" || !mayBeKnown(clientOrderId)) return send();',
    tests: ["test/engine/broker/gateway/look-first.test.ts"],
  },
  {
    id: "rows are called by the life that sells them",
    part: "restore",
    file: "engine/store/order-names.ts",
    find: "this.#lives.findLast(({ afterIds }) => afterIds < number)",
    replace: "this.#lives.findLast(({ afterIds }) => afterIds < number + Number.MAX_SAFE_INTEGER)",
    tests: ["test/engine/store/order-names.test.ts"],
  },
];
