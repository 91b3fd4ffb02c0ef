/**
 * Missed ticks: after a restart, a reconnect or a stall they are read back from the stream.
 *
 * Owns: how far ticks were applied, when to read back, what is a hole. Does not own: the stream (jetstream.ts), whether
 * it is still the same (stream-identity.ts), live ticks and their waiting (live.ts), storing the position (the engine).
 *
 * How the position is found. Live ticks arrive over core NATS and carry no sequence. So every second a probe asks, over
 * the same connection, for the stream's last sequence. A server delivers a message to subscribers and to the stream at
 * the same moment. Only then does it answer a later question with the message's sequence, and its writes to one
 * connection remain in order. So a message that a probe's answer counts has been delivered by then. The exception is a
 * few microseconds of the server's own threads, or the way between the servers of a cluster. A whole second later, when
 * the next probe is answered, that delay is over and the message's effects went through the engine. So the position is
 * the last sequence that the probe *before* the latest saw. Some ticks are therefore read back a second time. That is
 * harmless: a level ignores caught-up ticks from before it was armed, and a level that fired is no longer armed.
 *
 * Invariants:
 * 1. Live ticks wait from before the end of the range is taken until it has been read. No tick is lost in between, and
 *    caught-up ticks precede live ones.
 * 2. Everything up to the position was applied. It is null before it is known.
 * 3. Of two ticks the earlier never counts alone: only ticks before all recent ones are too old.
 * 4. A hole is reported once, several within a range as one, and the feed continues. A stream that cannot be read holds
 *    live ticks back for at most `GIVE_UP_MS` without progress.
 * 5. The position does not pass a tick that a wrong clock can have refused. Once the clock is right, this engine or the
 *    next leader reads it back.
 */
import { EventLoopStall } from "../../../src/runtime/event-loop-stall.ts";
import type { Cancel } from "../../../src/runtime/ports.ts";
import type { FeedMemory } from "../../ports/feed.ts";
import type { CatchUpOptions, Reason } from "./catch-up-options.ts";
import { describeSpan, type HoleRange, logMissingStream, NO_MEMORY } from "./missed-ticks.ts";
import { newProgress, type Progress } from "./progress.ts";
import { RangeReader } from "./range-reader.ts";
import { StreamClock } from "./stream-clock.ts";
import { findEnd, heardAt } from "./stream-end.ts";
import { StreamHealth } from "./stream-health.ts";
import { type EndAnswer, StreamIdentity, type StreamLook } from "./stream-identity.ts";
import { UnheardTicks } from "./unheard-ticks.ts";

export const PROBE_MS = 1_000;
/** The time after a subscription until every server of a cluster knows of it, and has stored earlier messages. */
const SETTLE_MS = 100;
const RETRY_MS = 100;
const GIVE_UP_MS = 10_000;
const BEAT_MS = 500;
const LATE_MS = 2_000;

export class StreamCatchUp {
  readonly #options: CatchUpOptions;
  readonly #cancels: Cancel[] = [];
  readonly #isReady: Promise<void>;
  #setReady: () => void = () => undefined;
  #position: number | null = null;
  /** The last sequence that the latest probe saw. */
  #probed: number | null = null;
  /** By our clock, until when all ticks certainly arrived; null: not known. */
  #certainMs: number | null = null;
  #run: AbortController | undefined;
  #presence: "unknown" | "ready" | "absent" = "unknown";
  #cancelProbe: Cancel = () => undefined;
  #isStopped = false;
  /** When the current read gives up, unless it makes progress before. */
  #giveUpAtMs = 0;
  /** The event loop stalled since the read began: the waiting ticks were seen too late. */
  #stoodStill = false;
  readonly clock: StreamClock;
  /** The stream to which position and probe refer. */
  readonly #history: StreamIdentity;
  readonly #intake: StreamHealth;
  readonly #reader: RangeReader;
  readonly #unheard = new UnheardTicks();
  /** At least this many ticks were stored by the stream and did not arrive live: they were read back. */
  unheardCount = 0;
  readonly #standstill: EventLoopStall;

