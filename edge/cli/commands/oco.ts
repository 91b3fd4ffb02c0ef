/** `oco`: a running group of the caller, changed in place (behaviour 15 and 19). */
import { type Command, InvalidArgumentError, Option } from "commander";
import { UserError } from "../../../src/runtime/user-error.ts";
import type { components } from "../../openapi/generated/schema.d.ts";
import type { AddCommands, RunCommand } from "../command.ts";
import { positiveNumber, wholeNumber } from "../parse.ts";

type Change = components["schemas"]["ChangeOcoGroup"];

interface VersionOption {
  readonly ifVersion?: number;
}

interface ChangeOptions extends VersionOption {
  readonly stopLoss?: number;
  readonly lots?: number;
  readonly due?: string;
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

export const addOcoCommands: AddCommands = (program, run) => {
  const oco = program.command("oco").description("a running group of yours; the id is that of any row of it");
  oco
    .command("show <id>")
    .description("its rows, how its stop-loss follows the price and is sold, and every order of it")
    .action((id: string) =>
      run(async ({ api, output }) => {
        const params = { path: { id: wholeNumber(id) } };
        output.data((await api.unwrap(api.client.GET("/api/v1/oco-orders/{id}/plan", { params }))).data);
      }),
    );
  withVersion(oco.command("change <id>"))
    .description("changes it in one step; what is not given stays")
    .option("--stop-loss <price>", "the new stop-loss price", positiveNumber)
    .option("--lots <lots>", "the lots that the stop-loss sells", wholeNumber)
    .option("--due <date>", "until when it is watched, or none")
    .option("--notes <text>", "the new note")
    .action((id: string, { stopLoss, lots, due, notes, ifVersion }: ChangeOptions) => {
      const body: Change = {
        ...(stopLoss !== undefined && { stopLossPrice: stopLoss }),
        ...(lots !== undefined && { stopLossQuantity: lots }),
        ...(due !== undefined && { dueDate: due === "none" ? null : due }),
        ...(notes !== undefined && { notes }),
      };
      if (Object.keys(body).length === 0) throw new UserError("say what is to be changed", { reason: "usage" });
      return change(run, id, body, ifVersion);
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
};

function withVersion(command: Command): Command {
  return command.option("--if-version <version>", "only if the group has this version still", wholeNumber);
}

function oneOrTwo(text: string): 1 | 2 {
  if (text === "1" || text === "2") return text === "1" ? 1 : 2;
  throw new InvalidArgumentError("must be 1 or 2");
}

function change(run: RunCommand, id: string, body: Change, ifVersion: number | undefined): Promise<void> {
  return run(async ({ api, output }) => {
    const header = ifVersion === undefined ? {} : { "If-Match": `"${ifVersion}"` };
    const params = { path: { id: wholeNumber(id) }, header };
    const answer = await api.unwrap(api.client.PATCH("/api/v1/oco-orders/{id}", { params, body }));
    output.data(answer.data);
  });
}
