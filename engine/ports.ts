/**
 * Where the engine's rooms meet. Interfaces only: each room implements or uses these and knows no other room.
 *
 * Invariants that every implementation keeps:
 * 1. Event -> step -> commit -> act: nothing leaves the process (order, reply, event) before the batch that caused it
 *    is durable.
 * 2. Between receiving a tick and handing a batch to the store everything is synchronous.
 * 3. Time, timers, ids and I/O are handed in, so that a seeded simulation can run all of this.
 */
import type { UserView } from "../src/contract/operator/identity.ts";
import type { BrokerageStats, OrderDecision, OutboxOrderView } from "../src/contract/operator/operator.ts";
import type {
  CreateListBody,
  RestrictedByTypeView,
  RestrictedSymbolView,
  RestrictionCheckView,
  RestrictionInput,
  RestrictionView,
  SymbolInput,
  SymbolListDetail,
  SymbolListItem,
  SymbolView,
  UpdateListBody,
  WrittenList,
} from "../src/contract/operator/reference.ts";
import type {
  AccountRecord,
  BrokerageSettings,
  BrokerReply,
  CancelRequest,
  ChainRequest,
  DailyOrdersRequest,
  FindOrderRequest,
  LoginAnswer,
  LoginRequest,
  OrderAnswer,
  OrderRecord,
  PlaceRequest,
  PositionRecord,
  PositionsRequest,
} from "../src/contract/trading/order.ts";
import type { LivePrice } from "../src/domain/price/price.ts";
import type { Result } from "../src/domain/refusal.ts";
import type { ActorKindName, EventsOf } from "../src/machine/actor-event.ts";
import type { FollowedOrder, Watch } from "../src/machine/effect.ts";
import type { WakeEvent } from "../src/machine/wake-event.ts";
import type { Cancel, Clock, Fatal, Log, Timers } from "../src/runtime/ports.ts";
import type { StoredAt } from "./stream-ports.ts";

export type { Cancel, Clock, Fatal, Log, Timers };

// ---------------------------------------------------------------------------------------------------------- storage

export interface Put {
  readonly type: "put";
  readonly key: string;
  readonly value: Uint8Array;
  /** True where the key certainly held nothing before. */
  readonly isNew?: boolean;
}
export interface Delete {
  readonly type: "del";
  readonly key: string;
}

export interface ScanRange {
  readonly gte: string;
  readonly lt: string;
  readonly reverse?: boolean;
  readonly limit?: number;
  /** True: the values are not needed, and may come empty. */
  readonly keysOnly?: boolean;
}

/** An ordered key-value store of one partition. Only the journal writes to it. */
export interface Store {
  /** The durable value of `key`. Synchronous: for rows that a tick reached, never for those it did not. */
  read(key: string): Uint8Array | undefined;
  /** Resolves once all of it is on disk; all or nothing. A rejection is fatal to the process. */
  write(operations: readonly (Put | Delete)[]): Promise<void>;
  /** Pages of durable entries in key order, as they are at the moment of the call whatever is written later. */
  scan(range: ScanRange): AsyncIterable<readonly (readonly [string, Uint8Array])[]>;
  /**
   * What `scan` gives of all that stands under `prefix` (that ends in a slash), all at once, where that is in memory;
   * else undefined. The same array again as long as nothing of it changed. A store that keeps nothing in memory need
   * not have it.
   */
  held?(prefix: string): readonly (readonly [string, Uint8Array])[] | undefined;
  close(): Promise<void>;
}

/**
 * A row that the store certainly holds, with what the journal knows of it: whoever keeps it changes the row without its
 * being looked up. It stays good through every change that is made by it, and by no other way.
 */
export interface Row {
  readonly key: string;
  /** Of the row as it is now, as text: to be kept with other rows, for `rowWithHash`. */
  readonly hash: string;
}

