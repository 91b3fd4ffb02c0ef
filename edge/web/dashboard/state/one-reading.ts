/** Something that is read again and again, by one reading at a time. */
export class OneReading {
  #reading: Promise<void> | undefined;

  /** Reads, unless a reading is on its way: then it is waited for. */
  run(read: () => Promise<void>): Promise<void> {
    this.#reading ??= read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }
}
