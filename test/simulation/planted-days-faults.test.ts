// tier: full
/**
 * The worlds of several days find faults: each fault of corporate actions, of ladders and of exits over the night that is
 * planted here is caught within a bounded number of worlds.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ActorHost } from "../../engine/actor/host.ts";
import type { ActorKind } from "../../engine/actor/kind.ts";
import { LastHoldings } from "../../engine/order/holdings.ts";
import { Bands } from "../../engine/partition/bands.ts";
import { CorporateActions } from "../../engine/partition/corporate-actions.ts";
import { Renames } from "../../engine/partition/renames.ts";
import type { AcceptedTick, LastPrice } from "../../engine/ports/price.ts";
import { LoggedStore } from "../../engine/store/log/logged-store.ts";
import type { StoredRename } from "../../src/contract/operator/rename.ts";
import type { GroupChange } from "../../src/domain/oco/change.ts";
import type { OcoGroup } from "../../src/domain/oco/group.ts";
import { livePrice } from "../../src/domain/price/price.ts";
import { groupKind, replacing } from "./planting.ts";
import { runDays } from "./run.ts";

/** Within how many worlds a fault shows. */
const WORLDS_MAX = 60;

/**
 * Runs worlds of several days until one shows the fault; returns the message of its violation. Begins with the world
 * `first`, which showed the fault before.
 */
async function findOut(first = 1): Promise<string> {
  for (let seed = first; seed < first + WORLDS_MAX; seed += 1) {
    const { violation } = await runDays({ seed });
    if (violation !== undefined) return violation.message;
  }
  return assert.fail(`${WORLDS_MAX} worlds did not show the fault`);
}

/** Groups are read back as `change` leaves them. */
function readAs(change: (group: OcoGroup) => OcoGroup): Promise<string> {
  const make = (original: ActorKind["parse"]) => (stored: unknown) => change(original(stored) as OcoGroup);
  return replacing(groupKind() as { parse: ActorKind["parse"] }, "parse", make, () => findOut());
}

