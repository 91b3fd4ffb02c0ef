/** `outbox`, `quarantine`, `release` and `metrics`: items in progress, stuck items, and what to do about them. */
import { type Command, InvalidArgumentError, Option } from "commander";
import type { AddCommands } from "../command.ts";
import { wholeNumber } from "../parse.ts";

export const addOperatorCommands: AddCommands = (program, run) => {
  ofPartition(program.command("outbox"))
    .description("lists the orders that have no outcome yet")
    .action(({ partition }: PartitionOption) =>
      run(async ({ api, output }) => {
        const listed = await api.unwrap(api.client.GET("/admin/v1/outbox", { params: { query: queryOf(partition) } }));
        output.data(listed.data);
      }),
    );
  ofPartition(program.command("quarantine"))
    .description("lists what waits for a person's decision, and why")
    .action(({ partition }: PartitionOption) =>
      run(async ({ api, output }) => {
        const params = { query: queryOf(partition) };
        const listed = await api.unwrap(api.client.GET("/admin/v1/quarantine", { params }));
        output.data(listed.data);
      }),
    );
  program
    .command("release <id>")
    .description("releases an order or an actor from quarantine; for an order state its outcome, an actor tries again")
    .option("--order-no <orderNo>", "of an order in doubt: its number, with --filled or --not-filled")
    .addOption(
      new Option("--filled <lots@price>", "of an order in doubt: so much was filled in all")
        .argParser(lotsAtPrice)
        .conflicts("notFilled"),
    )
    .option("--not-filled", "of an order in doubt: nothing was filled beyond what is known")
    .addOption(new Option("--resend", "no order exists: send it").conflicts(["placed", "refused"]))
    .addOption(new Option("--placed <orderNo>", "the order exists under this number").conflicts("refused"))
    .option("--refused <message>", "no order exists and none will be sent; its owner receives the message")
    .action((id: string, options: ReleaseOptions) => {
      const decision = decisionOf(id, options);
      return run(async ({ api, output }) => {
        const path = "/admin/v1/quarantine/{id}/release";
        const answer = await api.unwrap(api.client.POST(path, { params: { path: { id } }, body: decision }));
        output.data(answer.data);
      });
    });
  program
    .command("metrics")
    .description("prints the figures of edge and engine, in the text format of Prometheus")
    .action(() =>
      run(async ({ api, output }) => {
        const text = await api.unwrap(api.client.GET("/admin/v1/metrics", { parseAs: "text" }));
        output.text(String(text));
      }),
    );
};

interface PartitionOption {
  readonly partition?: number;
}

function ofPartition(command: Command): Command {
  return command.option("--partition <number>", "only this partition; default: all", wholeNumber);
}

function queryOf(partition: number | undefined) {
  return partition === undefined ? {} : { partition };
}

interface ReleaseOptions {
  readonly orderNo?: string;
  readonly filled?: { readonly quantity: number; readonly price: number };
  readonly notFilled?: boolean;
  readonly resend?: boolean;
  readonly placed?: string;
  readonly refused?: string;
}

function lotsAtPrice(text: string): NonNullable<ReleaseOptions["filled"]> {
  const [, quantity, price] = /^(\d+)@(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (quantity === undefined || price === undefined) throw new InvalidArgumentError("must be like 60@89.9");
  return { quantity: Number(quantity), price: Number(price) };
}

function decisionOf(id: string, { resend, placed, refused, orderNo, filled, notFilled }: ReleaseOptions) {
  if (id.startsWith("doubt-")) {
    if (orderNo !== undefined && filled !== undefined) return { action: "filled" as const, orderNo, ...filled };
    if (orderNo !== undefined && notFilled === true) return { action: "notFilled" as const, orderNo };
    throw new InvalidArgumentError("for an order in doubt give --order-no, and --filled <lots@price> or --not-filled");
  }
  if (placed !== undefined) return { action: "placed" as const, orderNo: placed };
  if (refused !== undefined) return { action: "refused" as const, message: refused };
  if (resend === true) return { action: "resend" as const };
  if (id.startsWith("actor-")) return { action: "retry" as const };
  throw new InvalidArgumentError("for an order give --resend, --placed <orderNo> or --refused <message>");
}
