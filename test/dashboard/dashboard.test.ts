// tier: real
/** The dashboard as a person uses it, in a real browser over a real installation. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { browserSuite, findBarriers, findMisfits } from "../support/client/browser.ts";
import { DashboardWorld, PLACE } from "../support/client/dashboard-world.ts";
import { type Stack, type StackUser, until } from "../support/world/stack.ts";

const WIDTHS = [390, 1_440];

interface Position {
  readonly symbol: string;
  readonly quantity: number;
  readonly averagePrice: number;
  readonly lastPrice: number | null;
}

browserSuite("the dashboard", () => {
  let world: DashboardWorld;
  let stack: Stack;
  let user: StackUser;

  before(async () => {
    world = await DashboardWorld.start();
    ({ stack, user } = world);
  });
  after(async () => {
    await world?.stop();
  });

  async function createGroup(symbol: string, stop: number, profit: number): Promise<void> {
    const levels = { stopLossPrice: stop, stopLossQuantity: 10, takeProfitItems: [{ price: profit, quantity: 10 }] };
    await world.post("/api/v1/oco-orders", { symbol, ...levels });
  }

  /** What the service knows of a symbol's rows. */
  async function rowsOf(symbol: string): Promise<readonly { readonly price: number; readonly status: number }[]> {
    const path = "/api/v1/oco-orders?brokerageCode=PAPER&accountNumber=PAPER-1";
    const { body } = await stack.http("GET", path, { token: user.token });
    const rows = body.data as { readonly symbol: string; readonly price: number; readonly status: number }[];
    return rows.filter((row) => row.symbol === symbol);
  }

  /** Returns the positions as the brokerage states them. The page may have asked within the same second. */
  async function positionsNow(): Promise<readonly Position[]> {
    const ask = () => stack.http("POST", "/api/v1/accounts/positions", { token: user.token, json: PLACE });
    const { body } = await until(ask, ({ status }) => status === 200);
    return body.data as readonly Position[];
  }

  async function choose(page: Page, symbol: string): Promise<void> {
    await page.getByRole("list", { name: "Groups" }).getByRole("button", { name: symbol }).click();
    await page.getByRole("heading", { name: symbol }).waitFor();
  }

  /** Names the symbol of a group in the making, once it has a price: its levels are proposed before they are typed. */
  async function nameSymbol(page: Page, symbol: string): Promise<void> {
    await page.getByLabel("Symbol", { exact: true }).fill(symbol);
    for (const field of ["Stop-loss price", "Price 1"]) {
      const proposed = await until(
        () => page.getByLabel(field).inputValue(),
        (price) => price !== "",
      );
      assert.notEqual(proposed, "", field);
    }
  }

  test("a wrong API key is refused in words", async () => {
    const { page } = await world.open();
    await page.getByLabel("API key").fill("tdk_live_wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("not known").waitFor();
    await page.context().close();
  });

  test("a group is created by form, fires at a NATS tick without a reload, and is cancelled", async () => {
    const { page, complaints, foreign } = await world.openSignedIn();
    await stack.tick("THYAO", 310);
    await page.getByRole("button", { name: "New group" }).click();
    await nameSymbol(page, "THYAO");
    await page.getByLabel("Lots to protect").fill("0.5");
    await page.getByRole("button", { name: "Create group" }).click();
    await page.getByText("Whole lots, 1 or more.").first().waitFor();
    await page.getByLabel("Stop-loss price").fill("200.01");
    await page.getByText(/is not a multiple of 0\.1/).waitFor();
    await page.getByLabel("Stop-loss price").fill("200");
    await page.getByLabel("Lots to protect").fill("100");
    await page.getByLabel("Price 1").fill("400");
    await page.getByLabel("Price 1").press("ArrowUp");
    assert.equal(await page.getByLabel("Price 1").inputValue(), "400.25");
    await page.getByLabel("Lots 1").fill("40");
    await page.getByRole("button", { name: "Create group" }).click();
    await page.getByRole("heading", { name: "THYAO" }).waitFor();
    await stack.tick("THYAO", 401);
    await page.getByRole("cell", { name: "Triggered" }).waitFor();
    assert.equal(await page.getByRole("cell", { name: "401.00" }).count(), 1);
    await page.getByRole("cell", { name: "16,040.00" }).waitFor();
    await page.getByRole("button", { name: "Cancel group" }).click();
    await page.getByRole("button", { name: "Yes, stop watching" }).click();
    await page.getByRole("cell", { name: "Cancelled" }).waitFor();
    assert.deepEqual(
      (await rowsOf("THYAO")).map(({ status }) => status),
      [4, 2],
    );
    assert.deepEqual(complaints, []);
    assert.deepEqual(foreign, []);
    await page.context().close();
  });

  test("a level is set by dragging its line, snapped to the tick table", async () => {
    const { page, complaints } = await world.openSignedIn();
    await stack.tick("GARAN", 130);
    await page.getByRole("button", { name: "New group" }).click();
    await nameSymbol(page, "GARAN");
    await page.getByLabel("Stop-loss price").fill("120");
    await page.getByLabel("Lots to protect").fill("10");
    await page.getByLabel("Price 1").fill("140");
    await page.getByLabel("Lots 1").fill("10");
    const box = await page.getByRole("img", { name: /Price of GARAN/ }).boundingBox();
    assert.ok(box !== null);
    await dragUntil(page, box, async () => (await page.getByLabel("Stop-loss price").inputValue()) !== "120");
    const moved = Number(await page.getByLabel("Stop-loss price").inputValue());
    assert.equal(Math.round(moved * 100) % 10, 0, `${moved} is on the tick table`);
    await page.getByLabel("Lots to protect").focus();
    await page.getByRole("button", { name: "Create group" }).click();
    await page.getByRole("heading", { name: "GARAN" }).waitFor();
    assert.equal((await rowsOf("GARAN"))[0]?.price, moved);
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  test("a level that the price has reached already is warned of", async () => {
    const { page } = await world.openSignedIn();
    await stack.tick("AKBNK", 60);
    await page.getByRole("button", { name: "New group" }).click();
    await nameSymbol(page, "AKBNK");
    await page.getByLabel("Price 1").fill("55");
    await page.getByText("it sells immediately").waitFor();
    await page.getByLabel("Lots to protect").fill("10");
    await page.getByText("-3.00% from last", { exact: true }).waitFor();
    await page.getByText("-8.33% from last", { exact: true }).waitFor();
    await page
      .locator(".verdict")
      .getByText(/^At the stop-loss [+-][\d.]+ TRY$/)
      .waitFor();
    await page
      .locator(".verdict")
      .getByText(/^At the targets [+-][\d.]+ TRY$/)
      .waitFor();
    await page.context().close();
  });

  test("what happens is followed over a restart of the edge", async () => {
    await createGroup("ASELS", 40, 90);
    const { page } = await world.openSignedIn();
    await choose(page, "ASELS");
    const port = new URL(stack.url).port;
    await stack.edge?.end("SIGKILL");
    await page.getByText(/Events (interrupted|connecting)/).waitFor();
    await stack.startEdge({ PORT: port });
    await page.getByText("Events live").waitFor();
    await stack.tick("ASELS", 91);
    await page.getByRole("cell", { name: "Triggered" }).waitFor();
    await page.getByRole("button", { name: "Sale record" }).click();
    await page
      .getByRole("region", { name: "Sale record" })
      .getByText(/Taken by the brokerage as/)
      .waitFor();
    await page.getByRole("button", { name: "Activity" }).click();
    const fired = page.getByText(/ASELS #\d+ Take-profit at 90\.00 fired at 91\.00/);
    await fired.waitFor();
    await page.getByLabel("Show", { exact: true }).selectOption("Bots");
    await page.getByText("Nothing of this has happened").waitFor();
    assert.equal(await fired.count(), 0);
    await page.getByLabel("Show", { exact: true }).selectOption("OCO groups");
    await fired.waitFor();
    await page.context().close();
  });

  test("activity shows what happened before the sign-in, by day, by symbol, and with the receipt of a row that fired", async () => {
    await stack.tick("ISCTR", 130);
    await world.post("/api/v1/orders", { symbol: "ISCTR", quantity: 10, buySell: 1, orderType: 1, price: 0 });
    await createGroup("ISCTR", 125, 135);
    await stack.tick("ISCTR", 136);
    const { page, complaints } = await world.openSignedIn(390);
    await page.getByRole("button", { name: "Activity" }).click();
    const month = new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" }).format(new Date());
    const day = page.getByRole("region", { name: new RegExp(`^[A-Z][a-z]+day,? \\d+ ${month} \\d{4}$`) }).first();
    const fired = day.getByRole("listitem").filter({ hasText: /ISCTR #\d+ Take-profit at 135\.00 fired at 136\.00/ });
    await fired.waitFor();
    // The plan of the group has its fills, and the day's orders have the fills of the client.
    await fired.getByText("Filled 10 × 136.00", { exact: true }).waitFor();
    await day
      .getByRole("listitem")
      .filter({ hasText: /ISCTR Bought 10 lots.*Filled 10 × 130\.00/ })
      .waitFor();
    await page.getByText("This is all that the service keeps.").waitFor();
    await page.getByLabel("Symbol", { exact: true }).fill("sise");
    await fired.waitFor({ state: "detached" });
    await page.getByLabel("Symbol", { exact: true }).fill("isctr");
    await fired.getByRole("button", { name: "Sale record" }).press("Enter");
    await fired.getByText(/Filled 10 at 136\.00/).waitFor();
    const link = fired.getByRole("link", { name: /^Group \d+$/ });
    assert.equal(await link.textContent(), `#${/\d+$/.exec((await link.getAttribute("href")) ?? "")?.[0]}`);
    assert.deepEqual(await findMisfits(page), []);
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  test("positions and orders of the brokerage are shown, also where a program asked for them just before", async () => {
    const { page } = await world.openSignedIn();
    await stack.http("POST", "/api/v1/accounts/positions", { token: user.token, json: PLACE });
    await page.getByRole("button", { name: "Portfolio" }).click();
    await page.getByRole("region", { name: "Positions" }).getByText("GARAN").waitFor();
    await page.context().close();
  });

  test("the portfolio shows money, value and profit, and a group's levels show theirs once the average price is known", async () => {
    await stack.tick("TCELL", 50);
    const json = { ...PLACE, symbol: "TCELL", quantity: 20, buySell: 1, orderType: 1, price: 0 };
    assert.equal((await stack.http("POST", "/api/v1/orders", { token: user.token, json })).status, 200);
    await stack.tick("TCELL", 55);
    // The equity is explained only if every position has a price.
    for (const { symbol, lastPrice, averagePrice } of await positionsNow()) {
      if (lastPrice === null) await stack.tick(symbol, Math.round(averagePrice));
    }
    await createGroup("TCELL", 45, 60);
    const { page } = await world.openSignedIn();
    await choose(page, "TCELL");
    const levels = page.getByRole("region", { name: "Rows of the group" });
    const stop = levels.getByRole("row").filter({ hasText: /stop-loss/i });
    await stop.getByText("450.00", { exact: true }).waitFor();
    await stop.getByText("-50.00", { exact: true }).waitFor();
    await stop.getByText("-10.00%").last().waitFor();
    await levels.getByText("+20.00%").waitFor();
    const answer = page.waitForResponse((one) => one.url().includes("/accounts/balance") && one.status() === 200);
    await page.getByRole("button", { name: "Portfolio" }).click();
    const position = page.getByRole("region", { name: "Positions" }).getByRole("row").filter({ hasText: "TCELL" });
    await position.getByText("1,100.00", { exact: true }).waitFor();
    await position.getByText("+10.00%").waitFor();
    const { data } = (await (await answer).json()) as { data: { cash: number; equity: number } };
    const totals = page.getByRole("region", { name: "Totals" });
    const textOf = (amount: number): string =>
      `${amount.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })} TRY`;
    for (const amount of [data.cash, data.equity]) await totals.getByText(textOf(amount)).first().waitFor();
    // The equity moves with the price, and is cash and positions before and after it.
    await stack.tick("TCELL", 57);
    await position.getByText("1,140.00", { exact: true }).waitFor();
    await totals.getByText("cash and positions", { exact: true }).waitFor();
    const value = data.equity - data.cash + 20 * 2;
    for (const amount of [data.cash + value, data.cash, value]) {
      await totals.getByText(textOf(amount), { exact: true }).first().waitFor();
    }
    await page.context().close();
  });

  test("the portfolio states the profit of the day, with the lots that were sold, and names the symbols that it leaves out", async () => {
    const { page } = await world.openSignedIn();
    const totals = page.getByRole("region", { name: "Totals" });
    await page.getByRole("button", { name: "Portfolio" }).click();
    // Lots that were bought today count without a base price.
    await totals.getByText(/\bAKBNK\b[^;]*: no base price of the day/).waitFor();
    const day = totals.locator("div").filter({ has: page.getByText(/^Profit of the day/) });
    // The currency is of the account's money, which is read last.
    await day.locator(".amount", { hasText: /not known|TRY/ }).waitFor();
    const profit = await day.locator(".amount").textContent();
    assert.match(profit ?? "", /^(not known|[+-]?[\d,]+\.\d\d TRY)/);
    const before = Number.parseFloat((profit ?? "").replaceAll(",", "")) || 0;
    const held = (await positionsNow()).find(({ symbol }) => symbol === "AKBNK")?.quantity ?? 0;
    assert.ok(held > 10);
    await stack.tick("AKBNK", 66);
    const band = { floorPrice: 54, ceilingPrice: 66, basePrice: 60 };
    const put = await stack.http("PUT", "/admin/v1/symbols/AKBNK/band", { token: user.token, json: band });
    assert.equal(put.status, 200, JSON.stringify(put.body));
    await world.post("/api/v1/orders", { symbol: "AKBNK", quantity: 10, buySell: 2, orderType: 1, price: 0 });
    await page.reload();
    const format = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
    const amount = (before + held * 6).toLocaleString("en-US", format);
    const share = ((100 * (before + held * 6)) / (held * 60)).toFixed(2).replace(".", "\\.");
    await day.getByText(`+${amount} TRY`, { exact: true }).waitFor();
    await day.getByText(new RegExp(`^\\+${share}% of positions · \\d+ of \\d+ symbols counted$`)).waitFor();
    await totals.getByText(/^(?!.*AKBNK).*: no base price of the day/).waitFor();
    const bareDashes = page.locator("main :not([title]) > :text-is('–')");
    assert.equal(await bareDashes.count(), 0, "a dash gives its reason");
    assert.deepEqual(await findMisfits(page), []);
    await page.context().close();
  });

  test("a position is protected in two clicks", async () => {
    await stack.tick("SAHOL", 90);
    const json = { ...PLACE, symbol: "SAHOL", quantity: 15, buySell: 1, orderType: 1, price: 0 };
    assert.equal((await stack.http("POST", "/api/v1/orders", { token: user.token, json })).status, 200);
    const { page, complaints } = await world.openSignedIn();
    await page.getByRole("button", { name: "Portfolio" }).click();
    const row = page.getByRole("row", { name: /SAHOL/ });
    await row.getByText(/^0 of [\d,]+ protected$/).waitFor();
    await page.getByRole("button", { name: "Protect SAHOL" }).click();
    await until(
      () => page.getByLabel("Stop-loss price").inputValue(),
      (price) => price !== "",
    );
    await page.getByRole("button", { name: "Create group" }).click();
    await page.getByRole("heading", { name: "SAHOL" }).waitFor();
    const rows = await rowsOf("SAHOL");
    assert.deepEqual(
      rows.map(({ price, status }) => [price, status]),
      [
        [87.3, 1],
        [94.5, 1],
      ],
    );
    await page.getByRole("button", { name: "Portfolio" }).click();
    await page
      .getByRole("row", { name: /SAHOL/ })
      .getByRole("link", { name: /^15 of [\d,]+ protected$/ })
      .click();
    await page.getByRole("heading", { name: "SAHOL" }).waitFor();
    // A page before may have asked in the same second.
    assert.deepEqual(
      complaints.filter((complaint) => !complaint.includes("429 (Too Many Requests)")),
      [],
    );
    await page.context().close();
  });

  test("an order that waits is cancelled", async () => {
    const json = { ...PLACE, symbol: "EREGL", quantity: 10, buySell: 1, orderType: 2, price: 10 };
    const { status, body } = await stack.http("POST", "/api/v1/orders", { token: user.token, json });
    assert.equal(status, 200, JSON.stringify(body));
    const { page } = await world.openSignedIn();
    await page.getByRole("button", { name: "Portfolio" }).click();
    const row = page.getByRole("row").filter({ hasText: (body.data as { orderNo: string }).orderNo });
    await row.getByRole("button", { name: "Cancel order" }).click();
    await row.getByRole("button", { name: "Yes, cancel it" }).click();
    await row.getByRole("cell", { name: "Cancelled" }).waitFor();
    await page.context().close();
  });

  test("prices that were lost are an alarm on every page, until somebody has seen it", async () => {
    await createGroup("KCHOL", 40, 900);
    const { page } = await world.openSignedIn();
    const metrics = async (): Promise<string> => {
      const headers = { authorization: `Bearer ${user.token}` };
      return (await fetch(`${stack.url}/admin/v1/metrics`, { headers })).text();
    };
    await until(metrics, (text) => /^trading_engine_tick_position\{partition="0"\} [1-9]/m.test(text));
    await stack.engine(0).end("SIGTERM");
    for (const price of [101, 102, 103]) await stack.tick("KCHOL", price);
    const manager = await stack.nats.jetstreamManager();
    await manager.streams.purge("TICKS");
    await stack.startEngine(0);
    const alarm = page.getByRole("alert").getByText(/the service missed prices/);
    await alarm.waitFor();
    await page.getByRole("button", { name: "Bots" }).click();
    assert.equal(await alarm.count(), 1);
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole("button", { name: "Seen" }).click();
    await alarm.waitFor({ state: "detached" });
    await page.context().close();
  });

  test("an API key is made and shown once", async () => {
    const { page } = await world.openSignedIn();
    await page.getByRole("button", { name: "Users and keys" }).click();
    await page.getByLabel("Name", { exact: true }).fill("phone");
    await page.getByRole("button", { name: "Create key" }).click();
    const key = await page.getByText(/^tdk_live_/).textContent();
    assert.ok((await stack.tokenOf(key ?? "")).length > 100);
    await page.context().close();
  });

  test("on a narrow screen the head is short, and what can be done with a position is in view", async () => {
    const { page } = await world.openSignedIn(390);
    const conditions = page.getByRole("list", { name: "Conditions" });
    await conditions.getByText(/^PAPER up/).waitFor();
    await stack.tick("GARAN", 130);
    await conditions.getByText("All live", { exact: true }).waitFor();
    const height = async (): Promise<number> => (await page.locator("header").boundingBox())?.height ?? 0;
    assert.ok((await height()) < 60, "one line while all is well");
    await page.route("**/api/v1/conditions", (route) => route.abort());
    await page.evaluate("dispatchEvent(new Event('online'))");
    await conditions.getByText("PAPER not known").waitFor();
    assert.equal(await conditions.getByText("All live", { exact: true }).count(), 0);
    const heights = await Promise.all(
      (await conditions.getByRole("listitem").all()).map(async (item) => (await item.boundingBox())?.height ?? 0),
    );
    assert.equal(new Set(heights).size, 1, "each condition is one line");
    await page.unroute("**/api/v1/conditions");
    await page.getByRole("button", { name: "Portfolio" }).click();
    const protect = await page.getByRole("button", { name: "Protect GARAN" }).boundingBox();
    assert.ok(protect !== null && protect.x + protect.width <= 390);
    await page.context().close();
  });

  for (const width of WIDTHS) {
    for (const colorScheme of ["light", "dark"] as const) {
      test(`every page at ${width} pixels, ${colorScheme}, has no barrier and no complaint`, async () => {
        const { page, complaints, foreign } = await world.openSignedIn(width, colorScheme);
        assert.deepEqual(await findBarriers(page), []);
        await choose(page, "ASELS");
        await page.getByRole("button", { name: "Sale record" }).click();
        await page.getByRole("region", { name: "Sale record" }).getByText("Decided").waitFor();
        assert.deepEqual(await findBarriers(page), []);
        for (const name of ["New group", "Portfolio", "Pending", "Bots", "Activity", "Alerts", "Users and keys"]) {
          await page.getByRole("button", { name }).click();
          await until(
            () => page.getByText("Reading…").count(),
            (count) => count === 0,
          );
          assert.deepEqual(await findBarriers(page), [], name);
        }
        const overflow = await page.evaluate(
          "document.documentElement.scrollWidth - document.documentElement.clientWidth",
        );
        assert.equal(overflow, 0, "nothing is wider than the screen");
        assert.deepEqual(complaints, []);
        assert.deepEqual(foreign, []);
        await page.context().close();
      });
    }
  }
});

/** Takes hold of the chart at every height from the bottom up until something moves, as an unsure hand does. */
async function dragUntil(
  page: Page,
  box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  hasMoved: () => Promise<boolean>,
): Promise<void> {
  const x = box.x + box.width / 3;
  for (let y = box.y + box.height - 30; y > box.y; y -= 6) {
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - 25, { steps: 4 });
    await page.mouse.up();
    if (await hasMoved()) return;
  }
  throw new Error("no line could be dragged");
}
