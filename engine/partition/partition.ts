/**
 * A partition: all decisions for its users, over its own store.
 *
 * Owns: the wiring of host, watchbook, journal, outbox and commands, and the order in which they start.
 * Does not own: the feed, the bus, the brokerages (handed in), the process.
 *
 * Life of a tick: `onTick` -> due deadlines -> watchbook (two comparisons) -> host -> step -> journal -> (durable) ->
 * outbox -> brokerage -> inbox -> host. Then to the actors that count every tick (`watch/tick-walk.ts`).
 *
 * Invariants:
 * 1. Starting is recovering: no other path exists (behaviour 12.1).
 * 2. Nothing is armed before every live row was read and the hash agreed; nothing is sent before all is armed.
 * 3. A level that a tick reached is handled with that tick's price, before anything that came later.
 */
import type { Envelope, Reply } from "../../src/contract/command.ts";
import { accept } from "../../src/domain/refusal.ts";
import { KeyedMutex } from "../../src/runtime/keyed-mutex.ts";
import type { Cancel } from "../../src/runtime/ports.ts";
import { ActorHost, type Reached } from "../actor/host.ts";
import type { AnyCommandHandler, CommandContext } from "../command/context.ts";
import { commandHandlers, openCommandHandlers } from "../command/handlers.ts";
import { CommandRunner } from "../command/runner.ts";
import { reduceByLoss } from "../command/trading/limits.ts";
import { startGroup } from "../command/trading/oco.ts";
import { DEFAULT_RETENTION, EventHistory } from "../event/event-history.ts";
import { EventLog } from "../event/event-log.ts";
import { AccountDirectory } from "../order/accounts.ts";
import { OrderPoll } from "../order/order-poll.ts";
import { BrokerOutbox } from "../order/outbox/outbox.ts";
import { withPresentNames } from "../order/present-names.ts";
import type { PartitionFeed } from "../ports/feed.ts";
import type { AcceptedTick, LostTicks, Walked } from "../ports/price.ts";
import { findAnyGroup } from "../projection/find-group.ts";
import { type HandledTick, Receipts } from "../receipt/receipts.ts";
import { PartitionJournal } from "../store/journal/journal.ts";
import { OrderNames } from "../store/order-names.ts";
import { ReachedBuffer } from "../watch/reached-buffer.ts";
import { TickWalk } from "../watch/tick-walk.ts";
import type { PartitionWatchbook } from "../watch/watchbook.ts";
import { Alarms } from "./alarms.ts";
import { Bands } from "./bands.ts";
import { cancelAtBrokerage } from "./cancel-order.ts";
import { CorporateActions, pricesOfBase } from "./corporate-actions.ts";
import { Deadlines } from "./deadlines.ts";
import { Doubts } from "./doubts.ts";
import { Followers } from "./followers.ts";
import { foresightOf } from "./foresight.ts";
import { Holds } from "./holds.ts";
import { PartitionInbox } from "./inbox.ts";
import { actorKinds, renderStored, symbolsOf } from "./kinds.ts";
import { AccountLimits } from "./limits.ts";
import { Markets } from "./markets.ts";
import { Measures } from "./measures.ts";
import { gatherMetrics } from "./metrics.ts";
import type { PartitionOptions } from "./options.ts";
import { OrderFacts } from "./order-facts.ts";
import { applyOutcome } from "./outcomes.ts";
import { PartitionIndex } from "./partition-index.ts";
import { readBack } from "./recovery.ts";
import { pricesOfNames, Renames } from "./renames.ts";
import { repeat } from "./repeat.ts";
import { SellLimits } from "./sell-limits.ts";
import { TradingStates } from "./trading-states.ts";

const DEADLINE_CHECK_MS = 250;
const POSITION_MS = 30_000;
const ORDER_POLL_MS = 2_000;
const HOT_ACTORS_MAX = 32_768;
const OWNERS_AT_ONCE = 64;
const PRUNE_MS = 60 * 60 * 1000;

