/**
 * Users and their API keys, for operators (design, "Admin").
 */
import { z } from "zod";
import {
  apiKeySchema,
  createApiKeyBody,
  createdApiKeySchema,
  createUserBody,
  IDENTITY_COMMANDS,
  IDENTITY_QUERIES,
  userSchema,
} from "../../../src/contract/identity.ts";
import { SHARED_PARTITION } from "../../client/engine-client.ts";
import type { AddOperation } from "../operation.ts";
import { idParameter } from "../parameters.ts";

const tag = "Administration";
const path = "/admin/v1/users";
const shared = { partition: SHARED_PARTITION };
const ofUser = z.object({ userId: idParameter });

/** Adds the operations on users and keys. */
export function addUserOperations(add: AddOperation): void {
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
      "not honoured; a key that was lost on the way is revoked and made anew.",
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
