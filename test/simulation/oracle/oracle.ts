/**
 * The oracle: a naive scan over plain rows that returns which rows every tick must have sold, and which it may have.
 *
 * Owns: what clients asked for and were answered, and what each row was touched by. Shares no rule with the engine's
 * code. Does not own: the final judgement (`checks.ts`).
 *
 * A tick that is caught up counts for a row that was made before its millisecond; within that millisecond their order
 * cannot be known.
 *
 * A row must be sold by a tick when at that moment it was certainly under watch: its creation was acknowledged or found
 * on the disk, no cancel was on its way, its due date had not passed, and its stop-loss had not fired. It may be sold
 * if one of these is open, e.g. while a create or a cancel is under way. In every other case it must never be sold.
 */

import type { Report } from "../world/report.ts";
import { LAST_PRICE_AGE_MS, LAST_PRICE_AHEAD_MS, type StreamTick } from "../world/tick-stream.ts";
import { HeldSpans } from "./held-spans.ts";
import type { ChangeModel, GroupModel, GroupOwner, RowModel, Touch } from "./model.ts";
import { ACTIVE, CANCELLED, FAILED, type PlainDisk, type PlainRow } from "./plain-rows.ts";
import {
  changedLevels,
  hasEarlierTick,
  isArmed,
  isAsAsked,
  isWithin,
  mayBeSoldOut,
  mayReach,
  noteHigh,
  raise,
  reaches,
  reachOf,
  touchBy,
} from "./reach.ts";

/** The state that a start of the engine finds. */
interface Recovery {
  readonly position: number;
  /** The ticks that will be given again. */
  readonly again: ReadonlyMap<number, StreamTick>;
  /** The outbox, as text. */
  readonly inFlight: string;
  readonly nowMs: number;
}

interface OracleOptions {
  readonly disk: PlainDisk;
  readonly report: Report;
  /** Whether the brokerage has refused a sell of this row so far, for any reason. */
  readonly wasRefused: (owner: GroupOwner, rowId: number) => boolean;
}

export class Oracle {
  readonly groups: GroupModel[] = [];
  /** Symbols of which no level fires. */
  readonly held = new HeldSpans();
  readonly #options: OracleOptions;
  /** The latest moment that this life of the engine can have seen. */
  #timeSeenMs = Number.NEGATIVE_INFINITY;
  #lastSequence = 0;
  /** How often the clock was set. */
  stepCount = 0;

  constructor(options: OracleOptions) {
    this.#options = options;
  }

