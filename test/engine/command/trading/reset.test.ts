/** A paper account is set back only while nothing watches what it holds (behaviour 11.1b). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { COMMANDS, QUERIES } from "../../../../src/contract/command.ts";
import { paperSettingsSchema } from "../../../../src/contract/trading/order.ts";
import { startWorld } from "../../../support/world/trading-world.ts";

const ACCOUNT = { brokerageCode: "PAPER", accountNumber: "PAPER-7" };
const RESET = { ...ACCOUNT, confirm: "RESET" };
const LEVELS = { stopLossPrice: 90, stopLossQuantity: 100, takeProfitItems: [{ price: 110, quantity: 40 }] };

test("an account with a group is refused with what is left, and set back once that is cancelled", async () => {
  const paper = paperSettingsSchema.parse({ startingCash: 5_000, startingPositions: { THYAO: 100 } });
  const world = await startWorld({ paper, symbols: ["THYAO"] });
  await world.tick("THYAO", 100);
  const order = { ...ACCOUNT, symbol: "THYAO", buySell: 2, orderType: 1, quantity: 30, price: 0 };
  assert.ok((await world.command(COMMANDS.placeOrder, order)).ok);
  const group = await world.done(COMMANDS.createGroup, { ...ACCOUNT, symbol: "THYAO", ...LEVELS });
  const refused = await world.command(COMMANDS.resetAccount, RESET);
  assert.deepEqual(refused, {
    ...{ ok: false, code: "CONFLICT" },
    message: "end what the account still has: OCO groups (1)",
  });
  const { groupId } = group as { groupId: number };
  await world.done(COMMANDS.cancelGroup, { id: groupId, brokerageCode: "PAPER" });
  const done = await world.command(COMMANDS.resetAccount, RESET);
  assert.deepEqual(done, { ok: true, data: { cash: 5_000, buyingPower: 5_000, equity: 15_000, currency: "TRY" } });
  const [held] = (await world.query(QUERIES.listPositions, { ...ACCOUNT, includeOrders: false })) as {
    quantity: number;
  }[];
  assert.equal(held?.quantity, 100);
});
