/**
 * Answers with kept reference data, in the bytes it is kept as.
 */
import type { ReferenceAnswer } from "../../client/reference-cache.ts";
import { answerRefusal } from "../../middleware/errors.ts";
import { answer, type EdgeContext } from "../../server/request-state.ts";

const END = Buffer.from("}");

/** 200 with the data under `message`, or the refusal. */
export async function answerReference(
  context: EdgeContext,
  reading: Promise<ReferenceAnswer>,
  message: string,
): Promise<Response> {
  const read = await reading;
  if (!read.ok) return answerRefusal(context, read);
  const open = Buffer.from(`{"success":true,"message":${JSON.stringify(message)},"data":`);
  return answer(context, 200, Buffer.concat([open, read.json, END]));
}

/** The request's id, under which the engine is asked. */
export function requestIdOf(context: EdgeContext): string {
  return context.get("requestState").requestId;
}
