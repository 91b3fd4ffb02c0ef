/** Bots made, fed, switched and ended in the browser. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page, Route } from "playwright-core";
import { browserSuite, findBarriers, findMisfits } from "../support/client/browser.ts";
import { DashboardWorld, PLACE } from "../support/client/dashboard-world.ts";
import type { Stack } from "../support/world/stack.ts";

interface LevelBot {
  readonly id: number;
  readonly name: string;
  readonly isActive: boolean;
  readonly levelBotDetails: readonly object[];
}

function escaped(text: string): string {
  return text.replaceAll(/[.+()|]/g, "\\$&");
}

browserSuite("bots of the dashboard", () => {
  let world: DashboardWorld;
  let stack: Stack;
  let page: Page;
  let complaints: readonly string[];

  before(async () => {
    world = await DashboardWorld.start();
    ({ stack } = world);
    ({ page, complaints } = await world.openSignedIn());
    await page.getByRole("button", { name: "Bots" }).click();
  });
  after(async () => {
    await world?.stop();
  });

  /** Waits for a figure of the closed level bots' trades. */
  async function closedTerm(name: string, text: string): Promise<void> {
    const heading = page.getByRole("heading", { name: /^Closed trades of (dips|level bots|trend)$/ });
    const terms = page.locator("section.card").filter({ has: heading }).locator("dl > div");
    await terms.filter({ hasText: new RegExp(`^${escaped(`${name}${text}`)}$`) }).waitFor();
  }

  test("a level bot is made by form, with what is wrong at its field", async () => {
    await page.getByRole("button", { name: "New level bot" }).click();
    const form = page.getByRole("form", { name: "New level bot" });
    await form.getByRole("button", { name: "Create bot" }).click();
    await form.getByText("Give it a name.").waitFor();
    await form.getByText("Fill this in.").waitFor();
    await form.getByText("Give a number.").waitFor();
    await form.getByLabel("Name").fill("dips");
    await form.getByLabel("Symbol", { exact: true }).fill("nosuch");
    await form.getByLabel("Buy after a fall of").fill("0");
    await form.getByRole("button", { name: "Create bot" }).click();
    await form.getByText("Must be greater than 0.").waitFor();
    await form.getByLabel("Buy after a fall of").fill("2");
    await form.getByRole("button", { name: "Create bot" }).click();
    await form.getByText("No such symbol.").waitFor();
    await form.getByLabel("Symbol", { exact: true }).fill("garan");
    await form.getByRole("button", { name: "Create bot" }).click();
    await page.getByRole("region", { name: "Level bots" }).getByRole("cell", { name: "dips", exact: true }).waitFor();
    await form.waitFor({ state: "detached" });
  });

  test("its pairs show what they would bring and what they brought, over time", async () => {
    for (const price of [100, 98]) await stack.tick("GARAN", price);
    const open = page.getByRole("region", { name: "Open trades of dips" });
    await open.getByRole("cell", { name: "98.00", exact: true }).first().waitFor();
    await stack.tick("GARAN", 98.5);
    await open.getByRole("cell", { name: "+0.50", exact: true }).waitFor();
    await open.locator('[data-label="Profit %"]', { hasText: "+0.51%" }).waitFor();
    await open.getByRole("cell", { name: "98.50", exact: true }).waitFor();
    await page.getByText("Profit if all are sold now +0.50 TRY (+0.51%) of one open trade").waitFor();
    const path = `/api/v1/level-bots?${new URLSearchParams(PLACE)}`;
    const [bot] = (await stack.http("GET", path, { token: world.user.token })).body.data as readonly LevelBot[];
    const targetPath = `/api/v1/level-bots/${bot?.id}/pair-orders/targets?brokerageCode=PAPER`;
    const { body } = await stack.http("GET", targetPath, { token: world.user.token });
    const [target] = body.data as readonly { readonly sellPrice: number }[];
    assert.ok(target !== undefined && target.sellPrice > 98.5 && target.sellPrice <= 99.5, JSON.stringify(body));
    await open.getByRole("cell", { name: target.sellPrice.toFixed(2), exact: true }).waitFor();
    const list = page.getByRole("region", { name: "Level bots", exact: true });
    const row = list.getByRole("row").nth(1);
    const plan = list.getByRole("listitem").filter({ hasText: /^GARAN/ });
    await plan.getByText(/^next buy 96\.00 \(-2\.54%\)$/).waitFor();
    await plan.getByText("last 98.50", { exact: true }).waitFor();
    await plan.getByText(new RegExp(`^next sale ${escaped(target.sellPrice.toFixed(2))} \\(\\+`)).waitFor();
    for (const text of [
      "each buy 1 lot (about 98.50 TRY)",
      "buys after a fall of 2.00 TRY",
      "sells at a gain of 1.00%",
    ])
      await plan.getByText(text, { exact: true }).waitFor();
    await row.getByRole("cell", { name: "+0.50 (+0.51%) · 1 trade", exact: true }).waitFor();
    const sums = page.getByRole("region", { name: "All bots" }).locator("dl > div");
    for (const text of [
      "Net profit+0.50 TRY",
      "Open profit+0.50 TRY1 trade · +0.51%",
      "In use98.00 TRY",
      "Running bots11 in all",
    ])
      await sums.filter({ hasText: new RegExp(`^${escaped(text)}`) }).waitFor();
    const toTarget = `+${((target.sellPrice / 98.5 - 1) * 100).toFixed(2)}%`;
    await open.locator('[data-label="To target"]', { hasText: toTarget }).waitFor();
    await page.locator(`nav [aria-description="running bots: 1"]`).waitFor();
    await row.getByRole("cell", { name: "0.00 · 0 trades", exact: true }).waitFor();
    await row.getByRole("cell", { name: "+0.50", exact: true }).waitFor();
    await row.getByRole("cell", { name: "98.00", exact: true }).waitFor();
    await stack.tick("GARAN", 99.5);
    await row.getByRole("cell", { name: "+1.50 · 1 trade", exact: true }).waitFor();
    await plan.getByText("next sale nothing to sell").waitFor();
    await stack.tick("GARAN", 95.5);
    await row.getByRole("cell", { name: "+1.50 · 1 trade", exact: true }).waitFor();
    await open.getByRole("cell", { name: "95.50", exact: true }).first().waitFor();
    await stack.tick("GARAN", 97);
    await page.getByRole("img", { name: "Profit over time: 3.00 of 2 closed trades" }).waitFor();
    const closed = page.getByRole("region", { name: "Closed trades of dips" });
    assert.equal(await closed.getByRole("row").count(), 3, "two pairs and the heading");
    const first = closed.getByRole("row").last();
    await first.getByRole("cell", { name: "98.00" }).waitFor();
    await first.getByRole("cell", { name: "99.50" }).waitFor();
    await first.getByRole("cell", { name: /^\d+ s$/ }).waitFor();
    await first.getByRole("cell", { name: "+1.53%", exact: true }).waitFor();
    await row.getByRole("cell", { name: "+3.00 · 2 trades", exact: true }).waitFor();
    await sums.filter({ hasText: /^Win rate100%2 of 2 closed trades$/ }).waitFor();
    await closedTerm("Profit factor", "– (no closed trade with a loss)");
    await closedTerm("Largest drawdown (closed)", "0.00 TRY");
  });

  test("the profit is of all closed trades, of which the list has the newest ones only", async () => {
    const answers: readonly string[] = ["pair-orders/totals", "pair-orders/history"];
    const [totals, history] = answers.map((name) => `**/api/v1/level-bots/${name}?*`);
    assert.ok(totals !== undefined && history !== undefined);
    const answerOf = async (route: Route) => {
      const response = await route.fetch();
      return { response, body: (await response.json()) as { readonly data: unknown } };
    };
    await page.route(totals, async (route) => {
      const { response, body } = await answerOf(route);
      const more = {
        ...{ closedCount: 250, winCount: 199, buyFailedCount: 1, profit: 1_234.5 },
        ...{ grossProfit: 1_851.75, grossLoss: 617.25, largestDrawdown: 210.5, highestProfit: 1_300 },
      };
      const data = (body.data as readonly object[]).map((one) => ({ ...one, ...more }));
      await route.fulfill({ response, json: { ...body, data } });
    });
    await page.route(history, async (route) => {
      const { response, body } = await answerOf(route);
      await route.fulfill({ response, json: { ...body, data: { ...(body.data as object), totalCount: 250 } } });
    });
    await page.getByRole("button", { name: "Activity" }).click();
    await page.getByRole("button", { name: "Bots" }).click();
    const row = page.getByRole("region", { name: "Level bots", exact: true }).getByRole("row").nth(1);
    await row.getByRole("cell", { name: "+1,234.50 · 250 trades", exact: true }).waitFor();
    await closedTerm("Failed buys", "1");
    const sums = page.getByRole("region", { name: "All bots" }).locator("dl > div");
    await sums.filter({ hasText: /^Win rate79%199 of 249 closed trades$/ }).waitFor();
    await closedTerm("Profit factor", "3.00 (gains 1,851.75, losses 617.25)");
    await closedTerm("Largest drawdown (closed)", "-210.50 TRY");
    await row.getByRole("cell", { name: "-65.50", exact: true }).waitFor();
    await page.getByRole("img", { name: "Profit over time: 1,234.50 of 250 closed trades" }).waitFor();
    await page.getByText("The list has the newest 2 of 250 closed trades.").waitFor();
    assert.deepEqual(await findMisfits(page), []);
    await page.unrouteAll({ behavior: "wait" });
    await page.getByRole("button", { name: "Activity" }).click();
    await page.getByRole("button", { name: "Bots" }).click();
    await row.getByRole("cell", { name: "+3.00 · 2 trades", exact: true }).waitFor();
  });

  async function calmBot(): Promise<LevelBot | undefined> {
    const path = `/api/v1/level-bots?${new URLSearchParams(PLACE)}`;
    const { body } = await stack.http("GET", path, { token: world.user.token });
    return (body.data as readonly LevelBot[]).find(({ name }) => name === "calm");
  }

  test("it is changed after a question with the old and the new values, and a second Enter changes nothing", async () => {
    const levelBotDetails = [{ symbol: "SISE", quantity: 1, buyGap: 2, targetProfit: 1 }];
    await world.post("/api/v1/level-bots", { name: "calm", isActive: true, levelBotDetails });
    const before = await calmBot();
    await page.getByRole("button", { name: "Change calm" }).click();
    const form = page.getByRole("form", { name: "Change calm" });
    const check = form.getByRole("button", { name: "Check the change" });
    const dialog = page.getByRole("alertdialog");
    await check.click();
    await form.getByText("Nothing of the bot is changed yet.").waitFor();
    await form.getByLabel("Buy after a fall of").fill("0");
    await check.click();
    await form.getByText("Must be greater than 0.").waitFor();
    await form.getByLabel("Buy after a fall of").fill("3");
    await form.getByLabel("Lots of a buy").fill("2");
    await form.getByLabel("Lots of a buy").press("Enter");
    await dialog.getByText("SISE: Buy after a fall of: 2 → 3").waitFor();
    await dialog.getByText("SISE: Lots of a buy: 1 → 2").waitFor();
    assert.deepEqual(await findMisfits(page), []);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(await calmBot(), before);
    await page.getByRole("button", { name: "Alerts", exact: true }).click();
    await dialog.getByText("Leave the form?").waitFor();
    await dialog.getByRole("button", { name: "Stay here" }).click();
    await check.click();
    await dialog.getByRole("button", { name: "Change the bot" }).click();
    await form.waitFor({ state: "detached" });
    const after = await calmBot();
    assert.deepEqual(after?.levelBotDetails[0], { ...before?.levelBotDetails[0], buyGap: 3, quantity: 2 });
    assert.equal(after?.isActive, true);
  });

  test("a bot that changed in the meantime is shown as it is now, and what the service refuses stands at its field", async () => {
    const bot = await calmBot();
    await page.getByRole("button", { name: "Change calm" }).click();
    const form = page.getByRole("form", { name: "Change calm" });
    const check = form.getByRole("button", { name: "Check the change" });
    await form.getByLabel("Buy after a fall of").fill("4");
    const path = `/api/v1/level-bots/${String(bot?.id)}`;
    const changeElsewhere = async (buyGap: number): Promise<void> => {
      const json = { ...PLACE, name: "calm", isActive: true, levelBotDetails: [{ symbol: "SISE", buyGap }] };
      assert.equal((await stack.http("PUT", path, { token: world.user.token, json })).status, 200);
    };
    await changeElsewhere(2);
    await check.click();
    await form.getByText(/changed in the meantime: nothing was changed/).waitFor();
    assert.equal(await form.getByLabel("Buy after a fall of").inputValue(), "2");
    await form.getByLabel("Buy after a fall of").fill("4");
    await check.click();
    const yes = page.getByRole("alertdialog").getByRole("button", { name: "Change the bot" });
    await yes.waitFor();
    await changeElsewhere(3);
    await yes.click();
    await form.getByText(/changed in the meantime: nothing was changed/).waitFor();
    assert.equal(await form.getByLabel("Buy after a fall of").inputValue(), "3");
    await form.getByLabel("Symbol", { exact: true }).fill("NOSUCH");
    await check.click();
    await yes.click();
    await form.getByText("No such symbol.").waitFor();
    assert.equal(await form.getByLabel("Symbol", { exact: true }).getAttribute("aria-invalid"), "true");
    await form.getByRole("button", { name: "Back" }).click();
    assert.equal((await stack.http("DELETE", path, { token: world.user.token })).status, 200);
    await page.getByRole("button", { name: "Change calm" }).waitFor({ state: "detached" });
  });

  test("what it did is told by its name, also to who signs in later", async () => {
    const { page: later } = await world.openSignedIn(390);
    await stack.tick("GARAN", 94);
    for (const shown of [page, later]) {
      await shown.getByRole("button", { name: "Activity" }).click();
      await shown.getByLabel("Show", { exact: true }).selectOption("Bots");
      await shown
        .getByRole("listitem")
        .filter({ hasText: /GARAN Bot “dips” bought ?Filled 1 × 94\.00/ })
        .waitFor();
    }
    const sold = page
      .getByRole("listitem")
      .filter({ hasText: /GARAN Bot “dips” sold, bought at 95\.50 ?Filled 1 × 97\.00.*\+1\.50 TRY/ });
    await sold.waitFor();
    await page.getByText(/^Result of 2 sales.*, before commission \+3\.00 TRY$/).waitFor();
    await page.getByLabel("Show", { exact: true }).selectOption("Everything");
    await sold.waitFor({ state: "detached" });
    const run = page.getByRole("listitem").filter({ hasText: /^[^,]*GARAN Bot “dips” traded since .*\+3\.00 TRY/ });
    await run.getByText(/, buys: 2, sales: 2$/).waitFor();
    await run.getByRole("button", { name: "Trades" }).press("Enter");
    await run
      .getByRole("listitem")
      .filter({ hasText: /bought ?Filled 1 × 95\.50/ })
      .waitFor();
    assert.deepEqual(await findMisfits(page), []);
    await page.getByLabel("Show", { exact: true }).selectOption("Bots");
    await sold.waitFor();
    await page.getByLabel("Show", { exact: true }).selectOption("All but bots");
    await sold.waitFor({ state: "detached" });
    // One with an open pair cannot be ended.
    await stack.tick("GARAN", 96);
    await later
      .getByRole("listitem")
      .filter({ hasText: /sold, bought at 94\.00 ?Filled 1 × 96\.00/ })
      .waitFor();
    await later.getByRole("button", { name: "Bots" }).click();
    const end = await later.getByRole("button", { name: "End bot" }).boundingBox();
    assert.ok(end !== null && end.x + end.width <= 390, "what ends a bot is in view on a narrow screen");
    await later.context().close();
    await page.getByRole("button", { name: "Bots" }).click();
  });

  test("it is switched off and on at a press, and ended at two", async () => {
    const list = page.getByRole("region", { name: "Level bots", exact: true });
    const row = list.getByRole("row").filter({ hasText: "dips" });
    await row.getByRole("button", { name: "Switch off" }).click();
    await row.getByRole("cell", { name: "Off", exact: true }).waitFor();
    await row.getByRole("button", { name: "Switch on" }).click();
    await row.getByRole("cell", { name: "Running" }).waitFor();
    await row.getByRole("button", { name: "End bot" }).click();
    await row.getByRole("button", { name: "Yes, end it" }).click();
    await row.waitFor({ state: "detached" });
  });

  test("a webhook bot is made by form and trades by what its address is sent", async () => {
    await page.getByRole("button", { name: "New webhook bot" }).click();
    const form = page.getByRole("form", { name: "New webhook bot" });
    await form.getByLabel("Name").fill("trend");
    await form.getByLabel("Symbol", { exact: true }).fill("THYAO");
    await form.getByLabel("Algorithm").fill("MACD");
    await form.getByLabel("Lots of a buy").fill("5");
    await form.getByRole("button", { name: "Create bot" }).click();
    const signals = page.getByRole("region", { name: "Signals of trend" });
    const address = (await signals.getByText(/\/webhooks\//).textContent()) ?? "";
    const template = (await signals.getByText(/strategy\.order\.action/).textContent()) ?? "";
    await signals.getByRole("button", { name: "Copy: Address" }).click();
    await signals.getByText("Copied").waitFor();
    // Without a trade it is explained also later, with its address hidden.
    await page.getByRole("button", { name: "Activity" }).click();
    await page.getByRole("button", { name: "Bots" }).click();
    await signals.getByText(/^This bot waits for its first signal\./).waitFor();
    assert.equal(await signals.getByText(/\/webhooks\//).count(), 0);
    await signals.getByRole("button", { name: "Copy: Address" }).click();
    await signals.getByText("Copied").waitFor();
    const example = await signals.getByText(/"side": "buy"/).textContent();
    assert.deepEqual(JSON.parse(example ?? ""), { algoName: "MACD", period: "1H", symbol: "THYAO", side: "buy" });
    const plan = page.getByRole("region", { name: "Webhook bots", exact: true }).getByRole("listitem");
    await plan.getByText("next buys at the next buy signal").waitFor();
    assert.deepEqual(await findMisfits(page), []);
    await page.getByRole("button", { name: "Trades and signals of trend" }).click();
    const send = async (side: "buy" | "sell", price: number): Promise<void> => {
      await stack.tick("THYAO", price);
      const body = template.replace("{{strategy.order.action}}", side).replace("{{close}}", String(price));
      const answer = await fetch(address, { method: "POST", headers: { "content-type": "application/json" }, body });
      assert.equal(answer.status, 200, await answer.text());
    };
    await send("buy", 300);
    const open = page.getByRole("region", { name: "Open trades of trend" });
    await open.getByRole("cell", { name: "300.00", exact: true }).first().waitFor();
    await plan.getByText("next sells at the next sell signal").waitFor();
    await signals.getByText(/^This bot waits/).waitFor({ state: "detached" });
    await send("sell", 304);
    const closed = page.getByRole("region", { name: "Closed trades of trend" });
    await closed.getByRole("cell", { name: "20.00" }).waitFor();
    const list = page.getByRole("region", { name: "Webhook bots", exact: true });
    await list.getByRole("cell", { name: "+20.00 · 1 trade", exact: true }).waitFor();
  });

  test("an open trade of a webhook bot is sold at two presses, once", async () => {
    await page.getByRole("button", { name: "Activity" }).click();
    await page.getByRole("button", { name: "Bots" }).click();
    await page.getByRole("button", { name: "Trades and signals of trend" }).click();
    const signals = page.getByRole("region", { name: "Signals of trend" });
    await signals.getByRole("button", { name: "Show the address" }).click();
    const address = (await signals.getByText(/\/webhooks\//).textContent()) ?? "";
    await stack.tick("THYAO", 310);
    const body = JSON.stringify({ algoName: "MACD", period: "1H", symbol: "THYAO", side: "buy", id: "second" });
    const headers = { "content-type": "application/json" };
    assert.equal((await fetch(address, { method: "POST", headers, body })).status, 200);
    const open = page.getByRole("region", { name: "Open trades of trend" });
    await open.getByRole("cell", { name: "310.00", exact: true }).first().waitFor();
    await stack.tick("THYAO", 312);
    assert.deepEqual(await findMisfits(page), []);
    await open.getByRole("button", { name: "Sell now" }).press("Enter");
    await page.keyboard.press("Enter");
    const sell = async (): Promise<void> => {
      await open.getByRole("button", { name: "Sell now" }).click();
      await open.getByRole("button", { name: "Yes, sell it" }).click();
    };
    const ignored = { success: true, message: "", data: { matched: 1 } };
    await page.route(/\/webhooks\//, (route) => route.fulfill({ json: ignored }));
    await sell();
    await page.getByText("for THYAO, but nothing was sold so far: see Activity for the reason.").waitFor();
    await page.unroute(/\/webhooks\//);
    const noPairs = { success: true, message: "", data: [] };
    await page.route(/\/pair-orders\?/, (route) => route.fulfill({ json: noPairs }));
    await sell();
    await page.getByText("The trade has changed in the meantime: no signal was sent.").waitFor();
    await page.unroute(/\/pair-orders\?/);
    await sell();
    await page.getByText("The bot was sent a sell signal for THYAO: it sells at market.").waitFor();
    await page.getByText("No trade is open.", { exact: true }).first().waitFor();
    await page
      .getByRole("region", { name: "Closed trades of trend" })
      .getByRole("cell", { name: "+10.00", exact: true })
      .waitFor();
    const list = page.getByRole("region", { name: "Webhook bots", exact: true });
    await list.getByRole("cell", { name: "+30.00 · 2 trades", exact: true }).waitFor();
  });

  test("its address is shown when it is asked for, and a new one ends the old", async () => {
    const pairs = page.getByRole("button", { name: "Trades and signals of trend" });
    await page.getByRole("button", { name: "Groups" }).first().click();
    await page.getByRole("button", { name: "Bots" }).click();
    await pairs.click();
    const signals = page.getByRole("region", { name: "Signals of trend" });
    assert.equal(await signals.getByText(/\/webhooks\//).count(), 0);
    await signals.getByRole("button", { name: "Show the address" }).click();
    const before = (await signals.getByText(/\/webhooks\//).textContent()) ?? "";
    await signals.getByRole("button", { name: "Make a new address" }).click();
    await signals.getByRole("button", { name: "Yes, end the old one" }).click();
    await signals.getByText(before, { exact: true }).waitFor({ state: "detached" });
    assert.deepEqual(await findBarriers(page), []);
    const signal = { algoName: "MACD", period: "1H", symbol: "THYAO", side: "buy" };
    const headers = { "content-type": "application/json" };
    const answer = await fetch(before, { method: "POST", headers, body: JSON.stringify(signal) });
    assert.equal(answer.status, 404);
    assert.deepEqual(
      complaints.filter((complaint) => !/\b(400|412)\b/.test(complaint)),
      [],
    );
  });

  test("the feed and the way to each brokerage are in view on every page", async () => {
    const conditions = page.getByRole("list", { name: "Conditions" });
    await conditions.getByText(/Prices live, \d+ (s|min) old/).waitFor();
    await conditions.getByText(/^PAPER up/).waitFor();
    await stack.tick("THYAO", 305);
    await page.getByRole("button", { name: "Activity" }).click();
    await conditions.getByText(/Prices live, [0-9] s old/).waitFor();
  });
});
