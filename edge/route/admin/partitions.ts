/**
 * Asks all partitions for one list, and sends each of them the same command.
 *
 * Invariant: a list that lacks a partition is refused as a whole, with the partition's number.
 */
import { z } from "zod";
import type { Reply } from "../../../src/contract/command.ts";
import type { Ask, EngineClient, Page, Refusal } from "../../client/engine-client.ts";
import { refusal } from "../../middleware/errors.ts";

const COMMA = Buffer.from(",");
const cursorSchema = z.array(z.tuple([z.number(), z.string()]));
type Cursors = z.infer<typeof cursorSchema>;

/**
 * Joins the pages of all partitions (of `only`, if it is given) as one list: the first page of each, then the further
 * pages of each.
 */
export function acrossPartitions(
  engine: EngineClient,
  type: string,
  only: number | undefined,
): (ask: Ask, from: string | null) => Promise<Page | Refusal> {
  const all = Array.from({ length: engine.partitions }, (_, partition) => partition);
  return async (ask, from) => {
    if (only !== undefined && only >= engine.partitions) {
      return refusal("INVALID", `partition must be below ${engine.partitions}`);
    }
    if (from === null) {
      const asked = only === undefined ? all : [only];
      const pages = await Promise.all(asked.map((partition) => pageOf(engine, type, ask, partition, null)));
      return join(pages, []);
    }
    const [next, ...others] = cursorSchema.parse(JSON.parse(from));
    if (next === undefined) return { ok: true, next: null, rows: new Uint8Array() };
    return join([await pageOf(engine, type, ask, ...next)], others);
  };
}

interface PartitionPage {
  readonly partition: number;
  readonly page: Page | Refusal;
}

async function pageOf(
  engine: EngineClient,
  type: string,
  ask: Ask,
  partition: number,
  from: string | null,
): Promise<PartitionPage> {
  return { partition, page: await engine.page(type, ask, from, { partition }) };
}

function join(pages: readonly PartitionPage[], others: Cursors): Page | Refusal {
  const rows: Uint8Array[] = [];
  const cursors: Cursors = [];
  for (const { partition, page } of pages) {
    if (!page.ok) return ofPartition(partition, page);
    if (page.rows.length > 0) rows.push(...(rows.length > 0 ? [COMMA, page.rows] : [page.rows]));
    if (page.next !== null) cursors.push([partition, page.next]);
  }
  cursors.push(...others);
  return { ok: true, next: cursors.length === 0 ? null : JSON.stringify(cursors), rows: Buffer.concat(rows) };
}

/** Sends every partition a command, one after the other; returns the data of each, or the first refusal. */
export async function tellEach(
  engine: EngineClient,
  tell: (partition: number) => Promise<Reply>,
): Promise<{ readonly ok: true; readonly data: readonly unknown[] } | Refusal> {
  const data: unknown[] = [];
  for (let partition = 0; partition < engine.partitions; partition += 1) {
    const reply = await tell(partition);
    if (!reply.ok) return ofPartition(partition, reply);
    data.push(reply.data);
  }
  return { ok: true, data };
}

/** Returns a partition's refusal, with its number if it is the partition's own trouble and not the request's. */
export function ofPartition<R extends { readonly code: string; readonly message: string }>(
  partition: number,
  reply: R,
): R {
  return reply.code === "INVALID" || reply.code === "UNPROCESSABLE" || reply.code === "NOT_FOUND"
    ? reply
    : { ...reply, message: `partition ${partition}: ${reply.message}` };
}
