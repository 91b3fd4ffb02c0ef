/**
 * A file that a browser loads and keeps: compressed once, sent in the smallest form that the client accepts, and not
 * sent again if the client has it.
 *
 * Invariant: each form of the bytes has an entity tag of its own (RFC 9110, 8.8.3), and any of them is a 304.
 */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { accepts } from "hono/accepts";
import type { EdgeContext } from "../server/request-state.ts";

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);
/** Near the smallest, in a fifth of the time. */
const BROTLI_QUALITY = 9;
/** The smallest first. */
const ENCODINGS = ["br", "gzip"] as const;
type Encoding = (typeof ENCODINGS)[number];

interface AssetOptions {
  readonly type: string;
  /** How long a browser may use it without asking; 0: it asks each time. */
  readonly keptSeconds: number;
}

export interface Asset extends AssetOptions {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Differs if the bytes differ. */
  readonly tag: string;
  /** Empty for what is compressed by itself, as pictures are. */
  readonly compressed: Readonly<Partial<Record<Encoding, Uint8Array<ArrayBuffer>>>>;
}

/** An asset of these bytes. */
export async function makeAsset(content: Uint8Array, options: AssetOptions): Promise<Asset> {
  const bytes = new Uint8Array(content);
  const tag = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  if (options.type.startsWith("image/")) return { ...options, bytes, tag, compressed: {} };
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } };
  const [br, zipped] = await Promise.all([compressBrotli(bytes, quality), compressGzip(bytes)]);
  return { ...options, bytes, tag, compressed: { br: new Uint8Array(br), gzip: new Uint8Array(zipped) } };
}

/** Sends an asset, unless the browser has it already. */
export function sendAsset(context: EdgeContext, { bytes, type, tag, keptSeconds, compressed }: Asset): Response {
  const encoding = ENCODINGS.find((one) => compressed[one] !== undefined && takes(context, one));
  const body = encoding === undefined ? bytes : (compressed[encoding] ?? bytes);
  const headers: Record<string, string> = {
    "content-type": type,
    "cache-control": keptSeconds === 0 ? "no-cache" : `public, max-age=${keptSeconds}`,
    etag: `"${tag}${encoding === undefined ? "" : `-${encoding}`}"`,
    vary: "accept-encoding",
  };
  if (hasAlready(context, tag)) return context.body(null, 304, headers);
  if (encoding !== undefined) headers["content-encoding"] = encoding;
  return context.body(body, 200, headers);
}

function takes(context: EdgeContext, encoding: Encoding): boolean {
  return accepts(context, { header: "Accept-Encoding", supports: [encoding], default: "identity" }) === encoding;
}

function hasAlready(context: EdgeContext, tag: string): boolean {
  const known = (context.req.header("if-none-match") ?? "").split(",").map((one) => one.trim().replace(/^W\//, ""));
  return ["", ...ENCODINGS.map((one) => `-${one}`)].some((form) => known.includes(`"${tag}${form}"`));
}
