/**
 * A connector of the contract's third edition that keeps everything in memory, and its brokerage, at which things can
 * be made to happen. With a fault it does one thing wrong, so that a conformance check has something to find.
 */
import type { Provocation, ProvokedOrder } from "../../../../../engine/connector/conformance/provocation.ts";
import { type Connector, type ConnectorStatus, failed } from "../../../../../engine/connector/host/connector.ts";
import type {
  BrokerReply,
  CancelRequest,
  FindOrderRequest,
  Instrument,
  OrderAnswer,
  OrderRecord,
  PlaceRequest,
} from "../../../../../src/contract/trading/order.ts";

/** The faults of a connector, in the order of the checks. */
export type ModelFault =
  | "instrumentRefused"
  | "instrumentWithoutBand"
  | "instrumentOfOtherLots"
  | "instrumentHalted"
  | "instrumentBaseOutside"
  | "instrumentPriceOutside"
  | "instrumentFillOutside"
  | "instrumentOfFewLots"
  | "balanceIsLacking"
  | "cancelEndedByExchange"
  | "cancelIsOpen"
  | "unknownEndedBy"
  | "endedByWhileOpen"
  | "exchangeEndByOwner"
  | "dayEndByBrokerage"
  | "brokerageEndByExchange"
  | "replacedIsForgotten"
  | "replacesNothing"
  | "replacedNumberUnknown"
  | "replacementIsSilent"
  | "replacementCountsAll"
  | "cutDownIsOpen"
  | "cutDownIsFull"
  | "correctionIsHidden"
  | "correctionIsSilent"
  | "closedIsRejected"
  | "closedLeavesAnOrder"
  | "closedForEver"
  | "completedWithNothing"
  | "filledWhileWaiting"
  | "priceAboveLimit"
  | "priceWithoutFill"
  | "overfilled"
  | "otherSymbol"
  | "replacesItself"
  | "fillIsForgotten"
  | "endTakenBack"
  | "malformedUpdates"
  | "secondEdition";

const PRICE = 100;
const STATUS: ConnectorStatus = {
  session: "up",
  since: "2026-01-05T09:00:00.000Z",
  resend: "idempotent",
  supports: { orderStatus: true, positions: false, instrument: true },
};

export class ModelConnector implements Connector {
  readonly #fault: ModelFault | undefined;
  readonly #answers = new Map<string, BrokerReply<OrderAnswer>>();
  readonly #records: OrderRecord[] = [];
  readonly #listeners = new Set<(record: OrderRecord) => void>();
  #lastNumber = 0;
  #isClosed = false;

  constructor(fault?: ModelFault) {
    this.#fault = fault;
  }

