/** The identity requests of the edge, by name. Only the partition that keeps the users answers them. */
import { z } from "zod";
import type { Envelope, Reply } from "../../src/contract/command.ts";
import {
  createApiKeyBody,
  IDENTITY_COMMANDS,
  IDENTITY_QUERIES,
  listRevocationsBody,
  listUsersBody,
  revokeCommandBody,
  tokenCommandBody,
} from "../../src/contract/operator/identity.ts";
import type { Result } from "../../src/domain/refusal.ts";
import type { Directory } from "./directory.ts";
import type { Decide, Revocations } from "./revocations.ts";
import type { Signer } from "./signing.ts";
import type { TokenIssuer } from "./tokens.ts";

interface IdentityParts {
  readonly directory: Directory;
  readonly issuer: TokenIssuer;
  readonly revocations: Revocations;
  readonly signer: Signer;
  readonly decide: Decide;
}

type Handler = (body: unknown, envelope: Envelope) => Promise<Reply>;

const id = z.number().int().positive();
const ofUser = { userId: id };

/** Commands and queries of identity. */
export function identityHandlers(parts: IdentityParts): ReadonlyMap<string, Handler> {
  const { directory, issuer, revocations, signer, decide } = parts;
  return new Map<string, Handler>([
    ["identity.token", checked(tokenCommandBody, async (body) => done(await issuer.handle(body)))],
    [
      "identity.revoke",
      checked(revokeCommandBody, async (body) => {
        await issuer.handBack(body);
        return done({});
      }),
    ],
    ["identity.keys", async () => done(signer.jwks())],
    [
      "identity.revocations",
      checked(listRevocationsBody, async ({ afterFamilyId, limit }) =>
        done(await revocations.list(afterFamilyId, limit)),
      ),
    ],
    [
      IDENTITY_COMMANDS.createApiKey,
      checked(createApiKeyBody.extend(ofUser), async ({ userId, name, scopes }) =>
        replyOf(await decide(() => directory.createApiKey(userId, name, scopes))),
      ),
    ],
    [
      IDENTITY_QUERIES.listUsers,
      checked(listUsersBody, async ({ afterUserId, limit }) => done(await directory.listUsers(afterUserId, limit))),
    ],
    [
      IDENTITY_QUERIES.listApiKeys,
      checked(z.object(ofUser), async ({ userId }) => replyOf(await directory.listApiKeys(userId))),
    ],
    [
      IDENTITY_COMMANDS.revokeApiKey,
      checked(z.object({ ...ofUser, keyId: id }), async ({ userId, keyId }) =>
        replyOf(await issuer.revokeApiKey(userId, keyId)),
      ),
    ],
  ]);
}

function checked<B>(schema: z.ZodType<B>, handle: (body: B) => Promise<Reply>): Handler {
  return async (body) => {
    const parsed = schema.safeParse(body);
    if (parsed.success) return handle(parsed.data);
    const [issue] = parsed.error.issues;
    const field = issue?.path.join(".") || "body";
    return { ok: false, code: "INVALID", message: `${field}: ${issue?.message ?? "is wrong"}` };
  };
}

function done(data: unknown): Reply {
  return { ok: true, data };
}

function replyOf<T>(result: Result<T>): Reply {
  return result.ok ? done(result.value) : result;
}
