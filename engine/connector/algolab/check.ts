/**
 * The checks of `connector check` at AlgoLab: address, key, clock, login, sub-accounts, live or delayed prices.
 *
 * Invariant: it places no order, and asks for nothing that changes an account.
 */

import { LateTrades } from "../host/price/late-trades.ts";
import { type CheckFault, type CheckPorts, whenDecided } from "../host/program.ts";
import type { ApiAnswer } from "./api.ts";
import type { AlgolabSettings } from "./config.ts";
import type { AlgolabTrade } from "./feed/trade.ts";
import { startAlgolabConnector } from "./start.ts";
import { CLOCKS_APART_MS_MAX } from "./trouble-log.ts";

/** The default of the feed's `lagMsMax`. */
const LAG_MS_MAX = 10_000;
const SECOND_MS = 1_000;

interface CheckOptions extends CheckPorts {
  readonly settings: AlgolabSettings;
}

/** Tries address, key, clock, login, sub-accounts and prices; nothing is traded. Resolves to the faults. */
export async function checkAlgolabConnector(options: CheckOptions): Promise<readonly CheckFault[]> {
  const { settings, clock, timers } = options;
  const prices = new PriceAges();
  const started = await startAlgolabConnector({
    ...options,
    onTrade: ({ date }) => prices.take(date, clock.nowMs() - started.troubles.clockAheadMs),
  });
  const { url } = settings;
  try {
    const hadLogin = !started.session.isLoginNeeded;
    const answer = await started.api.subAccounts();
    const faults = [...answerFaults(answer, hadLogin, settings), ...clockFaults(started.troubles.clockAheadMs)];
    if (answer.kind === "ok") {
      await whenDecided(timers, () => prices.isDecided);
      faults.push(...prices.faults());
      if (!prices.isDecided)
        options.note("no current trade arrived: whether prices are live shows while the market is open");
      else if (prices.isLive) options.note("prices are live");
    }
    return faults.map(({ reason, text }) => ({ reason, text: `${url}: ${text}` }));
  } finally {
    await started.stop();
  }
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
