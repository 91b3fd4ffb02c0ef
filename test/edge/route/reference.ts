/** Reads of reference data that a fake engine answers, for tests of their routes. */
import type { RunningEdge } from "../support/running-edge.ts";

/** Makes the engine report a change, as it does after a write. */
export function tellChanged(edge: RunningEdge, what: string): void {
  edge.engineBus.publish("reference.changed", Buffer.from(JSON.stringify({ what })));
}

/** Returns the data of a successful answer. */
export async function dataAt(edge: RunningEdge, path: string): Promise<unknown> {
  const response = await edge.send("GET", path);
  const body = (await response.json()) as { data: unknown };
  if (response.status !== 200) throw new Error(`${response.status} ${JSON.stringify(body)}`);
  return body.data;
}

/** Returns how often the engine received requests of this type. */
export function askedCount(edge: RunningEdge, type: string): number {
  return edge.engine.asked.filter((envelope) => envelope.type === type).length;
}