/** In a running engine, work that no caller waits for lets triggers pass first, for an unnoticeable time. */
export const UNHURRIED_MS = 10;

type Arrived = Reached & { readonly arrival: HandledTick };

export class Partition {
  readonly watchbook: PartitionWatchbook;
  readonly journal: PartitionJournal;
  readonly orderNames: OrderNames;
  readonly inbox: PartitionInbox;
  readonly host: ActorHost;
  readonly walk: TickWalk;
  readonly outbox: BrokerOutbox;
  readonly events: EventLog;
  readonly history: EventHistory;
  readonly receipts: Receipts;
  readonly accounts: AccountDirectory;
  readonly commands: CommandRunner;
  readonly context: CommandContext;
  readonly #options: PartitionOptions;
  readonly #handlers = new Map(commandHandlers);
  readonly followers: Followers;
  readonly #poll: OrderPoll;
  readonly alarms: Alarms;
  readonly holds: Holds;
  readonly bands: Bands;
  readonly actions: CorporateActions;
  readonly renames: Renames;
  readonly measures: Measures;
  readonly tradingStates: TradingStates;
  readonly limits: AccountLimits;
  readonly #markets: Markets;
  readonly #sellLimits: SellLimits;
  readonly orderFacts: OrderFacts;
  readonly #deadlines: Deadlines;
  readonly #reached = new ReachedBuffer();
  readonly #stops: Cancel[] = [];
  /** The last position of the tick stream up to which everything was handled. */
  #tickPosition: number | null;
  #isStopped = false;
  /** The completed deliveries of missed ticks after which reached levels may still wait. */
  #givenCount = 0;

