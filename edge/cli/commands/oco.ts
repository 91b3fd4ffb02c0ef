/** `oco`: a running group or a pending OCO of the caller, changed in place (behaviour 5.9, 15 and 19). */
import { type Command, InvalidArgumentError, Option } from "commander";
import { UserError } from "../../../src/runtime/user-error.ts";
import type { components } from "../../openapi/generated/schema.d.ts";
import { type AccountOptions, accountOf, ofAccount } from "../account-option.ts";
import type { AddCommands, RunCommand } from "../command.ts";
import { onOrOff, positiveNumber, wholeNumber } from "../parse.ts";
import { addEndingCommands } from "./oco-ends.ts";

type Change = components["schemas"]["ChangeOcoGroup"];
type SetupChange = components["schemas"]["ChangePendingOco"];

interface VersionOption {
  readonly ifVersion?: number;
}

interface ChangeOptions extends VersionOption {
  readonly stopLoss?: number;
  readonly lots?: number;
  readonly due?: string;
  readonly notes?: string;
  readonly followPosition?: boolean;
}

interface PendingOptions extends ChangeOptions {
  readonly percent?: number;
  readonly trigger?: number;
  readonly expires?: string;
}

interface EnterOptions {
  readonly brokerage: string;
  readonly account: string;
  readonly stopLoss: number;
  readonly takeProfit: number;
  readonly limit?: number;
  readonly trigger?: number;
  readonly cash?: number;
  readonly risk?: number;
  readonly expires?: string;
  readonly protectPartial: boolean;
  readonly followPosition?: true;
}

interface CreateOptions extends AccountOptions {
  readonly stopLoss: number;
  readonly takeProfit: number;
  readonly notes?: string;
}

interface TrailOptions extends VersionOption {
  readonly distance?: number;
  readonly percent?: number;
  readonly activation?: number;
  readonly step?: number;
  readonly confirm?: 1 | 2;
  readonly off?: boolean;
}

