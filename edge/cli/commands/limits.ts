/** `limits`: the limits of an account of the caller (behaviour 27). */
import { type AccountOptions, accountOf, ofAccount } from "../account-option.ts";
import type { AddCommands } from "../command.ts";
import { positiveNumber, wholeNumber } from "../parse.ts";

interface LimitOptions extends AccountOptions {
  readonly dailyLoss?: number;
  readonly ordersPerMinute?: number;
  readonly orderValue?: number;
}

export const addLimitCommands: AddCommands = (program, run) => {
  const limits = program.command("limits").description("the limits of an account of yours");
  ofAccount(limits.command("show"))
    .description("shows the limits of an account, and what own fills of the day have realised")
    .action((options: AccountOptions) =>
      run(async ({ api, output }) => {
        const query = accountOf(options);
        output.data((await api.unwrap(api.client.GET("/api/v1/limits", { params: { query } }))).data);
      }),
    );
  ofAccount(limits.command("set"))
    .description("replaces all limits of an account; a limit that is not given is removed")
    .option("--daily-loss <amount>", "once own fills of a day have lost it, only sells are taken", positiveNumber)
    .option("--orders-per-minute <count>", "orders by hand, entries and buys of bots", wholeNumber)
    .option("--order-value <amount>", "lots times price", positiveNumber)
    .action((options: LimitOptions) =>
      run(async ({ api, output }) => {
        const { dailyLoss, ordersPerMinute, orderValue } = options;
        const body = {
          ...accountOf(options),
          ...(dailyLoss !== undefined && { maxDailyLoss: dailyLoss }),
          ...(ordersPerMinute !== undefined && { maxOrdersPerMinute: ordersPerMinute }),
          ...(orderValue !== undefined && { maxOrderValue: orderValue }),
        };
        output.data((await api.unwrap(api.client.PUT("/api/v1/limits", { body }))).data);
      }),
    );
};
