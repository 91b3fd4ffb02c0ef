/** `price-alerts`: prices of which the caller is notified (behaviour 29). */
import { Argument, Option } from "commander";
import { UserError } from "../../../src/runtime/user-error.ts";
import type { AddCommands } from "../command.ts";
import { onOrOff, positiveNumber, wholeNumber } from "../parse.ts";

const DIRECTIONS = { above: "atOrAbove", below: "atOrBelow" } as const;
const SIDES = Object.keys(DIRECTIONS);
type Side = keyof typeof DIRECTIONS;

interface AddOptions {
  readonly note?: string;
  readonly repeat?: true;
  readonly until?: string;
}

interface ChangeOptions {
  readonly side?: Side;
  readonly price?: number;
  readonly note?: string;
  readonly repeat?: boolean;
  readonly until?: string;
}

export const addPriceAlertCommands: AddCommands = (program, run) => {
  const alerts = program
    .command("price-alerts")
    .description("prices that you are notified of; no order depends on one");
  alerts
    .command("list")
    .description("lists your price alerts that are under watch")
    .option("--ended", "lists alerts that were reached or expired in the last seven days")
    .action(({ ended }: { readonly ended?: true }) =>
      run(async ({ api, output }) => {
        const params = { query: { status: ended === true ? ("ended" as const) : ("watching" as const) } };
        output.data((await api.unwrap(api.client.GET("/api/v1/price-alerts", { params }))).data);
      }),
    );
  alerts
    .command("add")
    .description("notifies you when a price is reached, as: add THYAO above 320")
    .argument("<symbol>")
    .addArgument(new Argument("<side>", "at or above, or at or below the price").choices(SIDES))
    .argument("<price>", "two decimals at most", positiveNumber)
    .option("--note <text>", "the notification repeats it")
    .option("--repeat", "notifies you each time that the price comes from the other side, not only once")
    .option("--until <date>", "until when it is watched")
    .action((symbol: string, side: Side, price: number, { note, repeat, until }: AddOptions) =>
      run(async ({ api, output }) => {
        const body = {
          ...{ symbol, direction: DIRECTIONS[side], price },
          ...(note !== undefined && { note }),
          ...(repeat !== undefined && { repeat }),
          ...(until !== undefined && { until }),
        };
        const { data, message } = await api.unwrap(api.client.POST("/api/v1/price-alerts", { body }));
        output.progress(message);
        output.data(data);
      }),
    );
  alerts
    .command("change <id>")
    .description("changes a price alert that is under watch")
    .addOption(new Option("--side <side>", "at or above, or at or below the price").choices(SIDES))
    .option("--price <price>", "the new price, two decimals at most", positiveNumber)
    .option("--note <text>", "the new note, or none")
    .option("--repeat <on|off>", "whether it remains under watch after it was reached", onOrOff)
    .option("--until <date>", "until when it is watched, or none")
    .action((id: string, { side, price, note, repeat, until }: ChangeOptions) => {
      const body = {
        ...(side !== undefined && { direction: DIRECTIONS[side] }),
        ...(price !== undefined && { price }),
        ...(note !== undefined && { note: note === "none" ? null : note }),
        ...(repeat !== undefined && { repeat }),
        ...(until !== undefined && { until: until === "none" ? null : until }),
      };
      if (Object.keys(body).length === 0) throw new UserError("name at least one field to change", { reason: "usage" });
      return run(async ({ api, output }) => {
        const params = { path: { id: wholeNumber(id) } };
        const { data, message } = await api.unwrap(api.client.PATCH("/api/v1/price-alerts/{id}", { params, body }));
        output.progress(message);
        output.data(data);
      });
    });
  alerts
    .command("remove <id>")
    .description("removes a price alert")
    .action((id: string) =>
      run(async ({ api, output }) => {
        const params = { path: { id: wholeNumber(id) } };
        const { message } = await api.unwrap(api.client.DELETE("/api/v1/price-alerts/{id}", { params }));
        output.data({ message });
      }),
    );
};
