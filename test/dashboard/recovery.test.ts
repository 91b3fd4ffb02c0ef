/** The dashboard after late, refused or lost answers: its content becomes correct again by itself. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page, Route } from "playwright-core";
import { browserSuite } from "../support/client/browser.ts";
import { DashboardWorld, PLACE } from "../support/client/dashboard-world.ts";
import { pause, type Stack, type StackUser, until } from "../support/world/stack.ts";

const STREAM = "/api/v1/events";
const ROWS = "/api/v1/oco-orders";
const TRIGGERED = 2;
const BOT_CHANGES = 12;
const ORDERS_MAX = 15;

const at = (path: string) => (url: URL) => url.pathname === path;

function refusal(status: number) {
  const body = JSON.stringify({ success: false, message: "the service is not available now" });
  return { status, contentType: "application/json", body };
}

/** Refuses the first requests to `path`, one for each status. */
async function refuseFirst(page: Page, path: string, statuses: readonly number[]): Promise<void> {
  const left = [...statuses];
  await page.route(at(path), (route) => {
    const status = left.shift();
    return status === undefined ? route.continue() : route.fulfill(refusal(status));
  });
}

browserSuite("the dashboard recovers", () => {
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

  async function buy(symbol: string): Promise<void> {
    await world.post("/api/v1/orders", { symbol, quantity: 10, buySell: 1, orderType: 1, price: 0 });
  }

  /** Creates a group over ten held lots. */
  async function createGroup(symbol: string): Promise<void> {
    await stack.tick(symbol, 100);
    await buy(symbol);
    const takeProfitItems = [{ price: 110, quantity: 10 }];
    await world.post(ROWS, { symbol, stopLossPrice: 90, stopLossQuantity: 10, takeProfitItems });
  }

  /** Fires the symbol's take-profit, and waits until the service reports it. */
  async function fire(symbol: string): Promise<void> {
    await stack.tick(symbol, 111);
    const path = `${ROWS}?${new URLSearchParams(PLACE)}`;
    const rows = async () =>
      (await stack.http("GET", path, { token: user.token })).body.data as { symbol: string; status: number }[];
    await until(rows, (all) => all.some((row) => row.symbol === symbol && row.status === TRIGGERED));
  }

  const entry = (page: Page, symbol: string) =>
    page.getByRole("list", { name: "Groups" }).getByRole("button", { name: symbol });
  const triggered = (page: Page) => page.getByRole("cell", { name: "Triggered" });

  test("a symbol that is typed letter by letter costs the page neither its events nor its prices", async () => {
    const { page } = await world.openSignedIn();
    const asked: string[] = [];
    page.on("request", (request) => {
      const url = new URL(request.url());
      asked.push(...(url.searchParams.get("prices") ?? url.searchParams.get("symbols") ?? "").split(","));
    });
    await stack.tick("THYAO", 310);
    await page.getByRole("button", { name: "New group" }).click();
    await page.getByLabel("Symbol", { exact: true }).pressSequentially("THYAO", { delay: 400 });
    await page.getByRole("img", { name: /Price of THYAO/ }).waitFor();
    await until(
      () => page.getByLabel("Stop-loss price").inputValue(),
      (price) => price !== "",
    );
    assert.deepEqual([...new Set(asked.filter((symbol) => symbol !== ""))], ["THYAO"]);
    await page.context().close();
  });

  test("a row that fired before the stream was let in is shown as fired, though its list is refused once", async () => {
    await createGroup("SISE");
    const { page } = await world.open();
    let isLetIn = false;
    await page.route(at(STREAM), (route) => (isLetIn ? route.continue() : route.fulfill(refusal(429))));
    await world.signIn(page);
    await entry(page, "SISE").click();
    await fire("SISE");
    await refuseFirst(page, ROWS, [503]);
    isLetIn = true;
    await triggered(page).waitFor();
    await page.context().close();
  });

  test("after a gap the rows are read until they are there", async () => {
    await createGroup("KCHOL");
    const { page } = await world.openSignedIn();
    await entry(page, "KCHOL").click();
    let mode: "cut" | "gap" | "whole" = "cut";
    let place = "";
    await page.route(at(STREAM), (route) => {
      if (mode === "cut") return route.abort();
      if (mode === "whole") return route.continue();
      mode = "whole";
      const body = `retry: 100\n\nevent: gap\ndata: {"type":"gap"}\n\n: alive\nid: ${place}\n\n`;
      return route.fulfill({ status: 200, contentType: "text/event-stream", body });
    });
    // Another symbol takes another connection.
    await page.getByRole("button", { name: "New group" }).click();
    await page.getByLabel("Symbol", { exact: true }).fill("EREGL");
    await page.getByText("Events interrupted").waitFor();
    await fire("KCHOL");
    place = await placeNow();
    await refuseFirst(page, ROWS, [503, 429]);
    mode = "gap";
    await page.getByText("Events live").waitFor();
    await entry(page, "KCHOL").click();
    await page.getByRole("button", { name: "Leave it" }).click();
    await triggered(page).waitFor();
    await page.context().close();
  });

  /** Returns the place at which a stream that begins now starts. */
  async function placeNow(): Promise<string> {
    const headers = { authorization: `Bearer ${user.token}` };
    const { body } = await fetch(stack.url + STREAM, { headers });
    let text = "";
    for await (const bytes of body ?? []) {
      text += Buffer.from(bytes).toString();
      const place = /^id: (\S+)\n/m.exec(text)?.[1];
      if (place !== undefined) return place;
    }
    throw new Error("the stream told no place");
  }

  test("a list that an event overtook does not undo the event", async () => {
    await createGroup("BIMAS");
    const { page } = await world.open();
    let count = 0;
    let late: { readonly route: Route; readonly response: Awaited<ReturnType<Route["fetch"]>> } | undefined;
    await page.route(at(ROWS), async (route) => {
      count += 1;
      // Requests after the first get no answer in this test.
      if (count === 1) late = { route, response: await route.fetch() };
    });
    await world.signIn(page);
    await page.getByText("Events live").waitFor();
    const { route, response } = await until(
      () => Promise.resolve(late),
      (value) => value !== undefined,
    ).then((value) => value ?? assert.fail("no list was asked for"));
    await page.getByRole("button", { name: "Activity" }).click();
    await fire("BIMAS");
    await page.getByText(/BIMAS #\d+ Take-profit at 110\.00 fired/).waitFor();
    await page.getByRole("button", { name: "OCO groups" }).click();
    await route.fulfill({ response });
    // Others were read with it.
    await entry(page, "KCHOL").waitFor();
    await entry(page, "BIMAS").click();
    await triggered(page).waitFor();
    await page.context().close();
  });

  test("nothing of one account stands under the name of another that cannot be read", async () => {
    const { page } = await world.openSignedIn();
    await entry(page, "KCHOL").waitFor();
    let isRefused = true;
    await page.route(
      (url) => url.pathname === ROWS && !url.search.includes(PLACE.accountNumber),
      (route) => (isRefused ? route.fulfill(refusal(503)) : route.continue()),
    );
    await page.getByLabel("Account").selectOption("1");
    await page.getByRole("list", { name: "Conditions" }).getByText("is not available now").waitFor();
    assert.equal(await entry(page, "KCHOL").count(), 0);
    assert.equal(await page.getByRole("button", { name: "Cancel group" }).count(), 0);
    isRefused = false;
    await page.getByText("No OCO group yet").waitFor();
    await page
      .getByRole("list", { name: "Conditions" })
      .getByText("is not available now")
      .waitFor({ state: "detached" });
    await page.context().close();
  });

  test("a position of another account is not protected with this one's", async () => {
    const { page } = await world.openSignedIn();
    await page.getByRole("button", { name: "Portfolio" }).click();
    await page.getByRole("button", { name: "Protect GARAN" }).waitFor();
    await page.route(at("/api/v1/accounts/positions"), (route) => route.fulfill(refusal(503)));
    await page.getByRole("combobox", { name: "Account" }).selectOption("1");
    await page.getByRole("alert").getByText("is not available now").waitFor();
    assert.equal(await page.getByRole("button", { name: "Protect GARAN" }).count(), 0);
    await page.context().close();
  });

  test("a group of the same account number at another brokerage is not shown as this one's", async () => {
    const { page } = await world.open();
    await page.route(at("/api/v1/accounts"), async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { readonly data: readonly object[] };
      const data = answer.data.map((account) => ({ ...account, brokerageCode: "OTHER", isDefault: false }));
      await route.fulfill({ response, json: { ...answer, data: [...answer.data, ...data] } });
    });
    await page.route(
      (url) => url.pathname === ROWS && url.search.includes("OTHER"),
      (route) => route.fulfill({ json: { success: true, message: "", data: [] } }),
    );
    await world.signIn(page);
    await page.getByText("Events live").waitFor();
    await page.getByLabel("Account").selectOption({ index: 2 });
    await page.getByText("No OCO group yet").waitFor();
    await page.getByRole("button", { name: "Activity" }).click();
    await createGroup("FROTO");
    await page.getByText(/FROTO #\d+ Group is under watch/).waitFor();
    await page.getByRole("button", { name: "OCO groups" }).click();
    await page.getByText("No OCO group yet").waitFor();
    await page.context().close();
  });

  test("what is refused at opening is asked for again: accounts, symbols, prices and a page's list", async () => {
    const { page } = await world.open();
    await refuseFirst(page, "/api/v1/accounts", [429, 503]);
    await refuseFirst(page, "/api/v1/symbols", [504]);
    await refuseFirst(page, "/api/v1/prices", [503]);
    await refuseFirst(page, `${ROWS}/pending`, [503]);
    await world.signIn(page);
    await page.getByRole("alert").getByText("is not available now").waitFor();
    await entry(page, "KCHOL").waitFor();
    await page.getByRole("button", { name: "Pending" }).click();
    await page.getByText("No pending OCO. Protect an open buy here, or place a buy with exits in Trade.").waitFor();
    await page.getByText("is not available now").waitFor({ state: "detached" });
    await page.context().close();
  });

  test("a page that nobody sees gives its connection back, and goes on where it was", async () => {
    await createGroup("TUPRS");
    const { page } = await world.open();
    await page.clock.install();
    await world.signIn(page);
    await page.getByText("Events live").waitFor();
    await entry(page, "TUPRS").click();
    const given = page.waitForEvent("requestfailed", (request) => request.url().includes(STREAM));
    await setHidden(page, true);
    await page.clock.fastForward(11_000);
    await given;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await fire("TUPRS");
    await page.clock.fastForward(60_000);
    assert.deepEqual(asked, [], "what nobody sees asks for nothing");
    const again = page.waitForRequest((request) => request.url().includes(STREAM));
    await setHidden(page, false);
    assert.ok((await (await again).allHeaders())["last-event-id"] !== undefined);
    await triggered(page).waitFor();
    await page.context().close();
  });

  test("a bot that changes all the time has its lists read now and then", async () => {
    const body = {
      ...PLACE,
      isActive: true,
      levelBotDetails: [{ symbol: "THYAO", quantity: 1, buyGap: 5, targetProfit: 1 }],
    };
    const write = (method: string, path: string, name: string) =>
      stack.http(method, path, { token: user.token, json: { ...body, name } });
    const made = await write("POST", "/api/v1/level-bots", "first");
    assert.equal(made.status, 200, JSON.stringify(made.body));
    const { id } = made.body.data as { readonly id: number };
    const { page } = await world.openSignedIn();
    await page.getByRole("button", { name: "Bots" }).click();
    const cell = (name: string) => page.getByRole("cell", { name, exact: true });
    await cell("first").waitFor();
    let reads = 0;
    page.on("request", (request) => {
      if (new URL(request.url()).pathname === "/api/v1/level-bots") reads += 1;
    });
    for (let change = 1; change <= BOT_CHANGES; change += 1) {
      await write("PUT", `/api/v1/level-bots/${id}`, `name ${change}`);
      await pause(100);
    }
    await cell(`name ${BOT_CHANGES}`).waitFor();
    assert.ok(reads <= BOT_CHANGES / 2, `${reads} reads for ${BOT_CHANGES} changes`);
    await page.context().close();
  });

  test("the portfolio of an account that never rests is read again all the same", async () => {
    const { page } = await world.openSignedIn();
    await page.getByRole("button", { name: "Portfolio" }).click();
    await page.getByRole("button", { name: "Protect GARAN" }).waitFor();
    let isRead = false;
    page.on("request", (request) => {
      isRead ||= new URL(request.url()).pathname === "/api/v1/accounts/positions";
    });
    await stack.tick("ASELS", 90);
    for (let count = 0; count < ORDERS_MAX && !isRead; count += 1) {
      await buy("ASELS");
      await pause(500);
    }
    assert.ok(isRead);
    await page.context().close();
  });

  test("a proxy's own page in place of an answer is told, and the sign-in can be tried again", async () => {
    const { page } = await world.open();
    let count = 0;
    await page.route(at("/oauth/token"), (route) => {
      count += 1;
      return count > 1 ? route.continue() : route.fulfill({ status: 502, contentType: "text/html", body: "<html>" });
    });
    await world.signIn(page);
    await page.getByRole("alert").getByText("The service answered 502.").waitFor();
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Events live").waitFor();
    await page.context().close();
  });

  test("a key that is revoked ends the session: the page says so and asks for a key", async () => {
    const { apiKey } = await stack.tokenFor(user.userId, ["read", "trade"]);
    const { page } = await world.open();
    await world.signIn(page, apiKey);
    await page.getByText("Events live").waitFor();
    const path = `/admin/v1/users/${user.userId}/api-keys`;
    const { body } = await stack.http("GET", path, { token: user.token });
    const { keyId } = (body.data as { readonly keyId: number }[]).at(-1) ?? assert.fail("no key");
    assert.equal((await stack.http("DELETE", `${path}/${keyId}`, { token: user.token })).status, 200);
    await page.getByRole("status").getByText("The session has ended. Sign in again.").waitFor();
    await world.signIn(page);
    await page.getByText("Events live").waitFor();
    await page.context().close();
  });
});

/** Overrides the page's visibility: a headless page is always visible. */
async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`{
    Object.defineProperty(document, "hidden", { configurable: true, get: () => ${isHidden} });
    document.dispatchEvent(new Event("visibilitychange"));
  }`);
}
