/**
 * All systems of an account (behaviour 11.4; behaviour 10.4).
 */
import { z } from "zod";
import { QUERIES } from "../../../src/contract/command.ts";
import { listSystemsBody, systemSchema } from "../../../src/contract/trading/bot.ts";
import type { AddOperation } from "../../operation/operation.ts";

/** Adds the list of systems. */
export function addSystemOperations(add: AddOperation): void {
  add({
    operationId: "listSystems",
    method: "POST",
    path: "/api/v1/systems/list",
    tag: "Systems",
    summary: "List the systems of an account",
    description: "Level bots and webhook bots in one list, with filters by type, state and time of creation.",
    scope: "read",
    body: listSystemsBody,
    data: z.array(systemSchema),
    handle: (call) => call.rows(QUERIES.listSystems, call.body, "The systems of the account"),
  });
}
