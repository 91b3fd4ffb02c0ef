/**
 * The other engines that are present, and the progress of their copies: heartbeats on the bus, a few times a second.
 *
 * Owns: sending, receiving, forgetting silent engines. Does not own: what follows from it (rank.ts), which engine is
 * allowed to lead (the log). Information here can be late or wrong, and does no harm.
 */

import { z } from "zod";
import type { Bus } from "../../../src/bus/port.ts";
import { PRESENCE_SUBJECT } from "../../../src/contract/subject.ts";
import { parseJson } from "../../../src/runtime/json.ts";
import type { Cancel, Clock, Timers } from "../../../src/runtime/ports.ts";
import type { PlacedEngine } from "./rank.ts";

export const TELL_EVERY_MS = 250;
/** Four missed heartbeats. */
const GONE_AFTER_MS = 1_000;

const numbers = z.record(z.string(), z.number().int().nonnegative()).default({});

export const heartbeatSchema = z.object({
  engine: z.string().min(1).max(200),
  /** Absent: an engine of an earlier version, which counts as a separate machine. */
  machine: z.string().min(1).max(255).optional(),
  partitions: z.number().int().positive(),
  /** For each copy that follows: how many messages of the log it has still to read. */
  lags: z.record(z.string(), z.number()),
  /** The epoch of each partition that it answers for. */
  leads: numbers,
  /** The last record that it holds of each partition. */
  positions: numbers,
  /** For each partition that it took over from a silent leader: how often, since it started. */
  takeovers: numbers,
  /** For each copy: the record from which it can need the log. */
  heldTo: numbers,
  /**
   * The partitions of which it has a copy, or will have one. Absent: an engine of an earlier version, which has all.
   */
  keeps: z.array(z.number().int().nonnegative()).optional(),
  /**
   * Whether its clock agrees with the tick stream's clock (behaviour 3.7a). Absent: not known, or an engine of an
   * earlier version.
   */
  isClockRight: z.boolean().optional(),
  /** True: the engine is ending and takes no more partitions. */
  isEnding: z.boolean(),
});
export type Heartbeat = Readonly<z.infer<typeof heartbeatSchema>>;
/** An engine's report on its copies and on the partitions that it leads. */
export type PartitionsReport = Pick<
  Heartbeat,
  "lags" | "leads" | "positions" | "takeovers" | "heldTo" | "keeps" | "isClockRight"
>;

interface PresenceOptions {
  readonly bus: Bus;
  readonly steadyClock: Clock;
  readonly timers: Timers;
  readonly engine: string;
  readonly machine: string;
  readonly partitions: number;
  readonly told: () => PartitionsReport;
}

export class Presence {
  readonly #options: PresenceOptions;
  readonly #heard = new Map<string, { readonly word: Heartbeat; readonly atMs: number }>();
  readonly #stops: Cancel[] = [];
  #isEnding = false;
  #lastTold: Heartbeat | undefined;

  private constructor(options: PresenceOptions) {
    this.#options = options;
  }

  static start(options: PresenceOptions): Presence {
    const presence = new Presence(options);
    const { bus, timers } = options;
    presence.#stops.push(bus.subscribe(PRESENCE_SUBJECT, ({ data }) => presence.#hear(data)));
    const tell = (): void => {
      presence.#tell();
      cancel = timers.after(TELL_EVERY_MS, tell);
    };
    let cancel: Cancel = () => undefined;
    presence.#stops.push(() => cancel());
    tell();
    return presence;
  }

  /** The engines that are present and not ending, including this one unless it is ending; each once. */
  engines(): readonly PlacedEngine[] {
    const { engine, machine } = this.#options;
    const others = this.#present().map((word) => ({ engine: word.engine, machine: word.machine ?? word.engine }));
    return this.#isEnding ? others : [{ engine, machine }, ...others];
  }

  /** The last heartbeat of each engine that is present, including engines that are ending and this one. */
  words(): readonly Heartbeat[] {
    return [this.#word(), ...this.#heardLately()];
  }

  /** How far another engine's copy is behind, in messages; undefined if it has no copy that follows. */
  lagOf(engine: string, partition: number): number | undefined {
    return this.#wordOf(engine)?.lags[String(partition)];
  }

  /** Whether another engine reports that it answers for the partition. */
  leads(engine: string, partition: number): boolean {
    return this.#present().some((word) => word.engine === engine && word.leads[String(partition)] !== undefined);
  }

  /** The report of an engine, also of this one, on its clock; undefined: not known. */
  isClockRight(engine: string): boolean | undefined {
    return (engine === this.#options.engine ? this.#lastTold : this.#wordOf(engine))?.isClockRight;
  }

  /** The record up to which all copies of other engines hold a partition; undefined if no engine reports one. */
  heldByOthers(partition: number): number | undefined {
    const held = this.#present().flatMap(({ heldTo }) => heldTo[String(partition)] ?? []);
    return held.length === 0 ? undefined : Math.min(...held);
  }

  /** Begins the end: the others no longer count on this engine. */
  beginEnd(): void {
    this.#isEnding = true;
    this.#tell();
  }

  stop(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  #present(): Heartbeat[] {
    return this.#heardLately().filter(({ isEnding }) => !isEnding);
  }

  #wordOf(engine: string): Heartbeat | undefined {
    return this.#present().find((word) => word.engine === engine);
  }

  #heardLately(): Heartbeat[] {
    const sinceMs = this.#options.steadyClock.nowMs() - GONE_AFTER_MS;
    return [...this.#heard.values()].filter(({ atMs }) => atMs >= sinceMs).map(({ word }) => word);
  }

  #word(): Heartbeat {
    const { engine, machine, partitions, told } = this.#options;
    return { engine, machine, partitions, ...told(), isEnding: this.#isEnding };
  }

  #hear(data: Uint8Array): void {
    const word = readWord(data);
    const { engine, partitions, steadyClock } = this.#options;
    if (word === undefined || word.engine === engine || word.partitions !== partitions) return;
    const nowMs = steadyClock.nowMs();
    this.#heard.set(word.engine, { word, atMs: nowMs });
    for (const [name, { atMs }] of this.#heard) if (atMs < nowMs - GONE_AFTER_MS) this.#heard.delete(name);
  }

  #tell(): void {
    this.#lastTold = this.#word();
    this.#options.bus.publish(PRESENCE_SUBJECT, Buffer.from(JSON.stringify(this.#lastTold)));
  }
}

function readWord(data: Uint8Array): Heartbeat | undefined {
  return heartbeatSchema.safeParse(parseJson(data)).data;
}
