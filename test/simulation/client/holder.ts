/** An operator who holds and releases symbols (behaviour 16). */
import type { Reply } from "../../../src/contract/command.ts";
import { BAND_COMMANDS } from "../../../src/contract/operator/band.ts";
import { HOLD_COMMANDS } from "../../../src/contract/operator/hold.ts";
import type { Oracle } from "../oracle/oracle.ts";
import type { Random } from "../world/random.ts";
import type { Report } from "../world/report.ts";
import type { StreamTick } from "../world/tick-stream.ts";
import type { Requests } from "./requests.ts";

interface HolderOptions {
  readonly requests: Requests;
  readonly oracle: Oracle;
  readonly random: Random;
  readonly report: Report;
  readonly symbols: readonly [string, ...string[]];
  readonly lastTick: (symbol: string) => StreamTick | undefined;
}

const OPERATOR = 1;
/** Under every price of the market. */
export const FLOOR_PRICE = 50;

export class Holder {
  readonly #options: HolderOptions;

  constructor(options: HolderOptions) {
    this.#options = options;
  }

  /**
   * Holds a symbol, or releases a symbol that may be held; or gives the prices between which its orders are taken
   * today.
   */
  act(): void {
    const { random, oracle, symbols } = this.#options;
    const symbol = random.pick(symbols);
    if (random.chance(0.2)) this.#writeBand(symbol);
    else if (!oracle.held.isOpen(symbol)) this.#hold(symbol);
    else if (!oracle.held.isReleaseAsked(symbol)) this.#release(symbol);
  }

  #hold(symbol: string): void {
    const { report, oracle } = this.#options;
    const onSend = (): void => oracle.askHold(symbol);
    this.#send(HOLD_COMMANDS.hold, symbol, onSend, (reply) => {
      report.count("symbols held");
      if (reply.ok) oracle.knowHold(symbol);
    });
  }

  #release(symbol: string): void {
    const { report, oracle, lastTick } = this.#options;
    const onSend = (): void => oracle.askRelease(symbol, lastTick(symbol));
    this.#send(HOLD_COMMANDS.release, symbol, onSend, (reply) => {
      report.count("symbols released");
      if (reply.ok) oracle.knowRelease(symbol);
    });
  }

  /** Exits that continue are then limit orders at the floor. */
  #writeBand(symbol: string): void {
    const { requests, report } = this.#options;
    const body = { source: "operator", bands: [{ symbol, floorPrice: FLOOR_PRICE, ceilingPrice: 150 }] };
    const onReply = (reply: Reply): void => {
      if (!reply.ok) report.violate(`the band of ${symbol} was refused: ${reply.message}`);
      report.count("bands written");
    };
    requests.send(requests.ask(BAND_COMMANDS.write, OPERATOR, body, requests.nextNumber(), { onReply }, false));
  }

  #send(command: string, symbol: string, onSend: () => void, onReply: (reply: Reply) => void): void {
    const { requests, report } = this.#options;
    const number = requests.nextNumber();
    report.note(() => `asks ${command} of ${symbol}`);
    const answered = (reply: Reply): void => {
      report.note(() => `${command} of ${symbol} is answered ${JSON.stringify(reply)}`);
      onReply(reply);
    };
    requests.send(requests.ask(command, OPERATOR, { symbol }, number, { onReply: answered, onSend }, false));
  }
}
