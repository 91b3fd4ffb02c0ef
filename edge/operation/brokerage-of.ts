/** The brokerage of an object that a path names, for the order quota that a change of it counts to. */
import type { Call } from "./call.ts";

/**
 * The code that the engine answers to `query`; undefined: the caller has no such object, which is the engine's to
 * refuse.
 */
export async function brokerageOf(
  call: Pick<Call<unknown, unknown, unknown>, "ask">,
  query: string,
  id: number,
): Promise<string | undefined> {
  const reply = await call.ask(query, { id });
  return reply.ok && typeof reply.data === "string" ? reply.data : undefined;
}
