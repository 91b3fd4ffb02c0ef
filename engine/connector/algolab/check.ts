/**
 * The checks of `connector check` at AlgoLab: address, key, clock, login, sub-accounts, live or delayed prices.
 *
 * Invariant: it places no order, and asks for nothing that changes an account.
 */

import { LateTrades } from "../host/price/late-trades.ts";
import { type CheckFault, type CheckPorts, whenDecided } from "../host/program.ts";
import type { AlgolabApi, ApiAnswer } from "./api.ts";
import type { AlgolabSettings } from "./config.ts";
import type { AlgolabTrade } from "./feed/trade.ts";
import type { AlgolabSession } from "./session.ts";
import { CLOCKS_APART_MS_MAX, type TroubleLog } from "./trouble-log.ts";

/** The default of the feed's `lagMsMax`. */
const LAG_MS_MAX = 10_000;
const SECOND_MS = 1_000;

/** The parts of a running connector that a check uses. */
interface CheckedSession {
  readonly session: Pick<AlgolabSession, "isLoginNeeded">;
  readonly api: Pick<AlgolabApi, "subAccounts">;
  readonly troubles: Pick<TroubleLog, "clockAheadMs">;
  /** Receive each trade of the share market. */
  readonly tradeListeners: Set<(trade: AlgolabTrade) => void>;
}

/** Tries address, key, clock, login, sub-accounts and prices; nothing is traded. Resolves to the faults. */
export async function checkAlgolabSession(
  { session, api, troubles, tradeListeners }: CheckedSession,
  settings: AlgolabSettings,
  { clock, timers, note }: CheckPorts,
): Promise<readonly CheckFault[]> {
  const prices = new PriceAges();
  tradeListeners.add(({ date }) => prices.take(date, clock.nowMs() - troubles.clockAheadMs));
  const hadLogin = !session.isLoginNeeded;
  const answer = await api.subAccounts();
  const faults = [...answerFaults(answer, hadLogin, settings), ...clockFaults(troubles.clockAheadMs)];
  if (answer.kind === "ok") {
    await whenDecided(timers, () => prices.isDecided);
    faults.push(...prices.faults());
    if (!prices.isDecided) note("no current trade arrived: whether prices are live shows while the market is open");
    else if (prices.isLive) note("prices are live");
  }
  return faults.map(({ reason, text }) => ({ reason, text: `${settings.url}: ${text}` }));
}

function answerFaults(
  answer: ApiAnswer<readonly string[]>,
  hadLogin: boolean,
  { accounts }: AlgolabSettings,
): readonly CheckFault[] {
  switch (answer.kind) {
    case "ok":
      return accounts
        .filter(({ subAccount }) => subAccount !== "" && !answer.value.includes(subAccount))
        .map(({ subAccount }) => fault("configuration", `accounts: it knows no sub-account ${subAccount}`));
    case "loggedOut":
      return [
        fault(
          "notAllowed",
          hadLogin
            ? "the login is over, or the API key is another one"
            : "no login. Start the connector, then log in: POST /api/v1/accounts/login",
        ),
      ];
    case "tooFast":
      return [fault("temporary", "AlgoLab asks for fewer requests; is another program using this key?")];
    case "refused":
      return [fault("notAllowed", answer.text)];
    default:
      return [fault("unavailable", "text" in answer ? answer.text : "the request was not sent")];
  }
}

function clockFaults(aheadMs: number): readonly CheckFault[] {
  if (Math.abs(aheadMs) <= CLOCKS_APART_MS_MAX) return [];
  const seconds = Math.round(Math.abs(aheadMs) / SECOND_MS);
  const way = aheadMs > 0 ? "ahead of" : "behind";
  const text = `this machine's clock is ${seconds} s ${way} AlgoLab's: synchronise it with NTP (timedatectl set-ntp true)`;
  return [fault("configuration", text)];
}

function fault(reason: CheckFault["reason"], text: string): CheckFault {
  return { reason, text };
}

/** Whether the trades of the stream are live or delayed. */
class PriceAges {
  readonly #late = new LateTrades();
  #isLive = false;

  get isLive(): boolean {
    return this.#isLive;
  }

  get isDecided(): boolean {
    return this.#isLive || this.#late.lagMs !== undefined;
  }

  /** A trade of `timeMs` that arrived at `nowMs`, both by AlgoLab's clock. */
  take(timeMs: AlgolabTrade["date"], nowMs: number): void {
    if (this.isDecided) return;
    if (nowMs - timeMs <= LAG_MS_MAX) this.#isLive = true;
    else this.#late.add(timeMs, nowMs);
  }

  faults(): readonly CheckFault[] {
    const { lagMs } = this.#late;
    if (lagMs === undefined) return [];
    const seconds = Math.round(lagMs / SECOND_MS);
    const text = `prices are delayed by ${seconds} s, and a feed refuses them: sign AlgoLab's contract for live data`;
    return [fault("notAllowed", text)];
  }
}
