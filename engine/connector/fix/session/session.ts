/**
 * A FIX session that we begin: it connects, logs on and logs out, again and again.
 *
 * Owns: when to connect, log on, ask for a sign of life, log out, wait, and stop for good. Does not own: outgoing
 * numbers (`sender.ts`), messages by their numbers (`reader.ts`), the meaning of a logon's answer (`logon.ts`).
 *
 * Invariants:
 * 1. A number of ours is durable before its message reaches the socket. A number is never used for a second message.
 * 2. The expected number moves in the same turn in which the user has appended its result of the message.
 * 3. Every ResendRequest of the peer is answered with a gap fill: only the outbox repeats an order.
 * 4. A peer that has lost count is not followed unless the settings allow it.
 * 5. A message is not stored while the session is not live: `send` refuses.
 */
import { assert } from "../../../../src/assert.ts";
import type { Clock, Log, Timers } from "../../../../src/runtime/ports.ts";
import type { JournalFile } from "../../host/state/journal.ts";
import { FrameReader } from "../wire/framing.ts";
import type { Field, FixMessage } from "../wire/message.ts";
import { isSessionType, MsgType, Tag } from "../wire/tag.ts";
import type { Connect } from "./connection.ts";
import { livenessStep } from "./liveness.ts";
import { judgeLogon, type LogonVerdict, refusalOf } from "./logon.ts";
import { isResetDue, type Numbers, resetNumbers } from "./numbers.ts";
import { SessionReader, type SessionUser } from "./reader.ts";
import { dayOf } from "./schedule.ts";
import { type SentPlace, SessionSender } from "./sender.ts";
import type { SessionSettings } from "./settings.ts";

const TICK_MS_MAX = 500;
/** A gap that is still open after this time will not be filled on this connection. */
const GAP_MS_MAX = 20_000;

interface SessionOptions {
  readonly settings: SessionSettings;
  readonly numbers: Numbers;
  readonly journal: JournalFile;
  readonly connect: Connect;
  readonly clock: Clock;
  /** Monotonic. */
  readonly steadyClock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly user: SessionUser;
}

/** `resting`: waits for the next try or the session's hours. `halted`: a person must look. */
type Phase = "resting" | "connecting" | "loggingOn" | "live" | "loggingOut" | "halted";

export class FixSession {
  readonly #options: SessionOptions;
  readonly #sender: SessionSender;
  readonly #reader: SessionReader;
  #phase: Phase = "resting";
  #phaseSinceMs: number;
  #reason = "not connected yet";
  #isRefused = false;
  #lastHeardMs = 0;
  #askedMs: number | undefined;
  #tryAtMs = 0;
  #waitMs: number;
  #addressIndex = 0;
  #mustReset = false;
  /** A logon of ours ended without the peer's reason: its number can have been used before. */
  #wasTurnedAway = false;
  #isStopped = false;
  #whenClosed: (() => void) | undefined;

  constructor(options: SessionOptions) {
    const { steadyClock, settings, user, log } = options;
    this.#options = options;
    this.#sender = new SessionSender(options);
    this.#reader = new SessionReader({
      ...{ sender: this.#sender, user, log, nowMs: () => steadyClock.nowMs() },
      control: {
        lostCount: (reason, take) => this.#lostCount(reason, take),
        resetByPeer: (reason) => this.#mustAgreeOnReset(reason),
        peerLoggedOut: (reason) => this.#peerLoggedOut(reason),
        drop: (reason) => this.#sender.connection?.destroy(reason),
      },
    });
    this.#waitMs = settings.reconnectMsMin;
    this.#phaseSinceMs = steadyClock.nowMs();
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** Whether the counterparty refused the last logon. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Why it is in this phase. */
  get reason(): string {
    return this.#reason;
  }

  get numbers(): Numbers {
    return this.#sender.numbers;
  }

  get isLive(): boolean {
    return this.#phase === "live" && this.#sender.connection?.isWritable === true;
  }

  /** Connects when the schedule allows it, and reconnects. */
  start(): void {
    this.#tick();
  }

  /** Logs out, waits for the answer a while, and stays away. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#sender.connection === undefined) return;
    const closed = new Promise<void>((resolve) => {
      this.#whenClosed = resolve;
    });
    if (this.#phase === "live") this.#logOut("the connector stops");
    else this.#sender.connection.destroy("the connector stops");
    await closed;
  }

  /**
   * Sends an application message. `onLeft` receives whether it was given to the connection, once that is certain;
   * false: it certainly was not and never will be. Undefined if the session is not live: nothing was stored.
   */
  send(type: string, fields: readonly Field[], onLeft: (hasLeft: boolean) => void): SentPlace | undefined {
    if (!this.isLive) return undefined;
    assert(!isSessionType(type), "a session message by an application");
    return this.#sender.send(type, fields, onLeft);
  }

