/** The list of groups and the form for a new one: filters, order, keyboard, shares of the holding, risk. */
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import type { Page } from "playwright-core";
import { browserSuite, findBarriers } from "../support/client/browser.ts";
import { DashboardWorld } from "../support/client/dashboard-world.ts";
import { type Stack, until } from "../support/world/stack.ts";

browserSuite("the groups of the dashboard", () => {
  let world: DashboardWorld;
  let stack: Stack;
  let page: Page;

  before(async () => {
    world = await DashboardWorld.start();
    ({ stack } = world);
    for (const [symbol, price, stopLossPrice] of [
      ["THYAO", 300, 200],
      ["GARAN", 130, 128],
      ["SISE", 40, 36],
    ] as const) {
      await stack.tick(symbol, price);
      const takeProfitItems = [{ price: price * 2, quantity: 5 }];
      await world.post("/api/v1/oco-orders", { symbol, stopLossPrice, stopLossQuantity: 5, takeProfitItems });
    }
    const group = await world.post("/api/v1/oco-orders", {
      ...{ symbol: "AKBNK", stopLossPrice: 50, stopLossQuantity: 5 },
      takeProfitItems: [{ price: 70, quantity: 5 }],
    });
    const query = new URLSearchParams({ brokerageCode: "PAPER" });
    const path = `/api/v1/oco-orders/${String(group.groupId)}?${query}`;
    assert.equal((await stack.http("DELETE", path, { token: world.user.token })).status, 200);
  });
  beforeEach(async () => {
    ({ page } = await world.openSignedIn());
    await list().getByRole("button", { name: "THYAO" }).waitFor();
  });
  afterEach(() => page.context().close());
  after(async () => {
    await world?.stop();
  });

  const list = () => page.getByRole("list", { name: "Groups" });
  const shown = () => list().locator(".entry .symbol").allTextContents();

  test("the list shows active groups or those that are over, and the nearest level first", async () => {
    await page.getByLabel("Show", { exact: true }).selectOption("over");
    await list().getByRole("button", { name: "THYAO" }).waitFor({ state: "detached" });
    assert.deepEqual(await shown(), ["AKBNK"]);
    await page.getByLabel("Show", { exact: true }).selectOption("failed");
    await page.getByText("No such group.").waitFor();
    await page.getByLabel("Show", { exact: true }).selectOption("active");
    await list().getByRole("button", { name: "THYAO" }).waitFor();
    assert.deepEqual(await shown(), ["SISE", "GARAN", "THYAO"]);
    await page.getByLabel("Order", { exact: true }).selectOption("nearest");
    await page.locator("li[aria-posinset='1']").getByText("GARAN").waitFor();
    assert.deepEqual(await shown(), ["GARAN", "SISE", "THYAO"]);
    await page.getByLabel("Order", { exact: true }).selectOption("symbol");
    await page.getByLabel("Show", { exact: true }).selectOption("all");
    await page.locator("li[aria-posinset='1']").getByText("AKBNK").waitFor();
    assert.deepEqual(await shown(), ["AKBNK", "GARAN", "SISE", "THYAO"]);
    await list().getByRole("button", { name: "AKBNK" }).getByText("Nothing was sold.").waitFor();
    const levels = list().getByRole("button", { name: "GARAN" }).locator(".level");
    const [stop = "", target = ""] = await levels.allTextContents();
    assert.match(stop, /^SL 128\.00 -1\.54% #\d+/);
    assert.match(target, /^TP 260\.00 \+100\.00% 5 lots/);
    await stack.tick("GARAN", 129);
    await levels.first().getByText("near", { exact: true }).waitFor();
    await levels.first().getByTitle("The level is at most 1% from the last price").waitFor();
    assert.equal(await levels.last().getByText("near").count(), 0);
    await stack.tick("GARAN", 130);
    await levels.first().getByText("near", { exact: true }).waitFor({ state: "detached" });
    assert.deepEqual(await findBarriers(page), []);
  });

  test("the tab of groups has the number of active groups, and states it as its description", async () => {
    const tab = page.getByRole("navigation").getByRole("button", { name: "OCO groups", exact: true });
    await tab.getByText("3", { exact: true }).waitFor();
    assert.equal(await tab.getAttribute("aria-description"), "3 active groups");
    assert.equal(
      await page.getByRole("button", { name: "Activity", exact: true }).getAttribute("aria-description"),
      null,
    );
    assert.deepEqual(await findBarriers(page), []);
  });

  test("the arrow keys go through the list and choose what they reach", async () => {
    await list().getByRole("button", { name: "SISE" }).click();
    await page.keyboard.press("ArrowDown");
    await page.getByRole("heading", { name: "GARAN" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.getByRole("heading", { name: "THYAO" }).waitFor();
    await page.keyboard.press("ArrowUp");
    await page.getByRole("heading", { name: "GARAN" }).waitFor();
    await list().locator(".entry:focus").getByText("GARAN").waitFor();
  });

  test("a new group takes a share of the holding, and levels and lots by percent and risk", async () => {
    await page.getByRole("button", { name: "New group" }).click();
    await stack.tick("AKBNK", 60);
    await page.getByLabel("Symbol", { exact: true }).fill("AKBNK");
    const holding = await page.getByText(/^Held: [\d,]+ at /).textContent();
    const held = Number(/[\d,]+/.exec(holding ?? "")?.[0].replaceAll(",", ""));
    const lots = [page.getByLabel("Lots to protect"), page.getByLabel("Lots 1")] as const;
    await page.getByText("Against your cost").waitFor();
    await page.setViewportSize({ width: 1_280, height: 900 });
    const chart = await page.getByRole("img", { name: /^Price of AKBNK/ }).boundingBox();
    const bar = await page.locator(".verdict").boundingBox();
    assert.ok(chart !== null && bar !== null && chart.height >= 240, JSON.stringify(chart));
    assert.ok(chart.y + chart.height <= bar.y, "the chart is in view above the bar");
    assert.ok(bar.height < 64, `the bar is one row: ${bar.height} pixels`);
    await page.setViewportSize({ width: 1_440, height: 900 });
    assert.deepEqual([await lots[0].inputValue(), await lots[1].inputValue()], [String(held), String(held)]);
    await page.getByRole("group", { name: "Percent of the holding" }).getByRole("button", { name: "25%" }).click();
    const quarter = String(Math.floor(held / 4));
    assert.deepEqual([await lots[0].inputValue(), await lots[1].inputValue()], [quarter, quarter]);
    await page.getByText("By percent and risk").click();
    await page.getByLabel("Stop-loss, % below the last price").fill("10");
    await page.getByLabel("Take-profit, % above the last price").fill("20");
    await page.getByLabel("Amount at risk (optional)").fill("5");
    await page.getByRole("button", { name: "Fill in the levels" }).click();
    await page.getByText("Less than what one lot would lose.").waitFor();
    await page.getByLabel("Amount at risk (optional)").fill("100");
    await page.getByRole("button", { name: "Fill in the levels" }).click();
    await page.getByRole("img", { name: /SL 16 at 54, TP 16 at 72/ }).waitFor();
    assert.deepEqual(
      [await page.getByLabel("Stop-loss price").inputValue(), await lots[0].inputValue()],
      ["54.00", "16"],
    );
    const add = page.getByRole("button", { name: "Add a take-profit" });
    for (const _ of [1, 2, 3, 4]) await add.click();
    const roomBelow = async (): Promise<number> => {
      const [button, footer] = [await add.boundingBox(), await page.locator(".verdict").boundingBox()];
      return button === null || footer === null ? -1 : footer.y - button.y - button.height;
    };
    await until(roomBelow, (pixels) => pixels >= 0);
    await list().getByRole("button", { name: "GARAN" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Leave it" }).click();
    await page.getByRole("region", { name: "Rows of the group" }).locator(".state").first().waitFor();
    const colorOf = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector("${selector}")).color`);
    assert.equal(await colorOf("tr.state-1 .state"), await colorOf("body"));
  });

  test("the colors are those of the choice over a reload, and of the system without one", async () => {
    const shownScheme = () => page.locator("html").getAttribute("data-scheme");
    assert.equal(await shownScheme(), "light");
    await page.getByLabel("Theme").selectOption("dark");
    assert.equal(await shownScheme(), "dark");
    assert.deepEqual(await findBarriers(page), []);
    await page.reload();
    await page.getByText("Events live").waitFor();
    assert.equal(await shownScheme(), "dark");
    await page.getByLabel("Theme").selectOption("system");
    await page.emulateMedia({ colorScheme: "dark" });
    await page.locator("html[data-scheme='dark']").waitFor();
    await page.emulateMedia({ colorScheme: "light" });
    await page.locator("html[data-scheme='light']").waitFor();
  });
});
