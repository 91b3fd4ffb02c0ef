/**
 * Pending setups: clients register them over buy orders of the brokerages: completed orders, orders that are cancelled
 * later and orders that do not exist. They also take setups back.
 *
 * Owns: what was registered, and the group that must follow once its order is completed. Does not own: how the group
 * sells (`oracle.ts`), the judgement at the end (`setup-checks.ts`).
 */
import { COMMANDS, type Reply } from "../../../src/contract/command.ts";
import { ORDER_CANCELLED, ORDER_OPEN, ORDER_REJECTED } from "../../../src/domain/order/order.ts";
import type { Protection } from "../check/protection.ts";
import { type GroupModel, type GroupOwner, type Level, newGroupModel } from "../oracle/model.ts";
import { stopLossMilli, takeProfitMilli } from "../oracle/naive-grid.ts";
import type { Oracle } from "../oracle/oracle.ts";
import type { PlainDisk } from "../oracle/plain-rows.ts";
import type { Exchange } from "../world/exchange.ts";
import { type ExchangeOrder, isFilled } from "../world/fills.ts";
import type { Life } from "../world/life.ts";
import type { Random } from "../world/random.ts";
import type { Report } from "../world/report.ts";
import type { StreamTick } from "../world/tick-stream.ts";
import type { VirtualTime } from "../world/virtual-time.ts";
import type { Asked, Requests } from "./requests.ts";

/** A level to be: a price, or tenths of a percent from the fill. */
type Tier = { readonly quantity: number } & ({ readonly price: number } | { readonly percentTenths: number });

export interface SetupModel {
  readonly number: number;
  readonly owner: GroupOwner;
  readonly orderNo: string;
  readonly order: ExchangeOrder | undefined;
  readonly stopLoss: Tier;
  readonly takeProfits: readonly Tier[];
  readonly dueMs: number | null;
  readonly asked: Asked;
  /** The group that follows once its order is completed, if its levels are in order. */
  group: GroupModel | undefined;
  /** Whether its next answer reports a new registration: a repeat reports an earlier one. */
  isToBeRegistered: boolean;
  /** Whether its owner took it back: a removal that was not answered may have happened. */
  removal: "none" | "asked" | "acknowledged";
}

interface SetupsOptions {
  readonly life: () => Life;
  readonly requests: Requests;
  readonly oracle: Oracle;
  readonly disk: PlainDisk;
  readonly exchanges: ReadonlyMap<string, Exchange>;
  readonly time: VirtualTime;
  readonly random: Random;
  readonly report: Report;
  readonly hasOversellGuard: boolean;
  readonly protection: Protection;
  /** Whether an order is the buy of an entry that is open: it has its exits already. */
  readonly isOfOpenEntry: (order: ExchangeOrder) => boolean;
  readonly lastSequence: () => number;
  readonly lastTick: (symbol: string) => StreamTick | undefined;
}

export class Setups {
  readonly #options: SetupsOptions;
  readonly setups: SetupModel[] = [];

  constructor(options: SetupsOptions) {
    this.#options = options;
  }

  /** Registers a setup over an order that a client bought with, now and then over an order that cannot have a setup. */
  register(): void {
    const { random, exchanges, requests, report } = this.#options;
    const exchange = random.among([...exchanges.values()]);
    const orders = [...(exchange?.orders.values() ?? [])].flat();
    const buys = orders.filter(({ request }) => request.buySell === 1 && !/-p\d/.test(request.clientOrderId));
    // Prefers an order that may fill while it is being registered.
    const open = buys.filter(({ record }) => record.orderStatus === ORDER_OPEN);
    const recent = open.length > 0 && random.chance(0.7) ? open : buys.slice(-4);
    const order = random.chance(0.93) ? random.among(recent) : random.among(orders);
    if (exchange === undefined || order === undefined) return;
    const isUnknown = random.chance(0.03);
    const { userId, accountNumber, symbol } = order.request;
    const place = { brokerageCode: exchange.settings.code, accountNumber, symbol };
    const owner = { userId, ...place };
    const orderNo = isUnknown ? "no-such-order" : order.record.orderNo;
    const number = requests.nextNumber();
    const terms = this.#terms(order);
    const { dueMs, stopLoss, takeProfits } = terms;
    const body = {
      ...place,
      brokerOrderNo: orderNo,
      stopLossQuantity: stopLoss.quantity,
      ...("price" in stopLoss ? { stopLossPrice: stopLoss.price } : { stopLossPercent: stopLoss.percentTenths / 10 }),
      takeProfitItems: takeProfits.map(({ quantity, ...tier }) =>
        "price" in tier ? { quantity, price: tier.price } : { quantity, percent: tier.percentTenths / 10 },
      ),
      dueDate: dueMs === null ? null : new Date(dueMs).toISOString(),
      notes: `n${number}`,
    };
    const on = {
      onSend: (): void => this.#onSend(setup),
      onReply: (reply: Reply): void => this.#onReply(setup, reply),
    };
    const asked = requests.ask(COMMANDS.registerSetup, userId, body, number, on);
    const known = isUnknown ? undefined : order;
    const setup: SetupModel = {
      ...terms,
      number,
      owner,
      orderNo,
      order: known,
      asked,
      group: undefined,
      isToBeRegistered: false,
      removal: "none",
    };
    this.setups.push(setup);
    report.count("setups asked for");
    report.note(() => `asks for setup n${number} ${JSON.stringify(body)}`);
    requests.send(asked);
  }

