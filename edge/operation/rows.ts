/**
 * Answers a list with the stored bytes of its rows.
 *
 * Invariants:
 * 1. Rows are never parsed. A list of one page is one buffer, kept for as long as the page; a longer one is pulled page
 *    by page as the client takes it, so that a list of any length costs one page of memory.
 * 2. If a page after the first one fails, the connection breaks: a client must not take a part for the whole.
 */

import type { Log } from "../../src/runtime/ports.ts";
import type { Page, Refusal } from "../client/engine-client.ts";
import { answerRefusal, type RefusalShape } from "../middleware/errors.ts";
import { answer, type EdgeContext } from "../server/request-state.ts";

const CLOSE = Buffer.from("]}");
const COMMA = Buffer.from(",");

type FetchPage = (from: string | null) => Promise<Page | Refusal>;

/**
 * 200 with all pages as one array. `message` is the operation's own text, never a text that a request shapes;
 * `fetchPage` gets the cursor, null for the first page.
 */
export async function answerRows(
  context: EdgeContext,
  message: string,
  fetchPage: FetchPage,
  { log, shape }: { readonly log: Log; readonly shape: RefusalShape },
): Promise<Response> {
  const first = await fetchPage(null);
  if (!first.ok) return answerRefusal(context, first, shape);
  const open = openingOf(message);
  if (first.next === null) return answer(context, 200, wholeBody(open, first));
  const breakOff = (refusal: Refusal): void => {
    log.warn(
      { event: "list.cutShort", requestId: context.get("requestState").requestId, reason: refusal.message },
      "a list was cut short",
    );
    context.env.outgoing?.destroy();
  };
  return answer(context, 200, ReadableStream.from(chunks(open, first, fetchPage, breakOff)));
}

/**
 * 200 with one page, the first from `from` on that has rows. Its header `X-Next-Cursor` is the start of the next page;
 * without it this is the last one.
 */
export async function answerPart(
  context: EdgeContext,
  message: string,
  fetchPage: FetchPage,
  from: string | null,
  shape: RefusalShape,
): Promise<Response> {
  for (let at = from; ; ) {
    const page = await fetchPage(at);
    if (!page.ok) return answerRefusal(context, page, shape);
    if (page.rows.length > 0 || page.next === null) {
      const headers = page.next === null ? undefined : { "x-next-cursor": toCursor(page.next) };
      return answer(context, 200, wholeBody(openingOf(message), page), headers);
    }
    at = page.next;
  }
}

/** Returns the position of a page as clients see it: text that fits a header and an address, in an opaque form. */
function toCursor(next: string): string {
  return Buffer.from(next).toString("base64url");
}

/** Returns the position in a cursor; the engine refuses a cursor that is not ours. */
export function fromCursor(cursor: string): string {
  return Buffer.from(cursor, "base64url").toString();
}

/** The bodies made from pages that are a whole list; an unchanged list can come as the same page again. */
const wholeBodies = new WeakMap<Page, { readonly open: Uint8Array; readonly body: Uint8Array<ArrayBuffer> }>();

function wholeBody(open: Uint8Array, page: Page): Uint8Array<ArrayBuffer> {
  const known = wholeBodies.get(page);
  if (known?.open === open) return known.body;
  const body = Buffer.concat([open, page.rows, CLOSE]);
  wholeBodies.set(page, { open, body });
  return body;
}

/** The beginnings of lists, by their message: made once, as there are only as many as operations. */
const openings = new Map<string, Uint8Array>();

function openingOf(message: string): Uint8Array {
  const known = openings.get(message);
  if (known !== undefined) return known;
  const opening = Buffer.from(`{"success":true,"message":${JSON.stringify(message)},"data":[`);
  openings.set(message, opening);
  return opening;
}

async function* chunks(
  open: Uint8Array,
  first: Page,
  fetchPage: FetchPage,
  breakOff: (refusal: Refusal) => void,
): AsyncGenerator<Uint8Array> {
  yield Buffer.concat([open, first.rows]);
  let hasRows = first.rows.length > 0;
  for (let from = first.next; from !== null; ) {
    const page = await fetchPage(from);
    if (!page.ok) {
      breakOff(page);
      return;
    }
    if (page.rows.length > 0) {
      yield hasRows ? Buffer.concat([COMMA, page.rows]) : page.rows;
      hasRows = true;
    }
    from = page.next;
  }
  yield CLOSE;
}
