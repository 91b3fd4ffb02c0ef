/**
 * The rows of one account, in groups: read until they are there, then kept current by the events of the stream.
 *
 * Owns: which of an answer and an event is the newer, and when rows are grouped. Does not own: which account is looked at
 * (dashboard-state.ts).
 *
 * Invariants:
 * 1. One reading at a time: no older answer comes after a newer one.
 * 2. A row of an event that came during a reading is newer than the answer.
 * 3. After `close` no callback is called.
 */
import { askUntilAnswered } from "./ask-again.ts";
import { type Account, type Group, groupRows, type OcoRow, queryOf } from "./model.ts";

interface AccountRowsOptions {
  readonly account: Account;
  readonly get: <T>(path: string) => Promise<T>;
  readonly onGroups: (groups: readonly Group[]) => void;
  /** Receives the rows of each answer, after its groups. */
  readonly onRead: (rows: readonly OcoRow[]) => void;
  readonly onFault: (fault: string | undefined) => void;
  /** Runs `act` before the next frame is painted. */
  readonly onNextFrame: (act: () => void) => void;
}

export class AccountRows {
  readonly #options: AccountRowsOptions;
  readonly #rows = new Map<number, OcoRow>();
  /** Rows of events since the newest reading began. */
  #heard = new Map<number, OcoRow>();
  /** Rows of another account, which a reading for them did not find. */
  readonly #foreign = new Set<number>();
  #reading: Promise<void> | undefined;
  /** How often the rows were read. */
  #readCount = 0;
  #mustRead = false;
  #isRegroupPlanned = false;
  #isClosed = false;

  constructor(options: AccountRowsOptions) {
    this.#options = options;
  }

  get account(): Account {
    return this.#options.account;
  }

  has(rowId: number): boolean {
    return this.#rows.has(rowId);
  }

  /** Reads all rows to find out whether the row is of this account, unless it is known to be of another. */
  readFor(rowId: number): void {
    if (this.#foreign.has(rowId)) return;
    const before = this.#readCount;
    void this.read().then(() => {
      // A reading that was refused found nothing out.
      if (this.#readCount > before && !this.#rows.has(rowId)) this.#foreign.add(rowId);
    });
  }

  /** Reads all rows, again and again until they are there. An answer that was asked for before does not do. */
  read(): Promise<void> {
    this.#mustRead = true;
    this.#reading ??= this.#readWhileNeeded();
    return this.#reading;
  }

  /** Takes a row of this account from an event. */
  hear(row: OcoRow): void {
    this.#rows.set(row.id, row);
    this.#heard.set(row.id, row);
    this.#regroupSoon();
  }

  close(): void {
    this.#isClosed = true;
  }

  async #readWhileNeeded(): Promise<void> {
    const { onFault } = this.#options;
    try {
      while (this.#mustRead && !this.#isClosed) {
        this.#mustRead = false;
        await askUntilAnswered(() => this.#readOnce(), { isWanted: () => !this.#isClosed, onFault });
      }
    } finally {
      this.#reading = undefined;
    }
  }

  async #readOnce(): Promise<void> {
    const { account, get, onRead } = this.#options;
    this.#heard = new Map();
    const rows = await get<readonly OcoRow[]>(`/api/v1/oco-orders?${queryOf(account)}`);
    if (this.#isClosed) return;
    this.#readCount += 1;
    this.#rows.clear();
    for (const row of [...rows, ...this.#heard.values()]) this.#rows.set(row.id, row);
    this.#regroup();
    onRead(rows);
  }

  /** Many rows that change together are grouped once. */
  #regroupSoon(): void {
    if (this.#isRegroupPlanned) return;
    this.#isRegroupPlanned = true;
    this.#options.onNextFrame(() => {
      this.#isRegroupPlanned = false;
      if (!this.#isClosed) this.#regroup();
    });
  }

  #regroup(): void {
    this.#options.onGroups(groupRows(this.#rows.values()));
  }
}
