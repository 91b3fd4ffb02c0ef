/**
 * Ticks that were refused for their own time by a clock that then turned out wrong.
 *
 * Owns: from where they are to be read back. Does not own: the clock (following-clock.ts), the probes (catch-up.ts).
 */
export class RefusedByClock {
  #refused = 0;
  /** The position of the probe before the first that was refused; null while none was. */
  #from: number | null = null;
  /** The position at the latest probe: what came after it was judged since. */
  #judgedTo: number | null = null;
  #isClockSet = false;

  /** The clock was wrong until now. */
  onClockSet(): void {
    this.#isClockSet = true;
  }

  /**
   * All up to `end` was read back; if the clock was set on the way, what came behind `end` until then is judged again.
   * `refused`: ticks refused so far for their time.
   */
  caughtUp(refused: number, end: number): void {
    const mayLack = this.#isClockSet && refused > this.#refused;
    this.#begin(refused, end);
    if (mayLack) this.#from = end;
    this.#isClockSet = mayLack;
  }

  /** At a probe. Returns the position to read back from, if the clock was set and ticks had been refused by it. */
  probe(refused: number, position: number | null): number | null {
    const from = this.#from ?? (refused > this.#refused ? this.#judgedTo : null);
    const isClockSet = this.#isClockSet;
    this.#begin(refused, position);
    if (!isClockSet) this.#from = from;
    return isClockSet ? from : null;
  }

  #begin(refused: number, position: number | null): void {
    this.#refused = refused;
    this.#from = null;
    this.#judgedTo = position;
    this.#isClockSet = false;
  }
}
