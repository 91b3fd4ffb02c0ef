/**
 * Whether trading is allowed: in the installation, and for users and accounts (behaviour 18).
 *
 * Owns: the states, stored; which one counts for an account. Does not own: what each state allows
 * (`src/domain/order/trading-state.ts`), refusing or keeping levels from firing by it (commands, the host).
 */
import {
  type StoredTradingState,
  storedTradingStateSchema,
  type TradingStateView,
} from "../../src/contract/trading/trading-state.ts";
import { refuseChange, stricter, type TradingState } from "../../src/domain/order/trading-state.ts";
import { accept, type Result } from "../../src/domain/refusal.ts";
import { formatTime } from "../../src/domain/time.ts";
import type { Clock, Log } from "../../src/runtime/ports.ts";
import type { AccountPlace } from "../ports/brokerage.ts";
import type { StateChange, StatePlace, TradingStateTable } from "../ports/order.ts";
import type { Journal } from "../ports/storage.ts";
import { TABLES } from "../table/tables.ts";

interface TradingStatesOptions {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly log: Log;
  /** Called in the turn: owners are notified, and levels that a stricter state kept from firing are checked again. */
  readonly onChanged: (row: StoredTradingState) => void;
}

const { tradingStates: TABLE } = TABLES;
const INSTALLATION = "installation";

export class TradingStates implements TradingStateTable {
  readonly #options: TradingStatesOptions;
  /** The rows by scope; a scope without a row was always active. */
  readonly #rows = new Map<string, StoredTradingState>();

  constructor(options: TradingStatesOptions) {
    this.#options = options;
  }

  /** At start: takes in a stored row. Throws if it is not valid. */
  recover(value: Uint8Array): void {
    const row = storedTradingStateSchema.parse(JSON.parse(Buffer.from(value).toString()));
    this.#rows.set(keyOf(row), row);
  }

  of({ userId, brokerageCode, accountNumber }: AccountPlace): TradingState | undefined {
    if (this.#rows.size === 0) return undefined;
    const ofUser = { scope: "user", userId, brokerageCode: null, accountNumber: null } as const;
    const ofAccount = { scope: "account", userId, brokerageCode, accountNumber } as const;
    const rows = [INSTALLATION, keyOf(ofUser), keyOf(ofAccount)].map((key) => this.#rows.get(key));
    return rows.reduce<TradingState | undefined>((found, row) => stricter(found, row), undefined);
  }

  isRestricted(place: StatePlace): boolean {
    return (this.#rows.get(keyOf(place))?.state ?? "active") !== "active";
  }

  setInTurn(place: StatePlace, change: StateChange): Result<true> {
    const { journal, clock, log, onChanged } = this.#options;
    const key = keyOf(place);
    const { state, reason, includingStops = false, confirm } = change;
    const refusal = refuseChange(this.#rows.get(key), { state, includingStops }, confirm);
    if (refusal !== undefined) return refusal;
    log.warn({ event: "trading.state", ...place, state, reason, includingStops }, "the trading state was set");
    const row = { version: 1, ...place, state, reason, includingStops, sinceMs: clock.nowMs() } as const;
    this.#rows.set(key, row);
    journal.put(TABLE.key(key), JSON.stringify(row));
    onChanged(row);
    return accept(true);
  }

  list(userId: number): readonly TradingStateView[] {
    return [...this.#rows.values()]
      .filter((row) => row.state !== "active" && (row.userId === null || row.userId === userId))
      .map(({ scope, brokerageCode, accountNumber, state, reason, includingStops, sinceMs }) => ({
        ...{ scope, brokerageCode, accountNumber, state, reason, includingStops },
        since: formatTime(sinceMs),
      }));
  }
}

function keyOf({ scope, userId, brokerageCode, accountNumber }: StatePlace): string {
  if (scope === "installation") return INSTALLATION;
  return scope === "user" ? `user/${userId}` : `account/${userId}/${brokerageCode}/${accountNumber}`;
}
