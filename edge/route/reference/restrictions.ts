/**
 * Restrictions, the measures of the exchange (behaviour 11.6).
 */
import { z } from "zod";
import { text } from "../../../src/contract/fields.ts";
import {
  restrictedByTypeSchema,
  restrictedSymbolSchema,
  restrictionCheckSchema,
  restrictionSchema,
  restrictionTypeText,
} from "../../../src/contract/operator/reference.ts";
import type { ReferenceClient } from "../../client/reference-client.ts";
import type { AddOperation } from "../../operation/operation.ts";
import { answerReference, requestIdOf } from "./reference-answer.ts";

const tag = "Restrictions";
const path = "/api/v1/public/restrictions";

const code = text(1, 200).meta({ description: "Symbol code, as it is written: THYAO" });
const restrictionType = restrictionTypeText;

/** Adds the operations on restrictions. */
export function addRestrictionOperations(add: AddOperation, reference: ReferenceClient): void {
  add({
    operationId: "listRestrictedSymbols",
    method: "GET",
    path,
    tag,
    summary: "List the symbols with an active restriction",
    description: "With the filter only restrictions of that type.",
    scope: "read",
    query: z.object({ restrictionType: restrictionType.optional() }),
    data: z.array(restrictedSymbolSchema),
    handle: ({ context, query }) => {
      const reading = reference.restrictedSymbols(query.restrictionType, requestIdOf(context));
      return answerReference(context, reading, "The symbols with an active restriction");
    },
  });
  add({
    operationId: "checkRestriction",
    method: "GET",
    path: `${path}/check/:code/:restrictionType`,
    tag,
    summary: "Is a symbol under a restriction now?",
    description: "Looks at active restrictions only.",
    scope: "read",
    params: z.object({ code, restrictionType }),
    data: restrictionCheckSchema,
    handle: ({ context, params }) => {
      const reading = reference.checkRestriction(params.code, params.restrictionType, requestIdOf(context));
      return answerReference(context, reading, "Whether the symbol is restricted");
    },
  });
  add({
    operationId: "listSymbolsByRestriction",
    method: "GET",
    path: `${path}/by-type/:restrictionType`,
    tag,
    summary: "List the symbols under a restriction now",
    description: "With the moment since when each is.",
    scope: "read",
    params: z.object({ restrictionType }),
    data: z.array(restrictedByTypeSchema),
    handle: ({ context, params }) => {
      const reading = reference.restrictedByType(params.restrictionType, requestIdOf(context));
      return answerReference(context, reading, "The symbols under the restriction");
    },
  });
  add({
    operationId: "listRestrictionsOfSymbol",
    method: "GET",
    path: `${path}/:code`,
    tag,
    summary: "List the restrictions of a symbol, active and past",
    description: "Newest first.",
    scope: "read",
    params: z.object({ code }),
    data: z.array(restrictionSchema),
    handle: ({ context, params }) => {
      const reading = reference.restrictionsOf(params.code, requestIdOf(context));
      return answerReference(context, reading, "The restrictions of the symbol");
    },
  });
}
