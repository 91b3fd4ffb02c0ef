/** List types: fixed, so no engine is asked (behaviour 10.1). */
import { z } from "zod";
import { LIST_TYPES, listTypeSchema } from "../../../src/contract/operator/reference.ts";
import { answerRefusal, refusal } from "../../middleware/errors.ts";
import type { AddOperation } from "../../operation/operation.ts";
import { byId } from "../../operation/parameters.ts";
import { answerData } from "../../server/request-state.ts";

const tag = "List types";
const path = "/api/v1/list-types";

/** Adds the operations on list types. */
export function addListTypeOperations(add: AddOperation): void {
  add({
    operationId: "listListTypes",
    method: "GET",
    path,
    tag,
    summary: "List the list types",
    description: "INDEX lists are the system's, CUSTOM lists are the users'.",
    scope: "read",
    data: z.array(listTypeSchema),
    handle: ({ context }) => answerData(context, "The list types", LIST_TYPES),
  });
  add({
    operationId: "getListType",
    method: "GET",
    path: `${path}/:id`,
    tag,
    summary: "One list type",
    description: "By its id.",
    scope: "read",
    params: byId,
    data: listTypeSchema,
    handle: ({ context, params }) => {
      const found = LIST_TYPES.find(({ id }) => id === params.id);
      if (found === undefined) return answerRefusal(context, refusal("NOT_FOUND", "the list type was not found"));
      return answerData(context, "The list type", found);
    },
  });
}
