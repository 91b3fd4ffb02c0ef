/**
 * The dashboard at `/`: one page, one script, one style sheet, all from this edge.
 *
 * Owns: bundling `dashboard/` with esbuild, once, at the first request. Does not own: what the dashboard does.
 *
 * Invariants:
 * 1. The content policy allows scripts, styles, images and calls of this edge only, and nothing inline.
 * 2. Only the public interface is used: whatever the page shows, a user's own program can have.
 */
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { EdgeContext, EdgeHono } from "../server/exchange.ts";

const FOLDER = "/dashboard";
const SCRIPT = `${FOLDER}/main.js`;
const STYLE = `${FOLDER}/style.css`;

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Trading Developer API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${STYLE}">
</head>
<body>
<div id="dashboard"></div>
<noscript>The dashboard needs JavaScript. The interface is described at <a href="/docs">/docs</a>.</noscript>
<script type="module" src="${SCRIPT}"></script>
</body>
</html>
`;

interface Asset {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly tag: string;
}

/** Adds the page and what it needs. A bundle that cannot be made is tried again at the next request. */
export function addDashboard(app: EdgeHono): void {
  let bundled: Promise<ReadonlyMap<string, Asset>> | undefined;
  const find = async (path: string): Promise<Asset | undefined> => {
    bundled ??= bundle().catch((error: unknown) => {
      bundled = undefined;
      throw error;
    });
    return (await bundled).get(path);
  };
  app.get("/", (context) =>
    context.body(PAGE, 200, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": POLICY,
      "cache-control": "no-cache",
      "referrer-policy": "no-referrer",
    }),
  );
  for (const path of [SCRIPT, STYLE]) {
    app.get(path, async (context) => {
      const asset = await find(path);
      return asset === undefined ? context.notFound() : sendAsset(context, asset);
    });
  }
}

function sendAsset(context: EdgeContext, { bytes, type, tag }: Asset): Response {
  const headers = { "content-type": type, "cache-control": "no-cache", etag: tag };
  if (context.req.header("if-none-match") === tag) return context.body(null, 304, headers);
  return context.body(bytes, 200, headers);
}

async function bundle(): Promise<ReadonlyMap<string, Asset>> {
  const pathOf = (name: string): string => fileURLToPath(new URL(`./dashboard/${name}`, import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [pathOf("main.tsx"), pathOf("style.css")],
    outdir: FOLDER,
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    logLevel: "silent",
  });
  return new Map(
    outputFiles.map(({ path, contents }) => {
      const type = path.endsWith(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8";
      const tag = `"${createHash("sha256").update(contents).digest("base64url").slice(0, 22)}"`;
      return [`${FOLDER}/${path.slice(path.lastIndexOf("/") + 1)}`, { bytes: new Uint8Array(contents), type, tag }];
    }),
  );
}
