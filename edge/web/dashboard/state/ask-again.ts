/**
 * Repeats reads that fail for a moment, for as long as the answer is wanted.
 *
 * Owns: which refusals pass by themselves, and how long to wait. Does not own: what is sent, as that might be done twice.
 */
import { RequestFailed } from "./session.ts";

/** The longest wait if the service states one, and if it does not. */
const TOLD_SECONDS_MAX = 30;
const WAIT_SECONDS_MAX = 8;
const NOT_REACHED = 0;
const TOO_MANY = 429;
const SERVER_FAULT_MIN = 500;

export interface Waiting {
  /** False: the answer is not wanted any more. */
  readonly isWanted: () => boolean;
  /** Receives the fault as text, or undefined after a success. Not called once the answer is not wanted. */
  readonly onFault: (fault: string | undefined) => void;
}

/** Asks until it is answered or refused for good. Undefined if it was refused, or is not wanted any more. */
export async function askUntilAnswered<T>(ask: () => Promise<T>, waiting: Waiting): Promise<T | undefined> {
  for (let attempt = 0; waiting.isWanted(); attempt += 1) {
    try {
      const answer = await ask();
      if (!waiting.isWanted()) return undefined;
      waiting.onFault(undefined);
      return answer;
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error;
      if (!waiting.isWanted()) return undefined;
      waiting.onFault(error.message);
      if (!canPass(error)) return undefined;
      await pause(waitSecondsOf(error, attempt));
    }
  }
  return undefined;
}

function waitSecondsOf({ retryAfterSeconds }: RequestFailed, attempt: number): number {
  if (retryAfterSeconds !== undefined) return Math.min(TOLD_SECONDS_MAX, retryAfterSeconds);
  return Math.min(WAIT_SECONDS_MAX, 2 ** attempt);
}

const pause = (waitSeconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, waitSeconds * 1_000));

function canPass({ status }: RequestFailed): boolean {
  return status === NOT_REACHED || status === TOO_MANY || status >= SERVER_FAULT_MIN;
}