  status(): ConnectorStatus {
    if (this.#has("balanceIsLacking")) return { ...STATUS, supports: { ...STATUS.supports, balance: true } };
    return this.#has("secondEdition") ? ({ ...STATUS, protocol: 2 } as ConnectorStatus) : STATUS;
  }

  async accounts() {
    return {
      ok: true as const,
      data: [{ accountNumber: "A1", number: "1", name: "Cash", isActive: true, isDefault: true }],
    };
  }

  async instrument(): Promise<BrokerReply<Instrument>> {
    if (this.#has("instrumentRefused")) return failed("REJECTED", "not supported");
    return {
      ok: true,
      data: {
        floorPrice: this.#has("instrumentWithoutBand") ? 120 : this.#has("instrumentPriceOutside") ? 95 : 80,
        basePrice: this.#has("instrumentBaseOutside") ? 70 : 96,
        ceilingPrice: this.#has("instrumentFillOutside") ? 97 : 120,
        lotSize: this.#has("instrumentOfOtherLots") ? 50 : 1,
        maxQuantity: this.#has("instrumentOfFewLots") ? 1 : 1_000,
        isHalted: this.#has("instrumentHalted"),
      },
    };
  }

  onUpdate(listener: (record: OrderRecord) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Market orders and limits from `PRICE` on are filled whole; other limits rest. */
  async place(request: PlaceRequest): Promise<BrokerReply<OrderAnswer>> {
    const { clientOrderId } = request;
    const known = this.#answers.get(clientOrderId);
    if (known !== undefined) return known;
    if (this.#isClosed) return this.#refuseForNow(request);
    const answer = this.#answerTo(request);
    this.#answers.set(clientOrderId, answer);
    return answer;
  }

  #answerTo(request: PlaceRequest): BrokerReply<OrderAnswer> {
    const { quantity, price, expiresAt } = request;
    if (quantity > 1_000_000) return failed("REJECTED", "too many lots");
    if (expiresAt !== undefined && Date.parse(expiresAt) < Date.now()) return failed("REJECTED", "too late");
    const record = this.#book(request);
    if (price === 0 || price >= PRICE) this.#fill(record, quantity);
    else if (this.#has("filledWhileWaiting")) this.#change(record, { orderStatus: 0, filledQuantity: 1 });
    else if (this.#has("endedByWhileOpen")) this.#change(record, { endedBy: "exchange" });
    else this.#change(record, this.#has("priceWithoutFill") ? { averagePrice: 1 } : {});
    return { ok: true, data: { orderNo: record.orderNo, orderStatus: record.orderStatus } };
  }

  async cancel({ orderNo }: CancelRequest): Promise<BrokerReply<OrderAnswer>> {
    const record = this.#records.find((one) => one.orderNo === orderNo);
    if (record === undefined) return failed("NOT_FOUND", "no such order");
    if (record.orderStatus > 1) return failed("REJECTED", "it is over");
    if (!this.#has("cancelIsOpen")) this.#end(record, this.#has("cancelEndedByExchange") ? "exchange" : "owner");
    return { ok: true, data: { orderNo, orderStatus: 3 } };
  }

  async findOrder({ orderNo, clientOrderId }: FindOrderRequest): Promise<BrokerReply<OrderRecord>> {
    const found = this.#records.findLast((one) =>
      orderNo === undefined ? one.clientOrderId === clientOrderId : one.orderNo === orderNo,
    );
    const isHidden = orderNo !== undefined && found?.replaces && this.#has("replacedNumberUnknown");
    if (found === undefined || isHidden) return failed("NOT_FOUND", "no such order");
    const data = { ...found };
    if (this.#has("fillIsForgotten")) Object.assign(found, { filledQuantity: 0, averagePrice: 0 });
    if (this.#has("endTakenBack") && found.orderStatus === 3) found.orderStatus = 1;
    return { ok: true, data };
  }

  /** Makes it happen to an order here, as `--provoke` does at a brokerage. */
  async provoke(what: Provocation, { orderNo }: ProvokedOrder): Promise<boolean> {
    if (what === "close" || what === "open") this.#isClosed = what === "close" || this.#has("closedForEver");
    const record = this.#records.find((one) => one.orderNo === orderNo);
    if (record === undefined) return true;
    if (what === "fill") this.#fill(record, 1);
    if (what === "exchangeEnd") this.#end(record, this.#has("exchangeEndByOwner") ? "owner" : "exchange");
    if (what === "dayEnd") this.#end(record, this.#has("dayEndByBrokerage") ? "brokerage" : "exchange");
    if (what === "brokerageEnd") this.#end(record, this.#has("brokerageEndByExchange") ? "exchange" : "brokerage");
    if (what === "replace") this.#replace(record);
    if (what === "cutDown") this.#cutDown(record);
    if (what === "correct") this.#correct(record);
    return true;
  }

  #has(fault: ModelFault): boolean {
    return this.#fault === fault;
  }

  #refuseForNow(request: PlaceRequest): BrokerReply<OrderAnswer> {
    if (this.#has("closedLeavesAnOrder")) this.#publish(this.#book(request));
    return failed(this.#has("closedIsRejected") ? "REJECTED" : "NOT_NOW", "the market is closed");
  }

  #book({ clientOrderId, accountNumber, symbol, buySell, orderType, quantity, price }: PlaceRequest): OrderRecord {
    this.#lastNumber += 1;
    const record: OrderRecord = {
      ...{ orderNo: `N${this.#lastNumber}`, clientOrderId, accountNumber, buySell, orderType, quantity, price },
      ...{ symbol: this.#has("otherSymbol") ? "GARAN" : symbol, orderStatus: 1, filledQuantity: 0, averagePrice: 0 },
      ...{ createdDate: new Date().toISOString(), updatedDate: null },
    };
    if (this.#has("replacesItself")) record.replaces = record.orderNo;
    this.#records.push(record);
    return record;
  }

  #fill(record: OrderRecord, quantity: number): void {
    const filledQuantity = record.filledQuantity + quantity * (this.#has("overfilled") ? 3 : 1);
    const orderStatus = filledQuantity >= record.quantity ? 2 : 1;
    const isNothing = this.#has("completedWithNothing") && orderStatus === 2;
    const limit = record.price === 0 ? PRICE : record.price;
    const averagePrice = isNothing ? 0 : limit + (this.#has("priceAboveLimit") ? 1 : 0);
    this.#change(record, { orderStatus, filledQuantity: isNothing ? 0 : filledQuantity, averagePrice });
  }

  #end(record: OrderRecord, endedBy: OrderRecord["endedBy"]): void {
    const told = this.#has("unknownEndedBy") ? ("broker" as "brokerage") : endedBy;
    this.#change(record, { orderStatus: 3, ...(this.#has("secondEdition") ? {} : { endedBy: told }) });
  }

  #replace(record: OrderRecord): void {
    this.#change(record, { orderStatus: 3 }, false);
    if (this.#has("replacedIsForgotten")) return;
    this.#lastNumber += 1;
    const replacement: OrderRecord = {
      ...record,
      ...{ orderNo: `N${this.#lastNumber}`, orderStatus: 1, filledQuantity: 0, averagePrice: 0 },
      ...(this.#has("replacesNothing") ? {} : { replaces: record.orderNo }),
    };
    if (this.#has("replacementCountsAll")) {
      Object.assign(replacement, { filledQuantity: replacement.quantity, averagePrice: record.averagePrice });
    }
    this.#records.push(replacement);
    if (!this.#has("replacementIsSilent")) this.#publish(replacement);
  }

  #cutDown(record: OrderRecord): void {
    const { filledQuantity, quantity } = record;
    if (this.#has("cutDownIsOpen")) this.#change(record, { quantity: filledQuantity });
    else if (this.#has("cutDownIsFull")) this.#change(record, { filledQuantity: quantity, orderStatus: 2 });
    else this.#change(record, { quantity: filledQuantity, orderStatus: 2 });
  }

  #correct(record: OrderRecord): void {
    if (this.#has("correctionIsHidden")) return;
    this.#change(record, { filledQuantity: 0, averagePrice: 0 }, !this.#has("correctionIsSilent"));
  }

  #change(record: OrderRecord, change: Partial<OrderRecord>, isPublished = true): void {
    Object.assign(record, change, { updatedDate: new Date().toISOString() });
    if (isPublished) this.#publish(record);
  }

  #publish(record: OrderRecord): void {
    const told = this.#has("malformedUpdates") ? ({ ...record, quantity: "many" } as unknown as OrderRecord) : record;
    for (const listener of this.#listeners) listener({ ...told });
  }
}
