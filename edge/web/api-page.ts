/**
 * The page at `/docs` on which the interface can be read and tried: Swagger UI from its package, so that it works
 * without the internet.
 *
 * Invariants:
 * 1. Styles may be inline, since Swagger UI sets them so; scripts may not.
 * 2. A token that is typed in lives in the page's memory and goes when the page goes.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { OPENAPI_PATH } from "../route/openapi.ts";
import type { EdgeHono } from "../server/request-state.ts";
import { type Asset, makeAsset, sendAsset } from "./asset.ts";
import { addPage } from "./page.ts";

const PATH = "/docs";
const PACKAGE = "swagger-ui-dist";
const KEPT_SECONDS = 3_600;

const HEAD = `<link rel="icon" type="image/png" href="${PATH}/favicon-32x32.png">
<link rel="stylesheet" href="${PATH}/swagger-ui.css">`;

const BODY = `<noscript>This page needs JavaScript. The document it shows is at <a href="${OPENAPI_PATH}">${OPENAPI_PATH}</a>.</noscript>
<main id="api"></main>
<script src="${PATH}/swagger-ui-bundle.js"></script>
<script src="${PATH}/start.js"></script>`;

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
  const { resolve } = createRequire(import.meta.url);
  addPage(app, { path: PATH, head: HEAD, body: BODY, hasInlineStyles: true });
  app.get(`${PATH}/start.js`, (context) =>
    context.body(START, 200, { "content-type": "text/javascript; charset=utf-8", "cache-control": "no-cache" }),
  );
  for (const { name, type } of ASSETS) {
    let read: Promise<Asset> | undefined;
    app.get(`${PATH}/${name}`, async (context) => {
      read ??= readFile(resolve(`${PACKAGE}/${name}`)).then((bytes) =>
        makeAsset(bytes, { type, keptSeconds: KEPT_SECONDS }),
      );
      return sendAsset(context, await read);
    });
  }
}
