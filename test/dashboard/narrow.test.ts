/** The ticket and the portfolio on a phone. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browserSuite } from "../support/client/browser.ts";
import { DashboardWorld } from "../support/client/dashboard-world.ts";

const PHONE = 390;
const SCREEN_HEIGHT = 900;

browserSuite("a phone", () => {
  let world: DashboardWorld;

  before(async () => {
    world = await DashboardWorld.start();
    await world.post("/api/v1/orders", { symbol: "SAHOL", quantity: 40, buySell: 1, orderType: 2, price: 10 });
    await world.stack.tick("THYAO", 310);
  });
  after(async () => {
    await world?.stop();
  });

  test("shows the chart of the ticket above the button of the order, on the first screen", async () => {
    const { page } = await world.openSignedIn(PHONE);
    await page.getByRole("button", { name: "Trade", exact: true }).click();
    await page.getByText("Choose a symbol to see its chart").waitFor();
    await page.locator(".held").getByRole("button", { name: "THYAO" }).click();
    const chart = page.getByRole("img", { name: /^Price of THYAO/ });
    await chart.waitFor();
    assert.equal(await chart.count(), 1);
    const [box, button] = [await chart.boundingBox(), await page.locator(".ticket [type=submit]").boundingBox()];
    assert.ok(box !== null && button !== null);
    assert.ok(box.y > 0 && box.y + box.height < button.y && button.y + button.height <= SCREEN_HEIGHT);
    const legend = page.locator(".chart-legend");
    await legend.getByText(/^Average [\d,.]+$/).waitFor();
    await page.setViewportSize({ width: 1_440, height: SCREEN_HEIGHT });
    await legend.waitFor({ state: "hidden" });
    await page
      .locator(".desk-main")
      .getByRole("img", { name: /^Price of THYAO/ })
      .waitFor();
    assert.equal(await chart.count(), 1);
    await page.context().close();
  });

  test("shows a position and an order in short lines, with their buttons at the right", async () => {
    const { page } = await world.openSignedIn(PHONE);
    await page.getByRole("button", { name: "Portfolio" }).click();
    const position = page.getByRole("region", { name: "Positions" }).getByRole("row").filter({ hasText: "THYAO" });
    await position.getByText(/^THYAO [\d,]+ lots$/).waitFor();
    const order = page.getByRole("region", { name: "Orders of the day" }).getByRole("row").filter({ hasText: "SAHOL" });
    await order.getByText("SAHOL Buy 0 / 40 lots").waitFor();
    for (const button of [
      position.getByRole("button", { name: "Sell THYAO" }),
      order.getByRole("button", { name: "Cancel order" }),
    ]) {
      const box = await button.boundingBox();
      assert.ok(box !== null && box.x > PHONE / 2 && box.x + box.width < PHONE, JSON.stringify(box));
    }
    await page.context().close();
  });
});
