/**
 * One process of a connector among several that can be started for its brokerage.
 *
 * Owns: whether another process answers, which of two ends, and which requests were read before this process stalled.
 * Does not own: the answer in that case (order-gate.ts), the end of the process (`onSuperseded`).
 *
 * Invariants:
 * 1. A process does not begin while another one answers for a brokerage that one process must serve.
 * 2. Of two that meet the older ends: it was silent when the younger began, and its requests can have been repeated.
 * 3. A request is stale if it was read before a stall, or before it is known that no younger process began during the
 *    stall.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { type Bus, RequestTimeoutError } from "../../../src/bus/port.ts";
import {
  type ConnectorAnnouncement,
  connectorAnnouncementSchema,
  HEARD_WITHIN_MS,
} from "../../../src/contract/gateway/process.ts";
import { connectorProcessSubject, connectorQuestionSubject } from "../../../src/contract/subject.ts";
import { EventLoopStall } from "../../../src/runtime/event-loop-stall.ts";
import { parseJson } from "../../../src/runtime/json.ts";
import type { Cancel, Clock, Log, Timers } from "../../../src/runtime/ports.ts";
import { UserError } from "../../../src/runtime/user-error.ts";

const ASK_WITHIN_MS = 1_000;
const ANNOUNCE_EVERY_MS = HEARD_WITHIN_MS / 3;
/** A younger process answers an announcement immediately. */
const LISTEN_MS = 300;
const BEAT_MS = 100;
const LATE_MS = 1_000;

export interface ServingOptions {
  readonly code: string;
  readonly bus: Bus;
  readonly clock: Clock;
  /** Milliseconds since any moment, never stepping. */
  readonly steadyClock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  /** Called once if a younger process serves the brokerage: this one must end. */
  readonly onSuperseded: (reason: string) => void;
}

/** Returns whether a request became stale since it arrived. */
export type Arrival = () => boolean;

export class ServingProcess {
  readonly instance = randomUUID();
  readonly #options: ServingOptions;
  readonly #startedMs: number;
  readonly #stall: EventLoopStall;
  readonly #stops: Cancel[] = [];
  #standstills = 0;
  /** True while requests that are read can be old ones from the socket. */
  #isDraining = false;
  #isSuperseded = false;

  private constructor(options: ServingOptions) {
    this.#options = options;
    this.#startedMs = options.clock.nowMs();
    this.#stall = new EventLoopStall({
      ...{ ...options, beatMs: BEAT_MS, lateMs: LATE_MS },
      onStandstill: () => this.#onStandstill(),
    });
    this.#stall.start();
  }

  /**
   * To be called before any contact with the brokerage. Rejects with a `UserError` if another process answers for it.
   */
  static async begin(options: ServingOptions): Promise<ServingProcess> {
    const { bus, code, log } = options;
    const answer = await bus.request(connectorQuestionSubject(code), new Uint8Array(), ASK_WITHIN_MS).catch((error) => {
      if (error instanceof RequestTimeoutError)
        log.warn({ event: "connector.silentProcess", code }, "another process of the connector does not answer");
      return undefined;
    });
    const other = answer === undefined ? undefined : readAnnouncement(answer);
    if (other !== undefined) {
      throw new UserError(
        `process ${other.pid} on host ${other.host} serves ${code} already: one process serves a brokerage, end that one first`,
        { reason: "unavailable" },
      );
    }
    return new ServingProcess(options);
  }

  /** Answers other processes of the connector from now on, and ends if one of them is younger. */
  announce(): void {
    const { bus, code, timers } = this.#options;
    const subject = connectorProcessSubject(code);
    const ends = bus.respond(connectorQuestionSubject(code), async () => this.#announcement());
    this.#stops.push(() => void ends());
    this.#stops.push(bus.subscribe(subject, ({ data }) => this.#meet(readAnnouncement(data))));
    let cancel: Cancel = () => undefined;
    const tell = (): void => {
      this.#publish();
      cancel = timers.after(ANNOUNCE_EVERY_MS, tell);
    };
    this.#stops.push(() => cancel());
    tell();
  }

  /** Notes that a request arrived. */
  arrive(): Arrival {
    this.#look();
    const arrivedAfter = this.#standstills;
    const wasStale = this.#isDraining || this.#isSuperseded;
    return () => {
      this.#look();
      return wasStale || this.#isSuperseded || this.#standstills !== arrivedAfter;
    };
  }

  stop(): void {
    this.#stall.stop();
    for (const stop of this.#stops.splice(0)) stop();
  }

  #look(): void {
    this.#stall.look(this.#options.clock.nowMs());
  }

  #onStandstill(): void {
    const { log, code } = this.#options;
    this.#standstills += 1;
    log.warn(
      { event: "connector.stoodStill", code },
      "this process was paused: requests that it read before are not passed on",
    );
    if (this.#isDraining) return;
    this.#isDraining = true;
    void this.#drain();
  }

  /**
   * Waits until the server has answered, so that its earlier messages are read, and a moment longer for a younger
   * process.
   */
  async #drain(): Promise<void> {
    const { bus, timers } = this.#options;
    for (let seen = -1; seen !== this.#standstills; ) {
      seen = this.#standstills;
      this.#publish();
      const isDrained = await bus.flush().then(
        () => true,
        () => false,
      );
      await new Promise<void>((resolve) => void timers.after(LISTEN_MS, resolve));
      if (!isDrained) seen = -1;
    }
    this.#isDraining = false;
  }

  #meet(other: ConnectorAnnouncement | undefined): void {
    const { instance } = this;
    if (other === undefined || other.instance === instance || this.#isSuperseded) return;
    const isYounger =
      other.startedMs === this.#startedMs ? other.instance > instance : other.startedMs > this.#startedMs;
    if (!isYounger) {
      this.#publish();
      return;
    }
    this.#isSuperseded = true;
    const reason = `process ${other.pid} on host ${other.host} began to serve the brokerage later`;
    // Requests already read are answered first: they are certainly not passed on.
    this.#options.timers.after(LISTEN_MS, () => this.#options.onSuperseded(reason));
  }

  #publish(): void {
    // No request is served while the connection is lost, and the next announcement follows soon.
    if (this.#stops.length === 0 || this.#options.bus.status !== "connected") return;
    this.#options.bus.publish(connectorProcessSubject(this.#options.code), this.#announcement());
  }

  #announcement(): Uint8Array {
    const { instance } = this;
    const word: ConnectorAnnouncement = { instance, startedMs: this.#startedMs, host: hostname(), pid: process.pid };
    return Buffer.from(JSON.stringify(word));
  }
}

function readAnnouncement(data: Uint8Array): ConnectorAnnouncement | undefined {
  return connectorAnnouncementSchema.safeParse(parseJson(data)).data;
}
