/**
 * Appends at a given place in the stream, until the outcome is known.
 *
 * Owns: sending again, and the judgement whether a refused append was stored. Does not own: what is appended, who is
 * allowed to.
 *
 * Invariants:
 * 1. A retry sends the same bytes under the same id at the same place.
 * 2. The wait ends when the message is stored at the place that it named, when another message is there, or by
 *    `signal`.
 */
import type { Log, Timers } from "../../../../src/runtime/ports.ts";
import type { AppendAnswer, Appended, LogStream } from "./log-stream.ts";
import { pause } from "./pause.ts";

const AGAIN_MS = 50;
/** Tries before a waiting append is logged. */
const PATIENCE = 20;

/** Another message is at the place of the append: the error's message names it. */
export class Fenced extends Error {
  override readonly name = "Fenced";
}

interface FencedAppendOptions {
  readonly stream: LogStream;
  readonly timers: Timers;
  readonly log: Log;
}

/**
 * Appends in order, with all appends in flight together: a refused append makes the later ones refused. Rejects with
 * {@link Fenced}, or with the reason of `signal` once that is aborted.
 */
export async function appendFenced(
  options: FencedAppendOptions,
  appends: readonly Appended[],
  signal: AbortSignal,
): Promise<void> {
  const answers = await Promise.all(appends.map((append) => send(options.stream, append)));
  for (const [index, append] of appends.entries()) {
    if (!isStored(answers[index], append)) await settle(options, append, answers[index], signal);
  }
}

/** An append with an unknown outcome, and why. */
interface Unanswered {
  readonly reason: string;
}
type Answer = AppendAnswer | Unanswered | undefined;

function send(stream: LogStream, append: Appended): Promise<Answer> {
  return stream.append(append).catch((error: unknown) => ({
    reason: error instanceof Error ? error.message : String(error),
  }));
}

function isStored(answer: Answer, { expectedSequence, id }: Appended): boolean {
  if (answer === undefined || answer === "wrong" || "reason" in answer) return false;
  if (answer.sequence === expectedSequence + 1) return true;
  throw new Fenced(`append ${id} was acknowledged as message ${answer.sequence}, not ${expectedSequence + 1}`);
}

async function settle(
  options: FencedAppendOptions,
  append: Appended,
  first: Answer,
  signal: AbortSignal,
): Promise<void> {
  const { stream, timers, log } = options;
  const place = append.expectedSequence + 1;
  let answer = first;
  for (let tries = 1; ; tries += 1) {
    if (answer === "wrong" && (await isOursAfterAll(stream, append))) return;
    signal.throwIfAborted();
    if (tries === PATIENCE) {
      const reason = typeof answer === "object" && "reason" in answer ? answer.reason : "it gives different answers";
      log.error(
        { event: "log.appendsRefused", place, reason },
        "the log takes nothing: what was decided waits, and nothing is answered",
      );
    }
    await pause(timers, AGAIN_MS, signal);
    answer = await send(stream, append);
    if (!isStored(answer, append)) continue;
    if (tries >= PATIENCE) log.info({ event: "log.appendsRecovered", place }, "the log takes what was decided again");
    return;
  }
}

/**
 * False: the outcome is not known yet, or the place is free. Throws {@link Fenced} if the place is taken or can never
 * be free.
 */
async function isOursAfterAll(stream: LogStream, { expectedSequence, id }: Appended): Promise<boolean> {
  try {
    const found = await stream.read(expectedSequence + 1);
    if (found?.id === id) return true;
    if (found !== undefined) throw new Fenced(`message ${expectedSequence + 1} of the log is another engine's`);
    const { lastSequence } = await stream.state();
    if (lastSequence >= expectedSequence) return false;
  } catch (error) {
    if (error instanceof Fenced) throw error;
    return false;
  }
  throw new Fenced(`the log ends before message ${expectedSequence}, which it had acknowledged: it has lost records`);
}
