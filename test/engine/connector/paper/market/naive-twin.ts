/**
 * The paper brokerage's rules written the slow and plain way: one list of orders, everything recomputed by walking it.
 * Prices are whole thousandths of the currency unit.
 */

export interface TwinOrder {
  readonly index: number;
  readonly account: number;
  readonly symbol: string;
  readonly isBuy: boolean;
  /** Undefined for a market order. */
  readonly limit: bigint | undefined;
  readonly quantity: number;
  readonly reference: TwinOrder | undefined;
  status: number;
  filled: number;
  spent: bigint;
  held: bigint;
}

interface TwinAccount {
  cash: bigint;
  readonly lots: Map<string, number>;
}

const LIVE = [0, 1];

export class NaiveTwin {
  readonly accounts: TwinAccount[];
  readonly orders: TwinOrder[] = [];
  readonly prices = new Map<string, bigint>();
  readonly #shareInverse: number;
  #ended: TwinOrder[] = [];

  /** One price fills at most 1/`shareInverse` of an order. */
  constructor(accounts: TwinAccount[], shareInverse: number) {
    this.accounts = accounts;
    this.#shareInverse = shareInverse;
  }

  freeCash(account: number): bigint {
    const held = this.#open(account).reduce((sum, order) => sum + order.held, 0n);
    return this.#account(account).cash - held;
  }

  freeLots(account: number, symbol: string): number {
    const reserved = this.#open(account)
      .filter((order) => !order.isBuy && order.symbol === symbol)
      .reduce((sum, order) => sum + order.quantity - order.filled, 0);
    return (this.#account(account).lots.get(symbol) ?? 0) - reserved;
  }

  place(order: Pick<TwinOrder, "account" | "symbol" | "isBuy" | "limit" | "quantity" | "reference">): TwinOrder {
    const made = { ...order, index: this.orders.length, status: 0, filled: 0, spent: 0n, held: 0n };
    this.orders.push(made);
    const reference = order.reference?.status;
    if (reference === undefined || reference === 2) this.#work(made);
    else if (!LIVE.includes(reference)) made.status = 4;
    this.#settle();
    return made;
  }

  cancel(order: TwinOrder): void {
    if (LIVE.includes(order.status)) this.#end(order, 3);
    this.#settle();
  }

  tick(symbol: string, price: bigint): void {
    this.prices.set(symbol, price);
    const rank = (order: TwinOrder): bigint =>
      order.limit === undefined ? -(10n ** 12n) : order.isBuy ? -order.limit : order.limit;
    const reached = this.orders
      .filter((order) => order.status === 1 && order.symbol === symbol && isReached(order, price))
      .sort((one, other) => {
        if (one.isBuy !== other.isBuy) return one.isBuy ? -1 : 1;
        return Number(rank(one) - rank(other)) || one.index - other.index;
      });
    for (const order of reached) this.#fill(order, price);
    this.#settle();
  }

  #account(account: number): TwinAccount {
    const found = this.accounts[account];
    if (found === undefined) throw new Error("no such account");
    return found;
  }

  #open(account: number): TwinOrder[] {
    return this.orders.filter((order) => order.account === account && order.status === 1);
  }

  #work(order: TwinOrder): void {
    const price = this.prices.get(order.symbol);
    const unit = order.limit ?? price;
    order.status = 4;
    if (unit === undefined) return void this.#ended.push(order);
    if (order.isBuy && unit * BigInt(order.quantity) > this.freeCash(order.account))
      return void this.#ended.push(order);
    if (!order.isBuy && order.quantity > this.freeLots(order.account, order.symbol))
      return void this.#ended.push(order);
    this.#hold(order, unit);
    order.status = 1;
    if (price !== undefined && isReached(order, price)) this.#fill(order, price);
  }

  #hold(order: TwinOrder, price: bigint): void {
    if (!order.isBuy) return;
    order.held = 0n;
    const wanted = (order.limit ?? price) * BigInt(order.quantity - order.filled);
    const free = this.freeCash(order.account);
    order.held = wanted < free ? wanted : free;
  }

  #fill(order: TwinOrder, price: bigint): void {
    const account = this.#account(order.account);
    const slice = Math.max(1, Math.floor(order.quantity / this.#shareInverse));
    const wanted = Math.min(slice, order.quantity - order.filled);
    order.held = 0n;
    let lots = wanted;
    while (order.isBuy && price * BigInt(lots) > this.freeCash(order.account)) lots -= 1;
    const amount = price * BigInt(lots);
    account.cash += order.isBuy ? -amount : amount;
    account.lots.set(order.symbol, (account.lots.get(order.symbol) ?? 0) + (order.isBuy ? lots : -lots));
    order.filled += lots;
    order.spent += amount;
    if (order.filled === order.quantity) this.#end(order, 2);
    else if (lots < wanted) this.#end(order, 3);
    else this.#hold(order, price);
  }

  #end(order: TwinOrder, status: number): void {
    order.status = status;
    order.held = 0n;
    this.#ended.push(order);
  }

  #settle(): void {
    for (let ended = this.#ended.shift(); ended !== undefined; ended = this.#ended.shift()) {
      for (const order of this.orders.filter((other) => other.reference === ended && other.status === 0)) {
        if (ended.status === 2) this.#work(order);
        else this.#end(order, 3);
      }
    }
  }
}

function isReached(order: TwinOrder, price: bigint): boolean {
  if (order.limit === undefined) return true;
  return order.isBuy ? price <= order.limit : price >= order.limit;
}
