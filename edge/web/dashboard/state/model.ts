/** What the service answers, as far as the pages show it. */
import type { TrailingRequest } from "../../../../src/domain/oco/trailing.ts";

export interface Account {
  readonly accountNumber: string;
  readonly number: string;
  readonly name: string;
  readonly brokerageCode: string;
  readonly isActive: boolean;
  readonly isDefault: boolean;
}

/** The query that names an account. */
export function queryOf({ brokerageCode, accountNumber }: Account): string {
  return new URLSearchParams({ brokerageCode, accountNumber }).toString();
}

export const ACTIVE = 1;
export const TRIGGERED = 2;
export const TRIGGER_FAILED = 3;
export const STOP_LOSS = 2;

export interface OcoRow {
  readonly id: number;
  readonly groupId: number;
  readonly accountNumber: string;
  readonly symbol: string;
  readonly orderType: 1 | 2;
  readonly quantity: number;
  readonly price: number;
  readonly status: 1 | 2 | 3 | 4;
  readonly triggeredPrice: number | null;
  readonly triggeredDate: string | null;
  readonly dueDate: string | null;
  readonly notes: string | null;
  readonly triggerErrorMessage: string | null;
  readonly createdDate: string;
  readonly updatedDate: string | null;
}

/** The rows of a group: the stop-loss first, take-profits by price. */
export interface Group {
  readonly id: number;
  readonly symbol: string;
  readonly rows: readonly OcoRow[];
  readonly isActive: boolean;
}

export interface Price {
  readonly price: number;
  readonly timeMs: number;
  /** Above zero: higher than the one before. */
  readonly move: number;
}

/** Lots of a symbol. */
export interface Holding {
  readonly symbol: string;
  readonly quantity: number;
}

export interface Position extends Holding {
  readonly availableQuantity: number;
  /** Zero if it is not known. */
  readonly averagePrice: number;
  readonly lastPrice: number | null;
  readonly profit: number | null;
}

/** The sell ledger of a symbol (behaviour 11.1). Null: not known, which is never zero. */
export interface LedgerRow {
  readonly symbol: string;
  readonly held: number | null;
  /** Lots of open sells. */
  readonly openSells: number | null;
  /** Lots that the service can still sell by itself. */
  readonly committed: { readonly groups: number; readonly bots: number; readonly entries: number };
}

/** The money of an account. */
export interface Balance {
  readonly cash: number;
  readonly buyingPower: number;
  readonly equity: number;
  readonly currency: string;
}

export interface Order {
  readonly orderNo: string;
  readonly symbol: string;
  readonly quantity: number;
  readonly filledQuantity: number;
  readonly buySell: 1 | 2;
  readonly orderType: 1 | 2;
  readonly orderStatus: number;
  readonly price: number;
  readonly averagePrice: number | null;
  /** The name that the service gave it; null: another program sent it, or the brokerage keeps no names. */
  readonly clientOrderId: string | null;
  readonly createdDate: string;
}

/** An order to be sent. */
export interface OrderBody {
  readonly brokerageCode: string;
  readonly accountNumber: string;
  readonly symbol: string;
  readonly quantity: number;
  readonly buySell: 1 | 2;
  /** 3, a stop entry, only with exits. */
  readonly orderType: 1 | 2 | 3;
  /** Of a stop entry its trigger. */
  readonly price: number;
}

/** The exits of a buy, which the service places as one with them. */
export interface PlannedExits {
  /** Fields of the request. */
  readonly body: object;
  /** Further fields of its `entry`; absent: none. */
  readonly entry?: object;
  readonly text: string;
}

/** Waiting and open. */
const OPEN_STATES: ReadonlySet<number> = new Set([0, 1]);

/** Whether an order can still fill. */
export function isOpen({ orderStatus }: Order): boolean {
  return OPEN_STATES.has(orderStatus);
}

/** An order that the service follows, as `GET /api/v1/orders` lists it. */
export interface FollowedOrder {
  /** Null until the brokerage answers. */
  readonly orderNo: string | null;
  /** All its numbers: a replaced order has several. */
  readonly orderNumbers: readonly string[];
  readonly clientOrderId: string | null;
  readonly symbol: string;
  readonly buySell: 1 | 2;
  readonly quantity: number;
  readonly filledQuantity: number;
  readonly state: string;
  readonly since: string;
  readonly message: string | null;
  readonly owner: { readonly type: "group" | "pendingOco" | "bot" | "client"; readonly id: number };
}

/** One of an account whose brokerage does not know its outcome. */
export interface DoubtfulOrder extends UnansweredOrder {
  readonly orderNo: string;
}

/** One of an account that its brokerage did not answer yet. */
export interface UnansweredOrder extends FollowedOrder, Pick<Account, "brokerageCode" | "accountNumber"> {}

/** How and when a stop-loss is sold. */
export interface ExitTimes {
  /** Null: as the service is set. */
  readonly stopLoss: "untilSold" | "once" | null;
  readonly at: string | null;
  readonly beforeCloseMinutes: number | null;
}

/** Either its percent of the fill price or its price is null. */
export interface SetupLevel {
  readonly quantity: number;
  readonly percent: number | null;
  readonly price: number | null;
}