/** The batch that this turn of the loop is building (one in the making, at most one on its way to the disk). */
export interface Journal {
  /** What a key holds, batches on their way included. */
  read(key: string): Uint8Array | undefined;
  /** What the key held is looked up. */
  put(key: string, value: Uint8Array | string): Row;
  /** As `put`, for a key that certainly holds nothing (a new id, a new sequence number): nothing is looked up. */
  insert(key: string, value: Uint8Array | string): Row;
  /** As `put`, for a row that is kept. */
  replace(row: Row, value: Uint8Array | string): void;
  /** A row that is kept, or what a key holds, which is looked up. */
  remove(row: Row | string): void;
  /** The row of a key that is known to hold `value`. */
  rowOf(key: string, value: Uint8Array | string): Row;
  /** The row of a key that is known to hold what had this hash. */
  rowWithHash(key: string, hash: string): Row;
  /** Runs `work`. What it puts passes what nobody waits for, but for its own keys; see `keepOrder`. */
  ahead(work: () => void): void;
  /** Work that runs `ahead` passes nothing. For what rests on changes under other keys. */
  keepOrder(): void;
  /** Runs `put` once, just before the batch in the making is closed: what it puts is still part of that batch. */
  beforeClose(put: () => void): void;
  /** Runs once everything put so far is durable; at once (never inside the call) when nothing is on its way. */
  afterDurable(act: () => void): void;
  /** As `afterDurable`, for an act that need not hold up what others wait for. */
  afterDurableUnhurried(act: () => void): void;
  /** New ids: consecutive for one call, unique across the installation, ascending. */
  allocateIds(count: number): number[];
  /** The next number of the partition's running sequence, for outbox entries and events. */
  nextSequence(): number;
}

// ----------------------------------------------------------------------------------------------------------- actors

/** One stored view row: the JSON that the edge returns, under a key that sorts as the edge lists. */
export interface ViewRow {
  readonly key: string;
  readonly json: string;
}

/** What the host needs to know of a kind of actor beside its chart. */
export interface ActorProfile {
  readonly userId: number;
  readonly brokerageCode: string;
  readonly accountNumber: string;
}

/** The actors of a partition: the only way to change one. All of it synchronous, inside a turn. */
export interface Actors {
  /** Starts an actor with a context; its facts, views and claims are kept from here on. */
  create(kind: ActorKindName, id: number, context: object): void;
  /**
   * Gives an event to an actor of a kind. False when there is no live actor of that kind and id. An actor that is set
   * aside gets it at its release: ask `isSetAside` before a client is told that something happened.
   */
  deliver<K extends ActorKindName>(kind: K, id: number, event: EventsOf[K]): boolean;
  /** As `deliver`, for what the facts of an actor asked for, whatever its kind. False also where it hears no such. */
  wake(id: number, event: WakeEvent): boolean;
  /** The context of a live or ended actor; undefined when there never was one of that kind. */
  find(kind: ActorKindName, id: number): { readonly context: object; readonly isEnded: boolean } | undefined;
  /** True for an actor that a fault of ours stopped, until an operator releases it. */
  isSetAside(id: number): boolean;
  /** Who holds a claim. */
  holderOf(claim: string): number | undefined;
}

/** What wakes actors: levels, deadlines and orders. In memory only; made again from the actors at every start. */
export interface Watchbook {
  arm(owner: number, watch: Watch): void;
  /** False when it is not armed (any more). */
  disarm(owner: number, watch: Watch): boolean;
  setDeadline(owner: number, timeMs: number): void;
  clearDeadline(owner: number, timeMs: number): void;
  follow(owner: number, order: FollowedOrder): void;
  unfollow(owner: number, order: FollowedOrder): void;
}

/** Where events go: stored in this turn's batch, published once it is durable, at least once. */
export interface Events {
  /** `source`: what the payload can be rendered from again, to be stored in its place where that is shorter. */
  emit(userId: number, type: string, payload: object, source?: RenderSource): void;
}

/** What the payload of an actor's event is rendered from. */
export interface RenderSource {
  readonly kind: ActorKindName;
  /** The context as it is stored: JSON. */
  readonly context: string;
  readonly data: Readonly<Record<string, unknown>>;
}

