/** Pending OCOs at the dashboard: made for a buy that waits, changed, and refused if they changed in the meantime. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { browserSuite, findBarriers, findMisfits } from "../support/client/browser.ts";
import { DashboardWorld, PLACE } from "../support/client/dashboard-world.ts";
import { type Stack, until } from "../support/world/stack.ts";

interface Setup {
  readonly setupId: number;
  readonly symbol: string;
  readonly brokerOrderNo: string;
  readonly stopLossQuantity: number;
  readonly stopLossPercent: number | null;
  readonly stopLossPrice: number | null;
  readonly takeProfitItems: readonly object[];
  readonly notes: string | null;
  readonly exit: { readonly beforeCloseMinutes: number | null } | null;
}

browserSuite("pending OCOs at the dashboard", () => {
  let world: DashboardWorld;
  let stack: Stack;
  let page: Page;
  let complaints: string[];

  before(async () => {
    world = await DashboardWorld.start({ environment: { CALENDARS: "on" } });
    ({ stack } = world);
    ({ page, complaints } = await world.openSignedIn());
  });
  after(async () => {
    await world?.stop();
  });

  const dialog = () => page.getByRole("alertdialog");
  const field = (label: string) => page.getByLabel(label, { exact: true });
  const button = (name: string) => page.getByRole("button", { name, exact: true });

  /** Places a buy that waits, as its price is far below the symbol's price. */
  async function buyThatWaits(symbol: string, price: number, quantity: number): Promise<string> {
    await stack.tick(symbol, price * 2);
    const { orderNo } = await world.post("/api/v1/orders", { symbol, price, quantity, buySell: 1, orderType: 2 });
    return String(orderNo);
  }

  async function setupOf(symbol: string): Promise<Setup | undefined> {
    const path = `/api/v1/oco-orders/pending?${new URLSearchParams(PLACE)}`;
    const { body } = await stack.http("GET", path, { token: world.user.token });
    return (body.data as readonly Setup[]).find((setup) => setup.symbol === symbol);
  }

  test("a pending OCO is made for an open buy by keyboard, after a question that a second Enter answers with no", async () => {
    const orderNo = await buyThatWaits("THYAO", 150, 20);
    await page.getByRole("button", { name: "Trade", exact: true }).click();
    const row = page.getByRole("row", { name: new RegExp(`${orderNo}.*THYAO`) });
    await row.getByRole("button", { name: "Protect this buy" }).press("Enter");
    await field("Lots to protect").waitFor();
    assert.ok(page.url().endsWith(`#/pending/buy-${orderNo}`));
    assert.equal(await field("Lots to protect").inputValue(), "20");
    assert.equal(await field("Lots 1").inputValue(), "20");
    await field("Stop-loss").fill("100");
    await field("Stop-loss").press("Enter");
    await page.getByText(/is not below 100/).waitFor();
    await page.locator('input:focus[aria-invalid="true"]').waitFor();
    await field("Stop-loss: Unit").selectOption("price");
    assert.equal(await field("Stop-loss").inputValue(), "", "a percent is no price");
    await field("Stop-loss").fill("140");
    await field("Lots 1").fill("12");
    await button("Add a take-profit").press("Enter");
    await field("Take-profit 2: Unit").selectOption("price");
    await field("Take-profit 2").fill("170");
    await field("Lots 2").fill("8");
    await field("Note (optional)").fill("by the page");
    assert.deepEqual(await findMisfits(page), []);
    await field("Note (optional)").press("Enter");
    await dialog().getByText("20 at 140.00", { exact: true }).waitFor();
    await dialog().getByText("12 at 5% above the fill; 8 at 170.00").waitFor();
    await dialog()
      .getByText(/about 200\.00, if 20 lots are bought at 150\.00/)
      .waitFor();
    await dialog()
      .getByText(/nothing protects a part that is filled/)
      .waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("Enter");
    await dialog().waitFor({ state: "detached" });
    assert.equal(await setupOf("THYAO"), undefined);
    await button("Check the pending OCO").press("Enter");
    await dialog().getByRole("button", { name: "Register the pending OCO" }).press("Enter");
    await page.getByRole("status").getByText("The pending OCO was registered").waitFor();
    await page.getByRole("row", { name: new RegExp(`THYAO.*${orderNo}`) }).waitFor();
    await page.getByText("Once the whole order is filled, its stop-loss and take-profits are under watch.").waitFor();
    await page.locator(`nav [aria-description="pending OCOs: 1"]`).waitFor();
    const { stopLossQuantity, stopLossPrice, takeProfitItems, notes } = (await setupOf("THYAO")) ?? {};
    assert.deepEqual([stopLossQuantity, stopLossPrice, notes], [20, 140, "by the page"]);
    assert.deepEqual(takeProfitItems, [
      { quantity: 12, percent: 5, price: null },
      { quantity: 8, percent: null, price: 170 },
    ]);
  });

  test("its answer is lost and asked for again: one pending OCO, and a refusal stands at its field", async () => {
    const orderNo = await buyThatWaits("KCHOL", 70, 10);
    await button("Pending").click();
    await button("New pending OCO").click();
    await field("Buy order").selectOption(orderNo);
    await page.getByText("Sell at a set time", { exact: false }).first().click();
    await field("Sell at (optional)").fill("2020-03-02T17:50");
    await button("Check the pending OCO").click();
    await dialog().getByRole("button", { name: "Register the pending OCO" }).click();
    await page.getByText("exit.at must be in the future").waitFor();
    assert.equal(await field("Sell at (optional)").getAttribute("aria-invalid"), "true");
    await field("Sell at (optional)").fill("");
    await field("Minutes before the close (optional)").fill("15");
    await page.getByRole("button", { name: "Portfolio" }).click();
    await dialog().getByText("Leave the form?").waitFor();
    await dialog().getByRole("button", { name: "Stay here" }).click();
    const keys: (string | undefined)[] = [];
    await page.route("**/api/v1/oco-orders/register-pending", async (route) => {
      keys.push(route.request().headers()["idempotency-key"]);
      if (keys.length > 1) return route.fallback();
      await route.fetch();
      return route.abort();
    });
    for (const text of [/The service cannot be reached/, /The pending OCO was registered/]) {
      await button("Check the pending OCO").click();
      await dialog().getByRole("button", { name: "Register the pending OCO" }).click();
      await page.getByText(text).waitFor();
    }
    assert.equal(keys.length, 2);
    assert.equal(keys[0], keys[1]);
    assert.equal((await setupOf("KCHOL"))?.exit?.beforeCloseMinutes, 15);
    complaints.splice(0);
  });

  test("an order that the service does not take is refused at its field, which has the focus", async () => {
    const orderNo = await buyThatWaits("SISE", 20, 10);
    await button("New pending OCO").click();
    await field("Buy order").selectOption(orderNo);
    await field("Lots to protect").waitFor();
    await world.post("/api/v1/orders/cancel", { orderNo, symbol: "SISE" });
    await button("Check the pending OCO").click();
    await dialog().getByRole("button", { name: "Register the pending OCO" }).click();
    await page.getByText("brokerOrderNo is cancelled or rejected").waitFor();
    await page.locator('select:focus[aria-invalid="true"]').waitFor();
    await button("Back").click();
    await field("Buy order").waitFor({ state: "detached" });
    assert.match(complaints.splice(0).join(), /400/);
  });

  test("an order that has one already leads to its change, which is asked with the old and the new values", async () => {
    const setup = await setupOf("THYAO");
    await page.getByRole("button", { name: "Trade", exact: true }).click();
    const row = page.getByRole("row", { name: new RegExp(`${setup?.brokerOrderNo}.*THYAO`) });
    await row.getByRole("button", { name: "Change protection" }).click();
    await page.getByRole("heading", { name: "Change the pending OCO of THYAO" }).waitFor();
    await button("Check the change").click();
    await page.getByText("Nothing of the pending OCO is changed yet.").waitFor();
    await field("Stop-loss").fill("145");
    await field("Note (optional)").fill("");
    assert.deepEqual(await findMisfits(page), []);
    await field("Stop-loss").press("Enter");
    await dialog().getByText("Stop-loss: 20 at 140.00 → 20 at 145.00").waitFor();
    await dialog().getByText("Note: by the page → none").waitFor();
    await page.keyboard.press("Enter");
    await dialog().waitFor({ state: "detached" });
    assert.equal((await setupOf("THYAO"))?.stopLossPrice, 140);
    await button("Check the change").click();
    await dialog().getByRole("button", { name: "Change the pending OCO" }).click();
    await page.getByRole("status").getByText("The pending OCO was changed").waitFor();
    const changed = await setupOf("THYAO");
    assert.deepEqual([changed?.stopLossPrice, changed?.notes], [145, null]);
    assert.deepEqual(changed?.takeProfitItems, setup?.takeProfitItems);
    assert.deepEqual(complaints, []);
  });

  test("one that changed while the question stood is shown as it is now, and what was typed remains", async () => {
    const setup = await setupOf("THYAO");
    await page.getByRole("row", { name: /THYAO/ }).getByRole("button", { name: "Change levels" }).click();
    await field("Note (optional)").fill("mine");
    await field("Note (optional)").press("Enter");
    await dialog().getByText("Note: none → mine").waitFor();
    const path = `/api/v1/oco-orders/pending/${setup?.setupId}`;
    const json = { stopLossPercent: 2 };
    assert.equal((await stack.http("PATCH", path, { token: world.user.token, json })).status, 200);
    await dialog().getByRole("button", { name: "Change the pending OCO" }).click();
    await page.getByText(/has changed in the meantime: nothing was changed/).waitFor();
    await page.getByRole("form", { name: "Change the pending OCO" }).getByText("20 at 2% below the fill").waitFor();
    assert.match(complaints.splice(0).join(), /412/);
    assert.equal(await field("Note (optional)").inputValue(), "mine");
    await button("Check the change").click();
    await dialog().getByRole("button", { name: "Change the pending OCO" }).click();
    const changed = await until(
      () => setupOf("THYAO"),
      (now) => now?.notes === "mine",
    );
    assert.equal(changed?.stopLossPercent, 2, "what another changed stays");
  });

  test("a buy outside the band of the day is warned of; one that is being cancelled is not cancelled again, and one that is lost can be given up", async () => {
    const band = { basePrice: 200, floorPrice: 180, ceilingPrice: 220 };
    const stated = await stack.http("PUT", "/admin/v1/symbols/THYAO/band", { token: world.user.token, json: band });
    assert.equal(stated.status, 200);
    const shown = {
      entry: { orderType: 2, price: 150, quantity: 20, filledQuantity: 3, isEnding: true },
      orderMessage: "",
    };
    await page.route("**/api/v1/oco-orders/pending?*", async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { readonly data: readonly Setup[] };
      const orderMessage = shown.orderMessage === "" ? null : shown.orderMessage;
      const data = body.data.map((one) =>
        one.symbol === "THYAO" ? { ...one, entry: shown.entry, orderMessage } : one,
      );
      return route.fulfill({ response: answer, json: { ...body, data } });
    });
    const row = page.getByRole("row", { name: /THYAO/ });
    const show = async (): Promise<void> => {
      await page.getByRole("button", { name: "Bots", exact: true }).click();
      await button("Pending").click();
      await row.getByText("Buy 20 at 150.00 or better").waitFor();
      await row.getByText("3 of 20 filled").waitFor();
    };
    await show();
    await row.getByText("Outside today’s limits, 180.00 to 220.00").waitFor();
    await row.getByText("The buy is being cancelled.").waitFor();
    assert.equal(await row.getByRole("button", { name: "Cancel the buy" }).count(), 0);
    shown.orderMessage = "the brokerage does not know it";
    await show();
    await row.getByText("the brokerage does not know it").waitFor();
    assert.equal(await row.getByRole("button", { name: "Forget the buy" }).count(), 1);
    Object.assign(shown, { orderMessage: "", entry: { ...shown.entry, isEnding: false } });
    await show();
    await row.getByRole("button", { name: "Cancel the buy" }).click();
    await row.getByRole("button", { name: "Yes, cancel the rest and protect 3 bought lots" }).waitFor();
    await page.unroute("**/api/v1/oco-orders/pending?*");
  });

  test("a symbol leads to its chart, and the button of one without an entry leaves the buy open", async () => {
    const row = page.getByRole("row", { name: /KCHOL/ });
    await button("Bots").click();
    await button("Pending").click();
    await row.getByRole("button", { name: "Remove protection" }).click();
    await row.getByRole("button", { name: "Yes, the buy stays open without protection" }).waitFor();
    await row.getByRole("link", { name: "KCHOL" }).click();
    await page.getByRole("img", { name: /^Price of KCHOL/ }).waitFor();
    assert.equal(await field("Symbol").inputValue(), "KCHOL");
    await button("Pending").click();
  });

  test("a change of one that is over says what became of it", async () => {
    const setup = await setupOf("KCHOL");
    const query = new URLSearchParams({ brokerageCode: PLACE.brokerageCode });
    const path = `/api/v1/oco-orders/pending/${setup?.setupId}?${query}`;
    await page.getByRole("row", { name: /KCHOL/ }).getByRole("button", { name: "Change levels" }).click();
    await field("Lots to protect").fill("5");
    await button("Check the change").click();
    await dialog().getByText("Stop-loss: 10 at 3% below the fill → 5 at 3% below the fill").waitFor();
    assert.equal((await stack.http("DELETE", path, { token: world.user.token })).status, 200);
    await dialog().getByRole("button", { name: "Change the pending OCO" }).click();
    await page
      .getByRole("alert")
      .getByText(/removed|over/)
      .first()
      .waitFor();
  });
});
