/**
 * The conformance suite of the gateway contract: what every connector must do, in any language.
 *
 * Owns: what is asked, in which order, and what each answer means for the contract and for a promise. It places real
 * orders. Does not own: the verdict (report.ts).
 */

import type { Fence } from "../../../src/contract/gateway/fence.ts";
import type { GatewayOperation, GatewayStatus, RecallAnswer } from "../../../src/contract/gateway/gateway.ts";
import type { AccountRecord, AccountRequest, OrderAnswer, OrderRecord } from "../../../src/contract/trading/order.ts";
import { ORDER_COMPLETED } from "../../../src/domain/order/order.ts";
import { QUANTITY_MAX } from "../../../src/domain/price/quantity.ts";
import { type Asker, inWords, type Reply, type Trial } from "./asker.ts";
import type { Provoke } from "./provocation.ts";
import { ReportBuilder, type Verdict } from "./report.ts";
import { ThirdEditionChecks } from "./third-edition.ts";

/** No engine has as many: what is tried here fences no partition of theirs. */
const PARTITION = 1_000_000;
const PAST = "2020-01-01T00:00:00.000Z";
/** Everything but `none` needs that an order can be looked up. */
const SETTLED_BY_LOOK_UP = ["query", "expiry"] as const;

interface TrialOptions {
  readonly asker: Asker;
  readonly userId: number;
  readonly accountNumber: string | undefined;
  readonly trial: Trial;
  /** Names that no order had before. */
  readonly namePrefix: string;
  /** Higher than at any trial before. */
  readonly epoch: number;
  /** Ends and starts the connector, and resolves once that is done; without it nothing is tried over a restart. */
  readonly restart: (() => Promise<void>) | undefined;
  /** Makes things happen at the brokerage; without it they are not tried. */
  readonly provoke?: Provoke | undefined;
  /** Resolves after so many milliseconds. */
  readonly wait: (delayMs: number) => Promise<void>;
}

/** Runs the suite. */
export async function tryConnector(options: TrialOptions): Promise<Verdict> {
  return new Suite(options).run();
}

class Suite {
  readonly #options: TrialOptions;
  readonly #asker: Asker;
  readonly #report = new ReportBuilder();
  #owner: AccountRequest;
  #lastName = 0;
  #status: GatewayStatus | undefined;

  constructor(options: TrialOptions) {
    this.#options = options;
    this.#asker = options.asker;
    this.#owner = { userId: options.userId, accountNumber: options.accountNumber ?? "" };
  }

  async run(): Promise<Verdict> {
    await this.#checkStatus();
    await this.#checkQuestions();
    const placed = await this.#checkPlacement();
    if (placed !== undefined) {
      await this.#checkRepeats(placed);
      await this.#checkRefusals();
      await this.#checkBars();
      await this.#checkFlight();
      await this.#checkRecall();
      await this.#checkExpiry();
      const thirdEdition = this.#thirdEdition();
      await thirdEdition.run();
      await this.#checkEpochs();
      await this.#checkRestart(placed);
      thirdEdition.checkRecords();
    }
    return this.#report.verdict();
  }

