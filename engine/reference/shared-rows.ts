/** Reads the rows that the shared partition answers to a query, page by page. */
import type { Bus } from "../../src/bus/port.ts";
import { type Envelope, pageHeaderSchema } from "../../src/contract/command.ts";
import { querySubject } from "../../src/contract/subject.ts";
import { parseJson } from "../../src/runtime/json.ts";

const SHARED_PARTITION = 0;
const NEWLINE = 0x0a;
const TIMEOUT_MS = 10_000;
const OPEN = Buffer.from("[");
const CLOSE = Buffer.from("]");

/** All rows of a query without a user. Rejects if they are not answered whole. `filter`: more fields of its body. */
export async function readSharedRows(
  bus: Bus,
  type: string,
  requestId: string,
  filter: object = {},
): Promise<readonly unknown[]> {
  const rows: unknown[] = [];
  for (let from: string | null = null; ; ) {
    const envelope: Envelope = { type, userId: null, requestId, body: { ...filter, from } };
    const request = Buffer.from(JSON.stringify(envelope));
    const bytes = Buffer.from(await bus.request(querySubject(SHARED_PARTITION), request, TIMEOUT_MS));
    const end = bytes.indexOf(NEWLINE);
    if (end < 0) throw new Error(`the shared partition answered ${type} without rows`);
    const header = pageHeaderSchema.parse(parseJson(bytes.subarray(0, end)));
    rows.push(...(parseJson(Buffer.concat([OPEN, bytes.subarray(end + 1), CLOSE])) as readonly unknown[]));
    if (header.next === null) return rows;
    from = header.next;
  }
}