// ----------------------------------------------------------------------------------------------------------- prices

/** A tick that passed the feed's checks. */
export interface AcceptedTick {
  readonly symbol: string;
  readonly price: LivePrice;
  /** When the price was true, by the engine's clock: when it was seen, or when the stream stored it. */
  readonly timeMs: number;
  readonly isCaughtUp: boolean;
  /** Where it lies in the stream; undefined for one that was seen live, though it waited. */
  readonly stored?: StoredAt | undefined;
}

/** The last accepted price of a symbol. */
export interface LastPrice {
  readonly price: LivePrice;
  readonly timeMs: number;
}

export interface Prices {
  last(symbol: string): LastPrice | undefined;
}

/** Which symbols exist. */
export interface Symbols {
  isKnown(symbol: string): boolean;
  isActive(symbol: string): boolean;
}

// -------------------------------------------------------------------------------------------------------- brokerage

/** What is known of the way to a brokerage, and whether it can be asked what became of an order. */
export type BrokerageSession = Omit<BrokerageStats, "code"> & { readonly canLookUp: boolean };

/** A connection to one brokerage. Every call settles; none throws. */
export interface Brokerage {
  readonly settings: BrokerageSettings;
  login(request: LoginRequest): Promise<BrokerReply<LoginAnswer>>;
  accounts(request: { readonly userId: number }): Promise<BrokerReply<readonly AccountRecord[]>>;
  positions(request: PositionsRequest): Promise<BrokerReply<readonly PositionRecord[]>>;
  dailyOrders(request: DailyOrdersRequest): Promise<BrokerReply<readonly OrderRecord[]>>;
  place(request: PlaceRequest): Promise<BrokerReply<OrderAnswer>>;
  chain(request: ChainRequest): Promise<BrokerReply<OrderAnswer>>;
  cancel(request: CancelRequest): Promise<BrokerReply<OrderAnswer>>;
  findOrder(request: FindOrderRequest): Promise<BrokerReply<OrderRecord>>;
  /** Told of every change of an order; at least once, in any order. Returns the way to stop. */
  onUpdate(listener: (record: OrderRecord) => void): Cancel;
  /** Absent where the brokerage is in the process: always up. */
  session?(): BrokerageSession;
  close(): Promise<void>;
}

export interface Brokerages {
  find(code: string): Brokerage | undefined;
  all(): readonly Brokerage[];
}

/** Whether this engine is the only one of its partitions. */
export interface Ownership {
  /** False while it does not know: then no order and no answer may leave. */
  mayAct(): boolean;
  /** Resolves once it knows; never where another engine took over. */
  whenMayAct(): Promise<void>;
}

/** An order to be named, stored and sent. */
export interface OutboxOrder {
  readonly userId: number;
  readonly brokerageCode: string;
  readonly accountNumber: string;
  readonly clientOrderId: string;
  readonly urgency: "stopLoss" | "triggered" | "client";
  readonly symbol: string;
  readonly quantity: number;
  readonly buySell: 1 | 2;
  readonly orderType: 1 | 2;
  readonly price: number;
  readonly referenceOrderNo?: string;
  /** Who is told how it ended: an actor by its order's name, or a client's waiting command. */
  readonly origin: OrderOrigin;
}

export type OrderOrigin =
  | { readonly kind: "actor"; readonly actorId: number; readonly name: string }
  | { readonly kind: "command"; readonly commandId: string };

/** How an order ended. `refused` is said only when no order exists and none can come to exist. */
export type OrderOutcome =
  | { readonly type: "placed"; readonly orderNo: string; readonly orderStatus: number }
  | {
      readonly type: "refused";
      readonly code: "REJECTED" | "UNAUTHORIZED" | "UNAVAILABLE" | "NOT_FOUND";
      readonly message: string;
    };

/** The name by which a brokerage knows an order. */
export type OrderName = Pick<OutboxOrder, "brokerageCode" | "clientOrderId">;

