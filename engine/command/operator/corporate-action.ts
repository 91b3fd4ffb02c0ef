/** Enters and removes corporate actions (behaviour 28). That the caller is an operator is the edge's to check. */
import { ACTION_COMMANDS, actionRequest, removeActionBody } from "../../../src/contract/operator/corporate-action.ts";
import { type AnyCommandHandler, checked, replyOf } from "../context.ts";

const addAction = checked({
  schema: actionRequest,
  handle: async ({ corporateActions }, body, turn) => turn.decide(() => replyOf(corporateActions.addInTurn(body))),
});

const removeAction = checked({
  schema: removeActionBody,
  handle: async ({ corporateActions }, { actionId }, turn) =>
    turn.decide(() => replyOf(corporateActions.removeInTurn(actionId))),
});

export const actionCommands: ReadonlyMap<string, AnyCommandHandler> = new Map([
  [ACTION_COMMANDS.add, addAction],
  [ACTION_COMMANDS.remove, removeAction],
]);
