/** The page on which the interface can be tried. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runEdge } from "../support/running-edge.ts";

test("the page and all that it loads come from the edge itself", async (t) => {
  const edge = await runEdge(t);
  const page = await edge.fetch("/docs");
  assert.equal(page.status, 200);
  assert.equal(page.headers.get("content-type"), "text/html; charset=utf-8");
  const html = await page.text();
  const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = ""]) => link);
  assert.ok(links.length >= 4);
  for (const link of links) {
    assert.match(link, /^\/(docs\/|openapi\.json$)/);
    const asset = await edge.fetch(link);
    assert.equal(asset.status, 200, link);
    assert.ok((await asset.arrayBuffer()).byteLength > 100, link);
    assert.equal(asset.headers.get("x-content-type-options"), "nosniff", link);
  }
  assert.doesNotMatch(html, /<script>|onload=|https?:\/\//, "no inline script, nothing from elsewhere");
});

test("its content policy allows scripts and calls of this edge only", async (t) => {
  const edge = await runEdge(t);
  const { headers } = await edge.fetch("/docs");
  const policy = new Map(
    (headers.get("content-security-policy") ?? "").split("; ").map((one) => [one.split(" ")[0], one]),
  );
  assert.equal(policy.get("default-src"), "default-src 'none'");
  assert.equal(policy.get("script-src"), "script-src 'self'");
  assert.equal(policy.get("connect-src"), "connect-src 'self'");
  assert.equal(policy.get("frame-ancestors"), "frame-ancestors 'none'");
  assert.equal(headers.get("x-frame-options"), "DENY");
  const json = await edge.fetch("/openapi.json");
  assert.doesNotMatch(json.headers.get("content-security-policy") ?? "", /unsafe/, "for that page only");
});

test("what a browser has already is not sent again", async (t) => {
  const edge = await runEdge(t);
  const first = await edge.fetch("/docs/swagger-ui.css");
  await first.arrayBuffer();
  const again = await edge.fetch("/docs/swagger-ui.css", {
    headers: { "if-none-match": first.headers.get("etag") ?? "" },
  });
  assert.equal(again.status, 304);
  for (const known of [`W/${first.headers.get("etag")}`, `"other", ${first.headers.get("etag")}`]) {
    const weak = await edge.fetch("/docs/swagger-ui.css", { headers: { "if-none-match": known } });
    assert.equal(weak.status, 304, known);
  }
});

test("what it loads comes compressed as the client takes it, and is the same", async (t) => {
  const edge = await runEdge(t);
  for (const path of ["/docs/swagger-ui-bundle.js", "/dashboard/main.js", "/dashboard/style.css", "/openapi.json"]) {
    const plain = await edge.fetch(path, { headers: { "accept-encoding": "br;q=0, identity" } });
    assert.equal(plain.headers.get("content-encoding"), null, path);
    const text = await plain.text();
    for (const [asked, encoding] of [
      ["gzip, deflate, br, zstd", "br"],
      ["gzip", "gzip"],
    ] as const) {
      const response = await edge.fetch(path, { headers: { "accept-encoding": asked } });
      assert.equal(response.headers.get("content-encoding"), encoding, path);
      assert.equal(response.headers.get("vary"), "accept-encoding");
      assert.ok(Number(response.headers.get("content-length")) < text.length / 2, path);
      assert.notEqual(response.headers.get("etag"), plain.headers.get("etag"));
      assert.equal(await response.text(), text);
      const again = await edge.fetch(path, { headers: { "if-none-match": response.headers.get("etag") ?? "" } });
      assert.equal(again.status, 304);
    }
  }
});
