/** `my-trading`: the trading state of the caller, or of one account of the caller (behaviour 18). */
import { UserError } from "../../../src/runtime/user-error.ts";
import { accountOf } from "../account-option.ts";
import type { AddCommands } from "../command.ts";
import { addStateCommands, type StateOptions } from "../state-commands.ts";

interface TargetOptions extends StateOptions {
  readonly brokerage?: string;
  readonly account?: string;
}

export const addOwnTradingCommands: AddCommands = (program, run) => {
  const trading = program.command("my-trading").description("the trading state of yours, or of one account of yours");
  trading
    .command("show")
    .description("lists what is halted or reducing: the installation, you, accounts of yours")
    .action(() =>
      run(async ({ api, output }) => output.data((await api.unwrap(api.client.GET("/api/v1/trading-state"))).data)),
    );
  addStateCommands<TargetOptions>(trading, {
    resume: { description: "resumes trading; bots stay off" },
    set: (request, options) => {
      const body = { ...targetOf(options), ...request };
      return run(async ({ api, output }) => {
        const { message } = await api.unwrap(api.client.POST("/api/v1/trading-state", { body }));
        output.data({ message });
      });
    },
    extend: (command) =>
      command
        .option("--brokerage <code>", "with --account: only one account; default: all of yours")
        .option("--account <accountNumber>", "with --brokerage: only this account"),
  });
};

function targetOf({ brokerage, account }: TargetOptions) {
  if (brokerage !== undefined && account !== undefined) {
    return { scope: "account" as const, ...accountOf({ brokerage, account }) };
  }
  if (brokerage === undefined && account === undefined) return { scope: "user" as const };
  throw new UserError("--brokerage and --account belong together", { reason: "usage" });
}
