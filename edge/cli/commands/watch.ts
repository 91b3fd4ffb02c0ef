/** `watch`: events as sentences, as they happen. */
import { setTimeout as pause } from "node:timers/promises";
import { eventSentence, type ToldEvent } from "../../../src/event/describe-event.ts";
import { FrameReader } from "../../../src/event/frames.ts";
import { UserError } from "../../../src/runtime/user-error.ts";
import type { AddCommands, Session } from "../command.ts";

const RETRY_MS_MIN = 500;
const RETRY_MS_MAX = 10_000;
/** The service sends a heartbeat more often than this. */
const SILENCE_MS_MAX = 45_000;

interface WatchOptions {
  readonly types?: string;
  readonly prices?: string;
  readonly after?: string;
}

export const addWatchCommand: AddCommands = (program, run) => {
  program
    .command("watch")
    .description("follows your events as text until Ctrl-C, over disconnects and restarts; with --json one per line")
    .option("--types <types>", "only these, separated by commas: oco.*,order.refused")
    .option("--prices <symbols>", "also the prices of these symbols, separated by commas")
    .option("--after <id>", "continue after this event; default: from now on")
    .action((options: WatchOptions) => run((session) => watch(session, options)));
};

/**
 * Ends when it is interrupted. A refusal by the service at first, and a wrong request always, ends it with a failure.
 */
async function watch(session: Session, options: WatchOptions): Promise<void> {
  const signal = session.untilInterrupted();
  const place: Place = { lastEventId: options.after, hasBegun: false, retryMs: RETRY_MS_MIN };
  let { api } = session;
  while (!signal.aborted) {
    try {
      await readStream({ ...session, api }, options, place, signal);
    } catch (error) {
      if (signal.aborted) break;
      if (!(error instanceof UserError) || !place.hasBegun || error.message.startsWith("400")) throw error;
      session.output.progress(`interrupted (${error.message}); continues by itself`);
    }
    await pause(place.retryMs, undefined, { signal }).catch(() => undefined);
    place.retryMs = Math.min(RETRY_MS_MAX, place.retryMs * 2);
    if (!signal.aborted) api = await session.logIn().catch(() => api);
  }
  const { lastEventId } = place;
  session.output.progress(lastEventId === undefined ? "ended" : `ended; to continue from here: --after ${lastEventId}`);
}

interface Place {
  lastEventId: string | undefined;
  /** The service has streamed once: a later failure is an interruption. */
  hasBegun: boolean;
  /** The wait before connecting again. The service spreads clients that come back together after a break. */
  retryMs: number;
}

async function readStream(session: Session, options: WatchOptions, place: Place, signal: AbortSignal): Promise<void> {
  const { types, prices } = options;
  const query = { ...(types === undefined ? {} : { types }), ...(prices === undefined ? {} : { prices }) };
  const header = place.lastEventId === undefined ? {} : { "Last-Event-ID": place.lastEventId };
  const silence = new AbortController();
  const request = { signal: AbortSignal.any([signal, silence.signal]), parseAs: "stream" as const };
  const { client } = session.api;
  const body = await session.api.unwrap(
    client.GET("/api/v1/events", { params: { query }, headers: header, ...request }),
  );
  if (!place.hasBegun) session.output.progress("follows your events; Ctrl-C ends it");
  place.hasBegun = true;
  place.retryMs = RETRY_MS_MIN;
  const frames = new FrameReader();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS_MAX);
  try {
    for await (const text of (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS_MAX);
      for (const { id, data, retryMs } of frames.take(text)) {
        place.retryMs = retryMs ?? place.retryMs;
        if (data !== undefined) tell(session, data);
        place.lastEventId = id ?? place.lastEventId;
      }
    }
  } catch (error) {
    throw new UserError(error instanceof Error ? error.message : String(error), { reason: "unavailable" });
  } finally {
    clearTimeout(timer);
  }
}

function tell({ output, isJson }: Session, data: string): void {
  if (isJson) {
    output.text(`${data}\n`);
    return;
  }
  const event = JSON.parse(data) as ToldEvent;
  const time = new Date(typeof event.time === "string" ? event.time : Date.now());
  output.text(`${time.toLocaleTimeString("en-GB")}  ${eventSentence(event)}\n`);
}
