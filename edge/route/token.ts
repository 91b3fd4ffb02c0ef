/**
 * `POST /oauth/token` and the metadata that a client can read beforehand (behaviour 2).
 *
 * Invariants:
 * 1. An API key is taken from its header alone, or as the secret of `client_credentials`, and neither it nor a token
 *    reaches a log or an error.
 * 2. The issuer of the metadata is the `iss` of the tokens (RFC 8414, 2; RFC 9068, 4).
 * 3. Errors are OAuth's own in addition to the envelope; errors outside of OAuth (a limit, an outage) are answered as
 *    everywhere.
 */
import { describeRoute, resolver } from "hono-openapi";
import { z } from "zod";
import { text } from "../../src/contract/fields.ts";
import {
  accessTokenSetSchema,
  type OAuthError,
  REFRESH_TOKEN_PREFIX,
  type RevokeCommandBody,
  tokenOutcomeSchema,
  tokenSetSchema,
} from "../../src/contract/operator/identity.ts";
import { SCOPES } from "../../src/domain/family.ts";
import type { TrustedProxies } from "../../src/runtime/settings.ts";
import { type EngineClient, SHARED_PARTITION } from "../client/engine-client.ts";
import type { IdentityWatch } from "../client/identity-watch.ts";
import type { Authenticator } from "../middleware/auth.ts";
import { FORM_TYPE, JSON_TYPE, readBody } from "../middleware/body.ts";
import { clientAddress } from "../middleware/client-address.ts";
import { answerRefusal, refusal } from "../middleware/errors.ts";
import { type Limits, limited } from "../middleware/limits.ts";
import type { OriginOf } from "../middleware/origin.ts";
import { sharedResponse } from "../operation/description.ts";
import { answer, type EdgeContext, type EdgeHono } from "../server/request-state.ts";
import {
  CLIENT_CREDENTIALS,
  readFields,
  readForm,
  readTokenRequest,
  SECRET_LENGTH_MAX,
  type TokenFields,
} from "./token-request.ts";

/** Command on the shared partition, body `TokenCommandBody`: a `TokenOutcome`. */
const ISSUE_TOKENS = "identity.token";

/** Command on the shared partition, body `RevokeCommandBody`. */
const REVOKE_TOKEN = "identity.revoke";

const TOKEN_PATH = "/oauth/token";
const REVOCATION_PATH = "/oauth/revoke";
const JWKS_PATH = "/.well-known/jwks.json";
const METADATA_PATH = "/.well-known/oauth-authorization-server";
const NO_CACHE = { pragma: "no-cache" };
/** Named in the metadata as client libraries require; no grant of ours begins there. */
const AUTHORIZATION_PATH = "/oauth/authorize";

interface TokenRouteParts {
  readonly app: EdgeHono;
  readonly engine: EngineClient;
  readonly identity: IdentityWatch;
  readonly authenticator: Pick<Authenticator, "authenticate">;
  readonly limits: Limits;
  readonly trustedProxies: TrustedProxies;
  readonly originOf: OriginOf;
}

/** Adds the token endpoint, the public keys and the metadata. */
export function addTokenRoutes(parts: TokenRouteParts): void {
  const { app, identity, originOf } = parts;
  app.post(TOKEN_PATH, describeRoute(tokenDescription), (context) => exchange(parts, context));
  app.post(REVOCATION_PATH, describeRoute(revocationDescription), (context) => revoke(parts, context));
  app.on(["GET", "POST"], AUTHORIZATION_PATH, refuseAuthorization);
  app.get(JWKS_PATH, (context) => {
    const { publicKeys: keys } = identity;
    if (keys.length === 0) return answerRefusal(context, refusal("UNAVAILABLE", "the service is not ready"));
    return answer(context, 200, JSON.stringify({ keys }));
  });
  app.get(METADATA_PATH, (context) => answer(context, 200, JSON.stringify(metadata(originOf(context)))));
}

/**
 * Reads the fields of a request to a token endpoint; returns an answer if it is over its limit or its body is wrong.
 */
async function readTokenFields(
  { limits, trustedProxies }: TokenRouteParts,
  context: EdgeContext,
): Promise<TokenFields | Response> {
  const allowance = await limits.tokens(clientAddress(context, trustedProxies));
  context.get("requestState").allowance = allowance;
  if (!allowance.isAllowed) return answerRefusal(context, limited(allowance, "token requests a minute"));
  const body = await readBody(context, [JSON_TYPE, FORM_TYPE]);
  if (!body.ok) {
    return body.code === "INVALID" ? deny(context, "invalid_request", body.message) : answerRefusal(context, body);
  }
  const fields = body.mediaType === FORM_TYPE ? readForm(body.bytes) : readFields(body.bytes);
  return fields ?? deny(context, "invalid_request", "the body does not parse");
}

async function exchange(parts: TokenRouteParts, context: EdgeContext): Promise<Response> {
  const { engine, originOf } = parts;
  const fields = await readTokenFields(parts, context);
  if (fields instanceof Response) return fields;
  const { requestId } = context.get("requestState");
  const command = readTokenRequest(fields, {
    apiKey: context.req.header("x-api-key"),
    authorization: context.req.header("authorization"),
    origin: originOf(context),
  });
  if ("error" in command) return deny(context, command.error, command.description);
  const ask = { userId: null, requestId, body: command };
  const reply = await engine.command(ISSUE_TOKENS, ask, { partition: SHARED_PARTITION });
  if (!reply.ok) return answerRefusal(context, reply);
  const outcome = tokenOutcomeSchema.parse(reply.data);
  if (!outcome.ok) return deny(context, outcome.error, outcome.description);
  const isMachine = command.grantType === "api_key" && command.clientId !== undefined;
  const tokens = isMachine ? accessTokenSetSchema.parse(outcome.tokens) : outcome.tokens;
  return answer(context, 200, JSON.stringify(tokens), NO_CACHE);
}

