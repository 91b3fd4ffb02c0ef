/**
 * Answers a list with the bytes the engine stores its rows as.
 *
 * Invariants:
 * 1. Rows are never parsed. A list of one page is one buffer; a longer one is pulled page by page as the client takes
 *    it, so that a list of any length costs one page of memory.
 * 2. A page that cannot be had after the first one breaks the answer off: a client must not take a part for the whole.
 */
import type { Page, Refusal } from "../client/engine-client.ts";
import { answer, type EdgeContext } from "../exchange.ts";
import { answerRefusal } from "../middleware/errors.ts";

const CLOSE = Buffer.from("]}");
const COMMA = Buffer.from(",");

/** 200 with all pages as one array. `fetchPage` gets the cursor, null for the first page. */
export async function answerRows(
  context: EdgeContext,
  message: string,
  fetchPage: (from: string | null) => Promise<Page | Refusal>,
): Promise<Response> {
  const first = await fetchPage(null);
  if (!first.ok) return answerRefusal(context, first);
  const open = Buffer.from(`{"success":true,"message":${JSON.stringify(message)},"data":[`);
  if (first.next === null) return answer(context, 200, Buffer.concat([open, first.rows, CLOSE]));
  return answer(context, 200, ReadableStream.from(chunks(open, first, fetchPage)));
}

async function* chunks(
  open: Uint8Array,
  first: Page,
  fetchPage: (from: string | null) => Promise<Page | Refusal>,
): AsyncGenerator<Uint8Array> {
  yield Buffer.concat([open, first.rows]);
  let hasRows = first.rows.length > 0;
  for (let from = first.next; from !== null; ) {
    const page = await fetchPage(from);
    if (!page.ok) throw new Error(`a list broke off: ${page.message}`);
    if (page.rows.length > 0) {
      yield hasRows ? Buffer.concat([COMMA, page.rows]) : page.rows;
      hasRows = true;
    }
    from = page.next;
  }
  yield CLOSE;
}
