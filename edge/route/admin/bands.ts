/** Bands of a day, over all partitions (behaviour 17). */
import { z } from "zod";
import { BAND_COMMANDS, bandRequest } from "../../../src/contract/operator/band.ts";
import type { SymbolInput } from "../../../src/contract/operator/reference.ts";
import { symbolCode } from "../../../src/contract/trading/oco.ts";
import type { EngineClient, Refusal } from "../../client/engine-client.ts";
import type { Call } from "../../operation/call.ts";
import type { AddOperation } from "../../operation/operation.ts";
import { answerData } from "../../server/request-state.ts";
import { tellEach } from "./partitions.ts";

type Caller = Pick<Call<unknown, unknown, unknown>, "userId" | "context">;

/** Adds the operation that sets a band by hand. */
export function addBandOperation(add: AddOperation, engine: EngineClient): void {
  add({
    operationId: "writeBand",
    method: "PUT",
    path: "/admin/v1/symbols/:symbol/band",
    tag: "Administration",
    summary: "Set the band of a symbol for a day",
    description:
      "Orders that continue the sale of a stop-loss are limit orders at the floor of the day. The band counts on its " +
      "day only, and takes precedence over the bands of brokerages and imports. A 503 can be repeated as it is.",
    scope: "admin",
    params: z.object({ symbol: symbolCode }),
    body: bandRequest,
    data: z.literal(true),
    handle: async (call) => {
      const bands = [{ ...call.body, symbol: call.params.symbol }];
      const refusal = await writeToEach(engine, call, { source: "operator", bands });
      return refusal === undefined ? answerData(call.context, "The band was set", true) : call.refuse(refusal);
    },
  });
}

/** Writes the bands that came with symbols; undefined: every partition has them. */
export async function writeImported(
  engine: EngineClient,
  call: Caller,
  symbols: readonly SymbolInput[],
): Promise<Refusal | undefined> {
  const bands = symbols.flatMap(({ symbol, floorPrice, ceilingPrice, basePrice, bandDate }) =>
    floorPrice === undefined ? [] : [{ symbol, floorPrice, ceilingPrice, basePrice, bandDate }],
  );
  return bands.length === 0 ? undefined : writeToEach(engine, call, { source: "import", bands });
}

/** Without the request's key, under which symbols were written just now: to write a band twice changes nothing. */
async function writeToEach(engine: EngineClient, call: Caller, body: object): Promise<Refusal | undefined> {
  const ask = { userId: call.userId, requestId: call.context.get("requestState").requestId, body };
  const told = await tellEach(engine, (partition) => engine.command(BAND_COMMANDS.write, ask, { partition }));
  return told.ok ? undefined : told;
}