  #enter(phase: Phase, reason: string): void {
    this.#phase = phase;
    this.#phaseSinceMs = this.#steadyMs();
    this.#reason = reason;
  }

  #steadyMs(): number {
    return this.#options.steadyClock.nowMs();
  }

  #day(): string | undefined {
    return dayOf(this.#options.settings.schedule, this.#options.clock.nowMs());
  }

  // -------------------------------------------------------------------------------------------------------- the clock

  #tick(): void {
    if (this.#isStopped && this.#sender.connection === undefined) return;
    this.#doWhatIsDue();
    const { timers, settings } = this.#options;
    timers.after(Math.min(TICK_MS_MAX, settings.heartbeatMs / 5), () => this.#tick());
  }

  #doWhatIsDue(): void {
    const { settings } = this.#options;
    const sinceMs = this.#steadyMs() - this.#phaseSinceMs;
    switch (this.#phase) {
      case "halted":
        break;
      case "resting":
        if (!this.#isStopped && this.#steadyMs() >= this.#tryAtMs && this.#day() !== undefined) this.#connect();
        break;
      case "connecting":
      case "loggingOn":
        if (sinceMs > settings.logonTimeoutMs) this.#sender.connection?.destroy("no answer to the logon in time");
        break;
      case "loggingOut":
        if (sinceMs > settings.logoutTimeoutMs) this.#sender.connection?.destroy(this.#reason);
        break;
      case "live":
        this.#keepLive();
        break;
    }
  }

  #keepLive(): void {
    const { resetOn } = this.#options.settings;
    const day = this.#day();
    if (day === undefined) this.#logOut("the session's hours are over");
    else if (resetOn === "daily" && this.#sender.numbers.day !== day) this.#logOut("a new session day begins");
    else if (this.#reader.gapMs > GAP_MS_MAX) this.#sender.connection?.destroy("a gap was not filled in time");
    else this.#showLife();
  }

  #showLife(): void {
    const liveness = { lastSentMs: this.#sender.lastSentMs, lastHeardMs: this.#lastHeardMs };
    const asked = this.#askedMs === undefined ? {} : { askedMs: this.#askedMs };
    const step = livenessStep({ ...liveness, ...asked }, this.#options.settings.heartbeatMs, this.#steadyMs());
    if (step === "down") this.#sender.connection?.destroy("the counterparty is silent");
    else if (step === "heartbeat") this.#sender.send(MsgType.Heartbeat, []);
    else if (step === "ask") {
      this.#askedMs = this.#steadyMs();
      this.#sender.send(MsgType.TestRequest, [[Tag.TestReqID, String(this.#sender.numbers.nextOutgoing)]]);
    }
  }

  // ------------------------------------------------------------------------------------------------ beginning and end

  #connect(): void {
    const { settings, connect, log } = this.#options;
    const address = settings.addresses[this.#addressIndex % settings.addresses.length];
    assert(address !== undefined, "a session without an address");
    this.#addressIndex += 1;
    this.#enter("connecting", `connecting to ${address.host}:${address.port}`);
    const frames = new FrameReader({
      bodyLengthMax: settings.bodyLengthMax,
      onGarbled: (reason, byteCount) =>
        log.warn({ event: "fix.messageGarbled", reason, byteCount }, "a garbled message was passed over"),
    });
    const connection = connect(address, {
      onOpen: () => this.#logOn(),
      onData: (chunk) => {
        for (const { beginString, message } of frames.push(chunk)) {
          // A message can have ended the connection: later messages on it no longer count.
          if (this.#sender.connection === connection) this.#read(beginString, message);
        }
      },
      onClosed: (reason) => this.#closed(reason),
    });
    this.#sender.connection = connection;
  }

  #logOn(): void {
    const { settings } = this.#options;
    const day = this.#day();
    if (day === undefined) {
      this.#sender.connection?.destroy("the session's hours are over");
      return;
    }
    const isReset = this.#mustReset || isResetDue(settings.resetOn, this.#sender.numbers, day);
    if (isReset) this.#sender.set(resetNumbers(this.#sender.numbers, day));
    this.#enter("loggingOn", "logging on");
    this.#heard();
    this.#sender.send(MsgType.Logon, [
      [Tag.EncryptMethod, "0"],
      [Tag.HeartBtInt, String(Math.max(1, Math.round(settings.heartbeatMs / 1_000)))],
      ...(isReset ? [[Tag.ResetSeqNumFlag, "Y"] as const] : []),
      ...settings.logon(),
    ]);
  }

  #closed(reason: string): void {
    const { log, user, settings } = this.#options;
    const isOwnDoing = this.#phase === "loggingOut";
    if (this.#phase === "loggingOn") this.#wasTurnedAway = true;
    this.#sender.connection = undefined;
    if (this.#phase !== "halted") {
      this.#enter("resting", isOwnDoing ? this.#reason : reason);
      this.#tryAtMs = Math.max(this.#tryAtMs, this.#steadyMs() + this.#waitMs);
      this.#waitMs = Math.min(this.#waitMs * 2, settings.reconnectMsMax);
      log.warn({ event: "fix.sessionDown", reason: this.#reason }, "the session is down");
    }
    user.onDown(this.#reason);
    this.#whenClosed?.();
  }

  /** Logs out; the peer's answer, or its silence, ends the connection. */
  #logOut(text: string): void {
    this.#enter("loggingOut", text);
    this.#sender.send(MsgType.Logout, [[Tag.Text, text]]);
  }

  #peerLoggedOut(reason: string): void {
    if (this.#phase === "live") this.#logOut(reason);
    this.#sender.endSoon(reason);
  }

  /** Stops for a reason that another try does not change. */
  #halt(reason: string): void {
    this.#options.log.error({ event: "fix.halted", reason }, "the session stops: a person must look");
    this.#sender.send(MsgType.Logout, [[Tag.Text, reason]]);
    this.#enter("halted", reason);
    this.#sender.endSoon(reason);
  }

  /** Stores the fact before anything follows: messages that are not known here can have been sent anyway. */
  #noteBehind(reason: string): void {
    this.#options.log.error(
      { event: "fix.folderBehind", reason },
      "the folder is older than what was sent: an order it lacks may exist",
    );
    this.#sender.set({ ...this.#sender.numbers, behindMs: this.#options.clock.nowMs() });
  }

  #lostCount(reason: string, take: (numbers: Numbers) => Numbers): boolean {
    if (this.#options.settings.onUnexpectedReset === "stop") {
      this.#halt(reason);
      return false;
    }
    this.#options.log.warn(
      { event: "fix.numbersReset", reason },
      "the counterparty has lost count: its numbers are taken",
    );
    this.#sender.set(take(this.#sender.numbers));
    return true;
  }

  /** Only a reset that both agree on makes the two counts one again. */
  #mustAgreeOnReset(reason: string): void {
    if (this.#options.settings.onUnexpectedReset === "stop") {
      this.#halt(reason);
      return;
    }
    this.#mustReset = true;
    this.#logOut(reason);
  }

  // ---------------------------------------------------------------------------------------------------------- reading

  #heard(): void {
    this.#lastHeardMs = this.#steadyMs();
    this.#askedMs = undefined;
  }

  #read(beginString: string, message: FixMessage): void {
    const { settings, clock } = this.#options;
    const phase = this.#phase;
    if (phase !== "live" && phase !== "loggingOn" && phase !== "loggingOut") return;
    const refusal = refusalOf(settings, beginString, message, clock.nowMs());
    if (refusal !== undefined) {
      if (phase !== "loggingOut") this.#turnAway(refusal);
      return;
    }
    this.#heard();
    if (phase === "loggingOn") this.#readFirst(judgeLogon(this.#sender.numbers, message));
    else this.#reader.read(message);
  }

  /** Rejects the logon: not with this peer, or not now. No number is taken: the peer's message comes again. */
  #turnAway(reason: string): void {
    this.#options.log.error({ event: "fix.messageRefused", reason }, "a message was refused");
    this.#tryAtMs = this.#steadyMs() + this.#options.settings.refusedMsMin;
    if (this.#phase === "live") this.#logOut(reason);
    else this.#sender.connection?.destroy(reason);
  }

  #readFirst(verdict: LogonVerdict): void {
    switch (verdict.kind) {
      case "refused":
        this.#refused(verdict);
        break;
      case "lostCount":
        if (verdict.isBehind) this.#noteBehind(verdict.reason);
        if (!this.#lostCount(verdict.reason, verdict.take)) break;
        if (verdict.goesOn) this.#goLive(undefined);
        else this.#sender.connection?.destroy(verdict.reason);
        break;
      case "mustReset":
        if (verdict.isBehind) this.#noteBehind(verdict.reason);
        this.#mustAgreeOnReset(verdict.reason);
        break;
      case "accepted":
        // Our number rose with each try until the peer accepted it, and it sent messages that are not known here.
        if (this.#wasTurnedAway && this.#sender.numbers.isConfirmed && verdict.sequence.kind === "ask") {
          this.#noteBehind("the counterparty took a logon only after it had turned others away");
        }
        this.#wasTurnedAway = false;
        if (!this.#sender.numbers.isConfirmed) this.#sender.set({ ...this.#sender.numbers, isConfirmed: true });
        this.#mustReset = false;
        this.#goLive(verdict.sequence);
        break;
    }
  }

  #refused({ reason, incoming }: Extract<LogonVerdict, { kind: "refused" }>): void {
    const { log, settings } = this.#options;
    log.error({ event: "fix.logonRefused", reason }, "the logon was refused");
    this.#isRefused = true;
    if (incoming !== undefined) this.#sender.expect(incoming);
    this.#tryAtMs = this.#steadyMs() + Math.max(settings.refusedMsMin, this.#waitMs);
    this.#sender.connection?.destroy(reason);
  }

  #goLive(sequence: Extract<LogonVerdict, { kind: "accepted" }>["sequence"] | undefined): void {
    this.#waitMs = this.#options.settings.reconnectMsMin;
    this.#isRefused = false;
    this.#enter("live", "logged on");
    this.#reader.begin(sequence);
    this.#options.log.info({ event: "fix.sessionUp", ...this.#sender.numbers }, "the session is up");
    this.#options.user.onLive();
  }
}