  /** The owner takes a setup back, which may have ended, or converts in the meantime. */
  remove(): void {
    const { random, disk, requests, report } = this.#options;
    const storedOf = ({ number }: SetupModel) => disk.setupsByNotes(`n${number}`)[0];
    const recent = this.setups.slice(-5);
    const registered = recent.filter((one) => storedOf(one)?.outcome === null);
    const setup = random.among(random.chance(0.8) ? registered : recent);
    const stored = setup === undefined ? undefined : storedOf(setup);
    if (setup === undefined || stored === undefined) return;
    const onSend = (): void => {
      if (setup.removal === "none") setup.removal = "asked";
    };
    const onReply = (reply: Reply): void => {
      report.note(() => `the removal of setup n${setup.number} is answered ${JSON.stringify(reply)}`);
      this.#onRemoval(setup, reply);
    };
    report.count("setups: removals asked for");
    report.note(() => `asks to remove setup n${setup.number}`);
    const { userId, brokerageCode } = setup.owner;
    const body = { id: stored.setupId, brokerageCode };
    requests.send(requests.ask(COMMANDS.removeSetup, userId, body, requests.nextNumber(), { onReply, onSend }, false));
  }

  /** An order has ended: a setup over it may convert from now on. */
  orderEnded(order: ExchangeOrder): void {
    if (!isFilled(order.record)) return;
    for (const setup of this.setups) {
      if (setup.order !== order) continue;
      this.#expectGroup(setup);
      this.#options.protection.filled(setup);
    }
  }

  /** The engine has started. */
  started(): void {
    for (const setup of this.setups) {
      this.#options.protection.watched(setup);
      if (setup.order !== undefined && isFilled(setup.order.record)) this.#options.protection.started(setup);
    }
  }

  #terms({ request }: ExchangeOrder): Pick<SetupModel, "stopLoss" | "takeProfits" | "dueMs"> {
    const { random, time } = this.#options;
    const near = Math.round((this.#options.lastTick(request.symbol)?.milli ?? 100_000) / 1000);
    const quantity = random.whole(3, 9) * 10;
    const tierCount = random.whole(1, 3);
    const each = Math.floor(quantity / tierCount);
    const stopLoss = random.chance(0.6)
      ? { quantity, percentTenths: random.whole(1, 50) }
      : { quantity, price: near - random.whole(0, 5) };
    const takeProfits = Array.from({ length: tierCount }, () =>
      random.chance(0.6)
        ? { quantity: each - random.whole(0, 2), percentTenths: random.whole(1, 60) }
        : { quantity: each - random.whole(0, 2), price: near + random.whole(0, 6) },
    );
    const dueMs = random.chance(0.2) ? time.wallClock.nowMs() + random.whole(500, 90_000) : null;
    return { stopLoss, takeProfits, dueMs };
  }

  #onSend(setup: SetupModel): void {
    setup.isToBeRegistered = this.#options.disk.setupsByNotes(`n${setup.number}`).length === 0;
    if (setup.order !== undefined && isFilled(setup.order.record)) this.#expectGroup(setup);
  }

