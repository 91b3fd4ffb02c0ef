/** `price-alerts`: prices of which the caller is notified (behaviour 29). */
import { Argument } from "commander";
import type { AddCommands } from "../command.ts";
import { positiveNumber, wholeNumber } from "../parse.ts";

const DIRECTIONS = { above: "atOrAbove", below: "atOrBelow" } as const;
type Side = keyof typeof DIRECTIONS;

export const addPriceAlertCommands: AddCommands = (program, run) => {
  const alerts = program
    .command("price-alerts")
    .description("prices that you are notified of; no order depends on one");
  alerts
    .command("list")
    .description("lists your price alerts that are under watch")
    .action(() =>
      run(async ({ api, output }) => output.data((await api.unwrap(api.client.GET("/api/v1/price-alerts"))).data)),
    );
  alerts
    .command("add")
    .description("notifies you once when a price is reached, as: add THYAO above 320")
    .argument("<symbol>")
    .addArgument(new Argument("<side>", "at or above, or at or below the price").choices(Object.keys(DIRECTIONS)))
    .argument("<price>", "two decimals at most", positiveNumber)
    .option("--note <text>", "the notification repeats it")
    .action((symbol: string, side: Side, price: number, { note }: { readonly note?: string }) =>
      run(async ({ api, output }) => {
        const body = { symbol, direction: DIRECTIONS[side], price, ...(note !== undefined && { note }) };
        const { data, message } = await api.unwrap(api.client.POST("/api/v1/price-alerts", { body }));
        output.progress(message);
        output.data(data);
      }),
    );
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
