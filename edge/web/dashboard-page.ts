/**
 * The dashboard at `/`: one page, one script, one style sheet, all from this edge.
 *
 * Owns: bundling `dashboard/` with esbuild, once, at the first request. Does not own: the dashboard's behaviour.
 *
 * Invariants:
 * 1. Nothing is inline: neither scripts nor styles.
 * 2. Only the public interface is used: a user's own program can get everything that the page shows.
 */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { API_VERSION } from "../openapi/version.ts";
import type { EdgeHono } from "../server/request-state.ts";
import { type Asset, makeAsset, sendAsset } from "./asset.ts";
import { addPage } from "./page.ts";

const FOLDER = "/dashboard";
const SCRIPT = `${FOLDER}/main.js`;
const STYLE = `${FOLDER}/style.css`;

const HEAD = `<meta name="color-scheme" content="light dark">
<meta name="version" content="${API_VERSION}">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${STYLE}">`;

const BODY = `<div id="dashboard"></div>
<noscript>The dashboard needs JavaScript. The interface is described at <a href="/docs">/docs</a>.</noscript>
<script type="module" src="${SCRIPT}"></script>`;

/** Adds the page and its files. A bundle that cannot be made is tried again at the next request. */
export function addDashboard(app: EdgeHono): void {
  let bundled: Promise<ReadonlyMap<string, Asset>> | undefined;
  const find = async (path: string): Promise<Asset | undefined> => {
    bundled ??= bundle().catch((error: unknown) => {
      bundled = undefined;
      throw error;
    });
    return (await bundled).get(path);
  };
  addPage(app, { path: "/", head: HEAD, body: BODY, hasInlineStyles: false });
  for (const path of [SCRIPT, STYLE]) {
    app.get(path, async (context) => {
      const asset = await find(path);
      return asset === undefined ? context.notFound() : sendAsset(context, asset);
    });
  }
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
  const assets = outputFiles.map(async ({ path, contents }): Promise<readonly [string, Asset]> => {
    const type = path.endsWith(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8";
    return [`${FOLDER}/${path.slice(path.lastIndexOf("/") + 1)}`, await makeAsset(contents, { type, keptSeconds: 0 })];
  });
  return new Map(await Promise.all(assets));
}
