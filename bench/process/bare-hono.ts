/**
 * Hono with nothing behind it: answers a read with the bytes it was given, and a JSON body with the same bytes. With a
 * responder over NATS, a read is answered with the responder's answer.
 */
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { connect } from "nats";

/** The first message of the parent. */
export interface BareHonoOptions {
  readonly readAnswer: Uint8Array<ArrayBuffer>;
  readonly createAnswer: Uint8Array<ArrayBuffer>;
  /** The subject that a read asks, and the bytes of the request; undefined: a read asks no responder. */
  readonly asks?: { readonly natsUrl: string; readonly subject: string; readonly request: Uint8Array } | undefined;
}

const JSON_HEADERS = { "content-type": "application/json" };

async function run({ readAnswer, createAnswer, asks }: BareHonoOptions): Promise<void> {
  const app = new Hono();
  if (asks === undefined) app.get("/read", (context) => context.body(readAnswer, 200, JSON_HEADERS));
  else {
    const connection = await connect({ servers: asks.natsUrl, noAsyncTraces: true });
    app.get("/read", async (context) => {
      const { data } = await connection.request(asks.subject, asks.request, { timeout: 30_000 });
      return context.body(new Uint8Array(data), 200, JSON_HEADERS);
    });
  }
  app.post("/create", async (context) => {
    await context.req.json();
    return context.body(createAnswer, 200, JSON_HEADERS);
  });
  serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => process.send?.({ port }));
}

process.on("message", (message) => {
  if (typeof message === "object" && message !== null && "readAnswer" in message) {
    void run(message as BareHonoOptions);
  }
});
process.send?.("ready");
