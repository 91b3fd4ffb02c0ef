/** Hono with nothing behind it: answers a read with the bytes it was given, and a JSON body with the same bytes. */
import { serve } from "@hono/node-server";
import { Hono } from "hono";

/** What the parent sends first. */
export interface BareHonoOptions {
  readonly readAnswer: Uint8Array<ArrayBuffer>;
  readonly createAnswer: Uint8Array<ArrayBuffer>;
}

const JSON_HEADERS = { "content-type": "application/json" };

function run({ readAnswer, createAnswer }: BareHonoOptions): void {
  const app = new Hono();
  app.get("/read", (context) => context.body(readAnswer, 200, JSON_HEADERS));
  app.post("/create", async (context) => {
    await context.req.json();
    return context.body(createAnswer, 200, JSON_HEADERS);
  });
  serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => process.send?.({ port }));
}

process.on("message", (message) => {
  if (typeof message === "object" && message !== null && "readAnswer" in message) run(message as BareHonoOptions);
});
process.send?.("ready");
