/**
 * Every command of a partition, by name.
 */
import { COMMANDS } from "../../src/contract/command.ts";
import { TRADING_STATE_COMMANDS } from "../../src/contract/trading/trading-state.ts";
import { login } from "./account.ts";
import type { AnyCommandHandler, OpenCommandHandler } from "./context.ts";
import { bandCommands } from "./operator/band.ts";
import { actionCommands } from "./operator/corporate-action.ts";
import { holdCommands } from "./operator/hold.ts";
import { operatorCommands } from "./operator/operator.ts";
import { renameCommands } from "./operator/rename.ts";
import { retirementCommands } from "./operator/retire.ts";
import {
  createLevelBot,
  createWebhookBot,
  deleteLevelBot,
  deleteWebhookBot,
  rotateWebhookSecret,
  updateLevelBot,
  updateWebhookBot,
} from "./trading/bot.ts";
import { changeGroup } from "./trading/change.ts";
import { enter } from "./trading/entry.ts";
import { stopExit } from "./trading/exit.ts";
import { flatten } from "./trading/flatten.ts";
import { limitsCommands } from "./trading/limits.ts";
import { cancelGroup, createGroup } from "./trading/oco.ts";
import { cancelBatch, cancelOrder, chainOrder, placeBatch, placeOrder } from "./trading/order.ts";
import { changePriceAlert, createPriceAlert, deletePriceAlert } from "./trading/price-alert.ts";
import { releaseGroup } from "./trading/release.ts";
import { resetAccount } from "./trading/reset.ts";
import { registerSetup, removeSetup } from "./trading/setup.ts";
import { changeSetup } from "./trading/setup-change.ts";
import { hearSignal, rejectSignal } from "./trading/signal.ts";
import { tradingStateCommands } from "./trading/trading-state.ts";

export const commandHandlers: ReadonlyMap<string, AnyCommandHandler> = new Map([
  [COMMANDS.createGroup, createGroup],
  [COMMANDS.cancelGroup, cancelGroup],
  [COMMANDS.changeGroup, changeGroup],
  [COMMANDS.stopExit, stopExit],
  [COMMANDS.releaseGroup, releaseGroup],
  [COMMANDS.login, login],
  [COMMANDS.resetAccount, resetAccount],
  [COMMANDS.placeOrder, placeOrder],
  [COMMANDS.chainOrder, chainOrder],
  [COMMANDS.placeBatch, placeBatch],
  [COMMANDS.cancelOrder, cancelOrder],
  [COMMANDS.cancelBatch, cancelBatch],
  [COMMANDS.registerSetup, registerSetup],
  [COMMANDS.enter, enter],
  [COMMANDS.removeSetup, removeSetup],
  [COMMANDS.changeSetup, changeSetup],
  [COMMANDS.createLevelBot, createLevelBot],
  [COMMANDS.updateLevelBot, updateLevelBot],
  [COMMANDS.deleteLevelBot, deleteLevelBot],
  [COMMANDS.createWebhookBot, createWebhookBot],
  [COMMANDS.updateWebhookBot, updateWebhookBot],
  [COMMANDS.deleteWebhookBot, deleteWebhookBot],
  [COMMANDS.rotateWebhookSecret, rotateWebhookSecret],
  [COMMANDS.createPriceAlert, createPriceAlert],
  [COMMANDS.changePriceAlert, changePriceAlert],
  [COMMANDS.deletePriceAlert, deletePriceAlert],
  ...operatorCommands,
  ...holdCommands,
  ...actionCommands,
  ...renameCommands,
  ...bandCommands,
  ...tradingStateCommands,
  ...limitsCommands,
  [TRADING_STATE_COMMANDS.flatten, flatten],
  ...retirementCommands,
]);

/** The commands that need no logged-in user. */
export const openCommandHandlers: ReadonlyMap<string, OpenCommandHandler> = new Map([
  [COMMANDS.hearSignal, hearSignal],
  [COMMANDS.rejectSignal, rejectSignal],
]);
