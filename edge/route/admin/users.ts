/**
 * Users and their API keys, for operators (behaviour 11.7).
 */
import { z } from "zod";
import {
  apiKeySchema,
  createApiKeyBody,
  createdApiKeySchema,
  createUserBody,
  IDENTITY_COMMANDS,
  IDENTITY_QUERIES,
  listedUserSchema,
  userSchema,
} from "../../../src/contract/operator/identity.ts";
import { type Ask, type EngineClient, type Page, type Refusal, SHARED_PARTITION } from "../../client/engine-client.ts";
import type { AddOperation } from "../../operation/operation.ts";
import { idParameter } from "../../operation/parameters.ts";

const tag = "Administration";
const path = "/admin/v1/users";
const shared = { partition: SHARED_PARTITION };
/** Far from what one message holds. */
const USERS_PER_PAGE = 1_000;
const ofUser = z.object({ userId: idParameter });

/** Adds the operations on users and keys. */
export function addUserOperations(add: AddOperation, engine: EngineClient): void {
  add({
    operationId: "listUsers",
    method: "GET",
    path,
    tag,
    summary: "List the users",
    description: "All of them, by id.",
    scope: "admin",
    data: z.array(listedUserSchema),
    handle: (call) => call.pages((ask, from) => pageOfUsers(engine, ask, from), "The users"),
  });
  add({
    operationId: "createUser",
    method: "POST",
    path,
    tag,
    summary: "Create a user",
    description: "The user has no API key yet.",
    scope: "admin",
    body: createUserBody,
    data: userSchema,
    handle: async (call) =>
      call.answer(await call.command(IDENTITY_COMMANDS.createUser, call.body, shared), "The user was created"),
  });
  add({
    operationId: "createApiKey",
    method: "POST",
    path: `${path}/:userId/api-keys`,
    tag,
    summary: "Create an API key",
    description:
      "The key is shown in this answer and never again: only its hash is kept. For that reason an Idempotency-Key is " +
      "not honoured; a key that was lost on the way is revoked, and a new one made.",
    scope: "admin",
    params: ofUser,
    body: createApiKeyBody,
    data: createdApiKeySchema,
    isIdempotent: false,
    handle: async (call) => {
      const body = { ...call.params, ...call.body };
      return call.answer(await call.command(IDENTITY_COMMANDS.createApiKey, body, shared), "The API key was created");
    },
  });
  add({
    operationId: "listApiKeys",
    method: "GET",
    path: `${path}/:userId/api-keys`,
    tag,
    summary: "List a user's API keys",
    description: "Oldest first, revoked ones too, without the keys themselves.",
    scope: "admin",
    params: ofUser,
    data: z.array(apiKeySchema),
    handle: async (call) =>
      call.answer(await call.ask(IDENTITY_QUERIES.listApiKeys, call.params, shared), "The user's API keys"),
  });
  add({
    operationId: "revokeApiKey",
    method: "DELETE",
    path: `${path}/:userId/api-keys/:keyId`,
    tag,
    summary: "Revoke an API key",
    description: "All tokens that came from the key end too. Revoking it again changes nothing.",
    scope: "admin",
    params: ofUser.extend({ keyId: idParameter }),
    data: z.literal(true),
    handle: async (call) =>
      call.answer(await call.command(IDENTITY_COMMANDS.revokeApiKey, call.params, shared), "The API key was revoked"),
  });
}

/** One page of the users; the cursor is the last id before it. */
async function pageOfUsers(engine: EngineClient, ask: Ask, from: string | null): Promise<Page | Refusal> {
  const body = { afterUserId: from === null ? 0 : Number(from), limit: USERS_PER_PAGE };
  const reply = await engine.query(IDENTITY_QUERIES.listUsers, { ...ask, body }, shared);
  if (!reply.ok) return reply;
  const users = z.array(listedUserSchema).parse(reply.data);
  const last = users.length === USERS_PER_PAGE ? users.at(-1) : undefined;
  const rows = Buffer.from(users.map((user) => JSON.stringify(user)).join(","));
  return { ok: true, next: last === undefined ? null : String(last.userId), rows };
}
