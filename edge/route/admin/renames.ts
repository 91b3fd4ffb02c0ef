/**
 * A symbol that its exchange renamed, over all partitions (behaviour 30).
 *
 * Does not own: the names (the shared partition), how levels follow (the engines).
 *
 * Invariant: nothing changes before every partition has answered that it can follow. From then on all follow, also where
 * this request does not come to its end.
 */
import { z } from "zod";
import type { Reply } from "../../../src/contract/command.ts";
import { RENAME_COMMANDS, renameChangedSchema, renameRequest } from "../../../src/contract/operator/rename.ts";
import { symbolCode } from "../../../src/contract/trading/oco.ts";
import { type EngineClient, SHARED_PARTITION } from "../../client/engine-client.ts";
import type { ReferenceClient } from "../../client/reference-client.ts";
import type { AddOperation } from "../../operation/operation.ts";
import { answerData } from "../../server/request-state.ts";
import { tellEach } from "./partitions.ts";

/** Adds the operation that renames a symbol. */
export function addRenameOperation(add: AddOperation, engine: EngineClient, reference: ReferenceClient): void {
  add({
    operationId: "renameSymbol",
    method: "PUT",
    path: "/admin/v1/symbols/:symbol/rename",
    tag: "Administration",
    summary: "Rename a symbol",
    description:
      "After the last session under the former name. Levels, pending OCOs and bots of the symbol are watched under the new " +
      "name from here on, and prices under the former name reach none of them. The same request again changes nothing; " +
      "a 503 can be repeated as it is.",
    scope: "admin",
    params: z.object({ symbol: symbolCode }),
    body: renameRequest,
    data: z.object({
      symbol: z.string(),
      to: z.string(),
      isChanged: z.boolean().meta({ description: "False: it had that name already" }),
    }),
    handle: async (call) => {
      const { symbol } = call.params;
      const { to } = call.body;
      const renaming = { from: symbol, to };
      const ask = { userId: call.userId, requestId: call.context.get("requestState").requestId, body: renaming };
      // Without the request's key, which is of its change.
      const tell = (command: string) =>
        tellEach(engine, (partition): Promise<Reply> => engine.command(command, ask, { partition }));
      const checked = await tell(RENAME_COMMANDS.check);
      if (!checked.ok) return call.refuse(checked);
      const written = await call.command(RENAME_COMMANDS.write, renaming, { partition: SHARED_PARTITION });
      for (const area of ["symbols", "lists", "restrictions"] as const) reference.changed(area);
      if (!written.ok) return call.refuse(written);
      const followed = await tell(RENAME_COMMANDS.follow);
      if (!followed.ok) return call.refuse(followed);
      const { isChanged } = renameChangedSchema.parse(written.data);
      const message = isChanged ? "The symbol was renamed; its levels follow now" : "The symbol has that name already";
      return answerData(call.context, message, { symbol, to, isChanged });
    },
  });
}
