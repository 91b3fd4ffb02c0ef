/**
 * The clients of a world: they create and cancel groups and place orders.
 *
 * Owns: what was asked for and what must be answered. Does not own: the consequences (`oracle.ts`, `checks.ts`).
 */
import type { Reply } from "../../../src/contract/command.ts";
import { COMMANDS } from "../../../src/contract/command.ts";
import { type GroupModel, type GroupOwner, newGroupModel, type Trail } from "../oracle/model.ts";
import type { Oracle } from "../oracle/oracle.ts";
import { ACTIVE, type PlainDisk, type PlainRow } from "../oracle/plain-rows.ts";
import type { Random } from "../world/random.ts";
import type { Report } from "../world/report.ts";
import type { StreamTick } from "../world/tick-stream.ts";
import type { VirtualTime } from "../world/virtual-time.ts";
import type { Asked, Requests } from "./requests.ts";

/** A client's own order: its quantity is its name. */
export interface ClientOrder {
  readonly quantity: number;
  readonly brokerageCode: string;
  readonly asked: Asked;
}

interface ClientsOptions {
  readonly requests: Requests;
  readonly oracle: Oracle;
  readonly disk: PlainDisk;
  /** The stream's last sequence, and the last tick of a symbol that the engine knows. */
  readonly lastSequence: () => number;
  readonly lastTick: (symbol: string) => StreamTick | undefined;
  readonly time: VirtualTime;
  readonly random: Random;
  readonly report: Report;
  readonly hasOversellGuard: boolean;
  readonly anyOwner: () => GroupOwner;
  readonly milliOf: (symbol: string) => number;
}

const FIRST_ORDER_QUANTITY = 1_000_000;

/** A quarter of the groups have a stop-loss that trails; without a draw, because a draw would change all worlds. */
function trailOf(number: number): Pick<Trail, "distanceMilli" | "confirmTicks"> | undefined {
  if (number % 4 !== 3) return undefined;
  return { distanceMilli: 2_000 + (number % 3) * 500, confirmTicks: number % 8 === 3 ? 1 : 2 };
}

export class Clients {
  readonly #options: ClientsOptions;
  readonly orders: ClientOrder[] = [];

  constructor(options: ClientsOptions) {
    this.#options = options;
  }

