/**
 * `POST /oauth/token` and what a client may want to know of it beforehand (behaviour 2).
 *
 * Invariants:
 * 1. An API key is taken from its header alone, or as the secret of `client_credentials`, and neither it nor a token reaches a log or an error.
 * 2. The issuer of the metadata is the `iss` of the tokens (RFC 8414, 2; RFC 9068, 4).
 * 3. Errors are OAuth's own beside the envelope; what is not about OAuth (a limit, an outage) is answered as everywhere.
 */
import { describeRoute, resolver } from "hono-openapi";
import { z } from "zod";
import { text } from "../../src/contract/fields.ts";
import {
  accessTokenSetSchema,
  type OAuthError,
  type TokenCommandBody,
  tokenOutcomeSchema,
  tokenSetSchema,
} from "../../src/contract/operator/identity.ts";
import { SCOPES } from "../../src/domain/family.ts";
import { type EngineClient, SHARED_PARTITION } from "../client/engine-client.ts";
import type { IdentityWatch } from "../client/identity-watch.ts";
import { FORM_TYPE, JSON_TYPE, readBody } from "../middleware/body.ts";
import { clientAddress } from "../middleware/client-address.ts";
import { answerRefusal, refusal } from "../middleware/errors.ts";
import { readJson } from "../middleware/json.ts";
import { type Limits, limited } from "../middleware/limits.ts";
import type { OriginOf } from "../middleware/origin.ts";
import { sharedResponse } from "../operation/description.ts";
import { answer, type EdgeContext, type EdgeHono } from "../server/request-state.ts";

/** Command on the shared partition, body `TokenCommandBody`: a `TokenOutcome`. */
const ISSUE_TOKENS = "identity.token";

const TOKEN_PATH = "/oauth/token";
const JWKS_PATH = "/.well-known/jwks.json";
const METADATA_PATH = "/.well-known/oauth-authorization-server";
const NO_CACHE = { pragma: "no-cache" };
const SECRET_LENGTH_MAX = 200;
/** The grant of machines (RFC 6749, 4.4). */
const CLIENT_CREDENTIALS = "client_credentials";

interface TokenRouteParts {
  readonly app: EdgeHono;
  readonly engine: EngineClient;
  readonly identity: IdentityWatch;
  readonly limits: Limits;
  readonly isProxyTrusted: boolean;
  readonly originOf: OriginOf;
}

/** Adds the token endpoint, the public keys and the metadata. */
export function addTokenRoutes(parts: TokenRouteParts): void {
  const { app, identity, originOf } = parts;
  app.post(TOKEN_PATH, describeRoute(tokenDescription), (context) => exchange(parts, context));
  app.get(JWKS_PATH, (context) => {
    const { publicKeys: keys } = identity;
    if (keys.length === 0) return answerRefusal(context, refusal("UNAVAILABLE", "the service is not ready"));
    return answer(context, 200, JSON.stringify({ keys }));
  });
  app.get(METADATA_PATH, (context) => answer(context, 200, JSON.stringify(metadata(originOf(context)))));
}

async function exchange(parts: TokenRouteParts, context: EdgeContext): Promise<Response> {
  const { engine, limits, isProxyTrusted, originOf } = parts;
  const { requestId } = context.get("requestState");
  const allowance = await limits.tokens(clientAddress(context, isProxyTrusted));
  context.get("requestState").allowance = allowance;
  if (!allowance.isAllowed) return answerRefusal(context, limited(allowance, "token requests a minute"));
  const body = await readBody(context, [JSON_TYPE, FORM_TYPE]);
  if (!body.ok) {
    return body.code === "INVALID" ? deny(context, "invalid_request", body.message) : answerRefusal(context, body);
  }
  const fields = body.mediaType === FORM_TYPE ? readForm(body.bytes) : readFields(body.bytes);
  if (fields === undefined) return deny(context, "invalid_request", "the body does not parse");
  const isMachine = fields.get("grant_type") === CLIENT_CREDENTIALS;
  const command = isMachine
    ? machineCommandOf(fields, context.req.header("authorization"))
    : commandOf(fields, context.req.header("x-api-key"));
  if ("error" in command) return deny(context, command.error, command.description);
  const ask = { userId: null, requestId, body: { ...command, issuer: originOf(context) } };
  const reply = await engine.command(ISSUE_TOKENS, ask, { partition: SHARED_PARTITION });
  if (!reply.ok) return answerRefusal(context, reply);
  const outcome = tokenOutcomeSchema.parse(reply.data);
  if (!outcome.ok) return deny(context, outcome.error, outcome.description);
  const tokens = isMachine ? accessTokenSetSchema.parse(outcome.tokens) : outcome.tokens;
  return answer(context, 200, JSON.stringify(tokens), NO_CACHE);
}

