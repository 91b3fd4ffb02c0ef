/** Writes bands of a day (behaviour 17). The edge checks that the caller is an operator. */
import { BAND_COMMANDS, writeBandsBody } from "../../../src/contract/operator/band.ts";
import { type AnyCommandHandler, checked, replyOf } from "../context.ts";

const writeBands = checked({
  schema: writeBandsBody,
  handle: async (context, { source, bands }, turn) =>
    turn.decide(() => {
      const written = context.bands.writeInTurn(source, bands);
      return written.ok ? { ok: true, data: { written: written.value } } : replyOf(written);
    }),
});

export const bandCommands: ReadonlyMap<string, AnyCommandHandler> = new Map([[BAND_COMMANDS.write, writeBands]]);
