/**
 * Reads a token request: the fields of its body, and the grant that they ask for (behaviour 2).
 *
 * Invariants:
 * 1. A parameter that narrows a grant is obeyed or refused, never ignored: `scope` (RFC 6749, 3.3), `resource` (RFC
 *    8707), `authorization_details` (RFC 9396), `client_assertion` (RFC 7521). Other fields are ignored.
 * 2. A parameter without a value counts as omitted, and a repeated one makes the request invalid (RFC 6749, 3.1);
 *    `resource` alone can repeat.
 */
import { z } from "zod";
import { type OAuthError, scopesOfClaim, type TokenCommandBody } from "../../src/contract/operator/identity.ts";
import { readJson } from "../middleware/json.ts";

export const SECRET_LENGTH_MAX = 200;
/** The grant of machines (RFC 6749, 4.4). */
export const CLIENT_CREDENTIALS = "client_credentials";
const RESOURCE = "resource";

interface Denial {
  readonly error: OAuthError;
  readonly description: string;
}

export type TokenFields = ReadonlyMap<string, unknown>;

/** The request's data outside of the body. `origin`: the address under which the client knows this installation. */
interface Surroundings {
  readonly apiKey: string | undefined;
  readonly authorization: string | undefined;
  readonly origin: string;
}

/** Returns the fields of a form; undefined if one other than `resource` repeats. */
export function readForm(bytes: Buffer): TokenFields | undefined {
  const sent = new URLSearchParams(bytes.toString("utf8"));
  const fields = new Map<string, unknown>();
  for (const name of new Set(sent.keys())) {
    const values = sent.getAll(name);
    if (values.length > 1 && name !== RESOURCE) return undefined;
    fields.set(name, values.length > 1 ? values : values[0]);
  }
  return withoutEmpty(fields);
}

/** Returns the fields of a JSON object; undefined if the body is not one. */
export function readFields(bytes: Buffer): TokenFields | undefined {
  const json = readJson(bytes);
  const fields = z.record(z.string(), z.unknown()).safeParse(json.ok ? json.value : undefined);
  return fields.success ? withoutEmpty(new Map(Object.entries(fields.data))) : undefined;
}

function withoutEmpty(fields: TokenFields): TokenFields {
  return new Map([...fields].filter(([, value]) => value !== ""));
}

/** Returns the command for the engine, or the error of OAuth that the request gets. */
export function readTokenRequest(fields: TokenFields, surroundings: Surroundings): TokenCommandBody | Denial {
  const grant =
    fields.get("grant_type") === CLIENT_CREDENTIALS
      ? machineGrantOf(fields, surroundings.authorization)
      : grantOf(fields, surroundings.apiKey);
  if ("error" in grant) return grant;
  const { origin } = surroundings;
  const denial = denyTarget(fields.get(RESOURCE), origin) ?? denyDetails(fields);
  if (denial !== undefined) return denial;
  const scope = fields.get("scope");
  if (scope === undefined) return { ...grant, issuer: origin };
  if (typeof scope !== "string") return refuseField("scope", scope);
  return { ...grant, issuer: origin, scopes: scopesOfClaim(scope) };
}

/** A token is for this installation alone: every resource that is named must belong to it (RFC 8707, 2). */
function denyTarget(resource: unknown, origin: string): Denial | undefined {
  if (resource === undefined) return undefined;
  const targets: readonly unknown[] = Array.isArray(resource) ? resource : [resource];
  if (targets.every((target) => isOurs(target, origin))) return undefined;
  return { error: "invalid_target", description: `resource must be an address of this service, below ${origin}` };
}

function isOurs(target: unknown, origin: string): boolean {
  if (typeof target !== "string" || !URL.canParse(target)) return false;
  const { origin: of, hash } = new URL(target);
  return of === origin && hash === "";
}

function denyDetails(fields: TokenFields): Denial | undefined {
  if (!fields.has("authorization_details")) return undefined;
  return {
    error: "invalid_authorization_details",
    description: "authorization_details is not supported: narrow a token with scope",
  };
}

/** Reads the grants of people's programs. A `client_id` without a secret identifies no one here and is ignored. */
function grantOf(fields: TokenFields, apiKey: string | undefined): TokenCommandBody | Denial {
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
  description: "the client id must be the id of an API key, and the client secret the key itself",
};

/**
 * Reads the request of a machine that has an API key, which it repeats (behaviour 2.7). Id and secret come by HTTP
 * Basic or in the body, in one of the two (RFC 6749, 2.3.1).
 */
function machineGrantOf(fields: TokenFields, authorization: string | undefined): TokenCommandBody | Denial {
  if (fields.has("client_assertion")) {
    return { error: "invalid_client", description: "client_assertion is not supported: send the client secret" };
  }
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

/** Reads id and secret, both form-encoded, from HTTP Basic; returns undefined for another form. */
function readBasic(authorization: string): { readonly id: string; readonly secret: string } | undefined {
  const [, encoded = ""] = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization) ?? [];
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, "base64").toString("utf8")) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  const decoded = new URLSearchParams(`id=${id}&secret=${secret}`);
  return { id: decoded.get("id") ?? "", secret: decoded.get("secret") ?? "" };
}

/** Refuses a field that must be text and is not, or is empty. */
function refuseField(field: string, value: unknown): Denial {
  const rule = value === undefined || value === "" ? "is required" : "must be text";
  return { error: "invalid_request", description: `${field} ${rule}` };
}