interface Denial {
  readonly error: OAuthError;
  readonly description: string;
}

/** Which grant is asked for. A field that OAuth knows and we do not need (`client_id`) is ignored. */
function commandOf(fields: ReadonlyMap<string, unknown>, apiKey: string | undefined): TokenCommandBody | Denial {
  const grantType = fields.get("grant_type");
  if (typeof grantType !== "string") return refuseField("grant_type", grantType);
  switch (grantType) {
    case "api_key": {
      const isSane = apiKey !== undefined && apiKey.length > 0 && apiKey.length <= SECRET_LENGTH_MAX;
      if (isSane) return { grantType, apiKey };
      return { error: "invalid_client", description: "the X-API-Key header must hold a valid API key" };
    }
    case "refresh_token": {
      const refreshToken = fields.get("refresh_token");
      if (typeof refreshToken !== "string" || refreshToken === "") return refuseField("refresh_token", refreshToken);
      if (refreshToken.length <= SECRET_LENGTH_MAX) return { grantType, refreshToken };
      return { error: "invalid_grant", description: "the refresh token is not valid" };
    }
    default:
      return {
        error: "unsupported_grant_type",
        description: "grant_type must be api_key, refresh_token or client_credentials",
      };
  }
}

const WRONG_CLIENT: Denial = {
  error: "invalid_client",
  description: "the client id must be that of an API key, and the client secret the key itself",
};

/**
 * What a machine that holds an API key asks for, again and again (behaviour 2.7): id and secret come by HTTP Basic or in
 * the body, in one of the two (RFC 6749, 2.3.1).
 */
function machineCommandOf(
  fields: ReadonlyMap<string, unknown>,
  authorization: string | undefined,
): TokenCommandBody | Denial {
  const basic = authorization === undefined ? undefined : readBasic(authorization);
  if (authorization !== undefined && basic === undefined) return WRONG_CLIENT;
  if (basic !== undefined && fields.has("client_secret")) {
    return { error: "invalid_request", description: "the client must authenticate in one way, not in two" };
  }
  const id = basic?.id ?? fields.get("client_id");
  const secret = basic?.secret ?? fields.get("client_secret");
  for (const text of [id, secret]) {
    if (typeof text !== "string" || text === "" || text.length > SECRET_LENGTH_MAX) return WRONG_CLIENT;
  }
  return { grantType: "api_key", apiKey: String(secret), clientId: String(id) };
}

/** Both are form-encoded within Basic; undefined where it is none. */
function readBasic(authorization: string): { readonly id: string; readonly secret: string } | undefined {
  const [, encoded = ""] = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization) ?? [];
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, "base64").toString("utf8")) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  const decoded = new URLSearchParams(`id=${id}&secret=${secret}`);
  return { id: decoded.get("id") ?? "", secret: decoded.get("secret") ?? "" };
}

/** What is wrong with a field that had to be text and is not, or is empty. */
function refuseField(field: string, value: unknown): Denial {
  const rule = value === undefined || value === "" ? "is required" : "must be text";
  return { error: "invalid_request", description: `${field} ${rule}` };
}

function deny(context: EdgeContext, error: OAuthError, description: string): Response {
  const body = { success: false, message: description, error, error_description: description };
  const isByHeader = error === "invalid_client" && context.req.header("authorization") !== undefined;
  const headers = isByHeader ? { ...NO_CACHE, "www-authenticate": 'Basic realm="token"' } : NO_CACHE;
  return answer(context, error === "invalid_client" ? 401 : 400, JSON.stringify(body), headers);
}

