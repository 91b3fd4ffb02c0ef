/** `brokerages`: what hangs on each, and giving one up before `BROKERAGES_FILE` leaves it out. */

import { UserError } from "../../../src/runtime/user-error.ts";
import type { AddCommands } from "../command.ts";

const KINDS = ["groups", "setups", "switchedOffBots", "endedBots"] as const;

export const addBrokerageCommands: AddCommands = (program, run) => {
  const brokerages = program.command("brokerages").description("what hangs on brokerages");
  brokerages
    .command("list")
    .description("lists the brokerages with the groups, pending OCOs, bots and orders that hang on each")
    .action(() =>
      run(async ({ api, output }) => output.data((await api.unwrap(api.client.GET("/admin/v1/brokerages"))).data)),
    );
  brokerages
    .command("retire <code>")
    .description("cancels what hangs on a brokerage, and lists what cannot be cancelled")
    .addHelpText(
      "after",
      "\nThe command does not end sells that are on their way, orders without an outcome or entries in quarantine:\n" +
        "repeat it when they are done or released. Exit code 0: BROKERAGES_FILE may leave the brokerage out.",
    )
    .action((code: string) =>
      run(async ({ api, output }) => {
        const path = "/admin/v1/brokerages/{code}/retire";
        const retired = { groups: 0, setups: 0, switchedOffBots: 0, endedBots: 0 };
        const left: { readonly isBlocking: boolean }[] = [];
        let from: string | null = null;
        do {
          const query: { from?: string } = from === null ? {} : { from };
          const params = { path: { code }, query };
          const { data } = await api.unwrap(api.client.POST(path, { params }));
          for (const kind of KINDS) retired[kind] += data.retired[kind];
          left.push(...data.left);
          from = data.next;
          if (from !== null) output.progress(`${retired.groups} groups cancelled so far`);
        } while (from !== null);
        output.data({ code, ...retired, leftCount: left.length, left });
        const blocking = left.filter(({ isBlocking }) => isBlocking).length;
        if (blocking === 0) return;
        const told = `${blocking} things still hang on ${code}: repeat it when they are done`;
        throw new UserError(told, { reason: "temporary" });
      }),
    );
};
