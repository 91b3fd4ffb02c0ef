/**
 * Sounds and desktop notifications, if they are chosen in this browser.
 *
 * Owns: the choice, which window gives the notices, and which events were given. Does not own: the events' way here
 * (stream.ts), the permission's question (page/notices-card.tsx).
 *
 * Invariants:
 * 1. Of all windows of a user in this browser one gives the notices: it holds a lock, which passes on when it is closed.
 * 2. An event is given once, also if another window takes over: the last that was given is stored. Events that the
 *    stream did not bring (the past that Activity reads) are not given.
 */
import { fitsPattern } from "../../../../src/domain/event-pattern.ts";
import type { ToldEvent } from "../../../../src/event/describe-event.ts";
import { USUAL_PATTERNS } from "../../../../src/event/event-names.ts";
import { eventText } from "../language/event-text.ts";
import { placeOf } from "./kept-events.ts";
import { Store } from "./store.ts";

export interface NoticeChoice {
  readonly hasSound: boolean;
  readonly hasNotification: boolean;
  readonly patterns: readonly string[];
}

const STORED = "notices";
const LAST_GIVEN = "notices-last";
/** Events that come together make one sound. */
const SOUND_EVERY_MS = 1_000;
const TONES = [
  { hertz: 880, fromSeconds: 0 },
  { hertz: 1_320, fromSeconds: 0.18 },
] as const;
const TONE_SECONDS = 0.16;
const VOLUME = 0.2;

export const noticeChoice = new Store<NoticeChoice>(readStored());

export function chooseNotices(choice: NoticeChoice): void {
  localStorage.setItem(STORED, JSON.stringify(choice));
  noticeChoice.set(choice);
}

/** Whether this page may give notices at all: browsers allow it over https and on the machine itself. */
export function areNoticesPossible(): boolean {
  return isSecureContext && "Notification" in globalThis && "locks" in navigator;
}

interface NoticesOptions {
  readonly userId: number;
  readonly botNames: Store<ReadonlyMap<number, string>>;
  /** Called when this window must give notices and may have given its stream back. */
  readonly onWatch: () => void;
}

export class Notices {
  readonly #options: NoticesOptions;
  readonly #closing = new AbortController();
  #hasLock = false;

  constructor(options: NoticesOptions) {
    this.#options = options;
  }

  start(): void {
    const { signal } = this.#closing;
    const look = (): void => {
      if (this.isWatching) this.#options.onWatch();
    };
    addEventListener(
      "storage",
      ({ key }) => {
        if (key !== STORED) return;
        noticeChoice.set(readStored());
        look();
      },
      { signal },
    );
    if (!areNoticesPossible()) return;
    const hold = (): Promise<void> => {
      this.#hasLock = true;
      look();
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
    };
    // Rejects if this window is closed before its turn.
    void navigator.locks.request(`notices of ${this.#options.userId}`, { signal }, hold).catch(() => undefined);
  }

  close(): void {
    this.#hasLock = false;
    this.#closing.abort();
  }

  /** Whether this window gives notices: it keeps its stream out of sight, too. */
  get isWatching(): boolean {
    const { hasSound, hasNotification } = noticeChoice.value;
    return this.#hasLock && (hasSound || hasNotification);
  }

  /** Gives a live event, if its type is chosen and no window gave it before. */
  hear(event: ToldEvent): void {
    const { hasSound, hasNotification, patterns } = noticeChoice.value;
    if (!this.isWatching || !patterns.some((pattern) => fitsPattern(event.type, pattern))) return;
    const id = String(event.id);
    if (!isAfter(id, localStorage.getItem(LAST_GIVEN))) return;
    localStorage.setItem(LAST_GIVEN, id);
    if (hasSound) playSound();
    if (hasNotification) notify(eventText(event, this.#options.botNames.value), id);
  }
}

/** Shows a desktop notification. False: the browser shows none of this page. Browsers of phones throw in any case. */
export function notify(body: string, tag: string): boolean {
  if (Notification.permission !== "granted") return false;
  try {
    new Notification("Trading Developer API", { body, tag }).onclick = () => window.focus();
    return true;
  } catch {
    return false;
  }
}

/** Of another installation nothing is known. */
function isAfter(id: string, last: string | null): boolean {
  const [place, given] = [placeOf(id), placeOf(last ?? "")];
  return place !== undefined && (place.before !== given?.before || place.sequence > given.sequence);
}

let audio: AudioContext | undefined;
let playedMs = Number.NEGATIVE_INFINITY;

/** Two short tones. Before the first click in a page the browser keeps it silent. */
export function playSound(): void {
  if (performance.now() - playedMs < SOUND_EVERY_MS) return;
  playedMs = performance.now();
  audio ??= new AudioContext();
  const context = audio;
  void context.resume();
  for (const { hertz, fromSeconds } of TONES) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    const from = context.currentTime + fromSeconds;
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(VOLUME, from);
    volume.gain.exponentialRampToValueAtTime(0.001, from + TONE_SECONDS);
    tone.connect(volume).connect(context.destination);
    tone.start(from);
    tone.stop(from + TONE_SECONDS);
  }
}

function readStored(): NoticeChoice {
  const { hasSound, hasNotification, patterns } = parse(localStorage.getItem(STORED) ?? "{}") ?? {};
  return {
    hasSound: hasSound === true,
    hasNotification: hasNotification === true,
    patterns: Array.isArray(patterns) ? patterns.filter((one) => typeof one === "string") : USUAL_PATTERNS,
  };
}

/** Stored text that is not JSON counts as no choice. */
function parse(text: string): Partial<NoticeChoice> | null {
  try {
    return JSON.parse(text) as Partial<NoticeChoice> | null;
  } catch {
    return null;
  }
}
