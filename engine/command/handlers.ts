/**
 * Every command of a partition, by name.
 */
import { COMMANDS } from "../../src/contract/command.ts";
import { login } from "./account.ts";
import type { AnyCommandHandler } from "./desk.ts";
import { cancelGroup, createGroup } from "./oco.ts";
import { cancelBatch, cancelOrder, chainOrder, placeBatch, placeOrder } from "./order.ts";

export const commandHandlers: ReadonlyMap<string, AnyCommandHandler> = new Map([
  [COMMANDS.createGroup, createGroup],
  [COMMANDS.cancelGroup, cancelGroup],
  [COMMANDS.login, login],
  [COMMANDS.placeOrder, placeOrder],
  [COMMANDS.chainOrder, chainOrder],
  [COMMANDS.placeBatch, placeBatch],
  [COMMANDS.cancelOrder, cancelOrder],
  [COMMANDS.cancelBatch, cancelBatch],
]);
