/** `trading`: halts the trading of all users, lets only sells pass, and resumes trading (behaviour 18). */
import type { AddCommands } from "../command.ts";
import { addStateCommands } from "../state-commands.ts";

export const addTradingCommands: AddCommands = (program, run) => {
  const trading = program.command("trading").description("the trading state of the whole installation");
  addStateCommands(trading, {
    resume: { description: "resumes all trading; bots stay off", reason: "for the log and for owners" },
    set: (body) =>
      run(async ({ api, output }) => {
        output.data((await api.unwrap(api.client.POST("/admin/v1/trading-state", { body }))).data);
      }),
  });
};