  constructor(options: CatchUpOptions) {
    this.#options = options;
    this.clock = new StreamClock(options);
    this.#history = new StreamIdentity(options);
    this.#intake = new StreamHealth({
      ...options,
      onChanged: () => options.onMemory?.(),
    });
    this.#reader = new RangeReader({
      ...options,
      streamClock: this.clock,
      streamName: () => this.#history.name,
      refusedAtMs: () => this.#intake.refusedAtMs,
      onHole: ({ fromMs, untilMs, ...range }) => this.#tellHole(range, { certainMs: fromMs }, untilMs),
    });
    const onStandstill = (lateMs: number) => this.#onStandstill(lateMs);
    this.#standstill = new EventLoopStall({ ...options, beatMs: BEAT_MS, lateMs: LATE_MS, onStandstill });
    this.#isReady = new Promise((resolve) => {
      this.#setReady = resolve;
    });
  }

  /** The place up to which all ticks were applied, stored with every batch; null if not known. */
  position(): number | null {
    return this.#position;
  }

  /** Detects that the process stalled. To be called before anything is judged by the clock. */
  look(): void {
    this.#standstill.look(this.#options.clock.nowMs());
  }

  /** Returns the memory that is stored with the position. */
  memory(): FeedMemory {
    return { tickStream: this.#history.name, ticksRefusedSinceMs: this.#intake.refusingSinceMs };
  }

  /** Catches up from the position stored at `storedAtMs` (null: from now on) and resolves once the feed is live. */
  start(position: number | null, storedAtMs: number | null = null, memory: FeedMemory = NO_MEMORY): Promise<void> {
    const { bus, live } = this.#options;
    this.#position = position;
    this.#certainMs = storedAtMs;
    this.#history.resume(memory.tickStream, storedAtMs);
    if (memory.ticksRefusedSinceMs !== null) this.#intake.resume(memory.ticksRefusedSinceMs, storedAtMs ?? undefined);
    live.hold();
    live.open((nowMs) => this.#standstill.look(nowMs));
    this.#standstill.start();
    this.#cancels.push(bus.onStatus((status) => (status === "connected" ? this.#begin("reconnect") : this.#onLoss())));
    this.#scheduleProbe();
    if (bus.status === "connected") this.#begin("start");
    return this.#isReady;
  }

  stop(): void {
    this.#isStopped = true;
    this.#run?.abort();
    this.#cancelProbe();
    this.#standstill.stop();
    for (const cancel of this.#cancels) cancel();
    this.#options.live.close();
    this.#setReady();
  }

  /** Makes ticks wait from now on: the first ticks after a reconnect can arrive before its notification. */
  #onLoss(): void {
    this.#run?.abort();
    this.#run = undefined;
    this.#options.live.hold();
    this.#options.log.warn({ event: "tickStream.disconnected", position: this.#position }, "tick feed: disconnected");
  }

  #begin(reason: Reason): void {
    this.#run?.abort();
    const run = new AbortController();
    this.#run = run;
    this.#probed = null;
    this.#stoodStill = false;
    this.#giveUpAtMs = this.#options.steadyClock.nowMs() + GIVE_UP_MS;
    // This read begins before all refused ticks.
    if (this.clock.offMs === 0) this.#options.live.forgetRefusedByClock();
    this.#options.live.hold();
    void this.#catchUp(run, reason);
  }

  async #catchUp(run: AbortController, begunFor: Reason): Promise<void> {
    const { steadyClock, log } = this.#options;
    const progress = newProgress(this.#position, this.#certainMs);
    let reason = begunFor;
    let reached = progress.next;
    let told = "";
    for (;;) {
      const failure = await this.#attempt(run.signal, progress, reason).then(
        () => undefined,
        (error: unknown) => ({ error: String(error) }),
      );
      if (run.signal.aborted) return;
      this.look();
      const nowMs = steadyClock.nowMs();
      const mayAct = this.#options.mayAct?.() ?? true;
      if (progress.next !== reached || !mayAct) this.#giveUpAtMs = nowMs + GIVE_UP_MS;
      reached = progress.next;
      const isStored = this.#presence === "ready" && progress.next !== null && this.#intake.refusingSinceMs === null;
      if (this.#stoodStill && isStored) {
        // The waiting ticks were seen too late: they are read back as well, up to an end that is found now.
        this.#stoodStill = false;
        this.#options.live.hold();
        reason = "stall";
      } else if (failure === undefined) break;
      if (failure === undefined) continue;
      if (failure.error !== told) {
        log.warn(
          { event: "ticks.catchUpFailed", reason, next: progress.next, ...failure },
          "tick feed: cannot catch up, trying again",
        );
      }
      told = failure.error;
      if (nowMs >= this.#giveUpAtMs) {
        this.#giveUp(progress);
        break;
      }
      await this.#pause(RETRY_MS);
      if (run.signal.aborted) return;
    }
    this.#run = undefined;
    if (progress.gone !== null) this.#tellHole({ ...progress.gone, reason: "missing" }, progress);
    this.#options.live.release();
    this.#setReady();
  }

  async #attempt(signal: AbortSignal, progress: Progress, reason: Reason): Promise<void> {
    const { log, stream } = this.#options;
    const presence = await stream.open();
    signal.throwIfAborted();
    if (presence === "absent") {
      this.#onAbsent(progress);
      return;
    }
    this.#presence = "ready";
    const heldForMs = reason === "start" ? (this.#options.heldForMs?.() ?? 0) : 0;
    await this.#pause(Math.max(0, SETTLE_MS - heldForMs));
    signal.throwIfAborted();
    const look = await this.#history.look(() => this.#findEnd());
    signal.throwIfAborted();
    const end = look.state.lastSequence;
    this.#findHole(progress, look);
    if (progress.next === null) {
      this.#position = end;
      this.#options.onUnknownPast?.();
      this.#options.onMemory?.();
    } else {
      await this.#reader.read(progress, progress.next, end, signal);
    }
    this.#probed = end;
    this.#unheard.restart(heardAt(look));
    const fields = { reason, position: this.#position, end, messages: progress.taken };
    const { refusingSinceMs } = this.#intake;
    // While connected, all ticks arrived live.
    const wasAway = reason === "start" || reason === "reconnect";
    if (refusingSinceMs !== null && wasAway) this.#tellRefused(fields, progress, refusingSinceMs, reason);
    else log.info({ event: "ticks.caughtUp", ...fields }, "tick feed: caught up");
    if (this.#isTaken(look.end)) this.#intake.take(this.#options.live.seenCount);
  }

  /** Reports the span in which the stream took no ticks: these ticks cannot be caught up. */
  #tellRefused(fields: object, progress: Progress, sinceMs: number, reason: Reason): void {
    const { log, onHole, onUnknownPast } = this.#options;
    const { next, resumedAtMs: untilMs, certainMs } = progress;
    const fromMs = reason === "start" ? sinceMs : Math.max(sinceMs, certainMs ?? sinceMs);
    const lost = { ...fields, ...describeSpan({ fromMs, untilMs }) };
    log.error(
      { event: "ticks.lostWhileRefused", ...lost },
      "tick feed: the tick stream took no ticks for a while: what came then while away is lost",
    );
    onUnknownPast?.();
    onHole({ from: next ?? 1, to: null, reason: "refused", fromMs, untilMs });
  }

  #onAbsent(progress: Progress): void {
    if (this.#presence === "ready") throw new Error("JetStream no longer answers");
    if (this.#presence === "unknown") {
      logMissingStream(this.#options.log, false);
      if (progress.next !== null)
        this.#tellHole({ from: progress.next, to: null, reason: "unreadable" }, progress, null);
    }
    this.#presence = "absent";
  }

  /** Moves `progress` past ticks that the stream no longer holds. */
  #findHole(progress: Progress, look: StreamLook): void {
    const { next } = progress;
    const { firstSequence } = look.state;
    const isOther = this.#enter(look, (next ?? 1) - 1);
    if (next === null) return;
    if (isOther) {
      this.#tellHole({ from: next, to: null, reason: "recreated" }, progress);
      progress.isToldWhole = true;
      this.#position = firstSequence - 1;
      this.#options.onMemory?.();
    } else if (firstSequence > next) {
      this.#tellHole({ from: next, to: firstSequence - 1, reason: "missing" }, progress);
    } else return;
    progress.next = firstSequence;
  }

  /** True if the position refers to another stream, or to this stream before it lost its last messages. */
  #enter(look: StreamLook, appliedTo: number): boolean {
    const { name, isOther } = this.#history.enter(look, appliedTo);
    if (look.end !== undefined) this.clock.read({ stream: name, ...look.end });
    return isOther;
  }

  #giveUp(progress: Progress): void {
    if (progress.next === null) {
      this.#options.log.error(
        { event: "tickStream.unusable" },
        "tick feed: the tick stream cannot be used, so missed ticks will not be caught up",
      );
    } else this.#tellHole({ from: progress.next, to: null, reason: "unreadable" }, progress, null);
  }

  #tellHole(range: HoleRange, { certainMs: fromMs }: Pick<Progress, "certainMs">, until?: number | null): void {
    const untilMs = until === undefined ? this.#options.clock.nowMs() : until;
    const lost = { ...range, ...describeSpan({ fromMs, untilMs }) };
    this.#options.log.error({ event: "ticks.lost", ...lost }, "tick feed: ticks were missed and cannot be caught up");
    this.#options.onHole({ ...range, fromMs, untilMs });
  }

  /** Ticks that arrived during the stall count at the moment they were stored, not when they are seen. */
  #onStandstill(lateMs: number): void {
    const isReadingBack = this.#run !== undefined;
    if (this.#isStopped) return;
    if (!isReadingBack && (this.#presence !== "ready" || this.#options.live.state !== "live")) return;
    this.#options.log.warn(
      { event: "ticks.processStoodStill", lateMs },
      "tick feed: the process was paused, catching up",
    );
    if (!isReadingBack) this.#begin("stall");
    this.#stoodStill = isReadingBack;
    // The missing answer was not the stream's fault.
    this.#giveUpAtMs = this.#options.steadyClock.nowMs() + GIVE_UP_MS;
  }

  #scheduleProbe(): void {
    this.#cancelProbe = this.#options.timers.after(PROBE_MS, () => void this.#probe());
  }

  /** The stream did not answer since the start: its ticks after the position are read back once it does. */
  async #askAgain(): Promise<void> {
    const presence = await this.#options.stream.open().catch(() => "absent");
    if (presence === "ready" && this.#options.live.state === "live" && !this.#isStopped) this.#begin("found");
  }

  async #probe(): Promise<void> {
    const { live, log, stream } = this.#options;
    try {
      if (this.#presence !== "ready" && live.state === "live") await this.#askAgain();
      else if (this.#presence === "ready" && live.state === "live") {
        const { seenCount } = live;
        const askedMs = this.#options.clock.nowMs();
        const look = await this.#history.look(() => this.#findEnd());
        if (this.#isTaken(look.end)) this.#intake.take(seenCount);
        else if (look.end !== undefined) this.#intake.doubt("its last sequence does not advance", live.seenCount);
        if (live.state === "live" && this.#history.isNewest(look) && !this.#isUnheard(look)) {
          this.#advance(look);
          this.#certainMs = askedMs;
        }
        this.#judgeRefused();
      }
    } catch (error) {
      log.warn({ event: "tickStream.silent", error: String(error) }, "tick feed: the tick stream does not answer");
      // If the process stalled, the stream can have answered in time.
      this.look();
      if (live.state === "live") this.#intake.doubt(String(error), live.seenCount);
      // A deleted stream must exist again before ticks are missed.
      await stream.open().catch(() => undefined);
    } finally {
      if (!this.#isStopped) this.#scheduleProbe();
    }
  }

  #findEnd(): Promise<EndAnswer | undefined> {
    const onRefusal = (reason: string) => this.#intake.refuse(reason, this.#history.storedAtMs);
    return findEnd({ ...this.#options, onRefusal });
  }

  /** True if the end was stored, or if ticks were stored since the last one. */
  #isTaken(end: EndAnswer | undefined): boolean {
    return end !== undefined && (end.timeMs !== null || end.sequence > (this.#probed ?? 0));
  }

  /** True while ticks seem to be missing: the position does not move, and once that is certain they are read back. */
  #isUnheard(look: StreamLook): boolean {
    const end = heardAt(look);
    if (end === undefined || look.isRewound) return false;
    const range = this.#unheard.compare(end);
    if (range === undefined) return this.#unheard.isDoubted;
    this.unheardCount += range.countMin;
    const fields = { event: "ticks.unheard" as const, ...range };
    this.#options.log.warn(fields, "tick feed: the stream stored ticks that did not arrive live; reading them back");
    this.#position = Math.min(this.#position ?? range.after, range.after);
    this.#begin("unheard");
    return true;
  }

  /** Advances the position, unless the stream takes no mark: then nothing shows that all up to its end was received. */
  #advance(look: StreamLook): void {
    const { firstSequence, lastSequence } = look.state;
    if (this.#enter(look, this.#probed ?? 0)) {
      this.#unheard.restart(heardAt(look));
      this.#options.log.warn(
        { event: "tickStream.replaced", position: this.#position },
        "tick feed: the tick stream is another stream, or lost its end",
      );
      this.#position = firstSequence - 1;
      this.#options.onMemory?.();
    } else if (this.#probed !== null && look.end !== undefined && !this.#options.live.hasRefusedByClock) {
      this.#position = this.#probed;
    }
    this.#probed = lastSequence;
  }

  /** Reads ticks back that a wrong clock refused, once the clock is right. */
  #judgeRefused(): void {
    const { live, log } = this.#options;
    if (!live.hasRefusedByClock || this.clock.offMs !== 0 || live.state !== "live") return;
    const fields = { event: "clock.right" as const, position: this.#position };
    log.warn(fields, "tick feed: ticks were refused by a clock that was wrong; reading them back");
    this.#begin("clock");
  }

  #pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.#options.timers.after(delayMs, resolve));
  }
}
