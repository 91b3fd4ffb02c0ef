/** The order ticket: what is sent is asked first, and sent once whatever is lost on the way. */
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import type { Page } from "playwright-core";
import { browserSuite, findBarriers } from "../support/client/browser.ts";
import { DashboardWorld, PLACE } from "../support/client/dashboard-world.ts";
import { type Stack, until } from "../support/world/stack.ts";

const LOST = /The service cannot be reached/;

interface FollowedOrder {
  readonly symbol: string;
  readonly buySell: number;
  readonly quantity: number;
  readonly state: string;
}

interface Row {
  readonly symbol: string;
  readonly orderType: number;
  readonly quantity: number;
}

browserSuite("the order ticket of the dashboard", () => {
  let world: DashboardWorld;
  let stack: Stack;
  let page: Page;
  let complaints: readonly string[];

  before(async () => {
    world = await DashboardWorld.start();
    ({ stack } = world);
  });
  beforeEach(async () => {
    ({ page, complaints } = await world.openSignedIn());
  });
  afterEach(() => page.context().close());
  after(async () => {
    await world?.stop();
  });

  const dialog = () => page.getByRole("alertdialog");
  const check = () => page.getByRole("button", { name: "Check the order" });

  async function openTicket(symbol: string, price: number): Promise<void> {
    await stack.tick(symbol, price);
    await page.getByRole("button", { name: "Trade", exact: true }).click();
    await page.getByLabel("Symbol", { exact: true }).fill(symbol);
    await page.getByRole("img", { name: new RegExp(`Price of ${symbol}`) }).waitFor();
  }

  async function listOf<T extends { readonly symbol: string }>(path: string, symbol: string): Promise<readonly T[]> {
    const query = new URLSearchParams(PLACE);
    const { body } = await stack.http("GET", `${path}?${query}`, { token: world.user.token });
    return (body.data as readonly T[]).filter((one) => one.symbol === symbol);
  }

  const ordersOf = (symbol: string) => listOf<FollowedOrder>("/api/v1/orders", symbol);

  async function watchedLots(symbol: string): Promise<number> {
    const rows = await listOf<Row>("/api/v1/oco-orders", symbol);
    return rows.filter(({ orderType }) => orderType === 2).reduce((sum, { quantity }) => sum + quantity, 0);
  }

  /** Requests of this kind are carried out, and the page has no answer to the first `count` of them. */
  async function loseAnswers(path: string, count: number): Promise<void> {
    let lostCount = 0;
    await page.route(`**${path}`, async (route) => {
      if (lostCount >= count) return route.fallback();
      lostCount += 1;
      await route.fetch();
      return route.abort();
    });
  }

  test("a limit order is shown as it will be sent, a second Enter sends nothing, and it can be cancelled", async () => {
    await openTicket("THYAO", 310);
    await page.getByLabel("Limit", { exact: true }).check();
    await page.getByLabel("Limit price").fill("290");
    await page.getByLabel("Lots", { exact: true }).fill("7");
    await page.getByRole("checkbox", { name: /^Protect it/ }).uncheck();
    await page.getByLabel("Lots", { exact: true }).press("Enter");
    await dialog().getByText("Buy 7 THYAO at 290.00 or better?").waitFor();
    await dialog()
      .getByText(/About 2,030\.00\. The last price is 310\.00/)
      .waitFor();
    await page.keyboard.press("Enter");
    await dialog().waitFor({ state: "detached" });
    assert.deepEqual(await ordersOf("THYAO"), []);
    await check().click();
    await dialog().getByRole("button", { name: "Send the buy order" }).dblclick();
    await page
      .getByRole("status")
      .getByText(/order \S+\)/)
      .waitFor();
    const orders = await ordersOf("THYAO");
    assert.deepEqual(
      orders.map(({ buySell, quantity }) => [buySell, quantity]),
      [[1, 7]],
    );
    const open = page.getByRole("region", { name: "Open orders" });
    await open.getByRole("button", { name: "Cancel order" }).click();
    await open.getByRole("button", { name: "Yes, cancel it" }).click();
    await page.getByText(/was asked to cancel order/).waitFor();
    const [cancelled] = await until(
      () => ordersOf("THYAO"),
      ([order]) => order?.state !== "open",
    );
    assert.notEqual(cancelled?.state, "open");
    assert.deepEqual(await findBarriers(page), []);
  });

  test("a protected buy whose answers are lost, with a reload in between, is one order and one group", async () => {
    await openTicket("KCHOL", 150);
    await page.getByLabel("Lots", { exact: true }).fill("5");
    await loseAnswers("/api/v1/orders", 1);
    await loseAnswers("/api/v1/oco-orders/register-pending", 1);
    await check().click();
    await dialog()
      .getByText(/stop-loss 3 % below and a take-profit 5 % above the fill price/)
      .waitFor();
    await dialog().getByRole("button", { name: "Send the buy order" }).click();
    await page.getByRole("alert").getByText(LOST).waitFor();
    assert.equal(await check().count(), 0, "no other order is offered while the answer is missing");
    await page.reload();
    await page.getByRole("heading", { name: "An order without an answer" }).waitFor();
    await page.getByRole("button", { name: "Ask again" }).click();
    await page
      .getByRole("alert")
      .getByText(/Order \S+ was placed; it is not known whether it is protected/)
      .waitFor();
    await page.getByRole("button", { name: "Ask again" }).click();
    await check().waitFor();
    const watched = await until(
      () => watchedLots("KCHOL"),
      (lots) => lots > 0,
    );
    assert.equal(watched, 5);
    assert.equal((await ordersOf("KCHOL")).filter(({ buySell }) => buySell === 1).length, 1);
  });

  test("a buy that could not be protected says so, and which order it is", async () => {
    await openTicket("SISE", 40);
    await page.getByLabel("Lots", { exact: true }).fill("3");
    await page.route("**/api/v1/oco-orders/register-pending", (route) =>
      route.fulfill({ status: 400, json: { success: false, message: "not today" } }),
    );
    await check().click();
    await dialog().getByRole("button", { name: "Send the buy order" }).click();
    await page
      .getByRole("alert")
      .getByText(/The buy was placed \(order \S+\) and is not protected: not today/)
      .waitFor();
  });

  test("a share of the holding is filled in for a sale, and its lots are warned of where a group watches them", async () => {
    await openTicket("AKBNK", 60);
    await page.getByLabel("Sell", { exact: true }).check();
    const holding = await page.getByText(/^The holding: [\d,]+ lots\.$/).textContent();
    const free = Number(holding?.replaceAll(/\D/g, ""));
    assert.ok(free >= 2);
    await world.post("/api/v1/oco-orders", {
      symbol: "AKBNK",
      stopLossPrice: 50,
      stopLossQuantity: 2,
      takeProfitItems: [{ price: 70, quantity: 2 }],
    });
    await page.getByRole("group", { name: "Percent of the holding" }).getByRole("button", { name: "50 %" }).click();
    assert.equal(await page.getByLabel("Lots", { exact: true }).inputValue(), String(Math.floor(free / 2)));
    await page.getByText(/An OCO group watches 2 AKBNK/).waitFor();
    await page.getByLabel("Lots", { exact: true }).fill(String(free + 1));
    await page.getByText(/free to sell: less than this order/).waitFor();
  });

  test("a fault has the focus and is announced at its field, and a refusal of the service likewise", async () => {
    await openTicket("GARAN", 130);
    await page.getByLabel("Lots", { exact: true }).fill("1.000");
    await check().click();
    await page.getByText("Whole lots, 1 or more.").waitFor();
    await page.locator('input:focus[aria-invalid="true"]').waitFor();
    await page.getByLabel("Lots", { exact: true }).fill("1");
    await page.route("**/api/v1/orders", (route) =>
      route.fulfill({ status: 400, json: { success: false, message: "quantity 1 is too few" } }),
    );
    await check().click();
    await dialog().getByRole("button", { name: "Send the buy order" }).click();
    await page.getByText("quantity 1 is too few").waitFor();
    assert.equal(await page.getByLabel("Lots", { exact: true }).getAttribute("aria-invalid"), "true");
    assert.deepEqual(
      complaints.filter((text) => !text.startsWith("Failed to load resource")),
      [],
    );
  });
});
