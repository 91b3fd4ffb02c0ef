/** `ticks`: prices, sent like any publisher's. */
import { InvalidArgumentError } from "commander";
import type { AddCommands } from "../command.ts";
import { wholeNumber } from "../parse.ts";

export const addPriceCommands: AddCommands = (program, run) => {
  const ticks = program.command("ticks").description("prices");
  ticks
    .command("send <symbol=price...>")
    .description("sends ticks in their order, e.g. ticks send THYAO=401.5 GARAN=130")
    .option("--time <ms>", "when the prices were true, in epoch milliseconds; default: now", wholeNumber)
    .action((given: string[], { time }: { time?: number }) => {
      const sent = given.map((text) => ({ ...parseTick(text), ...(time === undefined ? {} : { time }) }));
      return run(async ({ api, output }) => {
        const answer = await api.unwrap(api.client.POST("/admin/v1/ticks", { body: { ticks: sent } }));
        output.data(answer.data);
      });
    });
};

function parseTick(text: string): { readonly symbol: string; readonly price: number } {
  const [, symbol, price] = /^([^=]+)=(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (symbol === undefined || price === undefined) throw new InvalidArgumentError(`${text} is not SYMBOL=PRICE`);
  return { symbol, price: Number(price) };
}