/** Sends what was committed. */
export interface Outbox {
  /** Within a turn: stores the order in the batch; it leaves once that is durable. */
  submit(order: OutboxOrder): void;
  /**
   * Within a turn: takes an order back that certainly does not exist, and tells its owner in the same turn that it was
   * refused (UNAVAILABLE) with this message. False, and nothing is done, where it may exist or is no longer here.
   */
  withdraw(name: OrderName, message: string): boolean;
  /** As `withdraw`, for every order of an actor: those that may exist go on. */
  withdrawOf(actorId: number, message: string): void;
}

/** The outbox's way back into the engine: called inside a turn, together with the removal of the order's entry. */
export type OnOutcome = (order: OutboxOrder, outcome: OrderOutcome) => void;

/** Work for the next turn of the loop, in arrival order with ticks and commands. */
export interface Inbox {
  /** False once the partition has stopped: the work will not be done. */
  enqueue(work: () => void): boolean;
}

/** A user's accounts as the brokerages tell them. */
export interface Accounts {
  /** The account that `accountNumber` (or its `number`) names (behaviour 1.7, 1.8). */
  resolve(userId: number, brokerageCode: string, accountNumber: string): Promise<Result<AccountRecord>>;
  /** Forgets what is known of a user at a brokerage: a login may have changed it. */
  forget(userId: number, brokerageCode: string): void;
}

// -------------------------------------------------------------------------------------------------------- reference

/**
 * Symbols, symbol lists and restrictions of the whole installation; only the shared partition has them (behaviour
 * 12.5). What changes something is to be called inside a turn, and is told to the bus once it is durable.
 */
export interface ReferenceBook {
  writeSymbols(symbols: readonly SymbolInput[]): Result<{ readonly written: number }>;
  listSymbols(): readonly SymbolView[];
  findSymbol(symbol: string): Result<SymbolView>;

  createList(userId: number, body: CreateListBody): Result<WrittenList>;
  updateList(userId: number, body: UpdateListBody): Result<WrittenList>;
  deleteList(userId: number, id: number): Result<true>;
  /** The lists that the user may read. */
  listLists(userId: number): readonly SymbolListItem[];
  findList(userId: number, id: number): Result<SymbolListDetail>;

  writeRestrictions(restrictions: readonly RestrictionInput[]): Result<{ readonly ids: readonly number[] }>;
  /** `validTo` is ISO 8601. */
  endRestriction(id: number, validTo: string): Result<RestrictionView>;
  /** Grouped by symbol; null: of all types. */
  listActiveRestrictions(restrictionType: number | null): readonly RestrictedSymbolView[];
  listRestrictedByType(restrictionType: number): readonly RestrictedByTypeView[];
  checkRestriction(code: string, restrictionType: number): Result<RestrictionCheckView>;
  /** Active and past, newest first. */
  listRestrictionsOf(code: string): Result<readonly RestrictionView[]>;

  /** Resolves once all that the methods above have told so far is durable. */
  whenDurable(): Promise<void>;
}

// --------------------------------------------------------------------------------------------------------- operators

/** An order that has no outcome yet, as its outbox knows it. */
export type PendingOrderRecord = Omit<OutboxOrderView, "id" | "type" | "partition">;

export interface OrderPage {
  /** Only orders after this sequence; default: from the first. */
  readonly afterSequence?: number;
  readonly limit?: number;
}

/** The outbox as operators meet it. */
export interface OperatedOrders {
  /** Orders without an outcome, in commit order. */
  pending(page: OrderPage): readonly PendingOrderRecord[];
  /** Orders that wait for a person's decision, in commit order. */
  quarantined(page: OrderPage): readonly PendingOrderRecord[];
  /** In a turn: carries out a person's decision. The order as it was, or NOT_FOUND, CONFLICT or INVALID. */
  releaseInTurn(sequence: number, decision: OrderDecision): Result<PendingOrderRecord>;
}

/** The users of the installation; only the shared partition has them. */
export interface Users {
  /** In a turn: a new user. */
  createUser(name: string): UserView;
}
