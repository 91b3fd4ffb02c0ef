/**
 * The identity room over a real journal and host, on a disk that survives restarts, with time and chance handed in.
 */
import { createHash } from "node:crypto";
import { ActorHost } from "../../../engine/actor/host.ts";
import { Directory } from "../../../engine/identity/directory.ts";
import { type Decide, Revocations } from "../../../engine/identity/revocations.ts";
import type { Grant } from "../../../engine/identity/signing.ts";
import { TokenIssuer } from "../../../engine/identity/tokens.ts";
import { PartitionInbox } from "../../../engine/partition/inbox.ts";
import { actorKinds } from "../../../engine/partition/kinds.ts";
import type { Store } from "../../../engine/ports/storage.ts";
import { firstHead, type Head } from "../../../engine/store/journal/head.ts";
import type { PartitionJournal } from "../../../engine/store/journal/journal.ts";
import { readHead, readLive } from "../../../engine/store/recovery.ts";
import { PartitionWatchbook } from "../../../engine/watch/watchbook.ts";
import type { Scope } from "../../../src/domain/family.ts";
import { refuse } from "../../../src/domain/refusal.ts";
import type { Log } from "../../../src/runtime/ports.ts";
import { FakeTime } from "../../support/machine/fake-time.ts";
import { checkedJournal } from "../../support/store/checked-journal.ts";
import { MemoryDisk } from "../../support/store/memory-store.ts";
import { testFeed } from "../../support/world/test-feed.ts";

const PLACE = { partition: 0, partitions: 1 };
const FIRST_HEAD = firstHead("abcdefghij", PLACE, 0);

/** Bytes that look random and come out the same in every run. */
function seededRandom(seed: string): (byteCount: number) => Uint8Array {
  let drawn = 0;
  return (byteCount) => {
    drawn += 1;
    return createHash("shake256", { outputLength: byteCount }).update(`${seed} ${drawn}`).digest();
  };
}

/** A log whose lines are kept as JSON. */
export class KeptLog implements Log {
  readonly lines: string[] = [];
  readonly debug = this.#keep("debug");
  readonly info = this.#keep("info");
  readonly warn = this.#keep("warn");
  readonly error = this.#keep("error");

  at(level: string): string[] {
    return this.lines.filter((line) => line.startsWith(level));
  }

  #keep(level: string) {
    return (fields: object, message: string): void => {
      this.lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
    };
  }
}

/** The parts of one process of the engine. */
interface Running {
  readonly store: Store;
  readonly journal: PartitionJournal;
  readonly host: ActorHost;
  readonly directory: Directory;
  readonly revocations: Revocations;
  readonly issuer: TokenIssuer;
  readonly decide: Decide;
}

export class World {
  readonly time = new FakeTime();
  readonly disk = new MemoryDisk();
  readonly log = new KeptLog();
  readonly random = seededRandom("identity");
  /** Grants of the signed access tokens, oldest first. */
  readonly grants: Grant[] = [];
  /** Families whose revocation was reported. */
  readonly told: number[] = [];
  /** Events of users, as `type family`. */
  readonly events: string[] = [];
  /** How long a write to the disk takes. */
  writeMs = 0;
  #running: Running;

  constructor() {
    this.#running = this.#build(FIRST_HEAD);
  }

  get directory(): Directory {
    return this.#running.directory;
  }

  get issuer(): TokenIssuer {
    return this.#running.issuer;
  }

  get revocations(): Revocations {
    return this.#running.revocations;
  }

  get host(): ActorHost {
    return this.#running.host;
  }

  get journal(): PartitionJournal {
    return this.#running.journal;
  }

  get decide(): Decide {
    return this.#running.decide;
  }

  /** Moves the loop on until the promise has settled. */
  async run<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false;
    const settle = (): void => {
      isSettled = true;
    };
    promise.then(settle, settle);
    while (!isSettled) await this.time.turns();
    return promise;
  }

  /** A user with one key. */
  async userWithKey(
    scopes: readonly Scope[] = ["read", "trade"],
  ): Promise<{ readonly userId: number; readonly keyId: number; readonly apiKey: string }> {
    return this.run(
      this.decide(() => {
        const { userId } = this.directory.createUser("Ada");
        const made = this.directory.createApiKey(userId, "laptop", scopes);
        if (!made.ok) throw new Error(made.message);
        return { userId, keyId: made.value.keyId, apiKey: made.value.apiKey };
      }),
    );
  }

  /** The process dies (batches on their way are torn off or kept) and another one starts from the disk. */
  async restart(isKept: () => boolean = () => false): Promise<void> {
    this.time.forgetAll();
    this.disk.crash(isKept);
    const store = this.disk.open({ timers: this.time });
    const head = (await readHead(store, PLACE, undefined)) ?? FIRST_HEAD;
    this.#running = this.#build(head);
    await readLive(store, head, (key, value) => {
      if (key.startsWith("a/")) this.host.recover(Number(key.slice(2)), Buffer.from(value));
    });
  }

  /** Every stored key and value, as text. */
  storedText(): string {
    return [...this.disk.entries].map(([key, value]) => `${key} ${Buffer.from(value).toString()}`).join("\n");
  }

  storedKeys(prefix: string): string[] {
    return [...this.disk.entries.keys()].filter((key) => key.startsWith(prefix)).sort();
  }

  #build(head: Head): Running {
    const { time, log, random } = this;
    const store = this.disk.open({ timers: time, writeMs: () => this.writeMs });
    const journal = checkedJournal(store, head, time);
    const inbox = new PartitionInbox(time);
    const decide: Decide = (work) =>
      new Promise((resolve) => {
        inbox.enqueue(() => {
          const given = work();
          journal.afterDurable(() => resolve(given));
        });
      });
    const host = this.#hostOver(journal, inbox);
    const shared = { journal, store, clock: time, random, log, decide };
    const directory = new Directory(shared);
    const revocations = new Revocations({
      ...shared,
      onRevoked: ({ familyId }) => {
        if (!this.storedKeys("rv/").includes(`rv/${String(familyId).padStart(16, "0")}`)) {
          throw new Error(`the revocation of ${familyId} was told before it was durable`);
        }
        this.told.push(familyId);
      },
    });
    // A signature that can be read: what it signs is what matters here.
    const signer = {
      sign: async (grant: Grant) => {
        this.grants.push(grant);
        return `access ${grant.familyId}.${grant.generation}`;
      },
    };
    const issuer = new TokenIssuer({ ...shared, actors: host, directory, revocations, signer });
    return { store, journal, host, directory, revocations, issuer, decide };
  }

  #hostOver(journal: PartitionJournal, inbox: PartitionInbox): ActorHost {
    return new ActorHost({
      kinds: actorKinds,
      orderName: (_id, name) => name,
      journal,
      inbox,
      clock: this.time,
      log: this.log,
      watchbook: new PartitionWatchbook(),
      outbox: {
        submit: () => {
          throw new Error("no order here");
        },
        withdraw: () => false,
        withdrawOf: () => undefined,
        withdrawRefused: () => undefined,
      },
      events: { emit: (userId, type, data) => void this.events.push(`${userId} ${type} ${JSON.stringify(data)}`) },
      feed: testFeed(),
      walk: { bringUp: () => false, begin: () => undefined, lastSeenBy: () => undefined, hasWaiting: false },
      isHeld: () => false,
      tradingStateOf: () => undefined,
      limitRefusalOf: () => undefined,
      limitOf: () => undefined,
      hotActorsMax: 2,
      openGroup: () => refuse("INTERNAL", "no group here"),
      onCancelOrder: () => undefined,
      onQuarantined: () => undefined,
    });
  }
}
