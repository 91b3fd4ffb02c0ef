/** Sells an open trade of a webhook bot by a signal: asked about before it is sent, and looked at after it. */
import { say } from "../language/say.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import type { Bot, Pair } from "../state/model.ts";
import { RequestFailed } from "../state/session.ts";
import { NOT_SENT } from "./pair-worth.ts";

const READINGS_MAX = 6;
const READ_AGAIN_MS = 600;

/**
 * Sends a sell signal to the bot's own address, and returns the outcome as text. `readPairs`: the bot's open pairs as they
 * are now. Each call has an id of its own, as a repeat of one is dropped without a word; the bot ignores a signal for a
 * pair that is being sold.
 */
export async function sellPair(
  dashboard: DashboardState,
  { webhookUrl = "" }: Bot,
  { id, symbol, algoName, period }: Pair,
  readPairs: () => Promise<readonly Pair[]>,
): Promise<string> {
  const waitsForSale = async (): Promise<boolean> =>
    (await readPairs()).some((pair) => pair.id === id && pair.sellStatus === NOT_SENT);
  const refusal = await dashboard.attempt(async () => {
    if (!(await waitsForSale()))
      throw new RequestFailed(0, say("The trade has changed in the meantime: no signal was sent."));
    const signalId = `dashboard sell of trade ${id} ${crypto.randomUUID()}`;
    const signal = { algoName, period, symbol, side: "sell", id: signalId };
    const path = new URL(webhookUrl).pathname;
    const { data } = await dashboard.session.send<{ readonly matched: number }>("POST", path, signal);
    if (data.matched === 0) throw new RequestFailed(0, say("The bot takes no signal now: nothing was sold."));
  });
  if (refusal !== undefined) return refusal;
  let isWaiting = true;
  // The signal is durable, but its order may still be on its way to the brokerage, whose answer changes the pair.
  const unread = await dashboard.attempt(async () => {
    for (let count = 0; isWaiting && count < READINGS_MAX; count += 1) {
      if (count > 0) await new Promise((resolve) => setTimeout(resolve, READ_AGAIN_MS));
      isWaiting = await waitsForSale();
    }
  });
  if (unread !== undefined)
    return say("The bot was sent a sell signal for {symbol}. Whether it sells is not known: see its open trades.", {
      symbol,
    });
  return isWaiting
    ? say("The bot was sent a sell signal for {symbol}, but nothing was sold so far: see Activity for the reason.", {
        symbol,
      })
    : say("The bot was sent a sell signal for {symbol}: it sells at market.", { symbol });
}