  /** Asks for a group around the last price, sometimes a group that is reached already. */
  create(): void {
    const { random, oracle, hasOversellGuard, disk, report, time } = this.#options;
    const owner = this.#options.anyOwner();
    const number = this.#options.requests.nextNumber();
    const base = Math.round(this.#options.milliOf(owner.symbol) / 1000) + random.whole(-1, 1);
    const stopLoss = { price: base - random.whole(1, 5), quantity: random.whole(3, 9) * 10 };
    const tierCount = random.whole(1, 3);
    const takeProfits = Array.from({ length: tierCount }, () => ({
      price: stopLoss.price + random.whole(1, 8),
      quantity: Math.floor(stopLoss.quantity / tierCount) - random.whole(0, 2),
    }));
    const dueMs = random.chance(0.4) ? time.wallClock.nowMs() + random.whole(50, 90_000) : null;
    const hasGuard = hasOversellGuard;
    const trail = trailOf(number);
    const group = newGroupModel({ number, owner, dueMs, hasGuard, isOfSetup: false, trail }, stopLoss, takeProfits);
    oracle.groups.push(group);
    const mustBeFree = this.#isFree(group);
    const { userId, ...place } = owner;
    const body = {
      ...place,
      stopLossPrice: stopLoss.price,
      stopLossQuantity: stopLoss.quantity,
      takeProfitItems: takeProfits,
      dueDate: dueMs === null ? null : new Date(dueMs).toISOString(),
      notes: `n${number}`,
      ...(trail && {
        stopLossTrailing: { distance: trail.distanceMilli / 1000, confirmTicks: trail.confirmTicks },
      }),
    };
    const { requests, lastSequence, lastTick } = this.#options;
    const onSend = (): void => oracle.ask(group, lastSequence(), lastTick(owner.symbol));
    const onReply = (reply: Reply): void => {
      report.note(() => `n${number} is answered ${JSON.stringify(reply)}`);
      if (reply.ok) report.count("groups created");
      if (reply.ok) oracle.acknowledge(group, reply.data as PlainRow);
      else if (reply.code !== "CONFLICT") oracle.dismiss(group);
      const isFirst = reply.ok || (reply.code === "INVALID" && reply.message.includes("already exists"));
      if (!reply.ok && isFirst && mustBeFree && disk.groupsByNotes().size === 0) {
        report.violate(`group n${number} was refused and there is no other`);
      }
    };
    report.note(() => `asks for n${number} ${JSON.stringify(body)}`);
    requests.send(requests.ask(COMMANDS.createGroup, userId, body, number, { onReply, onSend }));
  }

  /** Cancels by the id of any row, of a group that may have ended long ago. */
  cancel(): void {
    const { random, oracle, disk, report } = this.#options;
    const known = oracle.groups.filter(({ viewKey }) => viewKey !== undefined);
    const group = random.among(random.chance(0.5) ? known.slice(-4) : known);
    const views = disk.rows(group?.viewKey ?? "");
    const row = random.among(views);
    if (group === undefined || row === undefined) return;
    report.note(() => `asks to cancel n${group.number} by row ${row.id}`);
    const number = this.#options.requests.nextNumber();
    const { brokerageCode, userId } = group.owner;
    let mustSucceed = false;
    const onSend = (): void => {
      mustSucceed = !group.mayBeCancelled && group.dueMs === null && this.#isSurelyOpen(group);
      group.mayBeCancelled = true;
      group.wasToBeCancelled = true;
    };
    const onReply = (reply: Reply): void => {
      report.note(() => `cancel of n${group.number} is answered ${JSON.stringify(reply)}`);
      if (reply.ok) this.#onCancelled(group);
      else if (reply.code === "NOT_FOUND") report.violate(`row ${row.id} was not found`);
      else if (reply.code === "INVALID" && mustSucceed && !group.stopLossMayHaveFired) {
        report.violate(`the cancel of n${group.number} was refused while its rows were open`);
      }
    };
    const { requests } = this.#options;
    const body = { id: row.id, brokerageCode };
    requests.send(requests.ask(COMMANDS.cancelGroup, userId, body, number, { onReply, onSend }));
  }

  /** Moves levels of a running group, the order of its rows kept, or leaves its highest take-profit out. */
  change(): void {
    const { random, oracle, disk, report, requests, lastTick } = this.#options;
    // The level from which a trailing stop-loss is changed is not known.
    const known = oracle.groups.filter(
      ({ viewKey, change, trail }) => viewKey !== undefined && change === undefined && trail === undefined,
    );
    const group = random.among(random.chance(0.7) ? known.slice(-4) : known);
    const views = disk.rows(group?.viewKey ?? "");
    if (group === undefined || views.length === 0) return;
    const open = views.flatMap((view, index) => (index > 0 && view.status === ACTIVE ? [{ view, index }] : []));
    const removed = open.length > 1 && random.chance(0.2) ? open.at(-1)?.index : undefined;
    const levels = this.#movedLevels(views);
    const priceOf = (index: number): number => (levels.get(index) ?? 0) / 1000 || (views[index]?.price ?? 0);
    const takeProfitItems = open
      .filter(({ index }) => index !== removed)
      .map(({ view: { id, quantity }, index }) => ({ id, price: priceOf(index), quantity }));
    const isStopLossOpen = views[0]?.status === ACTIVE;
    const moved = new Map([...levels].filter(([index]) => index !== removed && views[index]?.status === ACTIVE));
    // A stop-loss that was refused is armed again by its level, also by the same one (behaviour 15.7).
    if (isStopLossOpen && oracle.wasStopLossRefused(group)) moved.set(0, Math.round(priceOf(0) * 1000));
    const body = {
      id: random.among(views)?.id,
      change: {
        ...(random.chance(0.5) ? { brokerageCode: group.owner.brokerageCode } : {}),
        ...(isStopLossOpen ? { stopLossPrice: priceOf(0) } : {}),
        ...(takeProfitItems.length > 0 ? { takeProfitItems } : {}),
      },
    };
    const number = requests.nextNumber();
    report.note(() => `asks to change n${group.number} ${JSON.stringify(body)}`);
    const onSend = (): void => {
      oracle.askChange(group, { levels: moved, removed, askedMs: this.#options.time.wallClock.nowMs() });
      oracle.mayReachAtOnce(group, lastTick(group.owner.symbol));
    };
    const onReply = (reply: Reply): void => {
      report.note(() => `the change of n${group.number} is answered ${JSON.stringify(reply).slice(0, 300)}`);
      report.count(reply.ok ? "groups changed" : `groups: change answered ${reply.code}`);
      if (!reply.ok && reply.code === "NOT_FOUND") report.violate(`n${group.number} was not found to be changed`);
      oracle.answerChange(group, reply.ok);
    };
    requests.send(requests.ask(COMMANDS.changeGroup, group.owner.userId, body, number, { onReply, onSend }, false));
  }

  /** New levels in thousandths, by the place of the row; none passes its neighbour. */
  #movedLevels(views: readonly PlainRow[]): Map<number, number> {
    const { random } = this.#options;
    const levels = new Map<number, number>();
    for (const [index, { price, status }] of views.entries()) {
      if (status !== ACTIVE || random.chance(0.5)) continue;
      const below = (levels.get(index - 1) ?? (views[index - 1]?.price ?? price - 6) * 1000) / 1000;
      const above = views[index + 1]?.price ?? price + 6;
      const [least, most] = [Math.floor(below) + 1, Math.ceil(above) - 1];
      if (least > most) continue;
      const next = random.whole(least, most);
      if (next !== price) levels.set(index, next * 1000);
    }
    return levels;
  }

  /** A client's own market order: a buy, or the sell of a chain. */
  placeOrder(): void {
    const { random, report } = this.#options;
    const { userId, brokerageCode, accountNumber, symbol } = this.#options.anyOwner();
    const number = this.#options.requests.nextNumber();
    const quantity = FIRST_ORDER_QUANTITY + number;
    const isChain = random.chance(0.3);
    const terms = { brokerageCode, accountNumber, symbol, quantity, orderType: 1, price: 0 };
    const order = isChain ? { ...terms, buySell: 2, referenceOrderNo: "R-1" } : { ...terms, buySell: 1 };
    const type = isChain ? COMMANDS.chainOrder : COMMANDS.placeOrder;
    const onReply = (reply: Reply): void =>
      report.note(() => `order x${quantity} is answered ${JSON.stringify(reply)}`);
    const { requests } = this.#options;
    const asked = requests.ask(type, userId, order, number, { onReply }, random.chance(0.7));
    this.orders.push({ quantity, brokerageCode, asked });
    report.note(() => `asks for order x${quantity} at ${brokerageCode}`);
    requests.send(asked);
  }

  #onCancelled(group: GroupModel): void {
    const { disk, report } = this.#options;
    group.isCancelled = true;
    for (const [index, view] of disk.rows(group.viewKey ?? "").entries()) {
      if (view.status === ACTIVE && group.rows[index]?.may.length === 0 && group.rows[index]?.shadow.length === 0) {
        report.violate(`the cancel of n${group.number} was acknowledged and row ${view.id} is Active on the disk`);
      }
    }
  }

  /** Some row is Active and was certainly not reached by any price. */
  #isSurelyOpen(group: GroupModel): boolean {
    const views = this.#options.disk.rows(group.viewKey ?? "");
    // With the guard, take-profits that sold everything close the stop-loss.
    if (group.fate !== "exists" || group.stopLossMayHaveFired || group.hasGuard) return false;
    return views.some(({ status }, index) => status === ACTIVE && group.rows[index]?.may.length === 0);
  }

  #isFree(group: GroupModel): boolean {
    return this.#options.oracle.groups.every((other) => other === group || other.fate === "none");
  }
}
