/** An operator who enters corporate actions: before their day, on it, or removes them again (behaviour 28). */
import type { Reply } from "../../../src/contract/command.ts";
import { ACTION_COMMANDS } from "../../../src/contract/operator/corporate-action.ts";
import type { Random } from "../world/random.ts";
import type { Report } from "../world/report.ts";
import { effectOf, inOrder, marketAfter, type NaiveAction } from "./naive-action.ts";
import type { SessionVenue } from "./session-venue.ts";

/** An action of the market, and what the engine knows of it. */
export interface DayAction extends NaiveAction {
  /** The operator learns of it on its day. */
  readonly isLate: boolean;
  isApplied: boolean;
  /** The close before its day. */
  closeMilli: number;
}

interface DayOperatorOptions {
  readonly random: Random;
  readonly report: Report;
  readonly venue: SessionVenue;
  readonly ask: (type: string, userId: number, body: object) => Promise<Reply>;
}

const OPERATOR = 1;

export class DayOperator {
  readonly #options: DayOperatorOptions;
  actions: DayAction[] = [];

  constructor(options: DayOperatorOptions) {
    this.#options = options;
  }

  /** An action of the day that begins at `exMs`: it is entered now, or only on its day. */
  async enterAhead(exMs: number, symbol: string): Promise<void> {
    const { random, report, venue } = this.#options;
    const ofDay = this.actions.filter((action) => action.symbol === symbol && action.exMs === exMs);
    // A late action counts from prices of its day: a second action would have no close.
    if (ofDay.length > 1 || ofDay.some(({ isLate }) => isLate)) return;
    const isLate = ofDay.length === 0 && random.chance(0.3);
    const { milli } = venue.listing(symbol);
    const [type, terms] = this.#draw(milli);
    if (ofDay.some((one) => one.type === type)) return;
    const exDate = new Date(exMs).toISOString().slice(0, 10);
    const shared = { symbol, exDate, exMs, isLate, isApplied: false, closeMilli: milli };
    const action: DayAction = { ...shared, type, terms, ...effectOf(type, terms) };
    // Rows that fire before the operator knows of it sell lots that are no more.
    if (isLate && action.lots[0] < action.lots[1]) return;
    // Prices stay on the part of the tick table where a step is a small part of a price.
    const after = inOrder([...ofDay, action]).reduce((value, one) => marketAfter(one, value), milli);
    if (after < 20_000 || after > 400_000) return;
    if (!isLate) await this.#enter(action);
    report.count(`days: ${type} ${isLate ? "entered late" : "entered ahead"}`);
    this.actions.push(action);
  }

  /** Removes an action before its day. */
  async remove(nowMs: number): Promise<void> {
    const { random, report, venue, ask } = this.#options;
    const action = random.among(this.actions.filter(({ isLate, exMs }) => !isLate && exMs > nowMs));
    if (action === undefined) return;
    const { symbol, type, exDate } = action;
    const reply = await ask(ACTION_COMMANDS.remove, OPERATOR, {
      actionId: `${venue.names.of(symbol)}-${type}-${exDate}`,
    });
    // It was removed by a request that was not answered.
    if (!reply.ok && reply.code !== "NOT_FOUND") report.violate(`an action was not removed: ${reply.message}`);
    report.count("days: actions removed");
    this.actions = this.actions.filter((one) => one !== action);
  }

  /** Enters an action on its day. */
  enterLate(action: DayAction): Promise<void> {
    return this.#enter(action);
  }

  async #enter({ symbol, type, terms, exDate }: DayAction): Promise<void> {
    const { ask, report, venue } = this.#options;
    const reply = await ask(ACTION_COMMANDS.add, OPERATOR, { symbol: venue.names.of(symbol), type, exDate, ...terms });
    if (!reply.ok) report.violate(`an action was refused: ${reply.message}`);
  }

  hasLate(symbol: string): boolean {
    return this.actions.some((action) => action.symbol === symbol && action.isLate && !action.isApplied);
  }

  /** The last price of a session on the base of a moment, by the actions that the engine knows. */
  closeAfter(
    symbol: string,
    { milli, atMs }: { readonly milli: number; readonly atMs: number },
    nowMs: number,
  ): number {
    const isBetween = ({ exMs }: DayAction): boolean => exMs > atMs && exMs <= nowMs;
    const known = this.actions.filter((action) => action.symbol === symbol && action.isApplied && isBetween(action));
    return inOrder(known).reduce((value, action) => marketAfter(action, value), milli);
  }

  #draw(milli: number): readonly [NaiveAction["type"], Record<string, number>] {
    const { random } = this.#options;
    const percents = random.pick([10, 20, 50, 100, 200]);
    return random.weighted<readonly [NaiveAction["type"], Record<string, number>]>(
      [
        [
          3,
          [
            "split",
            random.pick([
              { sharesBefore: 1, sharesAfter: 2 },
              { sharesBefore: 2, sharesAfter: 3 },
              { sharesBefore: 2, sharesAfter: 1 },
            ]),
          ],
        ],
        [3, ["bonus", { ratio: percents / 100 }]],
        [
          2,
          [
            "rights",
            {
              ratio: percents / 100,
              subscriptionPrice: random.whole(1, Math.floor(milli / 2_000)),
              closePrice: milli / 1000,
            },
          ],
        ],
        [2, ["dividend", { cash: random.whole(1, 300) / 100 }]],
      ],
      ["bonus", { ratio: 1 }],
    );
  }
}
