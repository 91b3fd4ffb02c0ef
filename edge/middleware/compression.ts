/**
 * Compresses long answers for clients that accept gzip (behaviour 1.13).
 *
 * Invariants:
 * 1. An answer with an entity tag is sent unchanged: its strong tag names the version that `If-Match` compares, and
 *    must not represent other bytes.
 * 2. Streams of events are never held back in a compressor: `no-transform` and their media type keep them out.
 * 3. Tokens are not compressed: this is for answers to operations alone.
 */
import type { MiddlewareHandler } from "hono";
import { compress } from "hono/compress";
import type { EdgeEnvironment } from "../server/request-state.ts";

const compressed = compress({ encoding: "gzip", threshold: 0 });

/** Compresses answers that `answer` marked as long. Headers of short answers, which most are, are not read. */
export const compression: MiddlewareHandler<EdgeEnvironment> = async function compression(context, next) {
  await next();
  if (!context.get("requestState").isLong || context.res.headers.has("etag")) return;
  await compressed(context, async () => undefined);
};
