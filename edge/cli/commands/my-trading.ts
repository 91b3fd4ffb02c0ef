/** `my-trading`: the trading state of the caller, or of one account of the caller (behaviour 18). */
import { type Command, Option } from "commander";
import { UserError } from "../../../src/runtime/user-error.ts";
import { accountOf } from "../account-option.ts";
import type { AddCommands } from "../command.ts";

interface StateOptions {
  readonly reason: string;
  readonly brokerage?: string;
  readonly account?: string;
  readonly includingStops?: boolean;
  readonly fromHalted?: boolean;
}

export const addOwnTradingCommands: AddCommands = (program, run) => {
  const trading = program.command("my-trading").description("the trading state of yours, or of one account of yours");
  const set = (state: "active" | "reducing" | "halted", isConfirmed: boolean, options: StateOptions) => {
    const target = targetOf(options);
    const { reason, includingStops } = options;
    return run(async ({ api, output }) => {
      const stops = includingStops === true && { includingStops };
      const body = { ...target, state, reason, ...stops, ...(isConfirmed && { confirm: "RESUME" as const }) };
      const { message } = await api.unwrap(api.client.POST("/api/v1/trading-state", { body }));
      output.data({ message });
    });
  };
  trading
    .command("show")
    .description("lists what is halted or reducing: the installation, you, accounts of yours")
    .action(() =>
      run(async ({ api, output }) => output.data((await api.unwrap(api.client.GET("/api/v1/trading-state"))).data)),
    );
  ofTarget(trading.command("halt"))
    .description("no orders by hand, no take-profits, bots are switched off; stop-losses fire")
    .addOption(new Option("--including-stops", "stop-losses do not fire either: nothing is protected"))
    .action((options: StateOptions) => set("halted", false, options));
  ofTarget(trading.command("reduce"))
    .description("no buys")
    .option("--from-halted", "also if trading is halted now: sells are then taken again")
    .action((options: StateOptions) => set("reducing", options.fromHalted === true, options));
  ofTarget(trading.command("resume"))
    .description("resumes trading; bots stay off")
    .action((options: StateOptions) => set("active", true, options));
};

function ofTarget(command: Command): Command {
  return command
    .requiredOption("--reason <text>", "shown wherever something is refused")
    .option("--brokerage <code>", "with --account: only one account; default: all of yours")
    .option("--account <accountNumber>", "with --brokerage: only this account");
}

function targetOf({ brokerage, account }: StateOptions) {
  if (brokerage !== undefined && account !== undefined) {
    return { scope: "account" as const, ...accountOf({ brokerage, account }) };
  }
  if (brokerage === undefined && account === undefined) return { scope: "user" as const };
  throw new UserError("--brokerage and --account belong together", { reason: "usage" });
}