/** A field that is given twice makes the request invalid (RFC 6749, 3.2). */
function readForm(bytes: Buffer): ReadonlyMap<string, unknown> | undefined {
  const pairs = [...new URLSearchParams(bytes.toString("utf8"))];
  const fields = new Map(pairs);
  return fields.size === pairs.length ? fields : undefined;
}

function readFields(bytes: Buffer): ReadonlyMap<string, unknown> | undefined {
  const json = readJson(bytes);
  const fields = z.record(z.string(), z.unknown()).safeParse(json.ok ? json.value : undefined);
  return fields.success ? new Map(Object.entries(fields.data)) : undefined;
}

/** Authorization server metadata (RFC 8414), under the address that the client knows us by. */
function metadata(origin: string): object {
  return {
    issuer: origin,
    token_endpoint: `${origin}${TOKEN_PATH}`,
    jwks_uri: `${origin}${JWKS_PATH}`,
    scopes_supported: SCOPES,
    response_types_supported: [],
    grant_types_supported: ["api_key", "refresh_token", CLIENT_CREDENTIALS],
    token_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
  };
}

const grantSchema = z.object({
  grant_type: z.enum(["api_key", "refresh_token", CLIENT_CREDENTIALS]),
  refresh_token: text(1, SECRET_LENGTH_MAX).optional().meta({ description: "With grant_type refresh_token" }),
  client_id: text(1, SECRET_LENGTH_MAX).optional().meta({ description: "With client_credentials: the API key's id" }),
  client_secret: text(1, SECRET_LENGTH_MAX).optional().meta({
    description: "With client_credentials: the API key; both may also come by HTTP Basic",
  }),
});
const oauthErrorBody = z.object({
  success: z.literal(false),
  message: z.string(),
  error: z.string(),
  error_description: z.string(),
});
function oauthError(error: OAuthError, text: string) {
  const example = { success: false, message: text, error, error_description: text };
  return { [JSON_TYPE]: { schema: resolver(oauthErrorBody), example } };
}

const tokenSetExample = {
  access_token: "eyJhbGciOiJSUzI1NiIsInR5cCI6ImF0K2p3dCJ9.claims.signature",
  token_type: "Bearer",
  expires_in: 86_400,
  refresh_token: "tdr_1060_generation_and_proof",
  refresh_expires_in: 2_592_000,
  issued_at: "2026-03-02T10:15:00.000Z",
};

const tokenDescription = {
  operationId: "exchangeToken",
  tags: ["Token"],
  summary: "Exchange an API key or a refresh token for a token set",
  description:
    "A refresh token is good for one use: using it again revokes every token that came from the same exchange. Client " +
    "libraries of OAuth send the body as a form and may add fields; those are ignored. A machine that holds an API key " +
    "(a Prometheus that scrapes) may use client_credentials and gets no refresh token.",
  security: [],
  parameters: [
    {
      in: "header",
      name: "X-API-Key",
      required: false,
      description: "With grant_type api_key",
      schema: { type: "string", minLength: 1, maxLength: SECRET_LENGTH_MAX },
    },
  ],
  requestBody: {
    required: true,
    content: {
      [JSON_TYPE]: { schema: resolver(grantSchema), example: { grant_type: "api_key" } },
      [FORM_TYPE]: { schema: resolver(grantSchema) },
    },
  },
  responses: {
    200: {
      description: "A token set",
      content: {
        [JSON_TYPE]: { schema: resolver(z.union([tokenSetSchema, accessTokenSetSchema])), example: tokenSetExample },
      },
    },
    400: {
      description: "invalid_request, invalid_grant or unsupported_grant_type",
      content: oauthError("invalid_grant", "the refresh token is not valid"),
    },
    401: {
      description: "invalid_client",
      content: oauthError("invalid_client", "the X-API-Key header must hold a valid API key"),
    },
    413: sharedResponse("PayloadTooLarge"),
    429: sharedResponse("Limited"),
    500: sharedResponse("Internal"),
    503: sharedResponse("Unavailable"),
  },
} satisfies Parameters<typeof describeRoute>[0];
