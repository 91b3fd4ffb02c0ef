/**
 * The judgement over entries at the end of a world: none is bought twice, none that was accepted is lost, and every lot
 * that was bought is in a group, or its owner was notified of the reason.
 */
import { type EntryModel, isBuyOf, storedEntries } from "../client/entries.ts";
import { INSTALLATION } from "../oracle/plain-name.ts";
import { ACTIVE, isRefused, isWaitingForPrice, type PlainSetup } from "../oracle/plain-rows.ts";
import { type ExchangeOrder, isForNothing } from "../world/fills.ts";
import type { Ending } from "./ending.ts";
import { checkParts } from "./part-checks.ts";

type Outcome = NonNullable<PlainSetup["outcome"]>;

/** Judges every entry, and notes their orders in `sold`; before the groups are judged, whose fates it settles. */
export function checkEntries(ending: Ending, sold: Set<string>): void {
  const { disk, report, entries } = ending;
  for (const entry of entries) {
    const what = `entry n${entry.number}`;
    const [stored, ...others] = storedEntries(disk, entry.number);
    const groupCount = disk.countGroups(`n${entry.number}`);
    const { final } = entry.asked;
    // An entry whose buy could not be sent is refused, and its client's next try is another entry.
    if (!others.every(isRefused)) report.violate(`${what} exists ${others.length + 1} times`);
    if (groupCount > 1) report.violate(`${what} became ${groupCount} groups`);
    const isAccepted = final?.ok === true || entry.trigger?.isAcknowledged === true;
    if (isAccepted && stored === undefined) report.violate(`${what} was accepted and is lost`);
    const isConverted = stored?.outcome?.type === "converted";
    if (isConverted !== groupCount > 0) report.violate(`${what} ended otherwise than its ${groupCount} groups say`);
    if (stored !== undefined) for (const one of [stored, ...others]) checkEntry(ending, entry, one, sold);
    for (const { group } of entry.candidates) if (group?.fate === "asked") group.fate = "none";
  }
  checkClaims(ending);
}

function checkEntry(ending: Ending, entry: EntryModel, stored: PlainSetup, sold: Set<string>): void {
  const { report, exchanges, quarantined, events } = ending;
  const { setupId, outcome } = stored;
  const { final } = entry.asked;
  const name = `${INSTALLATION}-e${setupId}`;
  const what = `entry n${entry.number}`;
  sold.add(name);
  const orders = exchanges.get(entry.owner.brokerageCode)?.orders.get(name) ?? [];
  const live = orders.filter(({ record }) => record.orderStatus !== 4);
  if (live.length > 1) report.violate(`${what} was bought ${live.length} times`);
  if (!orders.every((order) => isBuyOf(entry, order))) report.violate(`${what} was bought as another order`);
  if (quarantined.has(name)) {
    report.count("entries: wait for a person");
    return;
  }
  if (final?.ok === false && final.code === "INVALID" && live.length > 0) {
    report.violate(`${what} was refused (${final.message}) and exists`);
  }
  checkTrigger(ending, entry, stored, live.length > 0);
  if (isWaitingForPrice(stored)) {
    report.count("entries: wait for their trigger");
    return;
  }
  if (outcome === null) {
    report.violate(`${what} is open and its order has ended (${orders[0]?.record.orderStatus})`);
    return;
  }
  report.count(`entries: ${outcome.type}`);
  if (events.get(setupId)?.has(`setup.${outcome.type}`) !== true) {
    report.violate(`${what}: setup.${outcome.type} was never published`);
  }
  const [order] = live;
  if (entry.protectsParts && outcome.type === "converted") checkParts(ending, entry, outcome.groupId, order, sold);
  else checkOutcome(ending, entry, outcome, order, what);
  if (order !== undefined) checkKnown(ending, stored, order, what);
}

/** A buy follows from a price, and a price is followed by a buy. */
function checkTrigger(
  { report }: Ending,
  { trigger, number }: EntryModel,
  stored: PlainSetup,
  isBought: boolean,
): void {
  if (trigger === undefined) return;
  const isReached = stored.entry?.trigger?.reachedPrice !== undefined;
  if (isReached) report.count("entries: triggers were reached");
  if (trigger.mustSequence !== undefined) report.count("entries: triggers that a tick had to reach");
  if ((isReached || isBought) && !trigger.mayHaveFired) {
    report.violate(`entry n${number} bought, and no price had reached its trigger`);
  }
  if (isBought && !isReached) report.violate(`entry n${number} bought, and its trigger was not reached`);
  if (!isReached && trigger.mustSequence !== undefined) {
    report.violate(`entry n${number} was reached by tick ${trigger.mustSequence} and did not buy`);
  }
}

