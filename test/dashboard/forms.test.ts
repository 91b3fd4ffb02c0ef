/** The forms and pages of the dashboard if an answer is lost, late or refused, or the user slips. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page, Route } from "playwright-core";
import { browserSuite } from "../support/client/browser.ts";
import { DashboardWorld, PLACE } from "../support/client/dashboard-world.ts";
import { pause, type Stack, type StackUser } from "../support/world/stack.ts";

const QUERY = new URLSearchParams(PLACE).toString();
const LOST = "The service cannot be reached.";

browserSuite("forms of the dashboard", () => {
  let world: DashboardWorld;
  let stack: Stack;
  let user: StackUser;
  let page: Page;

  before(async () => {
    world = await DashboardWorld.start();
    ({ stack, user } = world);
    ({ page } = await world.openSignedIn());
  });
  after(async () => {
    await world?.stop();
  });

  async function listOf<T>(path: string): Promise<readonly T[]> {
    return (await stack.http("GET", path, { token: user.token })).body.data as T[];
  }

  function createGroup(symbol: string): Promise<Record<string, unknown>> {
    const takeProfitItems = [{ price: 200, quantity: 10 }];
    return world.post("/api/v1/oco-orders", { symbol, stopLossPrice: 40, stopLossQuantity: 10, takeProfitItems });
  }

  async function groupIdsOf(symbol: string): Promise<ReadonlySet<number>> {
    const rows = await listOf<{ readonly symbol: string; readonly groupId: number }>(`/api/v1/oco-orders?${QUERY}`);
    return new Set(rows.filter((row) => row.symbol === symbol).map(({ groupId }) => groupId));
  }

  /** Answers the next request of this kind with `answer`; the service answers all later ones. */
  async function meddleOnce(method: string, path: string, answer: (route: Route) => Promise<void>): Promise<void> {
    let isDone = false;
    await page.route(`**${path}`, async (route) => {
      if (isDone || route.request().method() !== method) return route.fallback();
      isDone = true;
      return answer(route);
    });
  }

  /** Passes the request to the service and drops its answer. */
  async function loseAnswer(route: Route): Promise<void> {
    await route.fetch();
    await route.abort();
  }

  async function openForm(symbol: string): Promise<void> {
    await page.getByRole("button", { name: "OCO groups", exact: true }).click();
    await page.getByRole("button", { name: "New group" }).click();
    await page.getByLabel("Symbol", { exact: true }).fill(symbol);
  }

  async function fillForm(symbol: string): Promise<void> {
    await openForm(symbol);
    await page.getByLabel("Stop-loss price").fill("40");
    await page.getByLabel("Price 1").fill("200");
    await page.getByLabel("Lots to protect").fill("10");
    await page.getByLabel("Lots 1").fill("10");
  }

  test("a group whose answer was lost is made once, though its button is pressed again", async () => {
    await meddleOnce("POST", "/api/v1/oco-orders", loseAnswer);
    await fillForm("ASELS");
    await page.getByRole("button", { name: "Create group" }).click();
    await page.getByRole("alert").getByText(LOST).waitFor();
    await page.getByRole("button", { name: "Create group" }).click();
    await page.getByRole("heading", { name: "ASELS" }).waitFor();
    assert.equal((await groupIdsOf("ASELS")).size, 1);
  });

  test("a group that was made is not called a failure where the list cannot be read", async () => {
    let isMade = false;
    await page.route("**/api/v1/oco-orders", async (route) => {
      isMade = true;
      await route.fallback();
    });
    let refusedCount = 0;
    await page.route("**/api/v1/oco-orders?*", async (route) => {
      if (!isMade || refusedCount > 0) return route.fallback();
      refusedCount += 1;
      return route.fulfill({ status: 503, json: { success: false, message: "not now", retryAfterSeconds: 1 } });
    });
    await fillForm("SISE");
    await page.getByRole("button", { name: "Create group" }).click();
    await page.getByRole("heading", { name: "SISE" }).waitFor();
    assert.equal(refusedCount, 1);
  });

  test("the levels proposed for a symbol go with it, and “1.000” is no number of lots", async () => {
    await stack.tick("THYAO", 310);
    await stack.tick("GARAN", 130);
    await openForm("THYAO");
    const stop = page.getByLabel("Stop-loss price");
    await page.getByRole("img", { name: /at 300\.75/ }).waitFor();
    await page.getByLabel("Symbol", { exact: true }).fill("GARAN");
    await page.getByRole("img", { name: /Price of GARAN with.* at 126\.1/ }).waitFor();
    assert.deepEqual([await stop.inputValue(), await page.getByLabel("Price 1").inputValue()], ["126.10", "136.50"]);
    await page.getByLabel("Lots to protect").fill("1.000");
    await page.getByLabel("Lots 1").fill("1.000");
    await page.getByRole("button", { name: "Create group" }).click();
    assert.equal(await page.getByText("Whole lots, 1 or more.").count(), 2);
    assert.equal((await groupIdsOf("GARAN")).size, 0);
    await page.getByRole("button", { name: "Back" }).click();
  });

  test("no level is proposed into a price that is being typed", async () => {
    await openForm("KCHOL");
    const stop = page.getByLabel("Stop-loss price");
    await stop.fill("160");
    await stack.tick("KCHOL", 150);
    const reached = page.getByText("has reached the stop-loss at 160");
    await reached.waitFor();
    await stop.fill("");
    await reached.waitFor({ state: "detached" });
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))");
    assert.equal(await stop.inputValue(), "");
    await page.getByLabel("Lots to protect").focus();
    await page.getByRole("img", { name: /at 145\.5/ }).waitFor();
    assert.equal(await stop.inputValue(), "145.50");
    await page.getByRole("button", { name: "Back" }).click();
  });

  test("the group shown first stays in view when it is cancelled, and says so", async () => {
    await createGroup("TUPRS");
    await createGroup("BIMAS");
    const list = page.getByRole("list", { name: "Groups" });
    await list.getByRole("button", { name: "BIMAS" }).waitFor();
    await page.getByRole("button", { name: "Portfolio" }).click();
    await page.getByRole("button", { name: "OCO groups", exact: true }).click();
    const detail = page.getByRole("region", { name: "Chosen group" });
    await detail.getByRole("heading", { name: "BIMAS" }).waitFor();
    await detail.getByRole("button", { name: "Cancel group" }).click();
    await detail.getByRole("button", { name: "Yes, stop watching" }).click();
    await detail.getByText("The group is cancelled.").waitFor();
    await detail.getByRole("cell", { name: "Cancelled" }).first().waitFor();
    assert.equal(await detail.getByRole("heading", { name: "BIMAS" }).count(), 1);
    assert.equal(await detail.getByRole("button", { name: "Cancel group" }).count(), 0);
  });

  test("a receipt that is open learns of the fill", async () => {
    await stack.tick("AKBNK", 100);
    await createGroup("AKBNK");
    await meddleOnce("GET", "/api/v1/oco-orders/*/receipt", async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { data: { orders: readonly object[] } };
      const orders = body.data.orders.map((order) => ({ ...order, filledDate: null }));
      await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, orders } } });
    });
    await page.getByRole("list", { name: "Groups" }).getByRole("button", { name: "AKBNK" }).click();
    await stack.tick("AKBNK", 201);
    await page.getByRole("button", { name: "Sale record" }).click();
    await page
      .getByRole("region", { name: "Sale record" })
      .getByText(/Filled 10 at/)
      .waitFor();
  });

  test("a bot whose answer was lost is made once", async () => {
    await meddleOnce("POST", "/api/v1/level-bots", loseAnswer);
    await page.getByRole("button", { name: "Bots" }).click();
    await page.getByRole("button", { name: "New level bot" }).click();
    const form = page.getByRole("form", { name: "New level bot" });
    await form.getByLabel("Name").fill("dips");
    await form.getByLabel("Symbol", { exact: true }).fill("AKBNK");
    await form.getByLabel("Buy after a fall of").fill("1.250");
    await form.getByRole("button", { name: "Create bot" }).click();
    await form.getByText("Digits, and at most 2 more after a point.").waitFor();
    await form.getByLabel("Buy after a fall of").fill("1.25");
    await form.getByRole("button", { name: "Create bot" }).click();
    await form.getByRole("alert").getByText(LOST).waitFor();
    await form.getByRole("button", { name: "Create bot" }).click();
    await form.waitFor({ state: "detached" });
    assert.equal((await listOf(`/api/v1/level-bots?${QUERY}`)).length, 1);
  });

  test("a bot whose pairs are older than those that are read is not told to have none", async () => {
    const history = "**/api/v1/level-bots/pair-orders/history?*";
    await page.route(history, (route) =>
      route.fulfill({ json: { success: true, message: "", data: { items: [], totalCount: 250 } } }),
    );
    await page.getByRole("button", { name: "Activity" }).click();
    await page.getByRole("button", { name: "Bots" }).click();
    await page.getByRole("button", { name: "Trades of dips" }).click();
    await page.getByRole("heading", { name: "Closed trades of dips" }).waitFor();
    await page.getByText("None of the newest 100 closed trades of all bots of this kind is of this bot.").waitFor();
    await page.unroute(history);
  });

  test("an alert whose answer was lost is made once", async () => {
    await meddleOnce("POST", "/api/v1/notification-targets", loseAnswer);
    await page.getByRole("button", { name: "Alerts" }).click();
    await page.getByRole("button", { name: "New channel" }).click();
    await page.getByLabel("Channel", { exact: true }).selectOption("webhook");
    await page.getByLabel("Name", { exact: true }).fill("my desk");
    await page.getByLabel("Address", { exact: true }).fill("https://example.com/hook");
    await page.getByRole("button", { name: "Create channel" }).click();
    await page.getByRole("alert").getByText(LOST).waitFor();
    await page.getByRole("button", { name: "Create channel" }).click();
    await page.getByText(/^Keep this secret now/).waitFor();
    assert.equal((await listOf("/api/v1/notification-targets")).length, 1);
  });

  test("the scopes of a new key stay as they were set, and no user's keys stand under another's name", async () => {
    const { userId } = (await stack.http("POST", "/admin/v1/users", { token: user.token, json: { name: "other" } }))
      .body.data as { readonly userId: number };
    await page.getByRole("button", { name: "Users and keys" }).click();
    await page.getByRole("cell", { name: "Good" }).first().waitFor();
    const scopes = page.getByRole("group", { name: "Scopes" });
    await scopes.getByLabel("read").uncheck();
    await scopes.getByLabel("trade").check();
    await page.route(`**/admin/v1/users/${userId}/api-keys`, (route) =>
      route.fulfill({ status: 400, json: { success: false, message: "not today" } }),
    );
    await page.getByLabel("User number").fill(String(userId));
    await page.getByLabel("User number").blur();
    await page.getByRole("alert").getByText("not today").waitFor();
    assert.equal(await page.getByRole("cell", { name: "Good" }).count(), 0);
    assert.deepEqual(
      [await scopes.getByLabel("read").isChecked(), await scopes.getByLabel("trade").isChecked()],
      [false, true],
    );
  });

  test("the portfolio of a busy account is read, though a change comes before each reading", async () => {
    await stack.tick("PETKM", 20);
    await page.getByRole("button", { name: "Portfolio" }).click();
    const positions = page.getByRole("region", { name: "Positions" });
    await positions.getByText("GARAN").first().waitFor();
    const bought = positions.getByRole("cell", { name: "PETKM", exact: true });
    for (let attempt = 0; attempt < 20 && (await bought.count()) === 0; attempt += 1) {
      await world.post("/api/v1/orders", { symbol: "PETKM", quantity: 1, buySell: 1, orderType: 1, price: 0 });
      await pause(1_000);
    }
    assert.equal(await bought.count(), 1);
  });

  test("no account's positions and groups stand under another's name", async () => {
    const account = page.getByRole("combobox", { name: /^Account/ });
    const positions = page.getByRole("region", { name: "Positions" });
    const refuse = (route: Route): Promise<void> =>
      route.fulfill({ status: 503, json: { success: false, message: "not now", retryAfterSeconds: 1 } });
    await page.route("**/api/v1/accounts/positions", refuse);
    await page.route("**/api/v1/oco-orders?*", refuse);
    await account.selectOption("1");
    await page.getByRole("alert").getByText("not now").first().waitFor();
    assert.equal(await positions.getByRole("row").count(), 0);
    await page.getByRole("button", { name: "OCO groups", exact: true }).click();
    const list = page.getByRole("region", { name: "OCO groups" });
    await list.getByText("Reading…").waitFor();
    assert.equal(await list.getByRole("button", { name: "BIMAS" }).count(), 0);
    await page.unroute("**/api/v1/oco-orders?*", refuse);
    await list.getByText("No OCO group yet.").waitFor();
  });
});
