/** `corporate-actions`: splits, issues and dividends that levels follow. */
import { InvalidArgumentError } from "commander";
import { ACTION_TYPES, type ActionRequest } from "../../../src/domain/market/corporate-action.ts";
import type { AddCommands } from "../command.ts";
import { withoutUndefined } from "../known-restrictions.ts";
import { positiveNumber } from "../parse.ts";

type Terms = Omit<ActionRequest, "symbol" | "type" | "exDate">;

function actionType(text: string): ActionRequest["type"] {
  const type = ACTION_TYPES.find((known) => known === text);
  if (type === undefined) throw new InvalidArgumentError(`${text} is not one of ${ACTION_TYPES.join(", ")}`);
  return type;
}

export const addActionCommands: AddCommands = (program, run) => {
  const actions = program.command("corporate-actions").description("splits, issues and dividends that levels follow");
  actions
    .command("list")
    .description("lists the corporate actions, and when the levels of each partition followed")
    .action(() =>
      run(async ({ api, output }) => {
        const listed = await api.unwrap(api.client.GET("/admin/v1/corporate-actions"));
        output.data(listed.data);
      }),
    );
  actions
    .command("add")
    .description("enters one, as: add THYAO bonus 2026-03-02 --ratio 1")
    .argument("<symbol>")
    .argument("<type>", ACTION_TYPES.join(", "), actionType)
    .argument("<exDate>", "the first day on the new base, as 2026-03-02")
    .option("--ratio <number>", "of a bonus or rights issue: new shares for each old one", positiveNumber)
    .option("--shares-before <count>", "of a split", positiveNumber)
    .option("--shares-after <count>", "of a split", positiveNumber)
    .option("--subscription-price <price>", "of a rights issue", positiveNumber)
    .option("--close-price <price>", "of a rights issue: the last close before", positiveNumber)
    .option("--cash <amount>", "of a dividend: for each share", positiveNumber)
    .action((symbol: string, type: ActionRequest["type"], exDate: string, terms: Terms) =>
      run(async ({ api, output }) => {
        const body = withoutUndefined({ symbol, type, exDate, ...terms });
        const added = await api.unwrap(api.client.POST("/admin/v1/corporate-actions", { body }));
        output.data(added.data);
      }),
    );
  actions
    .command("remove <actionId>")
    .description("removes one before its exDate")
    .action((actionId: string) =>
      run(async ({ api, output }) => {
        const params = { path: { actionId } };
        const removed = await api.unwrap(api.client.DELETE("/admin/v1/corporate-actions/{actionId}", { params }));
        output.data(removed.data);
      }),
    );
};
