/** An actor host over a real journal, watchbook and inbox, on a disk that outlives it. */
import assert from "node:assert/strict";
import { ActorHost } from "../../../engine/actor/host.ts";
import { type ActorKind, kindOf } from "../../../engine/actor/kind.ts";
import { PartitionInbox } from "../../../engine/partition/inbox.ts";
import { kindNamed } from "../../../engine/partition/kinds.ts";
import type { RenderSource } from "../../../engine/ports/event.ts";
import type { OutboxOrder } from "../../../engine/ports/order.ts";
import type { LastPrice } from "../../../engine/ports/price.ts";
import { firstHead, type Head } from "../../../engine/store/journal/head.ts";
import { ReachedBuffer } from "../../../engine/watch/reached-buffer.ts";
import { PartitionWatchbook } from "../../../engine/watch/watchbook.ts";
import type { OcoGroup } from "../../../src/domain/oco/group.ts";
import { openGroup } from "../../../src/domain/oco/open-group.ts";
import { livePrice } from "../../../src/domain/price/price.ts";
import { refuse } from "../../../src/domain/refusal.ts";
import type { Log } from "../../../src/runtime/ports.ts";
import { FakeTime } from "../../support/machine/fake-time.ts";
import { checkedJournal } from "../../support/store/checked-journal.ts";
import { MemoryDisk } from "../../support/store/memory-store.ts";
import { testFeed } from "../../support/world/test-feed.ts";

const FIRST_HEAD = firstHead("abcdefghij", { partition: 0, partitions: 1 }, 0);
const OWNER = { userId: 7, brokerageCode: "PAPER", accountNumber: "A1", symbol: "THYAO", hasOversellGuard: false };
export const OTHER_ID_MIN = 1_000;

/** A kind of group whose steps fail on command. */
function brittle(isBroken: () => boolean): ActorKind {
  const kind = kindNamed("group");
  return kindOf({
    ...kind,
    isShownAlike: (before: object, after: object) => {
      if (isBroken()) throw new Error("a rule of ours failed");
      return kind.isShownAlike?.(before, after) ?? false;
    },
  });
}

/** What one process holds. */
interface Life {
  readonly host: ActorHost;
  readonly watchbook: PartitionWatchbook;
}

export class World {
  readonly time = new FakeTime();
  readonly disk = new MemoryDisk();
  readonly last = new Map<string, LastPrice>();
  isBroken = false;
  isCatchingUp = false;
  onArmedMeanwhile: (symbol: string) => void = () => undefined;
  readonly submitted: OutboxOrder[] = [];
  readonly events: { readonly type: string; readonly payload: object; readonly source: RenderSource | undefined }[] =
    [];
  readonly quarantined: number[] = [];
  readonly logged: string[] = [];
  readonly #hotActorsMax: number;
  #life: Life;

  constructor(hotActorsMax = 10) {
    this.#hotActorsMax = hotActorsMax;
    this.#life = this.#start();
  }

  get host(): ActorHost {
    return this.#life.host;
  }

  get watchbook(): PartitionWatchbook {
    return this.#life.watchbook;
  }

  #start(): Life {
    const { time } = this;
    const store = this.disk.open({ timers: time });
    const stored = this.disk.entries.get("head");
    const head: Head = stored === undefined ? FIRST_HEAD : JSON.parse(Buffer.from(stored).toString());
    const journal = checkedJournal(store, head, time);
    const inbox = new PartitionInbox(time);
    const watchbook = new PartitionWatchbook();
    const note = (_fields: object, message: string): void => void this.logged.push(message);
    const log: Log = { debug: note, info: note, warn: note, error: note };
    const host = new ActorHost({
      kinds: [brittle(() => this.isBroken)],
      orderName: (_id, name) => `${head.installation}-${name}`,
      journal,
      watchbook,
      inbox,
      outbox: {
        submit: (order) => void this.submitted.push(order),
        withdraw: () => false,
        withdrawOf: () => undefined,
        withdrawRefused: () => undefined,
      },
      events: { emit: (_userId, type, payload, source) => void this.events.push({ type, payload, source }) },
      feed: testFeed({
        prices: { last: (symbol) => this.last.get(symbol) },
        isCatchingUp: () => this.isCatchingUp,
        onArmedMeanwhile: (symbol) => this.onArmedMeanwhile(symbol),
      }),
      isHeld: () => false,
      tradingStateOf: () => undefined,
      limitRefusalOf: () => undefined,
      limitOf: () => undefined,
      walk: { bringUp: () => false, begin: () => undefined, lastSeenBy: () => undefined, hasWaiting: false },
      clock: time,
      log,
      hotActorsMax: this.#hotActorsMax,
      openGroup: () => refuse("INVALID", "no groups of setups here"),
      onCancelOrder: () => undefined,
      onQuarantined: (id) => void this.quarantined.push(id),
    });
    return { host, watchbook };
  }

  /** The process starts again from what is durable. */
  async restart(): Promise<void> {
    await this.settle();
    this.time.forgetAll();
    this.#life = this.#start();
    for (const key of this.keys("q/")) this.host.quarantine.recover(Number(key.slice(2)));
    for (const [key, bytes] of this.disk.entries) {
      if (key.startsWith("a/")) this.host.recover(Number(key.slice(2)), bytes);
    }
  }

  async settle(): Promise<void> {
    await this.time.advance(10);
  }

  /** A group with a stop-loss at 90 and take-profits at 110 and 120. */
  open(id: number, change: Partial<OcoGroup> = {}): void {
    const plan = {
      stopLoss: { price: 9_000, quantity: 30 },
      takeProfits: [
        { price: 11_000, quantity: 10 },
        { price: 12_000, quantity: 20 },
      ],
      dueAtMs: null,
      notes: null,
    };
    const group = openGroup(plan, OWNER, [id, id + 1, id + 2], this.time.nowMs());
    this.host.create("group", id, { ...group, ...change });
  }

  see(price: number, ageMs = 0): void {
    const live = livePrice(price);
    assert(live !== undefined);
    this.last.set("THYAO", { price: live, timeMs: this.time.nowMs() - ageMs });
  }

  /** A tick, as the partition hands it on. */
  tick(price: number, timeMs = this.time.nowMs(), isCaughtUp = false): void {
    const live = livePrice(price);
    assert(live !== undefined);
    const reached = new ReachedBuffer();
    this.watchbook.collect("THYAO", live.floor, live.ceil, reached);
    for (let index = 0; index < reached.length; index += 1) {
      this.host.deliverReached(reached.ownerAt(index), [reached.watchAt(index)], { price, timeMs, isCaughtUp });
    }
  }

  group(id: number): OcoGroup {
    const found = this.host.find("group", id);
    assert(found !== undefined);
    return found.context as OcoGroup;
  }

  names(): string[] {
    return this.submitted.map(({ clientOrderId }) => clientOrderId);
  }

  keys(prefix: string): string[] {
    return [...this.disk.entries.keys()].filter((key) => key.startsWith(prefix));
  }
}
