/**
 * The names of the user's bots: their events contain the number alone, and a trader knows the name.
 *
 * Owns: learning names, from events and, if an event is of a bot that is not known yet, from the lists of bots.
 *
 * Invariant: the lists are read once for an unknown number, however many events contain it, also if it remains unknown.
 * If the reading fails, the next event of the number causes another.
 */
import type { BotNames as Names, ToldEvent } from "../../../../src/event/describe-event.ts";
import { type Account, type Bot, queryOf } from "./model.ts";

/** The lists of bots, by kind. */
export const BOT_PATHS = ["/api/v1/level-bots", "/api/v1/webhook-bots"];

interface BotNamesOptions {
  readonly get: <T>(path: string) => Promise<T>;
  /** Whose bots there may be. */
  readonly accounts: () => readonly Account[];
  /** Runs work that can be refused. Returns the fault as text, or undefined. */
  readonly attempt: (work: () => Promise<unknown>) => Promise<string | undefined>;
  /** Receives all names, whenever one is learned. */
  readonly onNames: (names: Names) => void;
}

export class BotNames {
  readonly #options: BotNamesOptions;
  readonly #names = new Map<number, string>();
  readonly #asked = new Set<number>();
  /** Unknown numbers in events from before the accounts were known. */
  readonly #early = new Set<number>();

  constructor(options: BotNamesOptions) {
    this.#options = options;
  }

  hear({ systemId, row }: ToldEvent): void {
    if (typeof systemId !== "number") return;
    if (isNamed(row)) {
      this.#learn([{ id: systemId, name: row.name }]);
      return;
    }
    this.find(systemId);
  }

  /** To be called when accounts become known: asks for the bots of earlier events. */
  findEarly(): void {
    const early = [...this.#early];
    this.#early.clear();
    for (const systemId of early) this.find(systemId);
  }

  /** Learns the name of a bot, unless it is known. */
  find(systemId: number): void {
    if (this.#names.has(systemId) || this.#asked.has(systemId)) return;
    const accounts = this.#options.accounts();
    if (accounts.length === 0) {
      this.#early.add(systemId);
      return;
    }
    this.#asked.add(systemId);
    void this.#ask(systemId, accounts);
  }

  async #ask(systemId: number, accounts: readonly Account[]): Promise<void> {
    const fault = await this.#options.attempt(() => this.#read(accounts));
    if (fault !== undefined) this.#asked.delete(systemId);
  }

  async #read(accounts: readonly Account[]): Promise<void> {
    for (const account of accounts) {
      for (const path of BOT_PATHS) {
        this.#learn(await this.#options.get<readonly Bot[]>(`${path}?${queryOf(account)}`));
      }
    }
  }

  #learn(bots: readonly Pick<Bot, "id" | "name">[]): void {
    for (const { id, name } of bots) this.#names.set(id, name);
    this.#options.onNames(new Map(this.#names));
  }
}

function isNamed(row: unknown): row is { readonly name: string } {
  return typeof row === "object" && row !== null && "name" in row && typeof row.name === "string";
}
