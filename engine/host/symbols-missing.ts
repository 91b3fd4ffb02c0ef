/**
 * The commands that a partition refuses while the symbols are not known, because they are judged by them. Existing
 * orders and groups are watched, sold, read and cancelled anyway.
 *
 * This happens only if the partition never had a copy of the symbols, and the shared partition has no leader yet.
 */
import { COMMANDS, type Envelope, QUERIES } from "../../src/contract/command.ts";
import type { Answer } from "./bus-answers.ts";

/** Whether a command depends on the existing symbols, or on the steps of their prices. */
const IS_JUDGED: Readonly<Record<keyof typeof COMMANDS, boolean>> = {
  createGroup: true,
  cancelGroup: false,
  changeGroup: true,
  stopExit: false,
  releaseGroup: false,
  login: false,
  resetAccount: false,
  placeOrder: true,
  chainOrder: true,
  placeBatch: true,
  cancelOrder: false,
  cancelBatch: false,
  registerSetup: true,
  enter: true,
  removeSetup: false,
  changeSetup: true,
  createLevelBot: true,
  updateLevelBot: true,
  deleteLevelBot: false,
  createWebhookBot: true,
  updateWebhookBot: true,
  deleteWebhookBot: false,
  rotateWebhookSecret: false,
  createPriceAlert: true,
  changePriceAlert: true,
  deletePriceAlert: false,
  hearSignal: false,
  rejectSignal: false,
};
const REFUSED: ReadonlySet<string> = new Set([
  // A partition that refuses orders is not ready.
  QUERIES.readHealth,
  ...Object.entries(COMMANDS).flatMap(([name, type]) => (IS_JUDGED[name as keyof typeof COMMANDS] ? [type] : [])),
]);

const NOT_KNOWN: Answer = {
  ok: false,
  code: "UNAVAILABLE",
  message: "the symbols are not known yet, as no engine leads the shared partition; nothing was done, try again",
};

/** Refuses commands that cannot be judged yet; returns undefined if they can. */
export function refuseUnlessJudged(
  { type }: Pick<Envelope, "type">,
  symbols: { readonly isKnown: boolean },
): Promise<Answer> | undefined {
  return symbols.isKnown || !REFUSED.has(type) ? undefined : Promise.resolve(NOT_KNOWN);
}
