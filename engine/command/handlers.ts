/**
 * Every command of a partition, by name.
 */
import { COMMANDS } from "../../src/contract/command.ts";
import type { AnyCommandHandler } from "./desk.ts";
import { cancelGroup, createGroup } from "./oco.ts";

export const commandHandlers: ReadonlyMap<string, AnyCommandHandler> = new Map([
  [COMMANDS.createGroup, createGroup],
  [COMMANDS.cancelGroup, cancelGroup],
]);