function checkOutcome(
  ending: Ending,
  entry: EntryModel,
  outcome: Outcome,
  order: ExchangeOrder | undefined,
  what: string,
): void {
  const { report, hasSteppedClock } = ending;
  const filled = order?.record.filledQuantity ?? 0;
  switch (outcome.type) {
    case "entryRefused":
      if (order !== undefined) report.violate(`${what} was refused (${outcome.reason}) and exists`);
      return;
    case "removed":
      if (outcome.isByOwner && entry.removal === "none") {
        report.violate(`${what} was removed by its owner, who never asked for it`);
      }
      // An order that ended is asked for for an hour, which a clock can step over.
      if (filled > 0 && !(hasSteppedClock && order?.isFilledLate === true)) {
        report.violate(`${what} bought ${filled} lots, was removed, and nothing protects them`);
      }
      return;
    case "converted":
      checkConverted(ending, entry, outcome.groupId, order, what);
      return;
    case "conversionFailed":
      if (outcome.reason === "" || filled === 0)
        report.violate(`${what} failed to convert ${filled} lots for no reason`);
      else if (!hasSteppedClock && !isFailureTrue(ending, entry, outcome)) {
        report.violate(`${what} failed to convert (${outcome.reason}) and nothing was in its way`);
      }
  }
}

/** The oracle checks that the rows match the levels when it admits the group. */
function checkConverted(
  { disk, report, events, hasSteppedClock }: Ending,
  entry: EntryModel,
  groupId: number,
  order: ExchangeOrder | undefined,
  what: string,
): void {
  const found = entry.candidates.find(({ group }) => group?.fate === "exists");
  const [stopLoss] = disk.rows(found?.group?.viewKey ?? "");
  if (found === undefined || stopLoss?.id !== groupId) {
    report.violate(`${what} became group ${groupId}, which is not what was bought`);
    return;
  }
  const filled = order?.record.filledQuantity ?? 0;
  if (found.filledQuantity < entry.quantity) report.count("entries: a part was protected");
  if (filled < found.filledQuantity) report.violate(`${what} bought ${filled} and protects ${found.filledQuantity}`);
  if (filled === found.filledQuantity) return;
  report.count("entries: filled after their group was made");
  const [setup] = disk.setupsByNotes(`n${entry.number}`);
  if (!hasSteppedClock && events.get(setup?.setupId ?? 0)?.has("alarm.filledAfterEnd") !== true) {
    report.violate(`${what} bought ${filled}, protects ${found.filledQuantity}, and nobody was told`);
  }
}

function isFailureTrue(
  { groups, entries, disk }: Ending,
  entry: EntryModel,
  { timeMs, reason }: Extract<Outcome, { readonly type: "conversionFailed" }>,
): boolean {
  const { candidates, dueMs, owner, number } = entry;
  if (candidates.some(({ group }) => group === undefined)) return true;
  if (dueMs !== null && timeMs >= dueMs) return true;
  const isSame = (other: EntryModel["owner"]): boolean =>
    other.userId === owner.userId &&
    other.brokerageCode === owner.brokerageCode &&
    other.accountNumber === owner.accountNumber &&
    other.symbol === owner.symbol;
  // Another entry of the symbol began after the buy had ended with nothing.
  if (/after its end/.test(reason)) return entries.some((other) => other.number !== number && isSame(other.owner));
  return groups.some(({ owner: other, viewKey }) => {
    const rows = isSame(other) ? disk.rows(viewKey ?? "") : [];
    return rows.some(
      ({ createdDate, status, updatedDate }) =>
        Date.parse(createdDate) <= timeMs && (status === ACTIVE || Date.parse(updatedDate ?? "") >= timeMs),
    );
  });
}

/** The stored fills of the buy are the fills of its brokerage. */
function checkKnown(
  { report, hasSteppedClock }: Ending,
  { buy }: PlainSetup,
  order: ExchangeOrder,
  what: string,
): void {
  const { record } = order;
  const known = buy.orders.reduce((sum, { filledQuantity }) => sum + filledQuantity, 0);
  if (known !== record.filledQuantity && !(hasSteppedClock && order.lateQuantity > 0)) {
    report.violate(`${record.filledQuantity} lots of ${what} are filled, and ${known} are known`);
  }
  if (!isForNothing(record)) report.count("entries: bought");
}

/** Open entries hold claims on symbols: at the end these entries wait for a person, or for a price. */
function checkClaims({ disk, report, quarantined }: Ending): void {
  for (const claim of disk.keys("c/entry/")) {
    const holder = disk.text(claim);
    if (!quarantined.has(`${INSTALLATION}-e${holder}`) && !disk.waitsForPrice(Number(holder)))
      report.violate(`${claim} is held by entry ${holder}, which has ended`);
  }
}