  stepClock(): void {
    this.stepCount += 1;
    this.held.stepClock(this.#lastSequence);
  }

  /** The engine may have looked at its clock. */
  see(timeMs: number): void {
    if (timeMs > this.#timeSeenMs) this.#timeSeenMs = timeMs;
  }

  ask(group: GroupModel, sequence: number, last: StreamTick | undefined): void {
    // Asked again under its key: it was found on the disk.
    if (group.fate === "exists") return;
    group.fate = "asked";
    group.asked = { sequence, steps: this.stepCount, last };
    group.meanwhile.length = 0;
    if (last === undefined) return;
    noteHigh(group, last.milli);
    this.#mayFire(group, last);
  }

  #mayFire(group: GroupModel, last: StreamTick): void {
    for (const index of group.rows.keys()) {
      if (mayReach(group, index, last.milli)) this.#mayTouch(group, index, touchBy(last));
    }
  }

  /** The create was acknowledged with this row. */
  acknowledge(group: GroupModel, answer: PlainRow): void {
    const { disk, report } = this.#options;
    const key = disk.groupsByNotes().get(`n${group.number}`);
    if (key === undefined) {
      report.violate(`group n${group.number} was acknowledged as ${answer.id} before it was durable`);
      return;
    }
    if (answer.id !== disk.rows(key)[0]?.id) report.violate(`group n${group.number} was acknowledged as another`);
    if (group.fate === "exists") return;
    this.#admit(group, key);
    this.#judgeMeanwhile(group);
  }

  /** A change of the group's levels is on its way. */
  askChange(group: GroupModel, change: Pick<ChangeModel, "levels" | "removed" | "askedMs">): void {
    const orderCount = this.#orderCountOf(group);
    group.change = { ...change, orderCount, askedSequence: this.#lastSequence, steps: this.stepCount };
  }

  /** Whether the brokerage refused the sell of the group's stop-loss. */
  wasStopLossRefused(group: GroupModel): boolean {
    const { disk, wasRefused } = this.#options;
    return wasRefused(group.owner, disk.rows(group.viewKey ?? "")[0]?.id ?? 0);
  }

  #orderCountOf({ viewKey }: GroupModel): number {
    const { disk } = this.#options;
    return disk.orderCount(disk.rows(viewKey ?? "")[0]?.id ?? 0);
  }

  /** The change was answered: it is durable, or nothing changed. */
  answerChange(group: GroupModel, isDone: boolean): void {
    const { change } = group;
    group.change = undefined;
    if (change === undefined || !isDone) return;
    const views = this.#options.disk.rows(group.viewKey ?? "");
    for (const [index, levelMilli] of change.levels) {
      const view = views[index];
      if (view === undefined || Math.round(view.price * 1000) !== levelMilli) {
        this.#options.report.violate(`the change of n${group.number} was acknowledged and is not on the disk`);
      }
    }
    if (change.removed !== undefined && views[change.removed]?.status === ACTIVE) {
      this.#options.report.violate(`the change of n${group.number} was acknowledged and its row is Active on the disk`);
    }
    this.#applyChange(group, change);
  }

  /** Nothing that a change touches was on its way when it was made. */
  #applyChange(group: GroupModel, { levels, removed, askedSequence, steps }: ChangeModel, isSure = true): void {
    const { report, disk } = this.#options;
    // A take-profit that was sold before the change needs no mention in it, and is not taken out.
    const isOut = removed !== undefined && disk.rows(group.viewKey ?? "")[removed]?.status === CANCELLED;
    for (const index of [...levels.keys(), ...(isOut ? [removed] : [])]) {
      const row = group.rows[index];
      if (row === undefined) continue;
      // A stop-loss that was refused in between is armed again by a new level (behaviour 15.7).
      const isRearmed = index === 0 && this.wasStopLossRefused(group);
      if (row.must !== undefined && row.must.sequence <= askedSequence) {
        if (isRearmed) row.must = undefined;
        else report.violate(`n${group.number} was changed and row ${index} had been reached`);
      }
      row.isRearmed ||= isRearmed;
      row.levelMilli = levels.get(index) ?? row.levelMilli;
      row.isRemoved = index === removed;
      row.armed = { askedSequence, knownSequence: this.#lastSequence, steps };
      const isStill = (touch: Touch): boolean => touch.sequence > askedSequence && reaches(row, index, touch.milli);
      if (isSure) row.may = row.may.filter(isStill);
    }
    // While the stop-loss is sold nothing can be changed.
    const stopLoss = group.rows[0];
    group.stopLossFired = stopLoss?.must !== undefined;
    group.stopLossMayHaveFired =
      group.stopLossFired || (stopLoss?.may ?? []).some((touch) => touch.sequence > askedSequence);
  }

  /** The last price may reach a level immediately. */
  mayReachAtOnce(group: GroupModel, last: StreamTick | undefined): void {
    if (last === undefined || group.change === undefined) return;
    for (const [index, levelMilli] of group.change.levels) {
      const row = group.rows[index];
      if (row !== undefined && reaches({ ...row, levelMilli }, index, last.milli)) {
        // Every tick in between counts as after the request.
        this.#mayTouch(group, index, { ...touchBy(last), sequence: Math.max(last.sequence, this.#lastSequence + 1) });
      }
    }
  }

  /** An operator asks to hold a symbol. */
  askHold(symbol: string): void {
    this.held.ask(symbol, this.#lastSequence);
  }

  knowHold(symbol: string): void {
    this.held.know(symbol, this.#lastSequence);
  }

  /** Levels that the last price reaches may fire at the release. */
  askRelease(symbol: string, last: StreamTick | undefined): void {
    this.held.askRelease(symbol, this.#lastSequence);
    if (last === undefined) return;
    const touch = { ...touchBy(last), sequence: Math.max(last.sequence, this.#lastSequence + 1) };
    for (const group of this.groups) {
      if (group.owner.symbol !== symbol || group.fate === "none") continue;
      for (const [index, row] of group.rows.entries()) {
        const changed = group.change?.levels.get(index) ?? row.levelMilli;
        const isReached = mayReach(group, index, last.milli) || reaches({ levelMilli: changed }, index, last.milli);
        if (isReached && !row.isRemoved) this.#mayTouch(group, index, touch);
      }
    }
  }

  knowRelease(symbol: string): void {
    this.held.knowRelease(symbol, this.#lastSequence);
  }

  /** After a crash the disk decides which symbols are held. */
  #recoverHolds(): void {
    for (const symbol of this.held.symbols()) {
      const text = this.#options.disk.text(`h/${symbol}`);
      const isHeld = text !== "" && (JSON.parse(text) as { released: object | null }).released === null;
      if (!this.held.isOpen(symbol)) {
        if (isHeld) this.#options.report.violate(`${symbol} was released and is held after a restart`);
      } else if (isHeld) this.held.recover(symbol, this.#lastSequence);
      else this.held.knowRelease(symbol, this.#lastSequence);
    }
  }

  /** The groups of setups are acknowledged to no client: they are found on the disk. */
  discover(): void {
    const awaited = this.groups.filter(({ fate, isOfSetup }) => fate === "asked" && isOfSetup);
    if (awaited.length === 0) return;
    const keys = this.#options.disk.groupsByNotes();
    for (const group of awaited) {
      const key = this.#keyOf(group, keys);
      if (key === undefined) continue;
      this.#admit(group, key);
      this.#judgeMeanwhile(group);
    }
  }

  /** The key of the group's view: if several groups may follow from one entry, the key of the group that was made. */
  #keyOf(group: GroupModel, keys: ReadonlyMap<string, string>): string | undefined {
    const key = keys.get(`n${group.number}`);
    if (key === undefined || group.isOneOfSeveral !== true || group.fate === "exists") return key;
    return isAsAsked(group, this.#options.disk.rows(key)) ? key : undefined;
  }

  /** The create was refused for good. */
  dismiss(group: GroupModel): void {
    if (group.fate === "exists") this.#options.report.violate(`group n${group.number} exists and was refused`);
    group.fate = "none";
  }

  /** A tick as the engine gets it. `timeMs` is the moment at which it counts. */
  tick(tick: StreamTick, timeMs: number, isCaughtUp: boolean): void {
    for (const group of this.groups) {
      if (group.owner.symbol === tick.symbol && group.fate !== "none") this.#touch(group, tick, timeMs, isCaughtUp);
    }
    this.#lastSequence = Math.max(this.#lastSequence, tick.sequence);
    this.see(timeMs);
  }

  /** The engine starts again from the disk; `replayed` are the ticks that it will be given, after `position`. */
  recover(position: number, replayed: readonly StreamTick[], nowMs: number): void {
    const { disk, report } = this.#options;
    this.#lastSequence = Math.max(this.#lastSequence, replayed.at(-1)?.sequence ?? 0);
    const again = new Map(replayed.map((tick) => [tick.sequence, tick]));
    this.#lastAgain.clear();
    for (const { symbol, sequence } of replayed) this.#lastAgain.set(symbol, sequence);
    const inFlight = disk
      .keys("o/")
      .map((key) => disk.text(key))
      .join("\n");
    const keys = disk.groupsByNotes();
    this.#timeSeenMs = Number.NEGATIVE_INFINITY;
    this.#recoverHolds();
    for (const group of this.groups) {
      const key = this.#keyOf(group, keys);
      if (key === undefined) {
        if (group.fate === "exists") report.violate(`group n${group.number} was acknowledged and is lost`);
        if (group.isOfSetup && group.fate === "asked") this.#awaitAnew(group);
        else group.fate = "none";
        continue;
      }
      if (group.fate === "none") report.violate(`group n${group.number} was refused and exists`);
      if (group.fate !== "exists") this.#admit(group, key);
      this.#recoverGroup(group, { position, again, inFlight, nowMs });
    }
  }

  /** The setup may convert in this life: nothing that came before touches the group. */
  #awaitAnew(group: GroupModel): void {
    for (const row of group.rows) row.may.length = 0;
    group.stopLossMayHaveFired = false;
    this.ask(group, this.#lastSequence, undefined);
  }

  #recoverGroup(group: GroupModel, { position, again, inFlight, nowMs }: Recovery): void {
    const { disk, report } = this.#options;
    const views = disk.rows(group.viewKey ?? "");
    this.#recoverChange(group, views);
    group.mayBeCancelled = group.isCancelled;
    for (const [index, row] of group.rows.entries()) {
      const view = views[index];
      if (group.isCancelled && view?.status === ACTIVE && row.may.length + row.shadow.length === 0) {
        report.violate(`row ${view.id} is Active after its cancel was acknowledged`);
      }
      if (view?.status !== ACTIVE || row.must === undefined || row.must.isAtCreation) continue;
      // The price that raised a stop-loss so far may be out of reach.
      if (index === 0 && row.must.sequence > position && row.must.milli > row.levelMilli) row.must = undefined;
      if (row.must === undefined) continue;
      // Not durable, and not to be given again: too old, or from before the row by a clock that was set back.
      const { sequence } = row.must;
      // If the clock was set since, ticks from before the row may come to count, and one may fire it first.
      const isTimely = group.asked.steps === this.stepCount && !hasEarlierTick(group, again.values(), nowMs);
      const isReplayed = isTimely && again.has(sequence) && this.#wasAfterArming(group, index, nowMs);
      if (sequence > position && !isReplayed) {
        row.must = undefined;
        report.count("oracle: a tick was out of reach of the catch-up");
      }
    }
    const stopLoss = views[0];
    if (stopLoss?.status === ACTIVE && !inFlight.includes(`"r${stopLoss.id}`)) {
      group.stopLossFired = false;
      group.stopLossMayHaveFired = false;
    }
  }

  /** A change without an answer is whole on the disk, or nothing of it is. */
  #recoverChange(group: GroupModel, views: readonly PlainRow[]): void {
    const { change } = group;
    group.change = undefined;
    for (const [index, row] of group.rows.entries()) {
      const view = views[index];
      const milli = Math.round((view?.price ?? 0) * 1000);
      if (group.trail !== undefined && index === 0) {
        if (!isWithin(group.trail, row, milli)) {
          this.#options.report.violate(`the stop-loss of n${group.number} trails to ${view?.price}`);
        }
        group.trail.surelyMilli = milli;
        continue;
      }
      if (change?.levels.has(index) !== true && milli !== row.levelMilli) {
        this.#options.report.violate(`row ${view?.id} of n${group.number} is at ${view?.price} after a restart`);
      }
    }
    if (change === undefined) return;
    const isChanged = changedLevels(group, change, views);
    const left = change.removed === undefined ? undefined : group.rows[change.removed];
    // If nothing else was changed, the disk does not show whether it was left out or cancelled.
    if (left !== undefined && views[change.removed ?? 0]?.status === CANCELLED) left.isRemoved = true;
    // A change that moved nothing has no effect, except on a stop-loss that was refused, which has another order then.
    const [isDone = this.#orderCountOf(group) > change.orderCount] = isChanged;
    if (isChanged.some((one) => one !== isDone)) {
      this.#options.report.violate(`the change of n${group.number} is on the disk in part`);
    }
    if (isDone) this.#applyChange(group, change, isChanged.length > 0);
  }

  #seenCount = 0;
  readonly #tickTimes = new Map<number, number>();
  /** By symbol, the last tick that is given again in this life. */
  readonly #lastAgain = new Map<string, number>();

  /** Whether the tick that had to fire a row counts, caught up, for the row as it is on the disk now. */
  #wasAfterArming(group: GroupModel, index: number, nowMs: number): boolean {
    const views = this.#options.disk.rows(group.viewKey ?? "");
    const row = group.rows[index];
    const updatedMs = ({ updatedDate }: PlainRow): number => Date.parse(updatedDate ?? "") || 0;
    const refusedMs = views[0]?.status === FAILED ? updatedMs(views[0]) : 0;
    const view = row?.armed === undefined ? undefined : views[index];
    const armedMs = view === undefined ? group.createdAtMs : Math.max(group.createdAtMs, updatedMs(view));
    // A clock that was set back puts the row into the future, and the tick to now.
    return Math.min(this.#tickTimes.get(row?.must?.sequence ?? 0) ?? 0, nowMs) > Math.max(armedMs, refusedMs);
  }

  #admit(group: GroupModel, key: string): void {
    const { disk, report } = this.#options;
    const views = disk.rows(key);
    group.fate = "exists";
    group.knownSequence = this.#lastSequence;
    group.viewKey = key;
    group.createdAtMs = Date.parse(views[0]?.createdDate ?? "");
    if (!isAsAsked(group, views)) report.violate(`group n${group.number} is not as it was asked for`);
  }

  /** Judges the ticks of the time before it was known to exist: the last price at its creation, and the ticks after. */
  #judgeMeanwhile(group: GroupModel): void {
    const { asked, meanwhile, createdAtMs } = group;
    const isAmbiguous = asked.steps !== this.stepCount || meanwhile.some(({ timeMs }) => timeMs === createdAtMs);
    // A stop-loss that trails may have fired before anything else was reached.
    if (group.trail !== undefined) return;
    if (isAmbiguous || this.#mayBeOver(group) || !this.held.isFreeSince(group.owner.symbol, asked.sequence)) return;
    const before = meanwhile.filter(({ timeMs }) => timeMs < createdAtMs).at(-1)?.tick ?? asked.last;
    const ageMs = before === undefined ? Number.NaN : createdAtMs - before.atMs;
    const isFresh = before !== undefined && ageMs <= LAST_PRICE_AGE_MS && ageMs >= -LAST_PRICE_AHEAD_MS;
    const touches = meanwhile.filter(({ timeMs }) => timeMs > createdAtMs).map(({ tick }) => touchBy(tick));
    if (isFresh) touches.unshift({ ...touchBy(before), isAtCreation: true });
    for (const touch of touches) {
      for (const [index, row] of group.rows.entries()) {
        if (!reaches(row, index, touch.milli) || row.must !== undefined || group.stopLossFired) continue;
        // From here on it is not known which rows were still under watch.
        if (index === 0 && mayBeSoldOut(group, touch.sequence)) return;
        row.must = touch;
        if (index === 0) group.stopLossFired = true;
      }
    }
  }

  #touch(group: GroupModel, tick: StreamTick, timeMs: number, isCaughtUp: boolean): void {
    noteHigh(group, tick.milli);
    if (group.isCancelled || (group.dueMs !== null && timeMs >= group.dueMs)) return;
    const hold = this.held.stateOf(tick.symbol, tick.sequence, isCaughtUp);
    // It may be the last price when a group is made after the release.
    if (hold === "held" && group.fate === "asked") this.#mayFire(group, tick);
    if (hold === "held") return;
    if (isCaughtUp && timeMs <= group.createdAtMs) {
      this.#mayBeLastPrice(group, tick, timeMs);
      return;
    }
    if (group.trail !== undefined && isCaughtUp) group.trail.isDisordered ||= tick.sequence <= group.asked.sequence;
    if (group.fate === "asked") group.meanwhile.push({ tick, timeMs });
    this.#tickTimes.set(tick.sequence, tick.atMs);
    const isAfter = !isCaughtUp || this.#cameAfter(group, tick);
    const isCertain = group.fate === "exists" && isAfter && hold === "free" && !this.#mayBeOver(group);
    const views = group.viewKey === undefined ? [] : this.#options.disk.rows(group.viewKey);
    this.#seenCount += 1;
    const touch = touchBy(tick, this.#seenCount);
    for (const [index, row] of group.rows.entries()) {
      if (row.isRemoved || this.#isFromBefore(row, tick, isCaughtUp)) continue;
      const reach = reachOf(group, index, tick, { timeMs, isCaughtUp, steps: this.stepCount });
      if (!reach.mayReach && !reach.mayReachNext) continue;
      const isSure = isCertain && reach.isSure && isArmed(row, tick);
      const status = views[index]?.status ?? ACTIVE;
      // It may be back under watch, and not be durable yet, if nothing of the stop-loss is sold in the end.
      if (status === CANCELLED && index > 0) row.shadow.push(touch);
      // A change that is not durable may have armed it again.
      const isMoved = group.change?.levels.has(index) === true;
      if (status === FAILED && index === 0 && isMoved && reach.mayReachNext) this.#mayTouch(group, 0, touch);
      if (status !== ACTIVE) continue;
      if (index === 0) this.#touchStopLoss(group, touch, isSure);
      else this.#touchTakeProfit(group, index, touch, isSure, isCaughtUp ? timeMs : Number.POSITIVE_INFINITY);
    }
    const isOpen = (views[0]?.status ?? ACTIVE) === ACTIVE;
    const isRaised = isCertain && !isCaughtUp && isOpen && raise(group, tick.milli);
    if (isRaised) this.#options.report.count("oracle: a stop-loss was raised");
  }

  /** A tick that is read back from before a change does not count for the levels that it armed. */
  #isFromBefore({ armed }: RowModel, { sequence }: StreamTick, isCaughtUp: boolean): boolean {
    return isCaughtUp && armed !== undefined && armed.steps === this.stepCount && sequence <= armed.askedSequence;
  }

  /**
   * A tick of the group's own millisecond, or a tick that a clock set back puts before the group, does not count as it
   * comes. If it is the last price once all was read back, it fires the levels that it reaches. A stop-loss that trails
   * is compared with it at any time: a tick that was given again, as the clock was set back, may have raised it
   * (behaviour 3.3).
   */
  #mayBeLastPrice(group: GroupModel, tick: StreamTick, timeMs: number): void {
    const isBefore = timeMs < group.createdAtMs && group.asked.steps === this.stepCount;
    if ((isBefore && group.trail === undefined) || this.#lastAgain.get(tick.symbol) !== tick.sequence) return;
    this.#mayFire(group, tick);
  }

  /** Whether a tick certainly came after the group was made. If the clock was set since, times prove nothing. */
  #cameAfter({ asked, knownSequence, createdAtMs }: GroupModel, { sequence, atMs }: StreamTick): boolean {
    return asked.steps === this.stepCount ? sequence > asked.sequence && atMs > createdAtMs : sequence > knownSequence;
  }

  #touchStopLoss(group: GroupModel, touch: Touch, isCertain: boolean): void {
    const [row] = group.rows;
    this.#mayTouch(group, 0, touch);
    if (row === undefined || !isCertain || mayBeSoldOut(group, touch.sequence)) return;
    row.must ??= touch;
    group.stopLossFired = true;
  }

  #touchTakeProfit(group: GroupModel, index: number, touch: Touch, isCertain: boolean, atMs: number): void {
    const row = group.rows[index];
    const stopLoss = this.#options.disk.rows(group.viewKey ?? "")[0];
    if (row === undefined) return;
    const isRefused = stopLoss?.status === FAILED;
    if (group.stopLossMayHaveFired && !isRefused) {
      const mayBeRefused = stopLoss === undefined || this.#options.wasRefused(group.owner, stopLoss.id);
      (group.stopLossFired && !mayBeRefused ? row.shadow : row.may).push(touch);
      return;
    }
    row.may.push(touch);
    const isAfterRefusal = !isRefused || atMs > Date.parse(stopLoss.updatedDate ?? "");
    if (isCertain && isAfterRefusal) row.must ??= touch;
  }

  #mayTouch(group: GroupModel, index: number, touch: Touch): void {
    group.rows[index]?.may.push(touch);
    if (index === 0) group.stopLossMayHaveFired = true;
  }

  #mayBeOver(group: GroupModel): boolean {
    return group.mayBeCancelled || (group.dueMs !== null && this.#timeSeenMs >= group.dueMs);
  }
}
