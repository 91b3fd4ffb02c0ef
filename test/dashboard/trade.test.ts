/** The order ticket: each order is confirmed before it is sent, and sent once, whichever request or answer is lost. */
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import type { Page } from "playwright-core";
import { browserSuite, findBarriers, findMisfits } from "../support/client/browser.ts";
import { DashboardWorld, PLACE } from "../support/client/dashboard-world.ts";
import { type Stack, until } from "../support/world/stack.ts";

const ENTRIES = "/api/v1/oco-orders/entries";
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
  const field = (label: string) => page.getByLabel(label, { exact: true });
  const check = () => page.getByRole("button", { name: /^Review(:| the order)/ });

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

  /** Returns the brokerage's buys of a symbol. The page asks for them, too, and the brokerage answers once a second. */
  async function boughtToday(symbol: string): Promise<readonly FollowedOrder[]> {
    const { body } = await until(
      () => stack.http("POST", "/api/v1/accounts/daily-orders", { token: world.user.token, json: PLACE }),
      ({ status }) => status === 200,
    );
    return (body.data as readonly FollowedOrder[]).filter((one) => one.symbol === symbol && one.buySell === 1);
  }

  async function watchedLots(symbol: string): Promise<number> {
    const rows = await listOf<Row>("/api/v1/oco-orders", symbol);
    return rows.filter(({ orderType }) => orderType === 2).reduce((sum, { quantity }) => sum + quantity, 0);
  }

  /** Passes requests of this kind to the service, and drops its first `count` answers. */
  async function loseAnswers(path: string, count: number): Promise<void> {
    let lostCount = 0;
    await page.route(`**${path}`, async (route) => {
      if (lostCount >= count) return route.fallback();
      lostCount += 1;
      await route.fetch();
      return route.abort();
    });
  }

  /** The brokerage lists orders without the service's names from now on. */
  async function hideNames(): Promise<void> {
    await page.route("**/accounts/daily-orders", async (route) => {
      const response = await route.fetch();
      const body = await response.text();
      await route.fulfill({ response, body: body.replaceAll(/"clientOrderId":"[^"]*"/g, '"clientOrderId":null') });
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
    const row = open.getByRole("row", { name: /THYAO/ });
    await row.getByRole("cell", { name: "-6.45%" }).waitFor();
    await row.getByRole("cell", { name: "You", exact: true }).waitFor();
    await page.route(/\/oco-orders\/pending\?/, (route) => route.abort());
    await page.reload();
    await row.getByRole("cell", { name: "You", exact: true }).waitFor();
    assert.equal(await row.getByRole("button", { name: "Copy to ticket" }).count(), 0, "its exits are not read");
    await page.unroute(/\/oco-orders\/pending\?/);
    await hideNames();
    let isOwned = false;
    await page.route(/\/api\/v1\/orders\?/, (route) => {
      return isOwned ? route.fallback() : route.fulfill({ json: { success: true, message: "", data: [] } });
    });
    await page.reload();
    await row.getByRole("cell", { name: "Being determined" }).waitFor();
    assert.equal(await row.getByRole("button", { name: "Copy to ticket" }).count(), 0, "its sender is not read");
    isOwned = true;
    await row.getByRole("cell", { name: "You", exact: true }).waitFor();
    await field("Symbol").fill("KCHOL");
    await row.getByRole("button", { name: "Copy to ticket" }).click();
    const copied = ["Symbol", "Limit price", "Lots"].map((label) => field(label).inputValue());
    assert.deepEqual(await Promise.all(copied), ["THYAO", "290.00", "7"]);
    assert.equal(await page.getByRole("checkbox", { name: /^Protect it/ }).isChecked(), false);
    await page.getByText(/which this ticket repeats, is still open: cancel it first/).waitFor();
    assert.deepEqual(await findMisfits(page), []);
    await open.getByRole("button", { name: "Cancel order" }).click();
    await open.getByRole("button", { name: "Yes, cancel it" }).click();
    await page.getByText(/was asked to cancel order/).waitFor();
    await page.getByText(/which this ticket repeats/).waitFor({ state: "detached" });
    const [cancelled] = await until(
      () => ordersOf("THYAO"),
      ([order]) => order?.state !== "open",
    );
    assert.notEqual(cancelled?.state, "open");
    assert.deepEqual(await findBarriers(page), []);
  });

  test("a buy with exits whose answer is lost, with a reload in between, is one order and one group", async () => {
    await openTicket("KCHOL", 150);
    await field("Lots").fill("5");
    await page.getByRole("img", { name: /Buy at 150, SL 5 at 145\.5, TP 5 at 157\.5/ }).waitFor();
    await page.getByText("Total about 750.00 TRY").waitFor();
    for (const [label, note] of [
      ["Stop-loss", "about 145.50, -22.50 TRY"],
      ["Take-profit 1", "about 157.50, +37.50 TRY"],
    ] as const) {
      const noteId = await field(label).getAttribute("aria-describedby");
      assert.equal(await page.locator(`[id="${noteId}"]`).textContent(), note);
    }
    await page.getByText("Risk to reward 1 : 1.67").waitFor();
    assert.equal(await page.locator(".quote").count(), 0, "the last price is shown once");
    const edges = await page.locator("form.ticket .verdict").boundingBox();
    const bar = await page.locator("footer").boundingBox();
    assert.ok(edges !== null && bar !== null && edges.y + edges.height < bar.y, "the card ends in view");
    const button = await check().boundingBox();
    assert.ok(button !== null && button.y + button.height < 900, "the button is in view while the exits are open");
    await loseAnswers(ENTRIES, 2);
    await check().click();
    await dialog().getByText("5 at 3% below the fill").waitFor();
    await dialog().getByText("5 at 5% above the fill").waitFor();
    await dialog()
      .getByText(/Money at risk: about 22\.50, if 5 lots are bought at 150\.00/)
      .waitFor();
    await dialog()
      .getByText(/grows with each further one/)
      .waitFor();
    await dialog().getByRole("button", { name: "Send the buy order" }).click();
    await page.getByRole("alert").getByText(LOST).waitFor();
    assert.equal(await check().count(), 0, "no other order is offered while the answer is missing");
    await page.reload();
    await page.getByRole("heading", { name: "An order without an answer" }).waitFor();
    await page.getByText("Stop-loss: 5 at 3% below the fill.").waitFor();
    await page.getByRole("button", { name: "Ask again" }).click();
    await page.getByRole("alert").getByText(LOST).waitFor();
    await page.getByRole("button", { name: "Ask again" }).click();
    await check().waitFor();
    const watched = await until(
      () => watchedLots("KCHOL"),
      (lots) => lots > 0,
    );
    assert.equal(watched, 5);
    assert.equal((await boughtToday("KCHOL")).length, 1);
  });

  test("a plan that a page of the release before left is shown, and not sent again without its protection", async () => {
    const order = { ...PLACE, symbol: "SISE", quantity: 3, buySell: 1, orderType: 1, price: 0 };
    const old = {
      userId: world.user.userId,
      madeMs: Date.now(),
      order,
      orderKey: "a",
      protection: {},
      protectionKey: "b",
    };
    await page.evaluate(`sessionStorage.setItem("order-plan", ${JSON.stringify(JSON.stringify(old))})`);
    await page.reload();
    await page.getByRole("button", { name: "Trade", exact: true }).click();
    await page.getByRole("heading", { name: "An order without an answer" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Ask again" }).count(), 0);
    await page.getByRole("button", { name: "I have looked: forget this order" }).click();
    await page.getByRole("button", { name: "Yes, I know whether it exists" }).click();
    await check().waitFor();
  });

  test("a buy with exits that is refused buys nothing, and says why", async () => {
    await openTicket("SISE", 40);
    await world.post("/api/v1/oco-orders", {
      symbol: "SISE",
      stopLossPrice: 30,
      stopLossQuantity: 2,
      takeProfitItems: [{ price: 50, quantity: 2 }],
    });
    await field("Lots").fill("3");
    await check().click();
    await dialog().getByRole("button", { name: "Send the buy order" }).click();
    await page
      .getByRole("alert")
      .getByText(/active OCO group/)
      .waitFor();
    assert.deepEqual(await ordersOf("SISE"), []);
    await page.route(`**${ENTRIES}`, (route) =>
      route.fulfill({ status: 409, json: { success: false, message: "the market takes no orders now" } }),
    );
    await check().click();
    await dialog().getByRole("button", { name: "Send the buy order" }).click();
    await page.getByRole("alert").getByText("the market takes no orders now").waitFor();
  });

  test("a buy with exits that its brokerage has not answered says that it may exist, and where to look", async () => {
    await openTicket("EREGL", 50);
    await field("Lots").fill("3");
    const data = { setupId: 1, orderNo: null, orderStatus: null };
    await page.route(`**${ENTRIES}`, (route) =>
      route.fulfill({ status: 200, json: { success: true, message: "The entry was placed", data } }),
    );
    await check().click();
    await dialog().getByRole("button", { name: "Send the buy order" }).click();
    const alert = page.getByRole("alert").getByText(/has not answered yet: the buy may exist.*Pending shows/);
    await alert.waitFor();
    assert.equal(await page.getByText("The entry was placed").count(), 0);
  });

  test("a stop entry waits for its trigger, is shown in Pending, and buys once the price has risen to it", async () => {
    await openTicket("TCELL", 80);
    await page.getByLabel("Stop", { exact: true }).check();
    assert.ok(await page.getByRole("checkbox", { name: /^Protect it/ }).isDisabled(), "a stop entry always has exits");
    await field("Trigger price").fill("85");
    await field("Lots").fill("6");
    await field("Cancel the buy at (optional)").fill("2035-03-02T17:50");
    assert.deepEqual(await findMisfits(page), []);
    assert.deepEqual(await findBarriers(page), []);
    await check().click();
    await dialog().getByText("Buy 6 TCELL at market from a price of 85.00 on?").waitFor();
    await dialog().getByText("What is not filled by 2035-03-02 17:50 is cancelled.").waitFor();
    await dialog().getByRole("button", { name: "Send the buy order" }).click();
    await page
      .getByRole("status")
      .getByText(/TCELL must rise to 85 before the entry buys/)
      .waitFor();
    assert.deepEqual(await ordersOf("TCELL"), []);
    await page.getByRole("button", { name: "Pending", exact: true }).click();
    const row = page.getByRole("row", { name: /TCELL/ });
    await row.getByText(/85/).first().waitFor();
    await row.getByText(/^Buy until 02 Mar, 17:50/).waitFor();
    await row.getByRole("button", { name: "Change levels" }).click();
    await field("Trigger price").fill("86");
    await field("Cancel the buy at (optional)").fill("");
    assert.deepEqual(await findMisfits(page), []);
    await page.getByRole("button", { name: "Check the change" }).click();
    await dialog().getByText("86.00").waitFor();
    await dialog().getByRole("button", { name: "Change the pending OCO" }).click();
    await row.getByText(/at market from 86\.00 on/).waitFor();
    await stack.tick("TCELL", 85.95);
    assert.deepEqual(await ordersOf("TCELL"), []);
    await stack.tick("TCELL", 86);
    const lots = await until(
      () => watchedLots("TCELL"),
      (found) => found > 0,
    );
    assert.equal(lots, 6);
  });

  test("a limit buy with levels as prices is an entry that Pending shows with its buy, changes and cancels", async () => {
    await openTicket("FROTO", 300);
    await page.getByLabel("Limit", { exact: true }).check();
    await field("Limit price").fill("200");
    await field("Lots").fill("10");
    await field("Stop-loss: Unit").selectOption("price");
    await field("Stop-loss").fill("200");
    await field("Stop-loss").press("Enter");
    await page.getByText("Must be lower than the price of the buy, 200.00.").waitFor();
    await page.locator('input:focus[aria-invalid="true"]').waitFor();
    await field("Stop-loss").fill("190");
    await field("Lots 1").fill("4");
    await page.getByRole("button", { name: "Add a take-profit" }).click();
    await field("Take-profit 2").fill("8");
    await field("Lots 2").fill("6");
    await field("Watched until (optional)").fill("2035-03-02T17:50");
    assert.deepEqual(await findMisfits(page), []);
    await field("Lots 2").press("Enter");
    await dialog().getByText("10 at 190.00", { exact: true }).waitFor();
    await dialog().getByText("4 at 5% above the fill; 6 at 8% above the fill").waitFor();
    await dialog()
      .getByText(/Money at risk: about 100\.00/)
      .waitFor();
    await dialog()
      .getByText(/it is cancelled\.$/)
      .waitFor();
    await page.keyboard.press("Enter");
    await dialog().waitFor({ state: "detached" });
    assert.deepEqual(await ordersOf("FROTO"), []);
    await check().press("Enter");
    await dialog().getByRole("button", { name: "Send the buy order" }).press("Enter");
    await page
      .getByRole("status")
      .getByText(/The entry was placed \(order \S+\)/)
      .waitFor();
    await page.getByRole("button", { name: "Pending", exact: true }).click();
    const row = page.getByRole("row", { name: /FROTO/ });
    await row.getByText("Buy 10 at 200.00 or better").waitFor();
    await row.getByText("0 of 10 filled").waitFor();
    await row.getByRole("button", { name: "Change levels" }).click();
    await field("Stop-loss").fill("185");
    assert.equal(await field("Lots to protect").count(), 0, "an entry protects what it buys");
    await page.getByRole("button", { name: "Check the change" }).click();
    await dialog().getByRole("button", { name: "Change the pending OCO" }).click();
    await row.getByText("10 at 185.00").waitFor();
    await row.getByText(/02 Mar, 17:50/).waitFor();
    await row.getByRole("button", { name: "Cancel the buy" }).click();
    await row.getByRole("button", { name: "Yes, cancel the buy" }).click();
    await row.waitFor({ state: "detached" });
    const [order] = await until(
      () => ordersOf("FROTO"),
      ([one]) => one?.state !== "open",
    );
    assert.notEqual(order?.state, "open");
  });

  test("a share of the holding is filled in for a sale, and its lots are warned of where a group watches them", async () => {
    await openTicket("AKBNK", 60);
    await page.getByLabel("Sell", { exact: true }).check();
    const holding = await page.getByText(/^At most [\d,]+ lots: the holding/).textContent();
    const free = Number(holding?.replaceAll(/\D/g, ""));
    assert.ok(free >= 2);
    await world.post("/api/v1/oco-orders", {
      symbol: "AKBNK",
      stopLossPrice: 50,
      stopLossQuantity: 2,
      takeProfitItems: [{ price: 70, quantity: 2 }],
    });
    await page.getByRole("group", { name: "Percent of the holding" }).getByRole("button", { name: "50%" }).click();
    assert.equal(await page.getByLabel("Lots", { exact: true }).inputValue(), String(Math.floor(free / 2)));
    await page.getByText(/An OCO group watches 2 AKBNK/).waitFor();
    await page.getByLabel("Lots", { exact: true }).fill(String(free + 1));
    await page.getByText(/free to sell: less than this order/).waitFor();
  });

  test("all of the buying power buys at market what it pays at the upper limit of the day", async () => {
    await openTicket("BIMAS", 100);
    const all = page.getByRole("group", { name: "Percent of the buying power" }).getByRole("button", { name: "100%" });
    const moneyText = await page.getByText(/^At most [\d,]+ lots: buying power [\d,.]+ TRY\.$/).textContent();
    const money = Number(/([\d,.]+) TRY/.exec(moneyText ?? "")?.[1]?.replaceAll(",", ""));
    await page.getByText(/^At market a lot counts 101\.00, 1% above the expected price/).waitFor();
    await all.click();
    assert.equal(await field("Lots").inputValue(), String(Math.floor(money / 101)));
    const band = { basePrice: 100, floorPrice: 90, ceilingPrice: 110 };
    const stated = await stack.http("PUT", "/admin/v1/symbols/BIMAS/band", { token: world.user.token, json: band });
    assert.equal(stated.status, 200);
    await openTicket("SISE", 40);
    await openTicket("BIMAS", 100);
    await page.getByText("At market a lot counts 110.00, today’s upper limit.").waitFor();
    await all.click();
    const most = Math.floor(money / 110);
    assert.equal(await field("Lots").inputValue(), String(most));
    await field("Lots").fill(String(most + 1));
    await page.getByText(/^At 110\.00 a lot this order costs more than the buying power/).waitFor();
    await field("Lots").fill(String(Math.floor(money / 100) + 1));
    await page.getByText(/^This order costs more than the buying power/).waitFor();
    await page.getByLabel("Limit", { exact: true }).check();
    await page.getByText(/^At market a lot counts/).waitFor({ state: "detached" });
  });

  test("an amount buys the whole lots that it pays at the price that a lot counts", async () => {
    await openTicket("TOASO", 200);
    await page.getByRole("group", { name: "Size in" }).getByRole("button", { name: "TRY", exact: true }).click();
    await field("Amount, TRY").fill("9,999.50");
    await page.getByText("= 49 lots", { exact: true }).waitFor();
    await page.getByText("Total about 9,800.00 TRY, before commission").waitFor();
    await page.getByLabel("Limit", { exact: true }).check();
    await field("Limit price").fill("190");
    await page.getByText("= 52 lots", { exact: true }).waitFor();
    assert.equal(await field("Lots 1").inputValue(), "52", "the exits are for all lots");
    await field("Amount, TRY").fill("100");
    await check().click();
    await page.getByText("It pays no whole lot.").waitFor();
    await page.locator('input:focus[aria-invalid="true"]').waitFor();
    assert.deepEqual(await findMisfits(page), []);
    await page.getByRole("group", { name: "Percent of the buying power" }).getByRole("button", { name: "25%" }).click();
    const counted = await page.getByText(/^= [\d,]+ lots$/).textContent();
    await page.getByRole("group", { name: "Size in" }).getByRole("button", { name: "Lots", exact: true }).click();
    assert.equal(await field("Lots").inputValue(), counted?.replaceAll(/\D/g, ""));
  });

  test("a position of the portfolio is sold with a filled ticket, which a later visit does not have", async () => {
    await stack.tick("AKBNK", 60);
    await page.getByRole("button", { name: "Portfolio" }).click();
    await page.getByRole("button", { name: "Sell AKBNK" }).click();
    await until(
      () => field("Symbol").inputValue(),
      (symbol) => symbol === "AKBNK",
    );
    assert.ok(await field("Sell").isChecked());
    assert.ok(Number(await field("Lots").inputValue()) > 0);
    await page.getByRole("button", { name: "Portfolio" }).click();
    await page.getByRole("button", { name: "Sell AKBNK" }).waitFor();
    await page.getByRole("button", { name: "Trade", exact: true }).click();
    assert.equal(await field("Symbol").inputValue(), "");
  });

  test("a fault has the focus and is announced at its field, and a refusal of the service likewise", async () => {
    await openTicket("GARAN", 130);
    await page.getByLabel("Lots", { exact: true }).fill("1.000");
    await check().click();
    await page.getByText("Whole lots, 1 or more.").waitFor();
    await page.locator('input:focus[aria-invalid="true"]').waitFor();
    await page.getByLabel("Lots", { exact: true }).fill("1");
    await page.route(`**${ENTRIES}`, (route) =>
      route.fulfill({ status: 400, json: { success: false, message: "entry.quantity 1 is too few" } }),
    );
    await check().click();
    await dialog().getByRole("button", { name: "Send the buy order" }).click();
    await page.getByText("entry.quantity 1 is too few").waitFor();
    assert.equal(await page.getByLabel("Lots", { exact: true }).getAttribute("aria-invalid"), "true");
    assert.deepEqual(
      complaints.filter((text) => !text.startsWith("Failed to load resource")),
      [],
    );
  });
});
