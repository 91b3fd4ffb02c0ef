/**
 * The page at `/docs` on which the interface can be read and tried: Swagger UI from its package, so that it works
 * without the internet.
 *
 * Invariants:
 * 1. Its content policy lets scripts come from this edge only, and calls go to this edge only. Styles may be inline,
 *    since Swagger UI sets them so; scripts may not.
 * 2. A token that is typed in lives in the page's memory and goes when the page goes.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { z } from "zod";
import { OPENAPI_PATH } from "../route/openapi.ts";
import type { EdgeContext, EdgeHono } from "../server/exchange.ts";

const PATH = "/docs";
const PACKAGE = "swagger-ui-dist";
const KEPT_SECONDS = 3_600;

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
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
<title>Trading Developer API</title>
<link rel="icon" type="image/png" href="${PATH}/favicon-32x32.png">
<link rel="stylesheet" href="${PATH}/swagger-ui.css">
</head>
<body>
<noscript>This page needs JavaScript. The document it shows is at <a href="${OPENAPI_PATH}">${OPENAPI_PATH}</a>.</noscript>
<main id="api"></main>
<script src="${PATH}/swagger-ui-bundle.js"></script>
<script src="${PATH}/start.js"></script>
</body>
</html>
`;

const START = `"use strict";
window.SwaggerUIBundle({
  url: ${JSON.stringify(OPENAPI_PATH)},
  dom_id: "#api",
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: "list",
  filter: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;

const ASSETS = [
  { name: "swagger-ui.css", type: "text/css; charset=utf-8" },
  { name: "swagger-ui-bundle.js", type: "text/javascript; charset=utf-8" },
  { name: "favicon-32x32.png", type: "image/png" },
];

/** Adds the page and what it needs. */
export function addApiPage(app: EdgeHono): void {
  const { resolve, version } = findPackage();
  app.get(PATH, (context) =>
    context.body(PAGE, 200, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": POLICY,
      "cache-control": "no-cache",
      "referrer-policy": "no-referrer",
    }),
  );
  app.get(`${PATH}/start.js`, (context) =>
    context.body(START, 200, { "content-type": "text/javascript; charset=utf-8", "cache-control": "no-cache" }),
  );
  for (const { name, type } of ASSETS) {
    let bytes: Promise<Uint8Array<ArrayBuffer>> | undefined;
    const tag = `"${version}"`;
    app.get(`${PATH}/${name}`, async (context) => {
      if (context.req.header("if-none-match") === tag) return context.body(null, 304, { etag: tag });
      bytes ??= readWhole(resolve(name));
      return sendAsset(context, await bytes, type, tag);
    });
  }
}

function sendAsset(context: EdgeContext, bytes: Uint8Array<ArrayBuffer>, type: string, tag: string): Response {
  return context.body(bytes, 200, {
    "content-type": type,
    "cache-control": `public, max-age=${KEPT_SECONDS}`,
    etag: tag,
  });
}

async function readWhole(path: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(path));
}

function findPackage(): { readonly resolve: (name: string) => string; readonly version: string } {
  const require = createRequire(import.meta.url);
  const { version } = z.object({ version: z.string() }).parse(require(`${PACKAGE}/package.json`));
  return { resolve: (name) => require.resolve(`${PACKAGE}/${name}`), version };
}
