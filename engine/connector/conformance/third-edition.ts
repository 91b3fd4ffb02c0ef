/**
 * The checks of the contract's third edition: who ended an order, replacements, `NOT_NOW`, the questions about symbols
 * and money, orders cut down, and fills that are taken back.
 *
 * Owns: which checks run and the meaning of each answer. Does not own: causing events at a brokerage (the caller's
 * `provoke`), whether records agree (records.ts), the verdict (report.ts).
 *
 * Invariant: a check that cannot be tried is a note that gives the reason. A connector breaks the contract only by its
 * own messages.
 */
import type { Fence } from "../../../src/contract/gateway/fence.ts";
import type { GatewayStatus } from "../../../src/contract/gateway/gateway.ts";
import type { AccountRequest, Instrument, OrderAnswer, OrderRecord } from "../../../src/contract/trading/order.ts";
import { ORDER_CANCELLED, ORDER_COMPLETED } from "../../../src/domain/order/order.ts";
import { type Asker, inWords, type Reply, type Trial } from "./asker.ts";
import type { Provocation, Provoke, ProvokedOrder } from "./provocation.ts";
import { contradictionsOf } from "./records.ts";
import type { ReportBuilder } from "./report.ts";

interface ThirdEditionOptions {
  readonly asker: Asker;
  readonly report: ReportBuilder;
  readonly owner: AccountRequest;
  readonly trial: Trial;
  readonly status: GatewayStatus | undefined;
  /** A name that no order had before. */
  readonly nextName: () => string;
  readonly fence: (attempt: number) => Fence;
  readonly provoke: Provoke | undefined;
  readonly wait: (delayMs: number) => Promise<void>;
}

interface Resting extends ProvokedOrder {
  readonly record: OrderRecord;
}

const LOOK_COUNT_MAX = 20;
const LOOK_AGAIN_MS = 250;
const NO_PROVOKE = "give --provoke with a command that makes it happen at the brokerage";
const NO_RESTING = "no order rests: give --price of a limit buy that is not filled";
/** Who ends an order by each of these. */
const ENDS = { exchangeEnd: "exchange", dayEnd: "exchange", brokerageEnd: "brokerage" } as const;

export class ThirdEditionChecks {
  readonly #options: ThirdEditionOptions;
  /** Names of orders of which a fill was taken back. */
  readonly #corrected = new Set<string>();

  constructor(options: ThirdEditionOptions) {
    this.#options = options;
  }

  /** Tries all of it. Checks that need a resting order are left out with a note if no order rests. */
  async run(): Promise<void> {
    await this.#checkSupported("instrument", { symbol: this.#options.trial.symbol });
    await this.#checkSupported("balance", this.#options.owner);
    await this.#checkSupported("bars", { symbol: this.#options.trial.symbol, periodMinutes: 1, count: 10 });
    await this.#checkEndByOwner();
    for (const what of ["exchangeEnd", "dayEnd", "brokerageEnd"] as const) await this.#checkProvokedEnd(what);
    await this.#checkReplacement();
    await this.#checkCutDown();
    await this.#checkCorrection();
    await this.#checkClosedMarket();
  }

  /** Judges every record that was seen so far, also records of other checks. */
  checkRecords(): void {
    const { asker, report } = this.#options;
    const broken = contradictionsOf(asker.seen, asker.placed, this.#corrected);
    for (const text of broken) report.require(false, "", text);
    if (broken.length === 0) report.require(true, "records: none contradicts itself or another", "");
    report.require(
      asker.malformedUpdateCount === 0,
      "records: every update is an order record of the contract",
      `${asker.malformedUpdateCount} updates are no order records of the contract: the engine drops them`,
    );
  }

  /** After `NOT_NOW` no order exists: the look-up is NOT_FOUND, and no record is published (behaviour 6.8). */
  async checkNothingExists(name: string, attempt: number): Promise<void> {
    const { asker, report, owner, fence, status } = this.#options;
    const found = await asker.find(owner, name, fence(attempt));
    const isTold = asker.updates.some(({ clientOrderId }) => clientOrderId === name);
    report.require(
      found.type === "refused" && found.code === "NOT_FOUND" && !isTold,
      "NOT_NOW: no order exists by that request",
      `an order that was answered NOT_NOW: findOrder ${inWords(found)}${isTold ? ", and an update was published" : ""}`,
    );
    if (status?.protocol === 2) {
      report.require(false, "", "it answers NOT_NOW and reports protocol 2, which has no such answer");
    }
  }

  #skip(what: string, why: string): void {
    this.#options.report.note(`${what} was not tried: ${why}`);
  }

