/** `oco`: what a fired group did, and ending or releasing a group or a pending OCO (behaviour 4, 5, 16 and 21). */
import type { Command } from "commander";
import { type AccountOptions, accountOf, ofAccount } from "../account-option.ts";
import type { RunCommand } from "../command.ts";
import { wholeNumber } from "../parse.ts";

interface BrokerageOption {
  readonly brokerage: string;
}

/** Adds the commands to `oco`. */
export function addEndingCommands(oco: Command, run: RunCommand): void {
  oco
    .command("receipt <id>")
    .description("why and when a row fired, and the outcome of its sell; the id of that row")
    .action((id: string) =>
      run(async ({ api, output }) => {
        const params = { path: { id: wholeNumber(id) } };
        output.data((await api.unwrap(api.client.GET("/api/v1/oco-orders/{id}/receipt", { params }))).data);
      }),
    );
  oco
    .command("stop-exit <id>")
    .description("ends the selling of a stop-loss that has fired; the lots that are left are then unprotected")
    .action((id: string) =>
      run(async ({ api, output }) => {
        const params = { path: { id: wholeNumber(id) } };
        const { message } = await api.unwrap(api.client.POST("/api/v1/oco-orders/{id}/stop-exit", { params }));
        output.data({ message });
      }),
    );
  oco
    .command("release <id>")
    .description("lets the levels of a group fire again while its symbol is held; a level that is reached sells")
    .action((id: string) =>
      run(async ({ api, output }) => {
        const params = { path: { id: wholeNumber(id) } };
        const { message } = await api.unwrap(api.client.POST("/api/v1/oco-orders/{id}/release", { params }));
        output.data({ message });
      }),
    );
  ofBrokerage(oco.command("cancel <id>"))
    .description("stops watching it; the position is then unprotected")
    .action((id: string, { brokerage }: BrokerageOption) =>
      run(async ({ api, output }) => {
        const params = { path: { id: wholeNumber(id) }, query: { brokerageCode: brokerage } };
        const { message } = await api.unwrap(api.client.DELETE("/api/v1/oco-orders/{id}", { params }));
        output.data({ message });
      }),
    );
  ofAccount(oco.command("pending"))
    .description("lists the pending OCOs and entries of an account")
    .action((options: AccountOptions) =>
      run(async ({ api, output }) => {
        const params = { query: accountOf(options) };
        output.data((await api.unwrap(api.client.GET("/api/v1/oco-orders/pending", { params }))).data);
      }),
    );
  ofBrokerage(oco.command("remove-pending <setupId>"))
    .description("removes a pending OCO, or an entry and its buy; a group is made of what an entry bought")
    .action((setupId: string, { brokerage }: BrokerageOption) =>
      run(async ({ api, output }) => {
        const params = { path: { setupId: wholeNumber(setupId) }, query: { brokerageCode: brokerage } };
        const path = "/api/v1/oco-orders/pending/{setupId}";
        const { message } = await api.unwrap(api.client.DELETE(path, { params }));
        output.data({ message });
      }),
    );
}

function ofBrokerage(command: Command): Command {
  return command.requiredOption("--brokerage <code>", "where the account is");
}