  #name(): string {
    this.#lastName += 1;
    return `${this.#options.namePrefix}-${this.#lastName}`;
  }

  #fence(attempt: number, epoch = this.#options.epoch): Fence {
    return { partition: PARTITION, epoch, attempt };
  }

  #place(name: string, attempt: number, more: Parameters<Asker["place"]>[4] = {}): Promise<Reply<OrderAnswer>> {
    return this.#asker.place(this.#owner, this.#options.trial, name, this.#fence(attempt), more);
  }

  #find(name: string, attempt: number): Promise<Reply<OrderRecord>> {
    return this.#asker.find(this.#owner, name, this.#fence(attempt));
  }

  #thirdEdition(): ThirdEditionChecks {
    const { asker, trial, provoke, wait } = this.#options;
    return new ThirdEditionChecks({
      ...{ asker, trial, provoke, wait, report: this.#report, owner: this.#owner, status: this.#status },
      nextName: () => this.#name(),
      fence: (attempt) => this.#fence(attempt),
    });
  }

  async #checkStatus(): Promise<void> {
    const status = await this.#asker.ask<GatewayStatus>("status", {});
    const isTold = status.type === "data";
    if (status.type === "none" || status.type === "silence") this.#report.missing("status");
    this.#report.require(
      isTold,
      "status: returns edition, session and promise",
      `status: ${inWords(status)}: the engine takes it for a connector of the first edition`,
    );
    if (!isTold) return;
    this.#report.told = status.data.resend;
    this.#status = status.data;
    if (status.data.session === "down") this.#report.note("its session with the brokerage is down");
  }

  async #checkQuestions(): Promise<void> {
    const { userId } = this.#owner;
    const accounts = await this.#asker.ask<readonly AccountRecord[]>("accounts", { userId });
    const first = accounts.type === "data" ? accounts.data[0] : undefined;
    const found = first === undefined ? `accounts: ${inWords(accounts)}` : "";
    this.#report.require(first !== undefined, "accounts: returns the accounts that a user can use", found);
    if (this.#owner.accountNumber === "") this.#owner = { userId, accountNumber: first?.accountNumber ?? "" };
    for (const operation of ["positions", "dailyOrders"] as const) {
      await this.#checkQuestion(operation, { ...this.#owner, includeOrders: true });
    }
    const cancel = await this.#asker.ask("cancel", {
      ...this.#owner,
      orderNo: `${this.#options.namePrefix}-none`,
      symbol: this.#options.trial.symbol,
      fence: this.#fence(0),
    });
    if (isUnheard(cancel)) this.#report.missing("cancel");
    this.#report.require(
      cancel.type === "refused",
      "cancel: an unknown order is refused",
      `cancel of an unknown order: ${inWords(cancel)}`,
    );
    const chain = await this.#asker.ask("chain", "{}");
    if (isUnheard(chain)) this.#report.missing("chain");
    const garbage = await this.#asker.ask("findOrder", "{");
    this.#report.require(
      garbage.type === "refused",
      "an invalid request gets a refusal of the contract",
      `text that is not JSON gets ${inWords(garbage)}`,
    );
    this.#report.note("login is not tried: it would need a password");
  }

  async #checkQuestion(operation: GatewayOperation, request: object): Promise<void> {
    const reply = await this.#asker.ask(operation, request);
    if (isUnheard(reply)) this.#report.missing(operation);
    if (reply.type === "nonsense") this.#report.require(false, "", `${operation}: ${inWords(reply)}`);
    if (reply.type === "refused") this.#report.note(`${operation}: ${inWords(reply)}`);
  }

  async #checkPlacement(): Promise<{ readonly name: string; readonly orderNo: string } | undefined> {
    const name = this.#name();
    const placed = await this.#place(name, 1);
    this.#report.require(
      placed.type === "data",
      "place: an order is accepted",
      `place: ${inWords(placed)}: nothing more can be tried; give --symbol, --quantity or --price that it accepts`,
    );
    if (placed.type === "refused" && placed.code === "NOT_NOW") await this.#thirdEdition().checkNothingExists(name, 1);
    if (placed.type !== "data") return undefined;
    const { orderNo } = placed.data;
    const found = await this.#find(name, 1);
    const isIt = found.type === "data" && found.data.orderNo === orderNo && found.data.clientOrderId === name;
    this.#report.needs(
      SETTLED_BY_LOOK_UP,
      isIt,
      "findOrder: knows an order by its clientOrderId",
      `findOrder by clientOrderId: ${inWords(found)} in place of order ${orderNo}`,
    );
    this.#checkFill(placed.data, found);
    const numbered = await this.#asker.ask<OrderRecord>("findOrder", {
      ...this.#owner,
      orderNo,
      fence: this.#fence(0),
    });
    this.#report.require(
      numbered.type === "data" && numbered.data.orderNo === orderNo,
      "findOrder: knows an order by its orderNo",
      `findOrder by orderNo: ${inWords(numbered)}`,
    );
    await this.#options.wait(500);
    const isHeard = this.#asker.updates.some((update) => update.orderNo === orderNo);
    if (!isHeard) this.#report.note("no update of the order was published: the engine asks for it every 30 s");
    return { name, orderNo };
  }

  /** An answer that names a fill is believed without a look-up. */
  #checkFill({ orderStatus, filledQuantity, averagePrice }: OrderAnswer, found: Reply<OrderRecord>): void {
    if (orderStatus !== ORDER_COMPLETED || !filledQuantity) return;
    const record = found.type === "data" ? found.data : undefined;
    this.#report.require(
      record?.filledQuantity === filledQuantity && record.averagePrice === averagePrice,
      "place: names the fill that findOrder shows",
      `place: names a fill of ${filledQuantity} at ${averagePrice}, findOrder ${inWords(found)}`,
    );
  }

  async #checkRepeats({ name, orderNo }: { readonly name: string; readonly orderNo: string }): Promise<void> {
    const repeated = await this.#place(name, 2);
    this.#report.needs(
      ["idempotent"],
      repeated.type === "data" && repeated.data.orderNo === orderNo,
      "place: a known clientOrderId gets the first answer again",
      `a known clientOrderId gets ${inWords(repeated)} in place of order ${orderNo}`,
    );
    const late = await this.#place(name, 1);
    this.#report.needs(
      SETTLED_BY_LOOK_UP,
      isFenced(late) || (late.type === "data" && late.data.orderNo === orderNo),
      "fence: an accepted attempt that is delivered again makes no second order",
      `an accepted attempt that is delivered again gets ${inWords(late)}`,
    );
    const twin = this.#name();
    const both = await Promise.all([this.#place(twin, 1), this.#place(twin, 2)]);
    const numbers = new Set(both.flatMap((reply) => (reply.type === "data" ? [reply.data.orderNo] : [])));
    this.#report.needs(
      ["idempotent"],
      numbers.size === 1 && both.every(({ type }) => type === "data"),
      "place: two simultaneous requests under one clientOrderId are one order",
      `two simultaneous requests under one clientOrderId get ${both.map(inWords).join(" and ")}`,
    );
  }

  async #checkRefusals(): Promise<void> {
    const name = this.#name();
    const { symbol } = this.#options.trial;
    const order = { symbol, quantity: QUANTITY_MAX, price: 0 };
    const sell = (attempt: number): Promise<Reply<OrderAnswer>> =>
      this.#asker.place(this.#owner, order, name, this.#fence(attempt), { buySell: 2 });
    const first = await sell(1);
    if (first.type !== "refused" || first.code !== "REJECTED") {
      this.#report.note(
        `a sell of ${QUANTITY_MAX} lots gets ${inWords(first)}: whether a refusal is final was not tried`,
      );
      return;
    }
    const again = await sell(2);
    this.#report.needs(
      ["idempotent"],
      again.type === "refused" && again.code === "REJECTED",
      "place: a refusal is the answer to every repeat",
      `an order that was refused gets ${inWords(again)} when it is repeated`,
    );
  }

  async #checkBars(): Promise<void> {
    const name = this.#name();
    const unknown = await this.#find(name, 2);
    this.#report.needs(
      SETTLED_BY_LOOK_UP,
      unknown.type === "refused" && unknown.code === "NOT_FOUND",
      "findOrder: an order that does not exist is NOT_FOUND",
      `findOrder of an order that does not exist: ${inWords(unknown)}`,
    );
    // A late look-up of an earlier attempt lowers nothing.
    await this.#find(name, 1);
    const late = await this.#place(name, 2);
    this.#report.needs(
      SETTLED_BY_LOOK_UP,
      isFenced(late),
      "fence: an attempt that arrives after a NOT_FOUND answer is FENCED",
      `an attempt that arrives after a NOT_FOUND answer gets ${inWords(late)}: a frozen server makes two orders of it`,
    );
    const next = await this.#place(name, 3);
    this.#report.require(
      next.type === "data",
      "fence: the attempt after it is accepted",
      `the attempt after a fenced one gets ${inWords(next)}`,
    );
  }

  async #checkFlight(): Promise<void> {
    const name = this.#name();
    const [placed, found] = await Promise.all([this.#place(name, 1), this.#find(name, 1)]);
    const isLost = placed.type === "data" && found.type === "refused" && found.code === "NOT_FOUND";
    this.#report.needs(
      SETTLED_BY_LOOK_UP,
      !isLost,
      "findOrder: NOT_FOUND is not returned while an attempt is on its way",
      "NOT_FOUND was returned while an attempt was on its way, which was then accepted",
    );
  }

  async #checkRecall(): Promise<void> {
    const instance = this.#status?.instance;
    if (instance === undefined) {
      this.#report.note(
        "status names no instance: nothing is asked back, and an order without an answer waits for timeoutMs",
      );
      return;
    }
    const name = this.#name();
    const recall = (attempt: number): Promise<Reply<RecallAnswer>> =>
      this.#asker.ask("recall", { clientOrderId: name, fence: this.#fence(attempt), instance });
    const unheard = await recall(1);
    const late = await this.#place(name, 1, { instance });
    this.#report.require(
      isTold(unheard, "recalled") && isFenced(late),
      "recall: an attempt that was not received is FENCED when it arrives",
      `recall of an attempt that was not received: ${inWords(unheard)}, and it gets ${inWords(late)} when it arrives`,
    );
    const others = await this.#place(name, 2, { instance: `not-${instance}` });
    const placed = await this.#place(name, 2, { instance });
    const answered = await recall(2);
    this.#report.require(
      others.type === "refused" && others.code === "NOT_SENT" && placed.type === "data" && isTold(answered, "answered"),
      "recall: an attempt that was answered has that answer, and what is meant for another process is NOT_SENT",
      `meant for another process: ${inWords(others)}; for this one: ${inWords(placed)}; then recall: ${inWords(answered)}`,
    );
  }

  async #checkExpiry(): Promise<void> {
    const late = await this.#place(this.#name(), 1, { expiresAt: PAST });
    this.#report.needs(
      ["expiry"],
      late.type === "refused",
      "place: an order that is past its expiresAt is not accepted",
      `an order that is past its expiresAt gets ${inWords(late)}`,
    );
  }

  async #checkEpochs(): Promise<void> {
    const { epoch } = this.#options;
    const raised = await this.#asker.ask("fence", { partition: PARTITION, epoch: epoch + 1 });
    if (isUnheard(raised)) this.#report.missing("fence");
    const name = this.#name();
    const replies = [
      await this.#asker.ask("fence", { partition: PARTITION, epoch }),
      await this.#place(name, 9),
      await this.#find(name, 9),
    ];
    this.#report.require(
      raised.type === "data" && replies.every(isFenced),
      "fence: an earlier leader is FENCED once the epoch of a later leader was received",
      `an earlier leader gets ${replies.map(inWords).join(", ")} after fence was answered ${inWords(raised)}`,
    );
  }

  async #checkRestart({ name, orderNo }: { readonly name: string; readonly orderNo: string }): Promise<void> {
    const { restart, epoch } = this.#options;
    if (restart === undefined) {
      this.#report.note("nothing was tried over a restart: give --restart with a command that ends and starts it");
      return;
    }
    await restart();
    const fence = this.#fence(9, epoch + 1);
    const found = await this.#asker.find(this.#owner, name, fence);
    this.#report.needs(
      ["idempotent", ...SETTLED_BY_LOOK_UP],
      found.type === "data" && found.data.orderNo === orderNo,
      "restart: an order from before is found",
      `an order from before the restart: ${inWords(found)}; a connector that cannot know returns UNKNOWN and reports resend none`,
    );
    const repeated = await this.#asker.place(this.#owner, this.#options.trial, name, this.#fence(10, epoch + 1));
    this.#report.needs(
      ["idempotent"],
      repeated.type === "data" && repeated.data.orderNo === orderNo,
      "restart: a clientOrderId from before gets the first answer again",
      `a clientOrderId from before the restart gets ${inWords(repeated)}`,
    );
    const old = await this.#asker.ask("fence", { partition: PARTITION, epoch });
    if (!isFenced(old)) this.#report.note("the highest epoch is forgotten at a restart: keep it in a file");
  }
}

function isTold(reply: Reply<RecallAnswer>, attempt: RecallAnswer["attempt"]): boolean {
  return reply.type === "data" && reply.data.attempt === attempt;
}

function isFenced(reply: Reply<unknown>): boolean {
  return reply.type === "refused" && reply.code === "FENCED";
}

function isUnheard({ type }: Reply<unknown>): boolean {
  return type === "none" || type === "silence";
}