  private constructor(given: PartitionOptions, memory: PartitionIndex) {
    const pricesNow = pricesOfNames(given.feed.prices, given.symbols, () => this.renames);
    const prices = pricesOfBase(pricesNow, () => this.actions);
    const feed: PartitionFeed = {
      ...given.feed,
      prices,
      // Until the levels that missed ticks reached are decided, too: the clock must not overtake them.
      isCatchingUp: () => this.#givenCount > 0 || given.feed.isCatchingUp(),
    };
    const options = { ...given, feed, prices };
    const named = withPresentNames(given.brokerages, given.symbols);
    this.#options = options;
    const { watchbook } = memory;
    this.watchbook = watchbook;
    const { store, clock, ownClock = clock, steadyClock, timers, log, brokerages, head } = options;
    const { partition, installation } = head;
    this.inbox = PartitionInbox.timed(timers, steadyClock);
    this.#tickPosition = head.tickPosition;
    this.journal = new PartitionJournal({ ...options, clock: ownClock, tickPosition: () => this.#appliedPosition() });
    this.orderNames = new OrderNames(head);
    const shared = { journal: this.journal, inbox: this.inbox, watchbook, clock, steadyClock, timers, log };
    const sender = { partition, epoch: options.epoch ?? 0 };
    const place = { partition, installation, render: renderStored(this.orderNames.of) };
    const { unhurriedMs: pauseMs = 0, eventRetention: retention = DEFAULT_RETENTION } = options;
    this.events = new EventLog({ ...options, ...shared, ...place, sequence: head.sequence, pauseMs });
    this.history = new EventHistory({ ...shared, ...place, store, written: this.events, retention });
    this.receipts = new Receipts({
      ...shared,
      onTold: (rowId, brokerageCode, step) => this.orderFacts.ofRow(rowId, brokerageCode, step),
    });
    this.bands = new Bands({ ...options, ...shared });
    this.measures = new Measures({
      ...shared,
      tellChanged: (symbol, effects) => this.alarms.measuresChanged(symbol, effects),
      onChanged: (symbol) => this.outbox.wakeHeld(symbol),
    });
    this.#markets = new Markets({
      ...{ ...options, bands: this.bands, measures: this.measures, events: this.events },
      findGroup: (id) => this.host.find("group", id)?.context,
    });
    const outcomes = { ...options, parts: this };
    this.outbox = new BrokerOutbox({
      ...{ ...shared, ...this.#markets.ofOutbox, clock: ownClock },
      brokerages,
      sender,
      random: options.random,
      onOutcome: (order, outcome) => applyOutcome(outcomes, order, outcome),
      onSent: (clientOrderId) => this.receipts.sent(clientOrderId),
      onPostponed: (order, reason) => this.alarms.orderPostponed(order, reason),
      onHeld: (order, reason) => this.alarms.orderHeld(order, reason),
      onQuarantine: (order, reason) => this.alarms.orderQuarantined(order, reason),
    });
    this.tradingStates = new TradingStates({
      ...shared,
      onChanged: (row) => {
        this.alarms.tradingStateChanged(row);
        this.host.checkStopped();
      },
    });
    this.limits = new AccountLimits({
      ...{ ...options, ...shared, events: this.events },
      onLossReached: (place, reason) => reduceByLoss(this.context, place, reason),
    });
    this.actions = new CorporateActions({
      ...{ ...options, ...shared, prices: pricesNow, partition, parts: this },
      isRenaming: (symbol) => this.renames.isFollowing(symbol),
      give: (tick) => this.#handle(tick, null),
    });
    this.renames = new Renames({
      ...{ ...options, ...shared, prices: given.feed.prices, parts: this, symbolsOf },
      renameRows: (renaming) => {
        const { holds, bands, measures, actions, limits, outbox } = this;
        for (const part of [holds, bands, measures, actions, limits, outbox]) part.renameInTurn(renaming);
      },
      give: (tick) => this.#handle(tick, null),
    });
    this.holds = new Holds({
      ...{ ...options, ...shared, partition, actions: this.actions, renames: this.renames },
      bandOf: (symbol) => this.bands.bandOf(symbol),
      isArmed: (symbol) => watchbook.prices.isArmed(symbol) || watchbook.everyTick.isArmed(symbol),
      giveToAll: (tick) => this.#giveToAll(tick),
      giveTo: (groupId, tick) => this.#giveTo(groupId, tick),
      tellHeld: (hold) => this.alarms.symbolHeld(hold),
      tellReleased: (symbol) => this.alarms.symbolReleased(symbol),
    });
    this.walk = new TickWalk({
      ...{ ...options, inbox: this.inbox, watchbook },
      give: (owner, watches, walked) => this.journal.ahead(() => this.#giveTicks(owner, watches, walked)),
      isReadBack: () => this.journal.head.tickPosition !== null && feed.position() !== null,
    });
    this.#sellLimits = new SellLimits({ ...options, brokerages: named });
    this.host = new ActorHost({
      ...{ ...shared, ...this.#markets.ofActors, ...this.#sellLimits.ofActors },
      walk: this.walk,
      kinds: actorKinds,
      orderName: this.orderNames.of,
      outbox: this.receipts.noting(this.#sellLimits.noting(this.outbox)),
      events: { emit: (userId, type, data, source) => this.alarms.passOn(userId, type, data, source) },
      tradingStateOf: (owner) => this.tradingStates.of(owner),
      limitRefusalOf: (owner, { symbol, quantity }) => this.limits.refuseInTurn(owner, { symbol, quantity, price: 0 }),
      isHeld: (symbol, id) => this.actions.isApplying(symbol) || this.holds.isHeld(symbol, id),
      feed,
      hotActorsMax: HOT_ACTORS_MAX,
      claimFilter: memory.claims,
      openGroup: (actors, plan, { userId, brokerageCode, accountNumber, symbol }) => {
        const owner = { userId, brokerageCode, accountNumber, symbol };
        const started = startGroup({ ...options, ...shared }, actors, plan, owner);
        if (!started.ok) return started;
        for (const part of [this.actions, this.renames]) part.noteMade(symbol, started.value.group.groupId);
        return accept(started.value.group.groupId);
      },
      onTold: (id, kind, profile, told) => this.orderFacts.ofActor(id, kind, profile, told),
      onCancelOrder: (order) => this.journal.afterDurable(() => void cancelAtBrokerage(this, order)),
      onQuarantined: (actorId, reason) => this.alarms.actorQuarantined(actorId, reason),
    });
    this.alarms = new Alarms({
      ...{ ...options, ...shared, store, events: this.events, readStored: this.host.readStored },
      findGroup: (groupId) => this.host.find("group", groupId)?.context,
    });
    this.orderFacts = new OrderFacts({
      ...{ ...shared, events: this.events, receipts: this.receipts, actors: this.host },
      findGroup: (rowId) => findAnyGroup({ actors: this.host, store, partitions: head.partitions }, rowId)?.group,
      askNow: (order, look) => this.#poll.askNow(order, look),
      counters: [this.#sellLimits, this.limits],
    });
    this.#deadlines = new Deadlines({
      ...{ ...shared, feed },
      queue: this.watchbook.deadlines,
      wake: (owner, timeMs) => void this.host.wake(owner, { type: "deadline", timeMs }),
    });
    this.accounts = new AccountDirectory(brokerages, clock);
    this.followers = new Followers({
      ...{ ...options, ...shared, host: this.host, hearers: [this.receipts, this.orderFacts] },
      askNow: (order) => this.#poll.askNow(order),
    });
    this.#poll = new OrderPoll({
      ...options,
      asking: (brokerageCode, withEnded) => this.watchbook.asking(brokerageCode, withEnded),
      onAnswer: (order, look, answer) => this.followers.onAnswer(order, look, answer),
    });
    const doubts = new Doubts({ ...shared, host: this.host, events: this.events, followers: this.followers });
    this.context = {
      ...{ ...options, ...shared, ...sender, brokerages: named },
      partitions: head.partitions,
      installation,
      orderName: this.orderNames.of,
      actors: this.host,
      outbox: this.#sellLimits.noting(this.outbox),
      events: this.events,
      history: this.history,
      accounts: this.accounts,
      holdings: this.#sellLimits.holdings,
      judging: new KeyedMutex(),
      followed: this.#poll,
      ...{ holds: this.holds, bands: this.bands, corporateActions: this.actions, renames: this.renames },
      measures: this.measures,
      tradingStates: this.tradingStates,
      limits: this.limits,
      foresight: foresightOf({ host: this.host, markets: this.#markets, clock }),
      operator: {
        orders: this.outbox,
        doubts,
        actors: this.host,
        stats: () => gatherMetrics(this, given, this.#appliedPosition()),
      },
    };
    this.commands = new CommandRunner(this.context, this.#handlers, this.inbox);
  }

  /** Reads the store back, or uses the given index of it. Throws `StoreRefused` if the store is not whole. */
  static async recover(options: PartitionOptions): Promise<Partition> {
    const memory = options.memory ?? (await PartitionIndex.read(options));
    const partition = new Partition(options, memory);
    await readBack(partition, options, memory);
    return partition;
  }

  /** Starts acting: orders leave, events are published, deadlines pass. Called once missed ticks were delivered. */
  start(): void {
    this.walk.start();
    this.outbox.start();
    this.events.start();
    this.history.start();
    this.#stops.push(this.alarms.start(this.host.quarantine.ids()));
    this.holds.start();
    this.measures.start();
    for (const brokerage of this.#options.brokerages.all()) {
      this.#stops.push(brokerage.onUpdate((record) => this.followers.onUpdate(brokerage.settings.code, record)));
    }
    this.#stops.push(this.#sellLimits.start(this), () => this.followers.stop());
    this.#deadlines.start();
    this.#every(DEADLINE_CHECK_MS, () => {
      if (this.#deadlines.passByClock()) for (const part of [this.renames, this.actions]) part.passByClock();
    });
    this.#poll.poll();
    this.#every(POSITION_MS, () => this.#keepPosition());
    this.#every(ORDER_POLL_MS, () => this.#poll.poll());
    this.#every(PRUNE_MS, () => this.#prune());
  }

  /**
   * Handles one accepted tick. Synchronous; two comparisons if it reaches nothing. An exception here is fatal: levels
   * that were taken out of the index would not fire any more, and only a restart arms them again.
   */
  onTick(tick: AcceptedTick, ownTimeMs: number | null = null): void {
    try {
      this.#handle(tick, ownTimeMs);
    } catch (cause) {
      this.#options.fatal("a tick could not be handled", cause);
    }
  }

  /** Reports ticks that are lost to this partition. */
  onTicksLost(lost: LostTicks): void {
    void this.alarms.ticksLost(lost);
  }

  /** Writes the feed's state, which has changed. */
  keepFeedMemory(): void {
    // After a change of the stream a restart cannot read back the ticks of the one before.
    this.walk.giveAll();
    this.journal.writeHead();
  }

  /** Whether a level of the symbol was armed since the start. */
  hasArmed(symbol: string): boolean {
    return this.watchbook.prices.find(symbol) !== undefined || this.watchbook.countsEveryTick(symbol);
  }

  /** Whether an actor has counted every tick of the symbol since the start. */
  countsEveryTick(symbol: string): boolean {
    return this.watchbook.countsEveryTick(symbol);
  }

  /** Called once every missed tick was delivered. The levels they reached may wait in the inbox behind earlier work. */
  onCaughtUp(): void {
    this.#givenCount += 1;
    this.inbox.enqueue(() => {
      this.#givenCount -= 1;
      this.host.checkWaiting();
      this.holds.checkLastPrices();
      this.followers.tellWaiting();
    });
  }

  #handle(tick: AcceptedTick, ownTimeMs: number | null): void {
    this.#deadlines.passBefore(tick.timeMs);
    if (!this.#isOrdinary(tick)) {
      if (!this.renames.admits(tick) || !this.actions.admits(tick)) return;
      if (!this.holds.admits(tick)) {
        this.walk.pass(tick.symbol);
        return;
      }
    }
    const { price } = tick;
    const isSilent = this.watchbook.collect(tick.symbol, price.floor, price.ceil, this.#reached) === 0;
    if (!isSilent) this.#reach(tick, ownTimeMs);
    this.walk.onTick(tick, ownTimeMs);
  }

  /** Whether no hold, corporate action, rename or start of a session can concern a tick: nearly always so. */
  #isOrdinary({ close, timeMs }: AcceptedTick): boolean {
    return close === undefined && this.holds.isEmpty && this.renames.isQuiet && this.actions.isQuietUntil(timeMs);
  }

  #reach({ price, timeMs, isCaughtUp, stored }: AcceptedTick, ownTimeMs: number | null): void {
    const arrival = this.receipts.arrival(ownTimeMs, isCaughtUp);
    const reached = { price: price.value, timeMs, isCaughtUp, stored, arrival };
    this.#deliverReached(this.#takeReached(), reached);
  }

  #takeReached(): ReadonlyMap<number, readonly number[]> {
    const owners = this.#reached.byOwner();
    this.#reached.clear();
    return owners;
  }

  /** Gives a tick to all, in this turn: no tick would bring this price again if the process died in between. */
  #giveToAll(tick: AcceptedTick): void {
    const { symbol, price, timeMs, isCaughtUp } = tick;
    this.watchbook.collect(symbol, price.floor, price.ceil, this.#reached);
    const arrival = this.receipts.arrival(null, isCaughtUp);
    for (const [owner, watches] of this.#takeReached()) {
      this.receipts.during(arrival, () =>
        this.host.deliverReached(owner, watches, { price: price.value, timeMs, isCaughtUp }),
      );
    }
    this.walk.onTick(tick);
  }

  #giveTo(groupId: number, tick: AcceptedTick): void {
    this.receipts.during(this.receipts.arrival(null, tick.isCaughtUp), () => this.host.deliverIfReached(groupId, tick));
  }

