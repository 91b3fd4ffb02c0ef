/**
 * Answers of the engine about reference data, kept for a period, or until they change (behaviour 10.2).
 *
 * Owns: how long an answer is kept and why it is dropped. Does not own: the questions and their receivers.
 *
 * Invariants:
 * 1. The next read sees a write: an area is dropped at every message of a change, when the bus is lost and when it
 *    comes back. An answer that was asked for before a drop is neither kept nor given to later readers.
 * 2. Without the bus nothing is kept: a change could not be received.
 * 3. Only good answers are kept, and of each area at most `AREA_BYTES_MAX`; the oldest is removed first.
 */

import type { Bus } from "../../src/bus/port.ts";
import { type ReferenceChanged, referenceChangedSchema } from "../../src/contract/operator/reference.ts";
import { REFERENCE_CHANGED_SUBJECT } from "../../src/contract/subject.ts";
import { parseJson } from "../../src/runtime/json.ts";
import type { Log, MonotonicClock } from "../../src/runtime/ports.ts";
import type { Refusal } from "./engine-client.ts";

const AREA_BYTES_MAX = 16 * 1024 * 1024;

export type ReferenceArea = Exclude<ReferenceChanged["what"], "all">;

/** The JSON of an answer's data. */
interface ReferenceJson {
  readonly ok: true;
  readonly json: Buffer;
}
export type ReferenceAnswer = ReferenceJson | Refusal;

interface Kept {
  readonly answer: ReferenceJson;
  readonly bytes: number;
  readonly staleAtMs: number;
}

class Area {
  readonly kept = new Map<string, Kept>();
  /** Questions in progress that no drop has overtaken. */
  asked = new Map<string, Promise<ReferenceAnswer>>();
  bytes = 0;

  drop(): void {
    this.kept.clear();
    this.asked = new Map();
    this.bytes = 0;
  }

  remove(key: string): void {
    this.bytes -= this.kept.get(key)?.bytes ?? 0;
    this.kept.delete(key);
  }
}

interface ReferenceCacheOptions {
  readonly bus: Bus;
  readonly clock: MonotonicClock;
  readonly log: Log;
}

export class ReferenceCache {
  readonly #options: ReferenceCacheOptions;
  readonly #areas: Readonly<Record<ReferenceArea, Area>> = {
    symbols: new Area(),
    lists: new Area(),
    restrictions: new Area(),
  };
  readonly #stops: (() => void)[] = [];
  #changeCount = 0;

  constructor(options: ReferenceCacheOptions) {
    this.#options = options;
  }

  /** Starts to receive changes; before that nothing is kept. */
  start(): void {
    const { bus } = this.#options;
    this.#stops.push(bus.subscribe(REFERENCE_CHANGED_SUBJECT, ({ data }) => this.#onChanged(data)));
    this.#stops.push(bus.onStatus(() => this.drop("all")));
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }

  /** Returns the kept answer of the key, or the result of `ask`; that is kept for `periodMs`. */
  async read(
    area: ReferenceArea,
    key: string,
    periodMs: number,
    ask: () => Promise<ReferenceAnswer>,
  ): Promise<ReferenceAnswer> {
    const { kept, asked } = this.#areas[area];
    const found = kept.get(key);
    if (found !== undefined && this.#options.clock.monotonicMs() < found.staleAtMs) return found.answer;
    const underWay = asked.get(key);
    if (underWay !== undefined) return underWay;
    const asking = ask();
    asked.set(key, asking);
    try {
      const answer = await asking;
      if (answer.ok && this.#areas[area].asked === asked) this.#keep(this.#areas[area], key, answer, periodMs);
      return answer;
    } finally {
      asked.delete(key);
    }
  }

  /** How often something was dropped: parts that were read before and after a drop do not fit together. */
  get changeCount(): number {
    return this.#changeCount;
  }

  /** Forgets answers that a change can have made wrong. */
  drop(what: ReferenceChanged["what"]): void {
    this.#changeCount += 1;
    if (what === "all" || what === "symbols") this.#areas.symbols.drop();
    if (what === "all" || what === "lists") this.#areas.lists.drop();
    if (what !== "lists") this.#areas.restrictions.drop();
  }

  #onChanged(data: Uint8Array): void {
    const change = referenceChangedSchema.safeParse(parseJson(data));
    if (!change.success)
      this.#options.log.error(
        { event: "reference.malformedMessage", error: change.error },
        "malformed message about changed reference data",
      );
    this.drop(change.success ? change.data.what : "all");
  }

  #keep(area: Area, key: string, answer: ReferenceJson, periodMs: number): void {
    const { bus, clock } = this.#options;
    if (this.#stops.length === 0 || bus.status !== "connected") return;
    const bytes = answer.json.byteLength + key.length;
    area.remove(key);
    area.kept.set(key, { answer, bytes, staleAtMs: clock.monotonicMs() + periodMs });
    area.bytes += bytes;
    for (const oldest of area.kept.keys()) {
      if (area.bytes <= AREA_BYTES_MAX) return;
      area.remove(oldest);
    }
  }
}