describe("worlds of several days find out", () => {
  test("a corporate action that counts again after a kill", async () => {
    const forgotten = (original: CorporateActions["recover"]) =>
      function recover(this: CorporateActions, value: Uint8Array): void {
        const row: object = JSON.parse(Buffer.from(value).toString());
        original.call(this, Buffer.from(JSON.stringify({ ...row, appliedAtMs: null })));
      };
    await replacing(CorporateActions.prototype, "recover", forgotten, () =>
      readAs(({ corporate, ...group }) => {
        const { counted: _, ...rest } = corporate ?? {};
        return { ...group, corporate: rest };
      }),
    );
  });

  test("prices that are not held while levels follow an action", async () => {
    const open = (original: CorporateActions["admits"]) =>
      function admits(this: CorporateActions, tick: AcceptedTick): boolean {
        original.call(this, tick);
        return true;
      };
    await replacing(CorporateActions.prototype, "admits", open, () => findOut());
  });

  test("prices that waited while levels followed, and are lost", async () => {
    const lost = (original: CorporateActions["admits"]) =>
      function admits(this: CorporateActions, tick: AcceptedTick): boolean {
        return this.isApplying(tick.symbol) ? false : original.call(this, tick);
      };
    await replacing(CorporateActions.prototype, "admits", lost, () => findOut());
  });

  test("a first price of the new base that holds the symbol when it is read back", async () => {
    const raw = () =>
      function closeBefore(this: CorporateActions, { close }: AcceptedTick) {
        return close;
      };
    await replacing(CorporateActions.prototype, "closeBefore", raw, () => findOut());
  });

  test("a rung that is lost when its group is read back", async () => {
    const message = await readAs((group) => {
      const { ladder } = group;
      if (ladder === undefined || ladder.dueAtMs === null) return group;
      return { ...group, ladder: { ...ladder, climbed: ladder.climbed + 1, dueAtMs: null } };
    });
    assert.match(message, /sells|did not fire/);
  });

  test("an order of an exit at the floor of another day", async () => {
    const known = (original: Bands["find"]) => {
      const first = new Map<string, ReturnType<Bands["find"]>>();
      return function find(this: Bands, ...asked: Parameters<Bands["find"]>) {
        const [symbol] = asked;
        const band = first.get(symbol) ?? original.apply(this, asked);
        first.set(symbol, band);
        return band;
      };
    };
    assert.match(await replacing(Bands.prototype, "find", known, () => findOut()), /the floor of its day/);
  });

  test("an exit that sends its next order while the one at the floor is open", async () => {
    await readAs((group) => {
      if (group.exit?.pursuit === undefined) return group;
      return { ...group, stopLossOrdersOpen: 0, followed: group.followed.filter(({ row }) => row > 0) };
    });
  });

  test("an exit that is forgotten over the night", async () => {
    await readAs((group) => {
      const { exit, ...rest } = group;
      return exit?.pursuit === undefined ? group : rest;
    });
  });

  test("lots that a take-profit did not sell, and that are forgotten after a kill", async () => {
    const message = await readAs((group) => {
      return { ...group, rows: group.rows.map((row) => ({ ...row, unsoldQuantity: 0 })) };
    });
    assert.match(message, /the ledger counts \d+ lots of row \d+, \d+ were sold/);
  });

  test("a group that the sell ledger leaves out", async () => {
    const short = (original: LoggedStore["scan"]) =>
      async function* scan(this: LoggedStore, range: Parameters<LoggedStore["scan"]>[0]) {
        for await (const page of original.call(this, range))
          yield range.gte.startsWith("v/oco/") ? page.slice(1) : page;
      };
    const message = await replacing(LoggedStore.prototype, "scan", short, () => findOut());
    assert.match(message, /the ledger commits \d+ lots of its account, \d+ are expected/);
  });

  test("a stop-loss that does not know what its account holds", async () => {
    const unknown = () =>
      function find(this: LastHoldings) {
        return undefined;
      };
    const message = await replacing(LastHoldings.prototype, "find", unknown, () => findOut());
    assert.match(message, /sold \d+ lots that \S+ does not hold/);
  });

  test("a group that shrinks with its position, and whose take-profits do not", async () => {
    const half = (original: ActorHost["deliver"]): ActorHost["deliver"] =>
      function deliver(this: ActorHost, kind, id, event) {
        if (event.type !== "change") return original.call(this, kind, id, event);
        const { change } = event as unknown as { readonly change: GroupChange };
        const stopLoss = { ...change, changed: change.changed.filter(({ row }) => row === 0), removed: [] };
        return original.call(this, kind, id, { ...event, change: stopLoss } as unknown as typeof event);
      };
    const message = await replacing(ActorHost.prototype, "deliver", half, () => findOut());
    assert.match(message, /row \d+ sells \d+ at .*, expected \d+ at|is Active, and it was over/);
  });

  test("a group that keeps the former name of its symbol", async () => {
    const left = (original: ActorHost["wake"]): ActorHost["wake"] =>
      function wake(this: ActorHost, id, ...events) {
        return events.some(({ type }) => type === "symbolRenamed") || original.call(this, id, ...events);
      };
    const message = await replacing(ActorHost.prototype, "wake", left, () => findOut());
    assert.match(message, /row \d+ is of \S+, whose name is \S+|did not fire/);
  });

  test("a price under the former name that counts after a newer one under the new name", async () => {
    const older = () =>
      function lastBefore(this: Renames, symbol: string) {
        return former.get(symbol);
      };
    const former = new Map<string, LastPrice>();
    const kept = (original: Renames["recover"]) =>
      function recover(this: Renames, value: Uint8Array): void {
        const { to, last }: StoredRename = JSON.parse(Buffer.from(value).toString());
        const price = last === null ? undefined : livePrice(last.price);
        if (price !== undefined && last !== null) former.set(to, { price, timeMs: last.timeMs });
        original.call(this, value);
      };
    const message = await replacing(Renames.prototype, "recover", kept, () =>
      replacing(Renames.prototype, "lastBefore", older, () => findOut(13)),
    );
    assert.match(message, /fired, and no price of its base reached it/);
  });
});