interface ListOptions {
  readonly brokerage: string;
  readonly account: string;
  readonly status?: string;
  readonly symbol?: string;
  readonly since?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

export const addOcoCommands: AddCommands = (program, run) => {
  const oco = program.command("oco").description("a running group of yours; the id of any of its rows is accepted");
  oco
    .command("list")
    .description("the rows of an account, all or some")
    .requiredOption("--brokerage <code>", "at this brokerage")
    .requiredOption("--account <accountNumber>", "of this account")
    .option("--status <list>", "only these: 1 Active, 2 Triggered, 3 TriggerFailed, 4 Cancelled, separated by commas")
    .option("--symbol <symbol>", "only of this symbol")
    .option("--since <time>", "only what was made or changed then or later")
    .option("--limit <rows>", "at most so many; the cursor of the next part is shown on standard error", wholeNumber)
    .option("--cursor <cursor>", "from where the part before ended")
    .action(({ brokerage, account, ...part }: ListOptions) =>
      run(async ({ api, output }) => {
        const query = { brokerageCode: brokerage, accountNumber: account, ...part };
        const listing = api.client.GET("/api/v1/oco-orders", { params: { query } });
        output.data((await api.unwrap(listing)).data);
        const cursor = (await listing).response.headers.get("x-next-cursor");
        if (cursor !== null) output.progress(`there is more: --cursor ${cursor}`);
      }),
    );
  oco
    .command("show <id>")
    .description("its rows, how its stop-loss follows the price and is sold, and every order of it")
    .action((id: string) =>
      run(async ({ api, output }) => {
        const params = { path: { id: wholeNumber(id) } };
        output.data((await api.unwrap(api.client.GET("/api/v1/oco-orders/{id}/plan", { params }))).data);
      }),
    );
  oco
    .command("outlook <id>")
    .description("what would happen if a price reached each level of it now, and why")
    .action((id: string) =>
      run(async ({ api, output }) => {
        const params = { path: { id: wholeNumber(id) } };
        output.data((await api.unwrap(api.client.GET("/api/v1/oco-orders/{id}/outlook", { params }))).data);
      }),
    );
  ofAccount(oco.command("create <symbol> <lots>"))
    .description("watches lots that the account holds; a level that the price has reached already sells immediately")
    .requiredOption("--stop-loss <price>", "the stop-loss of all lots", positiveNumber)
    .requiredOption("--take-profit <price>", "the take-profit of all lots", positiveNumber)
    .option("--notes <text>", "a note")
    .action((symbol: string, lots: string, options: CreateOptions) => create(run, symbol, wholeNumber(lots), options));
  oco
    .command("enter <symbol> [lots]")
    .description("buys, at market, up to --limit or from --trigger on, and has a group made of what is filled")
    .requiredOption("--brokerage <code>", "where the account is")
    .requiredOption("--account <accountNumber>", "whose cash is used")
    .requiredOption("--stop-loss <percent>", "the stop-loss, so many percent under the fill", positiveNumber)
    .requiredOption(
      "--take-profit <percent>",
      "the take-profit of all lots, so many percent over the fill",
      positiveNumber,
    )
    .option("--limit <price>", "the most that is paid", positiveNumber)
    .addOption(
      new Option("--trigger <price>", "buys at market once the price has risen to this")
        .argParser(positiveNumber)
        .conflicts("limit"),
    )
    .option("--cash <amount>", "in place of lots: as many as this pays for", positiveNumber)
    .option("--risk <amount>", "in place of lots: as many as lose this at the stop-loss", positiveNumber)
    .option("--expires <time>", "cancels what is not filled by then")
    .option("--no-protect-partial", "have the group made once the buy has ended, and nothing protected before")
    .option("--follow-position", "the group shrinks if lots of the account are sold elsewhere")
    .action((symbol: string, lots: string | undefined, options: EnterOptions) => enter(run, symbol, lots, options));
  withChange(oco.command("change <id>"))
    .description("changes it in one step; what is not given stays")
    .action((id: string, { ifVersion, ...options }: ChangeOptions) =>
      change(run, id, givenOf(changeOf(options)), ifVersion),
    );
  withChange(oco.command("change-pending <setupId>"))
    .description("changes a pending OCO in one step; what is not given stays")
    .addOption(
      new Option("--percent <percent>", "so many percent under the fill, in place of a price")
        .argParser(positiveNumber)
        .conflicts("stopLoss"),
    )
    .option("--trigger <price>", "of a stop entry that waits: buys once the price has risen to this", positiveNumber)
    .option("--expires <time>", "of an entry: cancels what is not filled by then, or none")
    .action((id: string, { ifVersion, percent, trigger, expires, ...options }: PendingOptions) => {
      const body = givenOf({
        ...changeOf(options),
        ...(percent !== undefined && { stopLossPercent: percent }),
        ...(trigger !== undefined && { triggerPrice: trigger }),
        ...(expires !== undefined && { expiresAt: expires === "none" ? null : expires }),
      });
      return changePending(run, id, body, ifVersion);
    });
  withVersion(oco.command("trail <id>"))
    .description("has its stop-loss follow the price up, or leaves it where it is")
    .option("--distance <amount>", "so much under the high", positiveNumber)
    .option("--percent <percent>", "so many percent under the high", positiveNumber)
    .option("--activation <price>", "only once this price was reached", positiveNumber)
    .option("--step <amount>", "in steps of this", positiveNumber)
    .addOption(new Option("--confirm <ticks>", "prices in a row that a high takes").argParser(oneOrTwo))
    .addOption(new Option("--off", "it stays where it is from now on").conflicts(["distance", "percent"]))
    .action((id: string, { distance, percent, activation, step, confirm, off, ifVersion }: TrailOptions) => {
      if (off !== true && (distance === undefined) === (percent === undefined)) {
        throw new UserError("give either --distance or --percent, or --off", { reason: "usage" });
      }
      const terms = {
        ...(distance !== undefined && { distance }),
        ...(percent !== undefined && { distancePercent: percent }),
        ...(activation !== undefined && { activationPrice: activation }),
        ...(step !== undefined && { step }),
        ...(confirm !== undefined && { confirmTicks: confirm }),
      };
      return change(run, id, { stopLossTrailing: off === true ? null : terms }, ifVersion);
    });
  addEndingCommands(oco, run);
};

function withChange(command: Command): Command {
  return withVersion(command)
    .option("--stop-loss <price>", "the new stop-loss price", positiveNumber)
    .option("--lots <lots>", "the lots that the stop-loss sells", wholeNumber)
    .option("--due <date>", "until when it is watched, or none")
    .option("--notes <text>", "the new note")
    .option("--follow-position <on|off>", "whether it shrinks if lots of the account are sold elsewhere", onOrOff);
}

/** What changes a group and a pending OCO alike. */
function changeOf({ stopLoss, lots, due, notes, followPosition }: ChangeOptions) {
  return {
    ...(stopLoss !== undefined && { stopLossPrice: stopLoss }),
    ...(lots !== undefined && { stopLossQuantity: lots }),
    ...(due !== undefined && { dueDate: due === "none" ? null : due }),
    ...(notes !== undefined && { notes }),
    ...(followPosition !== undefined && { followPosition }),
  };
}

/** A change of something: without a field it is a mistake of usage. */
function givenOf<T extends object>(change: T): T {
  if (Object.keys(change).length === 0) throw new UserError("name at least one field to change", { reason: "usage" });
  return change;
}

function withVersion(command: Command): Command {
  return command.option("--if-version <version>", "only if it has this version still", wholeNumber);
}

function oneOrTwo(text: string): 1 | 2 {
  if (text === "1" || text === "2") return text === "1" ? 1 : 2;
  throw new InvalidArgumentError("must be 1 or 2");
}

function create(run: RunCommand, symbol: string, lots: number, options: CreateOptions): Promise<void> {
  const { stopLoss, takeProfit, notes } = options;
  const body = {
    ...accountOf(options),
    symbol,
    stopLossPrice: stopLoss,
    stopLossQuantity: lots,
    takeProfitItems: [{ price: takeProfit, quantity: lots }],
    ...(notes !== undefined && { notes }),
  };
  return run(async ({ api, output }) => {
    const { data, message } = await api.unwrap(api.client.POST("/api/v1/oco-orders", { body }));
    output.progress(message);
    output.data(data);
  });
}

function enter(run: RunCommand, symbol: string, lots: string | undefined, options: EnterOptions): Promise<void> {
  const { brokerage, account, stopLoss, takeProfit, expires, cash, risk, protectPartial, followPosition } = options;
  if ([lots, cash, risk].filter((size) => size !== undefined).length !== 1) {
    throw new UserError("give either the lots, --cash or --risk", { reason: "usage" });
  }
  const entry = {
    ...orderOf(options),
    ...(lots !== undefined && { quantity: wholeNumber(lots) }),
    ...(cash !== undefined && { cashAmount: cash }),
    ...(risk !== undefined && { riskAmount: risk }),
    ...(expires !== undefined && { expiresAt: expires }),
  };
  return run(async ({ api, output }) => {
    const body = {
      ...{ brokerageCode: brokerage, accountNumber: account, symbol, protectPartial, entry },
      stopLossPercent: stopLoss,
      takeProfitItems: [{ percent: takeProfit, quantityPercent: 100 }],
      ...(followPosition && { followPosition }),
    };
    const answer = await api.unwrap(api.client.POST("/api/v1/oco-orders/entries", { body }));
    output.data(answer.data);
  });
}

function orderOf({ limit, trigger }: EnterOptions) {
  if (trigger !== undefined) return { orderType: 3 as const, triggerPrice: trigger };
  return limit === undefined ? { orderType: 1 as const } : { orderType: 2 as const, price: limit };
}

function change(run: RunCommand, id: string, body: Change, ifVersion: number | undefined): Promise<void> {
  return run(async ({ api, output }) => {
    const params = { path: { id: wholeNumber(id) }, header: conditionOf(ifVersion) };
    const answer = await api.unwrap(api.client.PATCH("/api/v1/oco-orders/{id}", { params, body }));
    output.data(answer.data);
  });
}

function changePending(
  run: RunCommand,
  setupId: string,
  body: SetupChange,
  ifVersion: number | undefined,
): Promise<void> {
  return run(async ({ api, output }) => {
    const params = { path: { setupId: wholeNumber(setupId) }, header: conditionOf(ifVersion) };
    const answer = await api.unwrap(api.client.PATCH("/api/v1/oco-orders/pending/{setupId}", { params, body }));
    output.data(answer.data);
  });
}

function conditionOf(ifVersion: number | undefined) {
  return ifVersion === undefined ? {} : { "If-Match": `"${ifVersion}"` };
}
