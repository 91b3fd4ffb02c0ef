/**
 * Judges how late the lots of a setup's buy come under watch, in simulated time: a bound after the moment from which
 * the engine could know of the fill. And how late a setup ends whose due date passes before the fill.
 *
 * Owns: the bounds, and what excuses an engine. Does not own: the outcome of the setup (`setup-checks.ts`).
 *
 * An engine that died in between is judged from its next start. A look-up that the brokerage failed to answer is
 * answered only in the next round of asking.
 */
import type { PlainDisk } from "../oracle/plain-rows.ts";
import type { Exchange } from "../world/exchange.ts";
import type { Life } from "../world/life.ts";
import type { Report } from "../world/report.ts";
import type { VirtualTime } from "../world/virtual-time.ts";

/** A look-up there and back, and the batch that it causes on a slow disk. */
const AT_ONCE_MS = 4_000;
/** A round of asking, and a poll (engine/order/order-poll.ts). */
const NEXT_ROUND_MS = 32_000 + AT_ONCE_MS;

/** A setup over a buy. */
interface Bought {
  readonly number: number;
  readonly orderNo: string;
  readonly owner: { readonly brokerageCode: string };
}

/** A setup that may have a due date. */
interface Due {
  readonly number: number;
  readonly dueMs: number | null;
}

interface ProtectionOptions {
  readonly disk: PlainDisk;
  readonly exchanges: ReadonlyMap<string, Exchange>;
  readonly time: VirtualTime;
  readonly report: Report;
  readonly life: () => Life;
}

export class Protection {
  readonly #options: ProtectionOptions;

  constructor(options: ProtectionOptions) {
    this.#options = options;
  }

  /** The order was filled before its setup was registered: the engine asks immediately for its state then and since. */
  registered(setup: Bought): void {
    if (!this.#isRegistered(setup)) return;
    this.#options.report.count("setups: filled while they were registered");
    this.#judgeAfter(setup, AT_ONCE_MS);
  }

  /** The order of a registered setup is filled; the update that reports it may be lost. */
  filled(setup: Bought): void {
    this.#judgeAfter(setup, NEXT_ROUND_MS);
  }

  /** The engine starts, and asks for the order of every registered setup. */
  started(setup: Bought): void {
    this.#judgeAfter(setup, AT_ONCE_MS);
  }

  /** The engine watches a setup: it was registered, or is read back at a start. */
  watched({ number, dueMs }: Due): void {
    if (dueMs !== null) this.#judgeDue({ number, dueMs }, this.#options.life());
  }

  /** A clock that steps may pass the due date in no time, or return to before it: the bound after it counts. */
  #judgeDue(setup: { readonly number: number; readonly dueMs: number }, judged: Life): void {
    const { time, report, life } = this.#options;
    const isPast = (): boolean => time.wallClock.nowMs() >= setup.dueMs;
    const again = (): void => this.#judgeDue(setup, judged);
    time.after(Math.max(0, setup.dueMs - time.wallClock.nowMs()), () => {
      if (judged !== life() || !judged.isAlive || !this.#isRegistered(setup)) return;
      if (!isPast()) return again();
      time.after(AT_ONCE_MS, () => {
        if (judged !== life() || !judged.isAlive || !this.#isRegistered(setup)) return;
        if (!isPast()) return again();
        report.violate(`setup n${setup.number} is registered ${AT_ONCE_MS} ms after its due date`);
      });
    });
  }

  #judgeAfter(setup: Bought, boundMs: number): void {
    const { time, report, life } = this.#options;
    const judged = life();
    time.after(boundMs, () => {
      if (judged !== life() || !judged.isAlive || !this.#isRegistered(setup)) return;
      const excusedForMs = this.#lookUpFailedMs(setup) + NEXT_ROUND_MS - time.steadyClock.nowMs();
      if (excusedForMs > 0) this.#judgeAfter(setup, excusedForMs);
      else report.violate(`setup n${setup.number}: its order is filled, and ${boundMs} ms later nothing protects it`);
    });
  }

  #lookUpFailedMs({ owner, orderNo }: Bought): number {
    return this.#options.exchanges.get(owner.brokerageCode)?.lookUpFailedMs(orderNo) ?? Number.NEGATIVE_INFINITY;
  }

  #isRegistered({ number }: Pick<Bought, "number">): boolean {
    return this.#options.disk.setupsByNotes(`n${number}`)[0]?.outcome === null;
  }
}
