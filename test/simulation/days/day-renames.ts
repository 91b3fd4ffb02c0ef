/**
 * An exchange that renames symbols, and an operator who enters it: groups follow once, also around a kill (behaviour 30).
 *
 * Owns: when a symbol is renamed, and under which name an order may be sent. Does not own: the names
 * (`symbol-names.ts`), the name of a stored row (`day-checks.ts`).
 *
 * Invariant that is judged: an order that did not exist when the rename was answered leaves under the new name.
 */
import { RENAME_COMMANDS } from "../../../src/contract/operator/rename.ts";
import type { PlaceRequest } from "../../../src/contract/trading/order.ts";
import { plainName } from "../oracle/plain-name.ts";
import { Random } from "../world/random.ts";
import type { Report } from "../world/report.ts";
import type { VirtualTime } from "../world/virtual-time.ts";
import type { DayEngine } from "./day-engine.ts";
import type { SymbolNames } from "./symbol-names.ts";

const SEEDS = 9_000_000;
const OPERATOR = 1;
const PER_WORLD = 2;

interface DayRenamesOptions {
  readonly seed: number;
  readonly report: Report;
  readonly time: VirtualTime;
  readonly engine: DayEngine;
  readonly names: SymbolNames;
  /** A price of the symbol that may count. */
  readonly tick: (symbol: string) => void;
  readonly setEntering: (isEntering: boolean) => void;
}

export class DayRenames {
  readonly #options: DayRenamesOptions;
  readonly #random: Random;
  /** Orders that existed at a rename, by plain names: they may have left under the former name. */
  readonly #older = new Set<string>();
  #left: number;

  constructor(options: DayRenamesOptions) {
    this.#options = options;
    this.#random = new Random(options.seed + SEEDS);
    this.#left = this.#random.chance(0.4) ? this.#random.whole(1, PER_WORLD) : 0;
  }

  /** Now and then a symbol gets another name, also while orders and prices are on their way. */
  async mayHappen(symbols: readonly string[]): Promise<void> {
    const { names, engine, report, time, tick, setEntering } = this.#options;
    const random = this.#random;
    if (this.#left === 0 || !random.chance(0.12)) return;
    const symbol = random.among(symbols);
    if (symbol === undefined) return;
    this.#left -= 1;
    const from = names.of(symbol);
    const isBack = from !== symbol && random.chance(0.5);
    const to = isBack ? symbol : `${symbol}${this.#left + 2}`;
    await time.advance(2);
    report.note(() => `the exchange renames ${from} to ${to}`);
    names.rename(symbol, to);
    setEntering(true);
    if (random.chance(0.5)) this.#dieWithin(random.whole(0, 60));
    if (random.chance(0.5)) time.after(random.whole(0, 60), () => tick(symbol));
    const reply = await engine.ask(RENAME_COMMANDS.follow, OPERATOR, { from, to });
    if (!reply.ok) report.violate(`a rename was refused: ${reply.message}`);
    await this.#untilFollowed(to);
    setEntering(false);
    report.count(isBack ? "days: symbols that got their name back" : "days: symbols renamed");
  }

  /** Called with every request to place an order as it leaves the engine. */
  noteSent({ clientOrderId, symbol }: PlaceRequest): void {
    const { names, report } = this.#options;
    const name = plainName(clientOrderId);
    if (!this.#older.has(name) && symbol !== names.present(symbol)) {
      report.violate(`${clientOrderId} is sent for ${symbol}, whose name is ${names.present(symbol)}`);
    }
    this.#older.add(name);
  }

  #dieWithin(delayMs: number): void {
    const { engine, time } = this.#options;
    time.after(delayMs, () => engine.life.die("while levels follow a rename"));
  }

  async #untilFollowed(to: string): Promise<void> {
    const { engine, time, report } = this.#options;
    for (let step = 0; report.violation === undefined; step += 1) {
      if (!engine.life.isAlive) await engine.restart();
      const { renames, outbox } = engine.life.partition;
      if (!renames.isFollowing(to) && renames.isIdle) {
        for (const { clientOrderId } of outbox.pending()) this.#older.add(plainName(clientOrderId));
        return;
      }
      if (step > 500) report.violate(`the levels did not follow the rename to ${to}`);
      await time.advance(20);
    }
  }
}
