/**
 * The engine's side of request-reply: bytes in, bytes out.
 *
 * Invariants:
 * 1. Every request is answered. A fault of ours is answered with INTERNAL, without inner detail, and logged with the
 *    request's id.
 * 2. No body is ever logged.
 */

import type { BusMessage } from "../../src/bus/port.ts";
import { type Envelope, envelopeSchema, QUERIES, type Reply } from "../../src/contract/command.ts";
import { parseJson } from "../../src/runtime/json.ts";
import type { Log, Timers } from "../../src/runtime/ports.ts";
import type { Ownership } from "../ports/ownership.ts";

/** A reply, or a page of stored rows as bytes. */
export type Answer = Reply | Uint8Array;
export type Answerer = (envelope: Envelope) => Promise<Answer>;

const NOT_NOW: Answer = { ok: false, code: "UNAVAILABLE", message: "the engine is not ready, try again" };

/** Answers the question for readiness with these faults; undefined for other questions, and without a fault. */
export function refuseReadiness({ type }: Envelope, faults: readonly string[]): Promise<Answer> | undefined {
  if (type !== QUERIES.readHealth || faults.length === 0) return undefined;
  return Promise.resolve({ ok: false, code: "UNAVAILABLE", message: faults.join("; ") });
}

/**
 * As long as an edge waits for an answer: later work would serve no client, and could conflict with the client's next
 * steps.
 */
const HELD_MS = 30_000;

/** Waits for this many ms at most, and returns whether the engine can act by then. */
type UntilMayAct = (waitMs: number) => Promise<boolean>;

/**
 * While it is not certain that no other engine has taken over, no new work begins and no answer leaves.
 *
 * `areOthersAsked`: another engine can be on the same subject, and answer this very request. A refusal here could hide
 * its success, and make a client repeat a completed action. So no answer leaves before this engine can act again, or no
 * client waits for it any more.
 *
 * A request that was read only now can have waited unread while this engine stalled, but only since the last proof that
 * it is the only one. The time since that proof counts as waiting time of its client.
 */
export function asOwner(
  answerer: Answerer,
  ownership: Ownership,
  areOthersAsked: boolean,
  timers: Pick<Timers, "after">,
): Answerer {
  const untilMayAct = sharedWait(ownership, timers);
  return async (envelope) => {
    if (!ownership.mayAct() && !(areOthersAsked && (await mayBegin(ownership, untilMayAct)))) return NOT_NOW;
    const answer = await answerer(envelope);
    if (!ownership.mayAct()) await ownership.whenMayAct();
    return answer;
  };
}

/** Whether the engine can act while the client of a request that was just read certainly still waits. */
async function mayBegin(ownership: Ownership, untilMayAct: UntilMayAct): Promise<boolean> {
  const agedMs = Math.min(HELD_MS, Math.max(0, ownership.provenForMs));
  if (await untilMayAct(HELD_MS - agedMs)) return true;
  // It can have come just now anyway: then its client still waits, and must not be refused before that is true.
  await untilMayAct(agedMs);
  return false;
}

/** The owner is asked once for all waiting requests. */
function sharedWait(ownership: Ownership, timers: Pick<Timers, "after">): UntilMayAct {
  const waiting = new Set<() => void>();
  let isAsking = false;
  const ask = (): void => {
    if (isAsking) return;
    isAsking = true;
    void ownership.whenMayAct().then(() => {
      isAsking = false;
      for (const go of [...waiting]) go();
    });
  };
  return (waitMs) =>
    new Promise((resolve) => {
      if (waitMs <= 0) return resolve(false);
      const go = (): void => {
        cancel();
        waiting.delete(go);
        resolve(true);
      };
      const cancel = timers.after(waitMs, () => {
        waiting.delete(go);
        resolve(false);
      });
      waiting.add(go);
      ask();
    });
}

/** Makes a bus handler of an answerer. */
export function answering(answerer: Answerer, log: Log): (message: BusMessage) => Promise<Uint8Array> {
  return async ({ subject, data }) => {
    const envelope = envelopeSchema.safeParse(parseJson(data)).data;
    if (envelope === undefined)
      return encode({ ok: false, code: "INVALID", message: "the request is not an envelope" });
    try {
      return encode(await answerer(envelope));
    } catch (error) {
      const { type, requestId } = envelope;
      log.error({ event: "request.failed", err: error, subject, type, requestId }, "a request failed");
      return encode({ ok: false, code: "INTERNAL", message: "internal error" });
    }
  };
}

function encode(answer: Answer): Uint8Array {
  return answer instanceof Uint8Array ? answer : Buffer.from(JSON.stringify(answer));
}