  get #isSecondEdition(): boolean {
    return this.#options.status?.protocol !== 3;
  }

  // --------------------------------------------------------------------------------------------------------- questions

  async #checkSupported(operation: "instrument" | "balance" | "bars", request: object): Promise<void> {
    const { asker, report, owner, status } = this.#options;
    const reply = await asker.ask<unknown>(operation, { ...request, userId: owner.userId });
    if (status?.supports[operation] !== true) {
      if (reply.type === "data") report.note(`${operation} answers, and status.supports lacks it: it is never asked`);
      else this.#skip(operation, "status.supports lacks it");
      return;
    }
    if (isUnheard(reply)) report.missing(operation);
    if (isAway(reply)) this.#skip(operation, inWords(reply));
    else {
      report.require(
        reply.type === "data",
        `${operation}: answers, as status.supports states`,
        `status.supports states ${operation}, and it answers ${inWords(reply)}`,
      );
    }
    if (operation === "instrument" && reply.type === "data") this.#checkInstrument(reply.data as Instrument);
  }

  /** What an instrument states must agree with itself, and with the orders of the trial that were taken. */
  #checkInstrument({ basePrice, floorPrice, ceilingPrice, lotSize, maxQuantity, isHalted }: Instrument): void {
    const { asker, report, trial } = this.#options;
    const { quantity, price, symbol } = trial;
    const [floor, ceiling] = [floorPrice ?? 0, ceilingPrice ?? Number.POSITIVE_INFINITY];
    const isOutside = (value: number): boolean => value > 0 && (value < floor || value > ceiling);
    const fills = asker.seen.filter(({ record }) => record.symbol === symbol && record.filledQuantity > 0);
    const own = fills.filter(({ record }) => asker.placed.has(record.clientOrderId ?? ""));
    const rules: readonly (readonly [boolean, string])[] = [
      [floor >= ceiling, `its floor ${floorPrice} is not under its ceiling ${ceilingPrice}`],
      [basePrice !== undefined && isOutside(basePrice), `its base price ${basePrice} lies outside of its band`],
      [isOutside(price), `an order at ${price} was taken outside of its band`],
      [own.some(({ record }) => isOutside(record.averagePrice)), "an order was filled outside of its band"],
      [lotSize !== undefined && quantity % lotSize !== 0, `${quantity} lots were taken, and its lotSize is ${lotSize}`],
      [maxQuantity !== undefined && quantity > maxQuantity, `${quantity} lots were taken above its maxQuantity`],
      [isHalted === true && own.length > 0, "it is halted, and an order was filled"],
    ];
    const broken = rules.flatMap(([isBroken, text]) => (isBroken ? [text] : []));
    const held = "instrument: band, lots and halt agree with the orders that were taken";
    report.require(broken.length === 0, held, `instrument ${symbol}: ${broken.join("; ")}`);
  }

  // -------------------------------------------------------------------------------------------------------------- ends

  async #checkEndByOwner(): Promise<void> {
    const { asker, owner, trial, fence } = this.#options;
    const order = await this.#rest("endedBy owner");
    if (order === undefined) return;
    const request = { ...owner, orderNo: order.orderNo, symbol: trial.symbol, fence: fence(0) };
    const cancelled = await asker.ask<OrderAnswer>("cancel", request);
    if (cancelled.type !== "data") {
      this.#skip("endedBy owner", `cancel answers ${inWords(cancelled)}`);
      return;
    }
    const ended = await this.#lookUntil(order, ({ orderStatus }) => orderStatus >= ORDER_COMPLETED);
    // An end that the next look-up takes back shows among the records.
    await this.#find(order);
    this.#judgeEnd("a cancel request", "owner", ended);
  }

  async #checkProvokedEnd(what: keyof typeof ENDS): Promise<void> {
    const order = await this.#provoked(`endedBy after ${what}`, [what]);
    if (order === undefined) return;
    const ended = await this.#lookUntil(order, ({ orderStatus }) => orderStatus >= ORDER_COMPLETED);
    // An end that the next look-up takes back shows among the records.
    await this.#find(order);
    this.#judgeEnd(what, ENDS[what], ended);
  }

  #judgeEnd(by: string, expected: OrderRecord["endedBy"], ended: Reply<OrderRecord>): void {
    const { report } = this.#options;
    if (ended.type !== "data" || ended.data.orderStatus < ORDER_CANCELLED) {
      report.require(
        false,
        "",
        `an order that ended by ${by} is not reported as cancelled or rejected: ${inWords(ended)}`,
      );
      return;
    }
    const { endedBy } = ended.data;
    if (endedBy === undefined || endedBy === null) {
      const why = this.#isSecondEdition ? "it reports protocol 2" : "its record does not contain it (optional)";
      this.#skip(`endedBy after ${by}`, why);
      return;
    }
    report.require(
      endedBy === expected,
      `endedBy: an order that ended by ${by} names ${expected}`,
      `an order that ended by ${by} has endedBy ${endedBy} in place of ${expected}`,
    );
  }

  // ----------------------------------------------------------------------------------- replaced, cut down, taken back

  async #checkReplacement(): Promise<void> {
    const { asker, report, owner, fence } = this.#options;
    const { quantity } = this.#options.trial;
    const order = await this.#provoked("replaces", quantity > 1 ? ["fill", "replace"] : ["replace"]);
    if (order === undefined) return;
    const found = await this.#lookUntil(order, ({ orderNo }) => orderNo !== order.orderNo);
    if (found.type !== "data" || found.data.orderNo === order.orderNo) {
      const isOpen = found.type === "data" && found.data.orderStatus < ORDER_COMPLETED;
      report.require(
        isOpen,
        "replaces: a replaced order continues under its number",
        `a replaced order is reported as ended under its old number, and no new number is known: ${inWords(found)}`,
      );
      return;
    }
    const { orderNo, replaces } = found.data;
    report.require(
      replaces === order.orderNo,
      "replaces: the new number names the number before it",
      `a replaced order has replaces ${replaces ?? "nothing"} in place of ${order.orderNo}`,
    );
    const numbered = await asker.ask<OrderRecord>("findOrder", { ...owner, orderNo, fence: fence(0) });
    report.require(
      numbered.type === "data" && numbered.data.clientOrderId === order.clientOrderId,
      "replaces: the new number is found, under the same clientOrderId",
      `findOrder by the new number of a replaced order: ${inWords(numbered)}`,
    );
    report.require(
      asker.updates.some((update) => update.orderNo === orderNo),
      "replaces: the new number is published",
      "no update of the new number of a replaced order was published",
    );
  }

  /** An order can be complete with less than was ordered: its quantity counts. */
  async #checkCutDown(): Promise<void> {
    const { report, trial } = this.#options;
    const order = await this.#provoked("an order cut down", ["fill", "cutDown"], 2);
    if (order === undefined) return;
    const ended = await this.#lookUntil(order, ({ orderStatus }) => orderStatus >= ORDER_COMPLETED);
    const isOver = ended.type === "data" && ended.data.orderStatus >= ORDER_COMPLETED;
    report.require(
      isOver && ended.data.filledQuantity === 1,
      "cut down: an order that lost its rest is over, with what was filled",
      `1 of ${trial.quantity} lots was filled and the rest taken away, and it is reported as ${inWords(ended)}`,
    );
  }

  async #checkCorrection(): Promise<void> {
    const { asker, report } = this.#options;
    const order = await this.#provoked("a fill that is taken back", ["fill", "correct"], 2);
    if (order === undefined) return;
    const { orderNo, clientOrderId } = order;
    this.#corrected.add(clientOrderId);
    const found = await this.#lookUntil(order, ({ filledQuantity }) => filledQuantity === 0);
    report.require(
      found.type === "data" && found.data.filledQuantity === 0,
      "correction: a fill that was taken back is no longer in a look-up",
      `a fill was taken back, and findOrder still returns ${inWords(found)}`,
    );
    const last = asker.updates.filter((update) => update.orderNo === orderNo).at(-1);
    report.require(
      last?.filledQuantity === 0,
      "correction: a fill that was taken back is published",
      "a fill was taken back, and no update with the lower filledQuantity was published",
    );
  }

  // ------------------------------------------------------------------------------------------------------------ market

  async #checkClosedMarket(): Promise<void> {
    const { report, provoke } = this.#options;
    const market: ProvokedOrder = { orderNo: "", clientOrderId: "" };
    if (this.#isSecondEdition) return this.#skip("NOT_NOW", "it reports protocol 2");
    if (provoke === undefined) return this.#skip("NOT_NOW", NO_PROVOKE);
    if (!(await provoke("close", market))) return this.#skip("NOT_NOW", "close cannot be made to happen there");
    const name = this.#options.nextName();
    const closed = await this.#place(name, 1);
    const isNotNow = closed.type === "refused" && closed.code === "NOT_NOW";
    if (closed.type === "data") this.#skip("NOT_NOW", "orders are taken while the market is closed");
    else {
      report.require(
        isNotNow,
        "NOT_NOW: an order that the closed market does not take is refused for now",
        `an order that the closed market does not take gets ${inWords(closed)} in place of NOT_NOW`,
      );
    }
    if (isNotNow) await this.checkNothingExists(name, 1);
    const isOpened = await provoke("open", market);
    if (!isNotNow || !isOpened) return;
    const again = await this.#place(name, 2);
    report.require(
      again.type === "data",
      "NOT_NOW: the same clientOrderId is taken once the market takes orders",
      `after NOT_NOW the same clientOrderId gets ${inWords(again)} once the market takes orders`,
    );
  }

  // ------------------------------------------------------------------------------------------------------------- tools

  #place(name: string, attempt: number): Promise<Reply<OrderAnswer>> {
    const { asker, owner, trial, fence } = this.#options;
    return asker.place(owner, trial, name, fence(attempt));
  }

  /** Places a new order that rests; returns undefined, with a note, if orders are filled or refused. */
  async #rest(what: string): Promise<Resting | undefined> {
    if (this.#options.trial.price === 0) {
      this.#skip(what, NO_RESTING);
      return undefined;
    }
    const clientOrderId = this.#options.nextName();
    const placed = await this.#place(clientOrderId, 1);
    if (placed.type !== "data") {
      this.#skip(what, `place answers ${inWords(placed)}`);
      return undefined;
    }
    const order = { orderNo: placed.data.orderNo, clientOrderId };
    const found = await this.#find(order);
    if (found.type === "data" && found.data.orderStatus < ORDER_COMPLETED) return { ...order, record: found.data };
    this.#skip(what, NO_RESTING);
    return undefined;
  }

  /** Returns a resting order after all of these events, one after the other. */
  async #provoked(what: string, happenings: readonly Provocation[], quantityMin = 1): Promise<Resting | undefined> {
    const { provoke, trial } = this.#options;
    const skip = (why: string): undefined => {
      this.#skip(what, why);
      return undefined;
    };
    if (provoke === undefined) return skip(NO_PROVOKE);
    if (trial.quantity < quantityMin) return skip(`it needs --quantity of at least ${quantityMin}`);
    const order = await this.#rest(what);
    if (order === undefined) return undefined;
    for (const happening of happenings) {
      if (!(await provoke(happening, order))) return skip(`${happening} cannot be made to happen there`);
      if (happening === "fill") await this.#lookUntil(order, ({ filledQuantity }) => filledQuantity > 0);
    }
    return order;
  }

  #find({ clientOrderId }: ProvokedOrder): Promise<Reply<OrderRecord>> {
    const { asker, owner, fence } = this.#options;
    return asker.find(owner, clientOrderId, fence(1));
  }

  /** The first record of which this holds, or the last answer. */
  async #lookUntil(order: ProvokedOrder, isMet: (record: OrderRecord) => boolean): Promise<Reply<OrderRecord>> {
    let found = await this.#find(order);
    for (let count = 1; count < LOOK_COUNT_MAX; count += 1) {
      if (found.type === "data" && isMet(found.data)) return found;
      await this.#options.wait(LOOK_AGAIN_MS);
      found = await this.#find(order);
    }
    return found;
  }
}

function isUnheard({ type }: Reply<unknown>): boolean {
  return type === "none" || type === "silence";
}

/** Not answered now, or not without a login: that proves nothing. */
function isAway(reply: Reply<unknown>): boolean {
  return reply.type === "refused" && ["UNAVAILABLE", "UNAUTHORIZED", "NOT_SENT"].includes(reply.code);
}
