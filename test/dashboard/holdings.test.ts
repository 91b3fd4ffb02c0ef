/** What the dashboard shows of a holding: its free lots, who sells the others, its average price and the day's band. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { browserSuite, findMisfits } from "../support/client/browser.ts";
import { DashboardWorld } from "../support/client/dashboard-world.ts";

browserSuite("a holding at the dashboard", () => {
  let world: DashboardWorld;
  let page: Page;

  before(async () => {
    world = await DashboardWorld.start();
    ({ page } = await world.openSignedIn(1_440));
  });
  after(async () => {
    await world?.stop();
  });

  const open = (name: string) => page.getByRole("button", { name, exact: true }).first().click();
  const position = (symbol: string) =>
    page.getByRole("region", { name: "Positions" }).getByRole("row").filter({ hasText: symbol });
  const sellAt = (symbol: string, price: number, quantity: number) =>
    world.post("/api/v1/orders", { symbol, quantity, buySell: 2, orderType: 2, price });

  test("a position names the group and the order that sell its lots, and the ticket sells the free ones", async () => {
    await world.stack.tick("ASELS", 180);
    const levels = { stopLossPrice: 150, stopLossQuantity: 100, takeProfitItems: [{ price: 220, quantity: 100 }] };
    await world.post("/api/v1/oco-orders", { symbol: "ASELS", ...levels });
    const { orderNo } = await sellAt("ASELS", 250, 20);
    await open("Portfolio");
    const row = position("ASELS");
    await row.getByRole("cell", { name: "880", exact: true }).waitFor();
    await row.getByRole("link", { name: /^Group \d+: 100$/ }).waitFor();
    await row.getByText(`Order ${orderNo}: 20`, { exact: true }).waitFor();
    assert.deepEqual(await findMisfits(page), []);
    await page.setViewportSize({ width: 1_440, height: 900 });
    await row.getByRole("button", { name: "Sell ASELS" }).click();
    const ticket = page.getByRole("form", { name: "New order" });
    await ticket.getByText(/^Free to sell 880 Group \d+: 100/).waitFor();
    assert.equal(await ticket.getByLabel("Lots", { exact: true }).inputValue(), "880");
    assert.deepEqual(await findMisfits(page), []);
    await page.setViewportSize({ width: 1_440, height: 900 });
  });

  test("a position of which more can be sold than is held says by how many lots", async () => {
    await sellAt("ASELS", 251, 950);
    await open("Portfolio");
    await position("ASELS").getByText("70 too many committed").waitFor();
    const protect = position("ASELS").getByRole("button", { name: "Protect ASELS" });
    assert.equal(await protect.getAttribute("aria-disabled"), "true");
    await protect.press("Enter");
    await page
      .getByRole("status")
      .getByText(/^No lot of ASELS is free/)
      .waitFor();
    await position("ASELS").getByRole("button", { name: "Sell ASELS" }).click();
    const lots = page.getByRole("form", { name: "New order" }).getByLabel("Lots", { exact: true });
    assert.equal(await lots.inputValue(), "", "nothing is free");
    await open("Portfolio");
  });

  test("the ticket shows the average price, the levels of the symbol's group, and the limits of the day", async () => {
    const band = { floorPrice: 162, ceilingPrice: 198, basePrice: 180 };
    const path = "/admin/v1/symbols/ASELS/band";
    const { status, body } = await world.stack.http("PUT", path, { token: world.user.token, json: band });
    assert.equal(status, 200, JSON.stringify(body));
    await page.setViewportSize({ width: 1_280, height: 900 });
    await open("Trade");
    await page.getByLabel("Symbol", { exact: true }).fill("ASELS");
    const chart = page.getByRole("img", { name: /^Price of ASELS with / });
    await chart.and(page.getByRole("img", { name: /#\d+ SL 100 at 150\b/ })).waitFor();
    await chart.and(page.getByRole("img", { name: /#\d+ TP 100 at 220\b/ })).waitFor();
    await chart.and(page.getByRole("img", { name: /Average at [\d,.]+/ })).waitFor();
    await page.getByText("Today’s limits: 162.00 to 198.00").waitFor();
  });

  test("the first take-profit of the ticket is in view above its button on a laptop", async () => {
    await page.getByLabel("Lots", { exact: true }).fill("50");
    await page.getByText(/^Total about/).waitFor();
    await page.locator("main").evaluate((main) => main.scrollTo(0, 0));
    const field = await page.getByLabel("Take-profit 1", { exact: true }).boundingBox();
    const verdict = await page.locator(".ticket .verdict").boundingBox();
    assert.ok(field !== null && verdict !== null);
    assert.ok(field.y + field.height <= verdict.y, `${field.y + field.height} > ${verdict.y}`);
  });

  test("the columns of pending OCOs that are empty in each row are left out", async () => {
    const entry = (price: number) => ({
      ...{ symbol: "SISE", stopLossPercent: 3, takeProfitItems: [{ percent: 5, quantityPercent: 100 }] },
      entry: { orderType: 2, price, quantity: 10 },
    });
    await world.post("/api/v1/oco-orders/entries", entry(38));
    await page.getByRole("button", { name: "Pending", exact: true }).click();
    // The ticket is filled.
    await page.getByRole("button", { name: "Leave it" }).click();
    await page.getByRole("cell", { name: "SISE" }).first().waitFor();
    assert.equal(await page.getByText("Note", { exact: true }).count(), 0);
    await page.getByRole("cell", { name: "until cancelled" }).waitFor();
    await world.post("/api/v1/oco-orders/entries", { ...entry(37), symbol: "TUPRS", notes: "a swing trade" });
    await page.getByText("a swing trade").waitFor();
  });

  test("a position shows its profit of the day, or a dash that gives the reason", async () => {
    await world.stack.tick("ASELS", 181.8);
    await world.stack.tick("THYAO", 310);
    await open("Portfolio");
    await page.getByRole("columnheader", { name: "Day, TRY", exact: true }).waitFor();
    await position("ASELS").getByRole("cell", { name: "+1,800.00", exact: true }).waitFor();
    await position("ASELS").getByRole("cell", { name: "+1.00%", exact: true }).waitFor();
    await position("THYAO").getByTitle("THYAO: no base price of the day").first().waitFor();
    assert.deepEqual(await findMisfits(page), []);
  });
});
