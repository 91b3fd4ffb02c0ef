/** The profit of a group's rows, what ended the group, and what a new group needs before it can be made. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { browserSuite, findBarriers, findMisfits } from "../support/client/browser.ts";
import { DashboardWorld } from "../support/client/dashboard-world.ts";
import { type Stack, until } from "../support/world/stack.ts";

const NARROW = 390;

browserSuite("the profit of a group", () => {
  let world: DashboardWorld;
  let stack: Stack;

  before(async () => {
    world = await DashboardWorld.start();
    ({ stack } = world);
  });
  after(async () => {
    await world?.stop();
  });

  const rows = (page: Page) => page.getByRole("region", { name: "Rows of the group" });
  const rowOf = (page: Page, kind: RegExp) => rows(page).getByRole("row").filter({ hasText: kind });
  const entry = (page: Page, symbol: string) =>
    page.getByRole("list", { name: "Groups" }).getByRole("button", { name: symbol });

  /** Buys lots at a price, and protects them. */
  async function protect(symbol: string, price: number, stopLossPrice: number, profits: readonly number[]) {
    await stack.tick(symbol, price);
    const lots = 10 * profits.length;
    await world.post("/api/v1/orders", { symbol, quantity: lots, buySell: 1, orderType: 1, price: 0 });
    const takeProfitItems = profits.map((profit) => ({ price: profit, quantity: 10 }));
    await world.post("/api/v1/oco-orders", { symbol, stopLossPrice, stopLossQuantity: lots, takeProfitItems });
  }

  test("a sold stop shows its loss, also after a reload, when the account holds no lot any more", async () => {
    await protect("PETKM", 20, 18, [24]);
    const { page, complaints } = await world.openSignedIn();
    await entry(page, "PETKM").click();
    await rowOf(page, /stop-loss/i)
      .getByText("-20.00", { exact: true })
      .waitFor();
    await rowOf(page, /take-profit/i)
      .getByText("+40.00", { exact: true })
      .waitFor();
    const total = page.locator(".total");
    await total.getByText("If the stop-loss fires -20.00 TRY -10.00%", { exact: true }).waitFor();
    await total.getByText("Risk to reward 1 : 2.00", { exact: true }).waitFor();
    assert.equal(
      await rows(page)
        .getByText(/^at \d/)
        .count(),
      0,
    );
    await stack.tick("PETKM", 17);
    await rows(page)
      .getByText(/^at 17\.00, /)
      .waitFor();
    await total.waitFor({ state: "detached" });
    const loss = rowOf(page, /stop-loss/i).getByText("-30.00", { exact: true });
    await loss.waitFor();
    await rowOf(page, /stop-loss/i)
      .getByText("-15.00%")
      .waitFor();
    await rowOf(page, /stop-loss/i)
      .getByTitle("Sold: 10 at 17.00")
      .first()
      .waitFor();
    await rowOf(page, /take-profit/i)
      .getByTitle("Nothing was sold.")
      .first()
      .waitFor();
    await page.getByText("Profit is counted from the average price that the position had, 20.00").waitFor();
    await page.getByRole("img", { name: /SL fired at 17\.00/ }).waitFor();
    await entry(page, "PETKM").getByText("Ended: the stop-loss fired").waitFor();
    await entry(page, "PETKM").getByText("10 lots sold").waitFor();
    const result = entry(page, "PETKM").locator(".down").getByText("-30.00", { exact: true });
    await result.waitFor();
    await page.locator("dd", { hasText: "the stop-loss fired" }).waitFor();
    await page.reload();
    await loss.waitFor();
    await result.waitFor();
    for (const width of [320, NARROW]) {
      await page.setViewportSize({ width, height: 900 });
      const cut = await entry(page, "PETKM")
        .locator("span:not(.hidden)")
        .evaluateAll((spans) => spans.filter((span) => span.scrollWidth > span.clientWidth + 1).length);
      assert.equal(cut, 0, `at ${width} px`);
    }
    await page.setViewportSize({ width: 1_440, height: 900 });
    assert.deepEqual(complaints, []);
    assert.deepEqual(await findMisfits(page), []);
    await page.context().close();
  });

  test("a browser that never knew the average price states that, in place of columns without a number", async () => {
    const { page } = await world.openSignedIn();
    await entry(page, "PETKM").click();
    await page.getByText("the account holds no PETKM, so its average price is not known").waitFor();
    await entry(page, "PETKM").getByText("10 lots sold").waitFor();
    await entry(page, "PETKM").getByTitle("the account holds no PETKM").getByText("–").waitFor();
    assert.equal(
      await rows(page)
        .getByRole("columnheader", { name: /^Profit/ })
        .count(),
      0,
    );
    await rowOf(page, /stop-loss/i)
      .getByText("170.00", { exact: true })
      .waitFor();
    await page.context().close();
  });

  test("of a running group a fired row counts at its fill and the others at their levels", async () => {
    await protect("TCELL", 50, 45, [55, 60]);
    const { page } = await world.openSignedIn();
    await entry(page, "TCELL").click();
    await stack.tick("TCELL", 56);
    await rowOf(page, /take-profit.*triggered/i)
      .getByText("+60.00", { exact: true })
      .waitFor();
    await rowOf(page, /take-profit.*active/i)
      .getByText("+100.00", { exact: true })
      .waitFor();
    await page.getByText("Profit is counted from the average price of the position, 50.00").waitFor();
    await rowOf(page, /take-profit.*active/i)
      .getByText("1 : 2.00", { exact: true })
      .waitFor();
    await rows(page)
      .getByRole("columnheader", { name: "Risk : reward from average" })
      .and(page.getByTitle(/for each unit that it loses at the stop-loss, both from the average price/))
      .waitFor();
    await page.locator(".heading").getByText("Open profit +60.00 TRY +12.00%", { exact: true }).waitFor();
    await page.getByRole("img", { name: /Average at 50\.00/ }).waitFor();
    const next = entry(page, "TCELL").locator(".level").last();
    await next.getByText("+7.14%").waitFor();
    assert.match((await next.textContent()) ?? "", /^Next TP \(2 of 2\) 60\.00 \+7\.14% 10 lots/);
    await entry(page, "TCELL").locator(".gain").getByText("+60.00", { exact: true }).waitFor();
    await entry(page, "TCELL").locator(".gain").getByText("+12.00%", { exact: true }).waitFor();
    const total = page.locator(".total");
    await total.getByText("If the stop-loss fires +10.00 TRY +1.00%", { exact: true }).waitFor();
    await total.getByText("If all take-profits fire +160.00 TRY +16.00%", { exact: true }).waitFor();
    await total.getByText("Sold so far, counted in +60.00 TRY", { exact: true }).waitFor();
    assert.equal(await total.getByText("Risk to reward").count(), 0, "nothing is lost at the stop-loss");
    assert.equal(await page.getByText("cancelled or sold").count(), 1);
    await page.getByRole("button", { name: "Cancel group" }).click();
    await page.getByRole("button", { name: "Yes, stop watching" }).click();
    await page.locator("dd", { hasText: /^cancelled, / }).waitFor();
    await entry(page, "TCELL").getByText("10 lots sold").waitFor();
    await entry(page, "TCELL").locator(".up").getByText("+60.00", { exact: true }).waitFor();
    assert.equal(await page.getByText("cancelled or sold").count(), 0);
    await page.context().close();
  });

  test("on a narrow screen a button leads back from a group to the list", async () => {
    const { page } = await world.openSignedIn(NARROW);
    await entry(page, "TCELL").click();
    const back = page.getByRole("button", { name: "Back to the list" });
    await until(
      async () => (await back.boundingBox())?.y ?? 0,
      (y) => y < 300,
    );
    await rowOf(page, /take-profit.*triggered/i)
      .getByText("+60.00", { exact: true })
      .waitFor();
    await back.click();
    assert.equal(await page.locator(".entry:focus").getByText("TCELL").count(), 1);
    const box = await entry(page, "TCELL").boundingBox();
    assert.ok(box !== null && box.y >= 0 && box.y + box.height <= 900, JSON.stringify(box));
    await page.setViewportSize({ width: 1_440, height: 900 });
    assert.equal(await back.isVisible(), false);
    await page.context().close();
  });

  test("a group without lots cannot be made, and the button states why", async () => {
    await stack.tick("SISE", 40);
    const { page } = await world.openSignedIn();
    await page.getByRole("button", { name: "New group" }).click();
    const create = page.getByRole("button", { name: "Create group" });
    const reasonOf = async (): Promise<string | null> => {
      const id = await create.getAttribute("aria-describedby");
      return id === null ? null : page.locator(`[id="${id}"]`).textContent();
    };
    assert.equal(await reasonOf(), "Choose a symbol and give the lots to protect.");
    await page.getByLabel("Symbol", { exact: true }).fill("SISE");
    await page.getByText("The account holds no SISE: there are no lots to protect.").waitFor();
    assert.equal(await create.isDisabled(), true);
    assert.match((await reasonOf()) ?? "", /holds no SISE/);
    assert.deepEqual(await findBarriers(page), []);
    let sentCount = 0;
    await page.route("**/api/v1/oco-orders", (route) => {
      sentCount += 1;
      return route.fallback();
    });
    await create.press("Enter");
    const lots = page.getByLabel("Lots to protect");
    await page.locator("input:focus[aria-invalid='true']").waitFor();
    assert.equal(await lots.evaluate((field) => field.matches(":focus")), true);
    await lots.fill("0");
    assert.match((await reasonOf()) ?? "", /holds no SISE/, "0 is no number of lots");
    assert.equal(sentCount, 0);
    await lots.fill("5");
    await page.getByText("The account holds no SISE, and this group may sell 5.").waitFor();
    await page.getByText(/^At the stop-loss -6\.00 TRY$/).waitFor();
    assert.deepEqual([await create.isDisabled(), await reasonOf()], [false, null]);
    await create.click();
    await page.getByRole("heading", { name: "SISE" }).waitFor();
    assert.equal(sentCount, 1);
    await page.context().close();
  });

  test("a new group takes the lots that no other group protects", async () => {
    await stack.tick("EREGL", 50);
    await world.post("/api/v1/orders", { symbol: "EREGL", quantity: 30, buySell: 1, orderType: 1, price: 0 });
    const takeProfitItems = [{ price: 60, quantity: 20 }];
    const json = { symbol: "EREGL", stopLossPrice: 40, stopLossQuantity: 20, takeProfitItems };
    await world.post("/api/v1/oco-orders", json);
    const { page } = await world.openSignedIn();
    await page.getByRole("button", { name: "New group" }).click();
    await page.getByLabel("Symbol", { exact: true }).fill("EREGL");
    for (const field of ["Lots to protect", "Lots 1"])
      await until(
        () => page.getByLabel(field).inputValue(),
        (lots) => lots === "10",
      );
    await page.getByLabel("Lots to protect").fill("4");
    assert.equal(await page.getByLabel("Lots 1").inputValue(), "4");
    await page.getByLabel("Symbol", { exact: true }).fill("TCELL");
    await page.getByText(/^Held: 10 at 50\.00/).waitFor();
    assert.equal(await page.getByLabel("Lots to protect").inputValue(), "4", "typed lots remain");
    await page.context().close();
  });
});