  #onRemoval(setup: SetupModel, reply: Reply): void {
    const { disk, report, oracle } = this.#options;
    const what = `setup n${setup.number}`;
    const [stored] = disk.setupsByNotes(`n${setup.number}`);
    if (!reply.ok) {
      const isOver = stored?.outcome !== null;
      if (reply.code !== "NOT_FOUND") report.violate(`the removal of ${what} was refused: ${reply.message}`);
      else if (!isOver) report.violate(`${what} is registered and was not found for its removal`);
      return;
    }
    const isByOwner = stored?.outcome?.type === "removed" && stored.outcome.isByOwner;
    if (!isByOwner) report.violate(`the removal of ${what} was acknowledged and is not on the disk`);
    setup.removal = "acknowledged";
    if (setup.group?.fate === "asked") oracle.dismiss(setup.group);
  }

  #onReply(setup: SetupModel, reply: Reply): void {
    const { disk, report, oracle } = this.#options;
    const { number, order, group } = setup;
    report.note(() => `setup n${number} is answered ${JSON.stringify(reply)}`);
    if (reply.ok) {
      report.count("setups registered");
      if (disk.setupsByNotes(`n${number}`).length === 0) {
        report.violate(`setup n${number} was acknowledged before it was durable`);
      }
      if (order === undefined || order.request.buySell !== 1) report.violate(`setup n${number} has no buy order`);
      else if (setup.isToBeRegistered) this.#registered(setup, order);
      setup.isToBeRegistered = false;
      return;
    }
    if (group !== undefined && reply.code !== "CONFLICT" && group.fate === "asked") oracle.dismiss(group);
    const isOnlyOne = this.setups.every((other) => other === setup || other.order !== order);
    const status = order?.record.orderStatus;
    // An order that was filled late was cancelled when it was looked up.
    const isFit =
      order?.request.buySell === 1 &&
      !/-e\d+$/.test(order.request.clientOrderId) &&
      order.isFilledLate !== true &&
      status !== ORDER_CANCELLED &&
      status !== ORDER_REJECTED;
    if (reply.code === "INVALID" && isFit && isOnlyOne && setup.dueMs === null && areFixedInOrder(setup)) {
      report.violate(`setup n${number} was refused for no reason: ${reply.message}`);
    }
  }

  #registered(setup: SetupModel, order: ExchangeOrder): void {
    const { record } = order;
    if (this.#options.isOfOpenEntry(order)) {
      this.#options.report.violate(`setup n${setup.number} is registered over the buy of an entry`);
    }
    this.#options.protection.watched(setup);
    if (isFilled(record)) this.#options.protection.registered(setup);
  }

  /** From now on, the group may come to exist. */
  #expectGroup(setup: SetupModel): void {
    const { oracle, lastSequence, lastTick, hasOversellGuard: hasGuard } = this.#options;
    const { number, owner, dueMs } = setup;
    const levels = expectedLevels(setup);
    if (levels === undefined || setup.removal === "acknowledged") return;
    if (setup.group === undefined) {
      const terms = { number, owner, dueMs, hasGuard, isOfSetup: true };
      setup.group = newGroupModel(terms, levels.stopLoss, levels.takeProfits);
      oracle.groups.push(setup.group);
    }
    oracle.ask(setup.group, lastSequence(), lastTick(owner.symbol));
  }
}

function areFixedInOrder({ stopLoss, takeProfits }: SetupModel): boolean {
  return !("price" in stopLoss) || takeProfits.every((tier) => !("price" in tier) || tier.price > stopLoss.price);
}

/** The levels that follow from the fill of the order; undefined if they are not in order (behaviour 5.4). */
export function expectedLevels(
  setup: SetupModel,
): { readonly stopLoss: Level; readonly takeProfits: readonly Level[] } | undefined {
  const fillMilli = Math.round((setup.order?.record.averagePrice ?? 0) * 1000);
  const levelOf = (tier: Tier, byPercent: typeof stopLossMilli): Level => ({
    quantity: tier.quantity,
    price: "price" in tier ? tier.price : byPercent(fillMilli, tier.percentTenths) / 1000,
  });
  const stopLoss = levelOf(setup.stopLoss, stopLossMilli);
  const takeProfits = setup.takeProfits.map((tier) => levelOf(tier, takeProfitMilli));
  return takeProfits.every(({ price }) => price > stopLoss.price) ? { stopLoss, takeProfits } : undefined;
}
