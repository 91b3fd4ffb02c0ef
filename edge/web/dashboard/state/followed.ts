/**
 * Which symbols have live prices, if more are looked at than one stream gives prices of: the symbol that was shown least
 * recently makes room.
 */
export class Followed {
  readonly #max: number;
  readonly #isShown: (symbol: string) => boolean;
  readonly #onDropped: (symbol: string) => void;
  /** The newest is at the end. */
  readonly #symbols = new Set<string>();

  constructor(max: number, isShown: (symbol: string) => boolean, onDropped: (symbol: string) => void) {
    this.#max = max;
    this.#isShown = isShown;
    this.#onDropped = onDropped;
  }

  get symbols(): readonly string[] {
    return [...this.#symbols];
  }

  has(symbol: string): boolean {
    return this.#symbols.has(symbol);
  }

  /** Returns whether the symbol was not followed before. */
  look(symbol: string): boolean {
    const isNew = !this.#symbols.delete(symbol);
    if (isNew && this.#symbols.size === this.#max) this.#drop();
    this.#symbols.add(symbol);
    return isNew;
  }

  #drop(): void {
    const all = this.symbols;
    const dropped = all.find((symbol) => !this.#isShown(symbol)) ?? all[0] ?? "";
    this.#symbols.delete(dropped);
    this.#onDropped(dropped);
  }
}