  /** Delivers ticks. Which of several ticks fires is not known here: then no receipt names its arrival. */
  #giveTicks(owner: number, watches: readonly number[], walked: Walked): void {
    const deliver = (): void => this.host.deliverTicks(owner, watches, walked);
    const [only, other] = walked.news;
    if (only === undefined || other !== undefined) deliver();
    else this.receipts.during(this.receipts.arrival(only.ownTimeMs ?? null, only.isCaughtUp), deliver);
  }

  /** Adds commands that only this partition handles, in addition to the common ones. */
  addCommands(handlers: ReadonlyMap<string, AnyCommandHandler>): void {
    for (const [type, handler] of handlers) this.#handlers.set(type, handler);
  }

  /** Handles one command of a client, or of a caller that has a secret in place of a login. */
  handleCommand(envelope: Envelope): Promise<Reply> {
    const open = openCommandHandlers.get(envelope.type);
    if (open !== undefined) return open(this.context, envelope.body, (work) => this.decide(work));
    return this.commands.handle(envelope);
  }

  /** Runs `work` in a turn of its own, in arrival order; resolves with its result once all of it is durable. */
  decide<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const isTaken = this.inbox.enqueue(() => {
        const given = work();
        this.journal.afterDurable(() => resolve(given));
      });
      if (!isTaken) reject(new Error("the partition is stopping"));
    });
  }

  #prune(): void {
    this.commands.prune().catch((err: unknown) => {
      if (!this.#isStopped) this.#options.fatal("first answers could not be read", err);
    });
  }

  /** Stops in order: accepted work becomes durable, durable work remains. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#keepPosition();
    for (const stop of this.#stops) stop();
    await this.outbox.drain();
    this.walk.end();
    this.history.stop();
    this.events.stop();
    while (this.inbox.length > 0 || !this.walk.isIdle || this.journal.isDirty) {
      await new Promise<void>((resolve) => void this.inbox.enqueue(resolve));
      await this.journal.settled();
    }
    this.inbox.close();
    this.commands.stop();
  }

  /** Stops immediately, as after a crash: nothing is sent or published any more, and no outcome is answered. */
  drop(): void {
    this.#isStopped = true;
    for (const stop of this.#stops) stop();
    for (const part of [this.walk, this.outbox, this.history, this.events, this.commands]) part.stop();
    this.inbox.close();
  }

  /** While triggers wait in the inbox, or raises for their round, ticks that the feed has passed on are not applied yet. */
  #appliedPosition(): number | null {
    if (this.inbox.isIdle && this.actions.isIdle && this.renames.isIdle)
      this.#tickPosition = this.walk.givenUpTo() ?? this.#tickPosition;
    return this.#tickPosition;
  }

  /** A quiet partition writes nothing else: without this a restart would find an outdated position. */
  #keepPosition(): void {
    if (this.#appliedPosition() !== this.journal.head.tickPosition) this.journal.writeHead();
  }

  /** Handles a tick that reaches few actors immediately; a tick that reaches thousands must not block the loop. */
  #deliverReached(owners: ReadonlyMap<number, readonly number[]>, reached: Arrived): void {
    const isShort = owners.size <= OWNERS_AT_ONCE;
    for (const [owner, watches] of owners) {
      if (isShort && this.inbox.isIdle) this.#deliverAhead(owner, watches, reached);
      else this.inbox.enqueue(() => this.#deliverAhead(owner, watches, reached));
    }
  }

  #deliverAhead(owner: number, watches: readonly number[], reached: Arrived): void {
    const { arrival } = reached;
    this.journal.ahead(() => this.receipts.during(arrival, () => this.host.deliverReached(owner, watches, reached)));
  }

  #every(intervalMs: number, task: () => unknown): void {
    this.#stops.push(repeat(this.#options.timers, intervalMs, task));
  }
}
