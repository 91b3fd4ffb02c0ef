/**
 * The OpenAPI document, made of the routes themselves.
 */
import { type GenerateSpecOptions, openAPIRouteHandler } from "hono-openapi";
import { assert } from "../../src/assert.ts";
import { API_VERSION } from "../openapi/version.ts";
import { describeWebhooks } from "../openapi/webhooks.ts";
import { BEARER_SCHEME, sharedResponses } from "../operation/description.ts";
import type { EdgeHono } from "../server/request-state.ts";
import { type Asset, makeAsset, sendAsset } from "../web/asset.ts";

export const OPENAPI_PATH = "/openapi.json";

const DESCRIPTION = `Brokerage access, automated systems and synthetic OCO orders.

Exchange an API key at \`POST /oauth/token\` for an access token and send it as \`Authorization: Bearer\`. Every answer
is an envelope of \`success\`, \`message\` and \`data\`. Times are UTC, ISO 8601. Prices are multiples of the increment of
their range; quantities are whole lots.`;

const TAGS = [
  { name: "Token", description: "Access and refresh tokens" },
  { name: "Accounts", description: "Accounts at brokerages: login, positions, the day's orders" },
  { name: "Orders", description: "Orders at brokerages, which are forwarded immediately" },
  { name: "OCO orders", description: "Synthetic OCO groups: one stop-loss and its take-profits, watched here" },
  { name: "Systems", description: "All automated systems of an account" },
  { name: "Level bots", description: "Bots that buy on the way down and sell on the way up" },
  { name: "Webhook bots", description: "Bots that trade on signals from elsewhere" },
  { name: "Symbol lists", description: "Named lists of symbols" },
  { name: "Symbols", description: "The symbols there are" },
  { name: "List types", description: "Kinds of symbol lists" },
  { name: "Restrictions", description: "Measures of the exchange on symbols" },
  { name: "Events", description: "What changes, as it happens: your own objects, and prices" },
  {
    name: "Notifications",
    description: "Price alerts, and events sent to webhooks, Telegram chats and e-mail addresses",
  },
  { name: "Administration", description: "For operators: users, prices, reference data, what is stuck" },
];

const { webhooks, schemas } = describeWebhooks();

const documentation: GenerateSpecOptions["documentation"] = {
  openapi: "3.1.0",
  info: {
    title: "Trading Developer API",
    version: API_VERSION,
    description: DESCRIPTION,
    contact: { name: "Operator of this installation" },
    license: { name: "MIT", identifier: "MIT" },
  },
  tags: TAGS,
  servers: [{ url: "/" }],
  components: {
    securitySchemes: {
      [BEARER_SCHEME]: {
        type: "http",
        scheme: "bearer",
        bearerFormat: "JWT",
        description: "An access token of POST /oauth/token; an operation names the scope that it needs",
      },
    },
    responses: sharedResponses,
    schemas,
  },
  webhooks,
};

/** Adds the document. It is made at the first request, of every route there is then. */
export function addOpenApiRoute(app: EdgeHono): void {
  const describe = openAPIRouteHandler(app, { documentation });
  let made: Asset | undefined;
  app.get(OPENAPI_PATH, async (context, next) => {
    made ??= await assetOf(await describe(context, next));
    return sendAsset(context, made);
  });
}

async function assetOf(answer: unknown): Promise<Asset> {
  assert(answer instanceof Response, "the document is an answer");
  return makeAsset(new Uint8Array(await answer.arrayBuffer()), { type: "application/json", keptSeconds: 0 });
}
