/** `symbols` and `restrictions`: reference data, from files. */
import type { Command } from "commander";
import { restrictionInput, symbolInput } from "../../../src/contract/operator/reference.ts";
import type { AddCommands } from "../command.ts";
import { addRestrictions, endRestriction, findKnownRestrictions, withoutUndefined } from "../known-restrictions.ts";
import type { Output } from "../output.ts";
import { positiveNumber, wholeNumber } from "../parse.ts";
import { readRecords } from "../records-file.ts";
import { addActionCommands } from "./corporate-actions.ts";
import { addReadCommand } from "./read-measures.ts";

interface BandOptions {
  readonly base?: number;
  readonly date?: string;
}

const BATCH_SIZE = 500;
const FILE_HELP = "a JSON array, or CSV with a line of names";

export const addReferenceCommands: AddCommands = (program, run) => {
  const symbols = program.command("symbols").description("the symbols there are");
  importing(
    symbols,
    "adds symbols and changes known ones: symbol, name, exchange, isActive, logoUrl, and of a day's band floorPrice, " +
      "ceilingPrice, basePrice, bandDate",
  ).action((file: string, { batchSize }: ImportOptions) =>
    run(async ({ api, output }) => {
      const records = await readRecords(file, symbolInput);
      // Without a key: what is written may have been changed since the same was written before.
      await inBatches(records, batchSize, output, (batch) =>
        api.unwrap(api.client.POST("/admin/v1/symbols", { body: { symbols: batch.map(withoutUndefined) } })),
      );
      output.data({ written: records.length });
    }),
  );

  symbols
    .command("show <symbol>")
    .description("shows a symbol, the session of its exchange, and the prices at which that takes orders today")
    .action((symbol: string) =>
      run(async ({ api, output }) => {
        const params = { path: { symbol } };
        const { data } = await api.unwrap(api.client.GET("/api/v1/symbols/{symbol}", { params }));
        const session = await api.unwrap(api.client.GET("/api/v1/symbols/{symbol}/session", { params }));
        const band = await api.unwrap(api.client.GET("/api/v1/symbols/{symbol}/band", { params }));
        output.data({ ...data, session: session.data, band: band.data });
      }),
    );
  symbols
    .command("band <symbol> <floorPrice> <ceilingPrice>")
    .description("sets the prices at which the exchange takes orders of a symbol on a day")
    .option("--base <basePrice>", "the price that the two are computed from", positiveNumber)
    .option("--date <date>", "the day, as 2026-03-02; default: today where the exchange is")
    .action((symbol: string, floor: string, ceiling: string, { base, date }: BandOptions) =>
      run(async ({ api, output }) => {
        const prices = { floorPrice: positiveNumber(floor), ceilingPrice: positiveNumber(ceiling) };
        const body = {
          ...prices,
          ...(base !== undefined && { basePrice: base }),
          ...(date !== undefined && { bandDate: date }),
        };
        const params = { path: { symbol } };
        const answer = await api.unwrap(api.client.PUT("/admin/v1/symbols/{symbol}/band", { params, body }));
        output.data(answer.data);
      }),
    );
  symbols
    .command("held")
    .description("lists the symbols of which no level fires, and why")
    .action(() =>
      run(async ({ api, output }) => {
        const listed = await api.unwrap(api.client.GET("/admin/v1/symbols/held"));
        output.data(listed.data);
      }),
    );
  symbols
    .command("hold <symbol>")
    .description("holds a symbol: no level of it fires until it is released; owners are notified")
    .option("--reason <text>", "the reason that owners receive")
    .action((symbol: string, { reason }: { readonly reason?: string }) =>
      run(async ({ api, output }) => {
        const body = reason === undefined ? {} : { reason };
        const params = { path: { symbol } };
        const held = await api.unwrap(api.client.POST("/admin/v1/symbols/{symbol}/hold", { params, body }));
        output.data(held.data);
      }),
    );
  symbols
    .command("release <symbol>")
    .description("releases a held symbol: its levels are immediately compared with the last live price")
    .action((symbol: string) =>
      run(async ({ api, output }) => {
        const params = { path: { symbol } };
        const released = await api.unwrap(api.client.POST("/admin/v1/symbols/{symbol}/release", { params }));
        output.data(released.data);
      }),
    );

  symbols
    .command("rename <symbol> <to>")
    .description("after the last session under the former name: levels are watched under the new one from here on")
    .action((symbol: string, to: string) =>
      run(async ({ api, output }) => {
        const params = { path: { symbol } };
        const body = { to };
        const renamed = await api.unwrap(api.client.PUT("/admin/v1/symbols/{symbol}/rename", { params, body }));
        output.data(renamed.data);
      }),
    );

  addActionCommands(program, run);
  const restrictions = program.command("restrictions").description("measures of the exchange");
  importing(
    restrictions,
    "adds restrictions: code, restrictionType, validFrom, validTo, sourceRef; existing ones are left as " +
      "they are, restrictions that have ended since are added again; needs the scopes read and admin",
  ).action((file: string, { batchSize }: ImportOptions) =>
    run(async ({ api, output }) => {
      const records = await readRecords(file, restrictionInput);
      let written = 0;
      const ids: number[] = [];
      await inBatches(records, batchSize, output, async (batch) => {
        const known = await findKnownRestrictions(api, batch);
        const missing = batch.filter((_, index) => known.ids[index] === undefined);
        const added = missing.length === 0 ? [] : await addRestrictions(api, missing, known.state);
        written += added.length;
        // Of every record, in the order of the file.
        for (const id of known.ids) ids.push(...(id === undefined ? added.splice(0, 1) : [id]));
      });
      output.data({ written, ids });
    }),
  );
  addReadCommand(restrictions, run);
  restrictions
    .command("end <id> <validTo>")
    .description("sets when a restriction ends or ended, in ISO 8601")
    .action((id: string, validTo: string) =>
      run(async ({ api, output }) => {
        output.data(await endRestriction(api, wholeNumber(id), validTo));
      }),
    );
};

interface ImportOptions {
  readonly batchSize: number;
}

function importing(group: Command, description: string): Command {
  return group
    .command("import <file>")
    .description(`${description} (${FILE_HELP})`)
    .option("--batch-size <count>", "how many go in one request", wholeNumber, BATCH_SIZE);
}

/** Sends records in order. */
async function inBatches<T>(
  records: readonly T[],
  batchSize: number,
  output: Output,
  send: (batch: readonly T[]) => Promise<unknown>,
): Promise<void> {
  const size = Math.max(1, batchSize);
  for (let start = 0; start < records.length; start += size) {
    await send(records.slice(start, start + size));
    if (records.length > size)
      output.progress(`${Math.min(start + size, records.length)} of ${records.length} written`);
  }
}
