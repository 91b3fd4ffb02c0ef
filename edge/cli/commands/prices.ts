/**
 * `ticks`, `prices` and `bars`: prices, sent like any publisher's, the last ones, and earlier ones. `history`: the
 * outcomes of bots' pairs.
 */
import { InvalidArgumentError, Option } from "commander";
import { BAR_INTERVALS, type BarInterval } from "../../../src/domain/market/bars.ts";
import type { AddCommands } from "../command.ts";
import { wholeNumber } from "../parse.ts";

const HISTORY_PAGE_SIZE = 20;
const BARS_PRESET = 60;

export const addPriceCommands: AddCommands = (program, run) => {
  program
    .command("prices <symbol...>")
    .description("shows the last price of each symbol, and how old it is")
    .action((symbols: string[]) =>
      run(async ({ api, output }) => {
        const params = { query: { symbols: symbols.join(",") } };
        const listed = await api.unwrap(api.client.GET("/api/v1/prices", { params }));
        output.data(listed.data);
      }),
    );
  program
    .command("bars <symbol>")
    .description("shows what the price of a symbol did before, the newest last")
    .addOption(new Option("--interval <length>", "the length of a period").choices(BAR_INTERVALS).default("1m"))
    .option("--limit <number>", "how many bars, to 1500", wholeNumber, BARS_PRESET)
    .action((symbol: string, { interval, limit }: { interval: BarInterval; limit: number }) =>
      run(async ({ api, output }) => {
        const params = { path: { symbol }, query: { interval, limit } };
        const listed = await api.unwrap(api.client.GET("/api/v1/symbols/{symbol}/bars", { params }));
        output.data(listed.data);
      }),
    );
  program
    .command("history <brokerageCode> <accountNumber>")
    .description("lists the closed pair orders of an account's level bots, newest first")
    .option("--page <number>", "from 1", wholeNumber, 1)
    .option("--page-size <number>", "to 100", wholeNumber, HISTORY_PAGE_SIZE)
    .action((brokerageCode: string, accountNumber: string, { page, pageSize }: { page: number; pageSize: number }) =>
      run(async ({ api, output }) => {
        const params = { query: { brokerageCode, accountNumber, page, pageSize } };
        const path = "/api/v1/level-bots/pair-orders/history";
        const listed = await api.unwrap(api.client.GET(path, { params }));
        output.data(listed.data.items);
      }),
    );
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
