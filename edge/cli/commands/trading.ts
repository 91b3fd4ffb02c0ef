/** `trading`: halts the trading of all users, lets only sells pass, and resumes trading (behaviour 18). */
import { Option } from "commander";
import type { AddCommands } from "../command.ts";

interface HaltOptions {
  readonly reason: string;
  readonly includingStops?: boolean;
  readonly fromHalted?: boolean;
}

export const addTradingCommands: AddCommands = (program, run) => {
  const trading = program.command("trading").description("the trading state of the whole installation");
  const set = (state: "active" | "reducing" | "halted", isConfirmed: boolean, options: HaltOptions) =>
    run(async ({ api, output }) => {
      const { reason, includingStops } = options;
      const confirm = isConfirmed && { confirm: "RESUME" as const };
      const body = { state, reason, ...confirm, ...(includingStops === true && { includingStops }) };
      const answer = await api.unwrap(api.client.POST("/admin/v1/trading-state", { body }));
      output.data(answer.data);
    });
  trading
    .command("halt")
    .description("no orders by hand, no take-profits, bots are switched off; stop-losses fire")
    .requiredOption("--reason <text>", "shown wherever something is refused")
    .addOption(new Option("--including-stops", "stop-losses do not fire either: nothing is protected"))
    .action((options: HaltOptions) => set("halted", false, options));
  trading
    .command("reduce")
    .description("no buys")
    .requiredOption("--reason <text>", "shown wherever something is refused")
    .option("--from-halted", "also if trading is halted now: sells are then taken again")
    .action((options: HaltOptions) => set("reducing", options.fromHalted === true, options));
  trading
    .command("resume")
    .description("resumes all trading; bots stay off")
    .requiredOption("--reason <text>", "for the log and for owners")
    .action((options: HaltOptions) => set("active", true, options));
};
