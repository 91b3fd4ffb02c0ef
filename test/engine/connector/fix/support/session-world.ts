/** A session against a scripted peer: real sockets, a real file, short intervals. */
import { join } from "node:path";
import { connectSocket } from "../../../../../engine/connector/fix/session/connection.ts";
import {
  applyNumbersRecord,
  FIRST_NUMBERS,
  type NumbersRecord,
  renderNumbers,
} from "../../../../../engine/connector/fix/session/numbers.ts";
import { FixSession } from "../../../../../engine/connector/fix/session/session.ts";
import type { SessionSettings } from "../../../../../engine/connector/fix/session/settings.ts";
import type { FixMessage } from "../../../../../engine/connector/fix/wire/message.ts";
import { Tag } from "../../../../../engine/connector/fix/wire/tag.ts";
import { openJournal } from "../../../../../engine/connector/host/state/journal.ts";
import { loopTimers, steadyClock, systemClock } from "../../../../../src/runtime/clock.ts";
import type { Clock, Log } from "../../../../../src/runtime/ports.ts";
import { temporaryFolder } from "../../../../support/machine/process.ts";
import { ScriptedPeer } from "./peer.ts";

export class RecordedLog implements Log {
  readonly lines: { readonly level: string; readonly message: string; readonly text: string }[] = [];
  #add(level: string, fields: object, message: string): void {
    this.lines.push({ level, message, text: JSON.stringify(fields) });
  }
  debug(fields: object, message: string): void {
    this.#add("debug", fields, message);
  }
  info(fields: object, message: string): void {
    this.#add("info", fields, message);
  }
  warn(fields: object, message: string): void {
    this.#add("warn", fields, message);
  }
  error(fields: object, message: string): void {
    this.#add("error", fields, message);
  }
}

export const throwing = (reason: string, cause: unknown): never => {
  throw new Error(reason, { cause });
};

function settingsFor(port: number, change: Partial<SessionSettings> = {}): SessionSettings {
  return {
    beginString: "FIX.4.4",
    senderCompId: "ME",
    targetCompId: "DESK",
    addresses: [{ host: "127.0.0.1", port }],
    header: [],
    logon: () => [],
    heartbeatMs: 1_000,
    resetOn: "never",
    onUnexpectedReset: "stop",
    logonTimeoutMs: 1_000,
    logoutTimeoutMs: 300,
    reconnectMsMin: 20,
    reconnectMsMax: 100,
    refusedMsMin: 50,
    clockSkewMsMax: 120_000,
    bodyLengthMax: 100_000,
    ...change,
  };
}

export class SessionWorld {
  readonly peer: ScriptedPeer;
  readonly log = new RecordedLog();
  readonly told: FixMessage[] = [];
  readonly events: string[] = [];
  clock: Clock = systemClock;
  session!: FixSession;
  #close: () => Promise<void> = async () => undefined;
  readonly #folder: string;
  readonly #remove: () => Promise<void>;
  #waiting: (() => void)[] = [];

  private constructor(peer: ScriptedPeer, folder: string, remove: () => Promise<void>) {
    this.peer = peer;
    this.#folder = folder;
    this.#remove = remove;
  }

  static async make(): Promise<SessionWorld> {
    const { path, remove } = await temporaryFolder();
    return new SessionWorld(await ScriptedPeer.start(), path, remove);
  }

  async start(change: Partial<SessionSettings> = {}): Promise<void> {
    const opened = await openJournal(
      join(this.#folder, "journal"),
      {
        // A journal of numbers alone: the folder decides whose they are.
        isOwner: () => true,
        shorten: (records) => [renderNumbers((records as NumbersRecord[]).reduce(applyNumbersRecord, FIRST_NUMBERS))],
      },
      { timers: loopTimers, fatal: throwing },
    );
    const numbers = (opened.records as NumbersRecord[]).reduce(applyNumbersRecord, FIRST_NUMBERS);
    const { journal } = opened;
    this.session = new FixSession({
      ...{ settings: settingsFor(this.peer.port, change), numbers, journal, connect: connectSocket(undefined) },
      ...{ clock: { nowMs: () => this.clock.nowMs() }, steadyClock, timers: loopTimers, log: this.log },
      user: {
        onMessage: (message) => {
          this.told.push(message);
          this.#tell(`message ${message.get(Tag.Text)}`);
        },
        onLive: () => this.#tell("live"),
        onDown: (reason) => this.#tell(`down ${reason}`),
        onFilled: () => this.#tell("filled"),
      },
    });
    this.#close = () => journal.close();
    this.session.start();
  }

  /** The texts of the received application messages, in order. */
  get texts(): string[] {
    return this.told.map((message) => message.get(Tag.Text) ?? "");
  }

  /** Starts the session, and waits until both sides have logged on. */
  async live(change: Partial<SessionSettings> = {}): Promise<void> {
    await this.start(change);
    await this.untilEvent("live");
  }

  /** The peer sends a report with this text. Gives its bytes. */
  report(text: string, options: Parameters<ScriptedPeer["send"]>[2] = {}): ReturnType<ScriptedPeer["send"]> {
    return this.peer.send("8", [[Tag.Text, text]], options);
  }

  /** The session sends an order. */
  order(onLeft: (hasLeft: boolean) => void = () => undefined): ReturnType<FixSession["send"]> {
    return this.session.send("D", [[Tag.ClOrdID, "x"]], onLeft);
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  async untilEvent(start: string, count = 1): Promise<void> {
    await this.until(() => this.events.filter((event) => event.startsWith(start)).length >= count);
  }

  async stop(): Promise<void> {
    await this.session.stop();
    await this.#close();
  }

  async end(): Promise<void> {
    await this.stop();
    await this.peer.stop();
    await this.#remove();
  }

  #tell(event: string): void {
    this.events.push(event);
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
