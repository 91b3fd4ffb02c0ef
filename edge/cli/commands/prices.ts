/**
 * `ticks`, `prices` and `bars`: prices, sent like any publisher's, the last ones, and earlier ones. `conditions`:
 * whether prices and orders flow. `history` and `totals`: the outcomes of bots' pairs.
 */
import { type Command, InvalidArgumentError, Option } from "commander";
import { BAR_INTERVALS, type BarInterval } from "../../../src/domain/market/bars.ts";
import type { AddCommands } from "../command.ts";
import { wholeNumber } from "../parse.ts";

const HISTORY_PAGE_SIZE = 20;
const BARS_PRESET = 60;

interface KindOption {
  readonly kind: "level" | "webhook";
}

interface HistoryOptions extends KindOption {
  readonly page: number;
  readonly pageSize: number;
}

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
    .command("conditions")
    .description("shows whether prices and orders flow: the feed, and the way to each brokerage")
    .action(() =>
      run(async ({ api, output }) => output.data((await api.unwrap(api.client.GET("/api/v1/conditions"))).data)),
    );
  ofKind(program.command("history <brokerageCode> <accountNumber>"))
    .description("lists the closed pair orders of an account's bots, newest first")
    .option("--page <number>", "from 1", wholeNumber, 1)
    .option("--page-size <number>", "to 100", wholeNumber, HISTORY_PAGE_SIZE)
    .action((brokerageCode: string, accountNumber: string, { kind, page, pageSize }: HistoryOptions) =>
      run(async ({ api, output }) => {
        const params = { query: { brokerageCode, accountNumber, page, pageSize } };
        const listed = await api.unwrap(
          kind === "level"
            ? api.client.GET("/api/v1/level-bots/pair-orders/history", { params })
            : api.client.GET("/api/v1/webhook-bots/pair-orders/history", { params }),
        );
        output.data(listed.data.items);
      }),
    );
  ofKind(program.command("totals <brokerageCode> <accountNumber>"))
    .description("lists what each of an account's bots brought over all closed pairs, and what it holds")
    .action((brokerageCode: string, accountNumber: string, { kind }: KindOption) =>
      run(async ({ api, output }) => {
        const params = { query: { brokerageCode, accountNumber } };
        const listed = await api.unwrap(
          kind === "level"
            ? api.client.GET("/api/v1/level-bots/pair-orders/totals", { params })
            : api.client.GET("/api/v1/webhook-bots/pair-orders/totals", { params }),
        );
        output.data(listed.data);
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

function ofKind(command: Command): Command {
  return command.addOption(new Option("--kind <kind>", "of bots").choices(["level", "webhook"]).default("level"));
}

function parseTick(text: string): { readonly symbol: string; readonly price: number } {
  const [, symbol, price] = /^([^=]+)=(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (symbol === undefined || price === undefined) throw new InvalidArgumentError(`${text} is not SYMBOL=PRICE`);
  return { symbol, price: Number(price) };
}
