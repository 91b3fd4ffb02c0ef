/**
 * An example of a client: logs in, protects a position with an OCO group, and follows the group until nothing of it is
 * under watch any more. `npm run example -- THYAO 200 400 10`: stop at 200, take profit at 400, ten lots.
 *
 * It knows the service by its document alone: the types come from `npm run openapi`, the calls from `openapi-fetch`.
 */
import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import createClient from "openapi-fetch";
import type { components, paths } from "./generated/schema.d.ts";

type Row = components["schemas"]["OcoRow"];

const STATUS_NAMES = { 1: "Active", 2: "Triggered", 3: "TriggerFailed", 4: "Cancelled" } as const;
const POLL_MS = 500;

const [symbol = "THYAO", stopLoss = "200", takeProfit = "400", lots = "10"] = process.argv.slice(2);
const baseUrl = process.env.API_URL || "http://127.0.0.1:8080";
const apiKey = process.env.API_KEY || (await readFile("data/bootstrap-api-key", "utf8")).trim();
const client = createClient<paths>({ baseUrl });

// 1. An API key is exchanged for an access token, which every further call carries.
const tokens = await client
  .POST("/oauth/token", { params: { header: { "X-API-Key": apiKey } }, body: { grant_type: "api_key" } })
  .catch(() => {
    process.stderr.write(`the service does not answer at ${baseUrl}: start it, or set API_URL to its address\n`);
    process.exit(1);
  });
const accessToken = must(tokens).access_token;
client.use({
  onRequest: ({ request }) => {
    request.headers.set("Authorization", `Bearer ${accessToken}`);
    return request;
  },
});

// 2. Which account?
const [account] = must(await client.GET("/api/v1/accounts")).data;
if (account === undefined) throw new Error("the user has no account");
const { brokerageCode, accountNumber } = account;
say(`account ${accountNumber} at ${account.brokerageName}`);

// 3. One stop-loss and one take-profit. The key makes it safe to repeat the request when its answer was lost.
const created = await client.POST("/api/v1/oco-orders", {
  params: { header: { "Idempotency-Key": crypto.randomUUID() } },
  body: {
    brokerageCode,
    accountNumber,
    symbol,
    stopLossPrice: Number(stopLoss),
    stopLossQuantity: Number(lots),
    takeProfitItems: [{ price: Number(takeProfit), quantity: Number(lots) }],
    notes: "placed by the example client",
  },
});
const { groupId } = must(created).data;
say(`group ${groupId} is under watch: stop at ${stopLoss}, take profit at ${takeProfit}`);

// 4. Follow it. Rows of one group share the groupId; a row that fired states at which live price.
const told = new Map<number, Row["status"]>();
for (let isOver = false; !isOver; ) {
  const listed = await client.GET("/api/v1/oco-orders", { params: { query: { brokerageCode, accountNumber } } });
  const rows = must(listed).data.filter((row) => row.groupId === groupId);
  for (const row of rows) {
    if (told.get(row.id) === row.status) continue;
    told.set(row.id, row.status);
    say(describe(row));
  }
  const hasFired = rows.some(({ status }) => status !== 1);
  isOver = hasFired || rows.length === 0;
  if (!isOver) await pause(POLL_MS);
}

function describe({ orderType, price, status, triggeredPrice, triggerErrorMessage }: Row): string {
  const name = orderType === 1 ? "take profit" : "stop";
  const detail = triggeredPrice === null ? "" : ` at ${triggeredPrice}`;
  return `${name} ${price}: ${STATUS_NAMES[status]}${detail}${triggerErrorMessage === null ? "" : ` (${triggerErrorMessage})`}`;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Returns the data of an answer, or throws with the service's message. */
function must<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (data !== undefined) return data;
  throw new Error(`${response.url} answered ${response.status}: ${JSON.stringify(error)}`);
}
