/** Reference data over a disk in memory, with the commands and queries in front of it. */
import assert from "node:assert/strict";
import type { CommandContext } from "../../../engine/command/context.ts";
import { referenceCommands } from "../../../engine/command/operator/reference.ts";
import { CommandRunner } from "../../../engine/command/runner.ts";
import { PartitionInbox } from "../../../engine/partition/inbox.ts";
import type { ReferenceData } from "../../../engine/ports/reference.ts";
import type { Store } from "../../../engine/ports/storage.ts";
import type { QueryContext } from "../../../engine/query/context.ts";
import { referenceQueries } from "../../../engine/query/operator/reference.ts";
import { openReferenceData } from "../../../engine/reference/reference-store.ts";
import { SymbolDirectory } from "../../../engine/reference/symbol-directory.ts";
import type { Reply } from "../../../src/contract/command.ts";
import { FakeTime } from "../../support/machine/fake-time.ts";
import { FakeDisk, FakeJournal } from "../../support/store/fake-journal.ts";

/** A user and another one. */
export const ANN = 7;
export const BOB = 8;

export function scanOf(disk: FakeDisk): Pick<Store, "scan"> {
  return {
    async *scan({ gte, lt }) {
      const keys = [...disk.rows.keys()].filter((key) => key >= gte && key < lt).sort();
      yield keys.map((key) => [key, disk.rows.get(key) ?? new Uint8Array()] as const);
    },
  };
}

interface Parts {
  readonly disk: FakeDisk;
  readonly time: FakeTime;
  readonly journal: FakeJournal;
  readonly directory: SymbolDirectory;
  /** The changes that were reported. */
  readonly changes: string[];
}

export class RunningReference {
  readonly disk: FakeDisk;
  readonly time: FakeTime;
  readonly journal: FakeJournal;
  readonly directory: SymbolDirectory;
  readonly changes: string[];
  readonly reference: ReferenceData;
  readonly #commands: CommandRunner;

  private constructor({ disk, time, journal, directory, changes }: Parts, reference: ReferenceData) {
    this.disk = disk;
    this.time = time;
    this.journal = journal;
    this.directory = directory;
    this.changes = changes;
    this.reference = reference;
    // Reference commands use nothing of a context but its journal and clock.
    const context = { journal, clock: time, store: scanOf(disk) } as unknown as CommandContext;
    this.#commands = new CommandRunner(context, referenceCommands(reference), new PartitionInbox(time));
  }

  /** Starts one; over a disk that one ran on before it is a restart. `writeMs`: how long a batch takes. */
  static async start(disk = new FakeDisk(), writeMs: () => number = () => 0): Promise<RunningReference> {
    const time = new FakeTime();
    const journal = new FakeJournal(disk, time, writeMs);
    const parts: Parts = { disk, time, journal, directory: new SymbolDirectory(), changes: [] };
    const onChanged = ({ what }: { readonly what: string }) => void parts.changes.push(what);
    const opening = openReferenceData({ journal, store: scanOf(disk), directory: parts.directory, onChanged });
    await time.advance(1_000);
    const reference = await opening;
    assert.deepEqual(parts.changes.splice(0), ["all"]);
    return new RunningReference(parts, reference);
  }

  /** Sends a command and lets it become durable. */
  async command(type: string, body: object, userId = ANN, idempotencyKey?: string): Promise<Reply> {
    const idempotency = idempotencyKey === undefined ? {} : { idempotency: { key: idempotencyKey, fingerprint: "f" } };
    const reply = this.#commands.handle({ type, userId, requestId: "r", body, ...idempotency });
    await this.time.advance(1_000);
    return reply;
  }

  /** Asks for one thing. */
  async query(type: string, body: object, userId: number | null = ANN): Promise<Reply> {
    const answer = await this.#ask(type, body, userId);
    assert.ok(!(answer instanceof Uint8Array), "one thing was asked for");
    return answer;
  }

  /** Asks for all rows, page by page; or gets the refusal. */
  async rows(type: string, body: object, userId: number | null = ANN, pageBytesMax?: number): Promise<unknown> {
    const rows: unknown[] = [];
    for (let from: string | null = null; ; ) {
      const answer = await this.#ask(type, { ...body, from }, userId, pageBytesMax);
      if (!(answer instanceof Uint8Array)) return answer;
      const [header = "", text = ""] = Buffer.from(answer).toString().split("\n");
      rows.push(...(JSON.parse(`[${text}]`) as unknown[]));
      from = (JSON.parse(header) as { next: string | null }).next;
      if (from === null) return rows;
    }
  }

  async #ask(type: string, body: object, userId: number | null, pageBytesMax?: number): Promise<Reply | Uint8Array> {
    const handler = referenceQueries(this.reference).get(type);
    assert.ok(handler !== undefined, type);
    const answer = handler({} as QueryContext, userId, body, pageBytesMax);
    await this.time.advance(1_000);
    return answer;
  }
}

/** Field by field what a reply was refused with. */
export function refusalOf(reply: Reply): readonly [string, string] {
  assert.ok(!reply.ok, "it was refused");
  return [reply.code, reply.message];
}

/** The data of a reply. */
export function dataOf<T>(reply: Reply): T {
  assert.ok(reply.ok, reply.ok ? "" : reply.message);
  return reply.data as T;
}
