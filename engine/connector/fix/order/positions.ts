/** Positions of an account: one request (AN), and the reports (AP) that answer it. */
import type { BrokerReply, PositionRecord } from "../../../../src/contract/trading/order.ts";
import { failed } from "../../host/connector.ts";
import { PendingReplies } from "../../host/pending-replies.ts";
import { type FixMessage, readText } from "../wire/message.ts";
import { MsgType, Tag } from "../wire/tag.ts";
import type { ConnectorContext } from "./context.ts";
import { positionsRequest } from "./message.ts";
import type { FixAccount } from "./settings.ts";

type Reply = BrokerReply<readonly PositionRecord[]>;

const LATE: Reply = failed("UNAVAILABLE", "the broker did not report all positions in time");
/** PosReqResult: nothing is held. */
const NO_POSITIONS = 2;
/** PosType: the final quantity of a position, with the day's opening quantity and the day's trades. */
const FINAL = "FIN";

export class PositionRequests {
  readonly #context: ConnectorContext;
  readonly #waiting: PendingReplies<Reply>;
  readonly #collected = new Map<string, PositionRecord[]>();
  /** How many reports will come, if known: some brokers state it in the AO alone. */
  readonly #totals = new Map<string, number>();

  constructor(context: ConnectorContext) {
    this.#context = context;
    this.#waiting = new PendingReplies(context.timers);
  }

  async ask(account: FixAccount): Promise<Reply> {
    const { session, clock, newName, settings } = this.#context;
    const name = newName("P");
    const request = positionsRequest(account, name, clock.nowMs());
    if (session.send(MsgType.RequestForPositions, request, () => undefined) === undefined) {
      return failed("UNAVAILABLE", "the session is down");
    }
    this.#collected.set(name, []);
    const reply = await this.#waiting.waitFor(name, settings.answerTimeoutMs, LATE);
    this.#collected.delete(name);
    this.#totals.delete(name);
    return reply;
  }

  /** Reads an AP, or the AO which states that none will come. */
  read(message: FixMessage): void {
    const name = message.get(Tag.PosReqID) ?? "";
    const collected = this.#collected.get(name);
    if (collected === undefined) return;
    const total = message.int(Tag.TotalNumPosReports) ?? this.#totals.get(name);
    if (total !== undefined) this.#totals.set(name, total);
    if (message.type === MsgType.PositionReport) collected.push(...this.#positionsOf(message));
    else if (total === 0 || message.int(Tag.PosReqResult) === NO_POSITIONS) {
      this.#waiting.settle(name, { ok: true, data: [] });
      return;
    } else if ((message.int(Tag.PosReqResult) ?? 0) !== 0) {
      this.#waiting.settle(name, failed("REJECTED", readText(message.get(Tag.Text)) || "positions were refused"));
      return;
    }
    if (total !== undefined && total > 0 && collected.length >= total) {
      this.#waiting.settle(name, { ok: true, data: collected });
    }
  }

  /**
   * Makes one record of a report: long less short quantity. It uses the final quantity if the report has it, otherwise
   * the sum over all kinds.
   */
  #positionsOf(message: FixMessage): PositionRecord[] {
    const told = message.get(Tag.Symbol) ?? "";
    const own = Object.entries(this.#context.settings.symbols).find(([, brokers]) => brokers === told)?.[0] ?? told;
    const groups = message.groups(Tag.NoPositions, Tag.PosType);
    const final = groups.filter((group) => group.get(Tag.PosType) === FINAL);
    const quantity = (final.length > 0 ? final : groups).reduce(
      (sum, group) => sum + (group.decimal(Tag.LongQty) ?? 0) - (group.decimal(Tag.ShortQty) ?? 0),
      0,
    );
    const price = message.decimal(Tag.SettlPrice);
    const held = { quantity, availableQuantity: quantity, averagePrice: 0 };
    return [{ symbol: own, ...held, lastPrice: price ?? null, profit: null }];
  }
}