export interface Setup {
  readonly setupId: number;
  readonly symbol: string;
  readonly brokerOrderNo: string | null;
  readonly stopLossQuantity: number;
  readonly stopLossPercent: number | null;
  readonly stopLossPrice: number | null;
  readonly takeProfitItems: readonly SetupLevel[];
  readonly createdDate: string;
  readonly dueDate: string | null;
  readonly notes: string | null;
  readonly exit: ExitTimes | null;
  readonly stopLossTrailing: TrailingRequest | null;
  /** The buy, if the pending OCO placed it itself. */
  readonly entry: Entry | null;
  /** Set while the brokerage does not know the buy any more. */
  readonly orderMessage: string | null;
}

export interface Entry {
  readonly orderType: 1 | 2 | 3;
  /** 0 for any other than a limit order. */
  readonly price: number;
  /** Of a stop entry. Absent: from a service of the release before. */
  readonly triggerPrice?: number | null;
  /** The price that sent its buy; null: none did. */
  readonly triggeredPrice?: number | null;
  /** When what is not filled is cancelled. */
  readonly expiresAt?: string | null;
  readonly quantity: number;
  readonly filledQuantity: number;
  /** True: it is being cancelled at the brokerage. */
  readonly isEnding: boolean;
}

export interface Bot {
  readonly id: number;
  readonly name: string;
  readonly isActive: boolean;
  readonly isRunning: boolean;
  readonly webhookUrl?: string;
  readonly levelBotDetails?: readonly LevelBotDetail[];
  readonly webhookBotDetails?: readonly WebhookBotDetail[];
}

/** What a bot does with a symbol. 0: no limit. */
export interface BotDetail {
  readonly symbol: string;
  /** Lots of a buy. */
  readonly quantity: number;
  readonly minBuyPrice: number;
  readonly maxBuyPrice: number;
  readonly minSellPrice: number;
  readonly maxSellPrice: number;
}

export interface LevelBotDetail extends BotDetail {
  readonly buyGap: number;
  readonly sellGap: number;
  /** In percent of the buy price. */
  readonly targetProfit: number;
  /** The profit at which it buys no more; 0: at none. */
  readonly profit: number;
}

export interface WebhookBotDetail extends BotDetail {
  readonly algoName: string;
  readonly period: string;
}

export interface Conditions {
  readonly feed: FeedCondition | null;
  readonly brokerages: readonly BrokerageCondition[];
  /** Symbols of which no level fires, each until it is released. */
  readonly heldSymbols: readonly HeldSymbol[];
  readonly cluster: ClusterCondition | null;
}

interface FeedCondition {
  readonly state: "live" | "catchingUp" | "disconnected";
  readonly silentMs: number | null;
  readonly publishers: readonly { readonly name: string; readonly state: string; readonly behindMs?: number }[];
}

export interface HeldSymbol {
  readonly symbol: string;
  readonly since: string;
  readonly reason: string;
}

/** Of the partitions that engines share. */
export interface ClusterCondition {
  readonly partitionCount: number;
  readonly ledCount: number;
  readonly copiedCount: number;
  readonly lagRecordsMax: number;
  readonly areServersTrusted: boolean;
}

export interface BrokerageCondition {
  readonly code: string;
  readonly name: string;
  readonly state: "up" | "down" | "silent" | "untold";
  readonly since: string | null;
  readonly needsLogin?: boolean;
  /** Its accounts can be set back. */
  readonly canReset?: boolean;
  readonly resend: string | null;
  readonly refusal: string | null;
}

export interface ClosedPair {
  readonly id: number;
  readonly systemId: number;
  readonly symbol: string;
  readonly buyQuantity: number;
  readonly buyOrderDate: string | null;
  readonly sellOrderDate: string | null;
  readonly hourCount: number;
  readonly description: string;
  readonly profit: number;
}

export interface Pair {
  readonly id: number;
  readonly systemId: number;
  readonly symbol: string;
  readonly buyQuantity: number;
  readonly buyStatus: number;
  readonly buyOrderNo: string | null;
  readonly buyOrderDate: string | null;
  readonly buyPrice: number | null;
  readonly sellStatus: number;
  readonly description?: string;
  /** Of a webhook bot, as the period is. */
  readonly algoName?: string;
  readonly period?: string;
}

export interface ApiKey {
  readonly keyId: string | number;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly isRevoked?: boolean;
}

/** Rows in groups, active ones first, the newest first among them. */
export function groupRows(rows: Iterable<OcoRow>): readonly Group[] {
  const byGroup = new Map<number, OcoRow[]>();
  for (const row of rows) {
    const known = byGroup.get(row.groupId);
    if (known === undefined) byGroup.set(row.groupId, [row]);
    else known.push(row);
  }
  const groups = [...byGroup].map(([id, members]): Group => {
    const sorted = members.sort((left, right) => right.orderType - left.orderType || left.price - right.price);
    return {
      id,
      symbol: sorted[0]?.symbol ?? "",
      rows: sorted,
      isActive: sorted.some(({ status }) => status === ACTIVE),
    };
  });
  return groups.sort((left, right) => Number(right.isActive) - Number(left.isActive) || right.id - left.id);
}