/**
 * Ends the family of a token: any holder of a token can give it up (RFC 7009). A token that is unknown, expired or
 * revoked is answered 200 too: it is already invalid, as was asked.
 */
async function revoke(parts: TokenRouteParts, context: EdgeContext): Promise<Response> {
  const { engine, authenticator } = parts;
  const fields = await readTokenFields(parts, context);
  if (fields instanceof Response) return fields;
  const token = fields.get("token");
  if (typeof token !== "string") return deny(context, "invalid_request", "token is required");
  let body: RevokeCommandBody;
  if (token.startsWith(REFRESH_TOKEN_PREFIX)) body = { refreshToken: token };
  else {
    const caller = await authenticator.authenticate(`Bearer ${token}`);
    if (!caller.ok) return caller.code === "UNAVAILABLE" ? answerRefusal(context, caller) : answerRevoked(context);
    body = { familyId: caller.familyId };
  }
  const ask = { userId: null, requestId: context.get("requestState").requestId, body };
  const reply = await engine.command(REVOKE_TOKEN, ask, { partition: SHARED_PARTITION });
  return reply.ok ? answerRevoked(context) : answerRefusal(context, reply);
}

function answerRevoked(context: EdgeContext): Response {
  const body = { success: true, message: "the token is good for nothing any more" };
  return answer(context, 200, JSON.stringify(body), NO_CACHE);
}

/**
 * No response type is served (RFC 6749, 4.1.2.1). Clients are not registered, so their `redirect_uri` cannot be
 * trusted: the answer stays here and no client is redirected.
 */
function refuseAuthorization(context: EdgeContext): Response {
  const description =
    "this service does not support a login in a browser: send an API key to /oauth/token, with grant_type api_key or client_credentials";
  return deny(context, "unsupported_response_type", description);
}

function deny(context: EdgeContext, error: OAuthError, description: string): Response {
  const body = { success: false, message: description, error, error_description: description };
  const isByHeader = error === "invalid_client" && context.req.header("authorization") !== undefined;
  const headers = isByHeader ? { ...NO_CACHE, "www-authenticate": 'Basic realm="token"' } : NO_CACHE;
  if (error !== "invalid_client") return answer(context, 400, JSON.stringify(body), headers);
  context.get("requestState").unauthorizedBecause = description;
  return answer(context, 401, JSON.stringify(body), headers);
}

/** Authorization server metadata (RFC 8414), under the address that the client used. */
function metadata(origin: string): object {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}${AUTHORIZATION_PATH}`,
    token_endpoint: `${origin}${TOKEN_PATH}`,
    revocation_endpoint: `${origin}${REVOCATION_PATH}`,
    revocation_endpoint_auth_methods_supported: ["none"],
    jwks_uri: `${origin}${JWKS_PATH}`,
    scopes_supported: SCOPES,
    response_types_supported: [],
    grant_types_supported: ["api_key", "refresh_token", CLIENT_CREDENTIALS],
    token_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
  };
}

const SCOPE_DESCRIPTION =
  "Scopes, separated by spaces. The tokens get the requested scopes that the API key has; the answer names them";
const RESOURCE_DESCRIPTION = "Address that the token is for (RFC 8707): one of this service";
const grantSchema = z.object({
  grant_type: z.enum(["api_key", "refresh_token", CLIENT_CREDENTIALS]),
  refresh_token: text(1, SECRET_LENGTH_MAX).optional().meta({ description: "With grant_type refresh_token" }),
  client_id: text(1, SECRET_LENGTH_MAX).optional().meta({ description: "With client_credentials: the API key's id" }),
  client_secret: text(1, SECRET_LENGTH_MAX).optional().meta({
    description: "With client_credentials: the API key; both may also come by HTTP Basic",
  }),
  scope: text(1, SECRET_LENGTH_MAX).optional().meta({ description: SCOPE_DESCRIPTION }),
  resource: text(1, SECRET_LENGTH_MAX).optional().meta({ description: RESOURCE_DESCRIPTION }),
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
      description: "invalid_request, invalid_grant, invalid_scope, invalid_target or unsupported_grant_type",
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

const revocationSchema = z.object({
  token: text(1, 8_192).meta({ description: "A refresh token or an access token" }),
  token_type_hint: text(1, SECRET_LENGTH_MAX).optional().meta({ description: "Ignored: a token shows what it is" }),
});

const revocationDescription = {
  operationId: "revokeToken",
  tags: ["Token"],
  summary: "Revoke a token and all that came from the same exchange",
  description:
    "The holder of a token gives it up (RFC 7009): its refresh token and every access token of the same exchange end at " +
    "once. Machines that share an API key by client_credentials share these tokens. A token that is unknown or has " +
    "ended is answered 200 too.",
  security: [],
  requestBody: {
    required: true,
    content: {
      [FORM_TYPE]: { schema: resolver(revocationSchema) },
      [JSON_TYPE]: { schema: resolver(revocationSchema), example: { token: tokenSetExample.refresh_token } },
    },
  },
  responses: {
    200: {
      description: "The token is good for nothing any more",
      content: {
        [JSON_TYPE]: {
          schema: resolver(z.object({ success: z.literal(true), message: z.string() })),
          example: { success: true, message: "the token is good for nothing any more" },
        },
      },
    },
    400: { description: "invalid_request", content: oauthError("invalid_request", "token is required") },
    413: sharedResponse("PayloadTooLarge"),
    429: sharedResponse("Limited"),
    500: sharedResponse("Internal"),
    503: sharedResponse("Unavailable"),
  },
} satisfies Parameters<typeof describeRoute>[0];
