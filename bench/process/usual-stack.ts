/**
 * The stack that a developer would build in place of this project for the same two requests: Hono, jose with a cache of
 * verified tokens, rate-limiter-flexible, zod, and LevelDB with a row for each level. It watches no price and sells
 * nothing.
 *
 * A read is a range of LevelDB. A create is validated, written as one synced batch and answered with its rows.
 */
import { randomBytes } from "node:crypto";
import { serve } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { jwtVerify, SignJWT } from "jose";
import { Level } from "level";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { z } from "zod";
import { OCO_PATH } from "../harness/load/readers.ts";

/** The parent sends this first. */
export interface UsualStackOptions {
  readonly folder: string;
  /** Each gets a token and the rows of `listedRows` under its own account. */
  readonly accountNumbers: readonly string[];
  /** One group, as the product lists it. */
  readonly listedRows: readonly object[];
}

export interface UsualStack {
  readonly port: number;
  /** Tokens in the order of `accountNumbers`. */
  readonly tokens: readonly string[];
}

const ISSUER = "usual-stack";
const REQUESTS_A_MINUTE = 1_000_000_000;

const positive = z.number().positive().max(9_999_999);
const lots = z.int().positive().max(9_999_999);
const bodySchema = z.strictObject({
  brokerageCode: z.string().min(1).max(32),
  accountNumber: z.string().min(1).max(64),
  symbol: z.string().min(1).max(32),
  stopLossPrice: positive,
  stopLossQuantity: lots,
  takeProfitItems: z
    .array(z.strictObject({ price: positive, quantity: lots }))
    .min(1)
    .max(10),
});

interface Caller {
  readonly accountNumber: string;
  readonly expiresAtMs: number;
}

const refuse = (context: Context, status: 400 | 401 | 403 | 429, message: string): Response =>
  context.json({ success: false, message, data: null }, status);

async function run({ folder, accountNumbers, listedRows }: UsualStackOptions): Promise<void> {
  const level = new Level<string, string>(folder);
  await level.open();
  const secret = randomBytes(32);
  const tokens: string[] = [];
  for (const accountNumber of accountNumbers) {
    const token = new SignJWT({ accountNumber }).setProtectedHeader({ alg: "HS256" }).setIssuer(ISSUER);
    tokens.push(await token.setExpirationTime("1h").sign(secret));
    for (const [index, row] of listedRows.entries()) {
      await level.put(`${accountNumber}!${String(index).padStart(10, "0")}`, JSON.stringify({ ...row, accountNumber }));
    }
  }

  const limiter = new RateLimiterMemory({ points: REQUESTS_A_MINUTE, duration: 60 });
  const verified = new Map<string, Caller>();
  const verify = async (token: string): Promise<Caller> => {
    const known = verified.get(token);
    if (known !== undefined && known.expiresAtMs > Date.now()) return known;
    const { payload } = await jwtVerify(token, secret, { issuer: ISSUER, algorithms: ["HS256"] });
    const caller = { accountNumber: String(payload.accountNumber), expiresAtMs: (payload.exp ?? 0) * 1_000 };
    verified.set(token, caller);
    return caller;
  };

  const app = new Hono<{ Variables: { caller: Caller } }>();
  app.use(async (context, next) => {
    const [, token = ""] = /^Bearer (.+)$/.exec(context.req.header("authorization") ?? "") ?? [];
    const caller = await verify(token).catch(() => undefined);
    if (caller === undefined) return refuse(context, 401, "the access token is missing or invalid");
    const taken = await limiter.consume(caller.accountNumber).catch(() => undefined);
    if (taken === undefined) return refuse(context, 429, "too many requests");
    context.header("RateLimit-Limit", String(REQUESTS_A_MINUTE));
    context.header("RateLimit-Remaining", String(taken.remainingPoints));
    context.set("caller", caller);
    return next();
  });
  app.get(OCO_PATH, async (context) => {
    const { accountNumber } = context.get("caller");
    if (context.req.query("accountNumber") !== accountNumber) return refuse(context, 403, "not your account");
    const values = await level.values({ gte: `${accountNumber}!`, lt: `${accountNumber}"`, limit: 1_000 }).all();
    return context.json({ success: true, message: "", data: values.map((value) => JSON.parse(value) as object) });
  });
  let lastId = listedRows.length;
  app.post(OCO_PATH, async (context) => {
    const parsed = bodySchema.safeParse(await context.req.json());
    if (!parsed.success) return refuse(context, 400, z.prettifyError(parsed.error));
    const { accountNumber, symbol, stopLossPrice, stopLossQuantity, takeProfitItems } = parsed.data;
    if (accountNumber !== context.get("caller").accountNumber) return refuse(context, 403, "not your account");
    const groupId = lastId + 1;
    const legs = [{ orderType: 2, price: stopLossPrice, quantity: stopLossQuantity }].concat(
      takeProfitItems.map((item) => ({ orderType: 1, ...item })),
    );
    const createdDate = new Date().toISOString();
    const rows = legs.map((leg) => {
      lastId += 1;
      const unfired = { status: 1, triggeredPrice: null, triggeredDate: null, triggerErrorMessage: null };
      const dates = { dueDate: null, notes: null, createdDate, updatedDate: null };
      return { id: lastId, groupId, accountNumber, symbol, ...leg, ...unfired, ...dates };
    });
    const puts = rows.map((row) => {
      const key = `${accountNumber}!${String(row.id).padStart(10, "0")}`;
      return { type: "put" as const, key, value: JSON.stringify(row) };
    });
    await level.batch(puts, { sync: true });
    return context.json({ success: true, message: "", data: rows });
  });
  serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) =>
    process.send?.({ port, tokens } satisfies UsualStack),
  );
}

process.on("message", (message) => {
  if (typeof message === "object" && message !== null && "listedRows" in message) {
    void run(message as UsualStackOptions);
  }
});
process.send?.("ready");
