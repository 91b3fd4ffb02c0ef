/** `accounts`: what accounts of the caller hold and can still sell, and selling all of one (behaviour 18.4 and 26). */
import type { Command } from "commander";
import { FLATTEN } from "../../../src/domain/order/trading-state.ts";
import { UserError } from "../../../src/runtime/user-error.ts";
import type { components } from "../../openapi/generated/schema.d.ts";
import { type AccountOptions, accountOf, ofAccount } from "../account-option.ts";
import type { AddCommands, RunCommand } from "../command.ts";

type LedgerRow = components["schemas"]["SellLedgerRow"];

interface FlattenOptions extends AccountOptions {
  readonly reason: string;
  readonly confirm: string;
}

export const addAccountCommands: AddCommands = (program, run) => {
  const accounts = program.command("accounts").description("accounts of yours at brokerages");
  accounts
    .command("list")
    .description("lists your accounts at all brokerages")
    .action(() =>
      run(async ({ api, output }) => output.data((await api.unwrap(api.client.GET("/api/v1/accounts"))).data)),
    );
  addReading(accounts, run);
  ofAccount(accounts.command("flatten"))
    .description("halts an account, cancels its orders, groups and pending OCOs, and sells all that it holds at market")
    .requiredOption("--reason <text>", "shown wherever something is refused")
    .requiredOption("--confirm <word>", `${FLATTEN}: it cannot be undone`)
    .addHelpText("after", "\nTrading of the account is then halted; `my-trading resume` ends that.")
    .action(({ reason, confirm, ...options }: FlattenOptions) => {
      if (confirm !== FLATTEN) throw new UserError(`--confirm must be ${FLATTEN}`, { reason: "usage" });
      return run(async ({ api, output }) => {
        const flattening = api.client.POST("/api/v1/accounts/flatten", {
          body: { ...accountOf(options), reason, confirm: FLATTEN },
        });
        output.data((await api.unwrap(flattening)).data);
      });
    });
};

function addReading(accounts: Command, run: RunCommand): void {
  ofAccount(accounts.command("positions"))
    .description("lists what an account holds now, as its brokerage reports it")
    .action((options: AccountOptions) =>
      run(async ({ api, output }) => {
        const body = accountOf(options);
        output.data((await api.unwrap(api.client.POST("/api/v1/accounts/positions", { body }))).data);
      }),
    );
  ofAccount(accounts.command("daily-orders"))
    .description("lists all orders of the day at the brokerage, also orders that were placed elsewhere")
    .action((options: AccountOptions) =>
      run(async ({ api, output }) => {
        const body = accountOf(options);
        output.data((await api.unwrap(api.client.POST("/api/v1/accounts/daily-orders", { body }))).data);
      }),
    );
  ofAccount(accounts.command("balance"))
    .description("shows the money of an account")
    .action((options: AccountOptions) =>
      run(async ({ api, output }) => {
        const params = { query: accountOf(options) };
        output.data((await api.unwrap(api.client.GET("/api/v1/accounts/balance", { params }))).data);
      }),
    );
  ofAccount(accounts.command("ledger"))
    .description("lists the lots of each symbol that are held, being sold, and committed to groups, entries and bots")
    .option("--symbol <symbol>", "only this symbol")
    .action(({ symbol, ...options }: AccountOptions & { readonly symbol?: string }) =>
      run(async ({ api, output, isJson }) => {
        const params = { query: accountOf(options) };
        const { data } = await api.unwrap(api.client.GET("/api/v1/accounts/sell-ledger", { params }));
        const rows = data.filter((row) => symbol === undefined || row.symbol === symbol);
        output.data(isJson ? rows : rows.map(ledgerColumns));
      }),
    );
}

function ledgerColumns({ symbol, held, heldAsOf, openSells, committed, worstCase, overcommitted }: LedgerRow) {
  return { symbol, held, heldAsOf, openSells, ...committed, worstCase, overcommitted };
}
