/** `orders`: the orders that the service follows for the caller, and one order by its number (behaviour 13). */
import type { Command } from "commander";
import { UserError } from "../../../src/runtime/user-error.ts";
import type { Api } from "../client.ts";
import type { AddCommands } from "../command.ts";
import { followedRow, type Order, type OrderAccount, orderFields } from "../order-words.ts";

interface AccountOptions {
  readonly brokerage?: string;
  readonly account?: string;
}

interface FilterOptions {
  readonly state?: string;
  readonly symbol?: string;
  readonly since?: string;
}

export const addOrderCommands: AddCommands = (program, run) => {
  const orders = program.command("orders").description("orders of yours at brokerages");
  ofAccounts(orders.command("list"))
    .description("lists the orders that are followed, with their state; client orders for 24 h after their end")
    .option("--state <list>", "only in these states, separated by commas")
    .option("--symbol <symbol>", "only of this symbol")
    .option("--since <time>", "only orders that entered their state at this time or later")
    .action(({ state, symbol, since, ...options }: AccountOptions & FilterOptions) =>
      run(async ({ api, output, isJson }) => {
        const filters = {
          ...(state !== undefined && { state }),
          ...(symbol !== undefined && { symbol }),
          ...(since !== undefined && { since }),
        };
        const lists = [];
        for (const account of await accountsOf(api, options)) {
          const query = { ...account, ...filters };
          const listed = await api.unwrap(api.client.GET("/api/v1/orders", { params: { query } }));
          lists.push(listed.data.map((order) => (isJson ? { ...account, ...order } : followedRow(account, order))));
        }
        output.data(lists.flat());
      }),
    );
  ofAccounts(orders.command("show <orderNo>"))
    .description("shows one order as its brokerage reports it now, and what the service knows of it")
    .action((orderNo: string, options: AccountOptions) =>
      run(async ({ api, output, isJson }) => {
        const { account, order } = await findOrder(api, orderNo, await accountsOf(api, options));
        output.data(isJson ? { brokerageCode: account.brokerageCode, ...order } : orderFields(account, order));
      }),
    );
};

function ofAccounts(command: Command): Command {
  return command
    .option("--brokerage <code>", "only at this brokerage; default: at all")
    .option("--account <accountNumber>", "only of this account; default: of all");
}

/** The caller's accounts that the options name. An account that both name is not looked up: the service judges it. */
async function accountsOf(api: Api, { brokerage, account }: AccountOptions): Promise<readonly OrderAccount[]> {
  if (brokerage !== undefined && account !== undefined) return [{ brokerageCode: brokerage, accountNumber: account }];
  const { data } = await api.unwrap(api.client.GET("/api/v1/accounts"));
  const found = data.filter(
    ({ brokerageCode, accountNumber, number }) =>
      (brokerage === undefined || brokerage === brokerageCode) &&
      (account === undefined || account === accountNumber || account === number),
  );
  if (found.length === 0) throw new UserError("you have no account of this brokerage and number", { reason: "data" });
  return found.map(({ brokerageCode, accountNumber }) => ({ brokerageCode, accountNumber }));
}

interface FoundOrder {
  readonly account: OrderAccount;
  readonly order: Order;
}

/**
 * The order of this number. Throws {@link UserError} if no account has one, or several do; and, if none of the others
 * has one, the refusal of an account that could not be asked.
 */
async function findOrder(api: Api, orderNo: string, accounts: readonly OrderAccount[]): Promise<FoundOrder> {
  const found: FoundOrder[] = [];
  let refusal: UserError | undefined;
  for (const account of accounts) {
    const params = { path: { orderNo }, query: account };
    try {
      const answer = await api.unwrapIfFound(api.client.GET("/api/v1/orders/{orderNo}", { params }));
      if (answer !== undefined) found.push({ account, order: answer.data });
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      refusal ??= error;
    }
  }
  const [first, second] = found;
  if (first !== undefined && second === undefined) return first;
  if (first === undefined) throw refusal ?? new UserError(`404: order ${orderNo} was not found`, { reason: "data" });
  const places = found.map(({ account }) => `${account.brokerageCode} ${account.accountNumber}`).join(", ");
  throw new UserError(`several accounts have an order ${orderNo} (${places}): add --brokerage and --account`, {
    reason: "usage",
  });
}
