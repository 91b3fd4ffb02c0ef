/** A user with many groups: only what is in view is drawn, and prices that come together are drawn together. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { browserSuite } from "../support/client/browser.ts";
import { DashboardWorld } from "../support/client/dashboard-world.ts";
import type { Stack, StackUser } from "../support/world/stack.ts";

const GROUPS = 60;
/** A third of them would not fit the screen. */
const DRAWN_MAX = 40;

browserSuite("the dashboard of a user with many groups", () => {
  let world: DashboardWorld;
  let stack: Stack;
  let user: StackUser;
  let page: Page;
  let symbols: readonly string[];

  before(async () => {
    world = await DashboardWorld.start();
    ({ stack, user } = world);
    const made = Array.from({ length: GROUPS }, (_, index) => `MANY${index}`);
    const written = await stack.http("POST", "/admin/v1/symbols", {
      token: user.token,
      json: { symbols: made.map((symbol) => ({ symbol, name: symbol, exchange: "BIST", isActive: true })) },
    });
    assert.equal(written.status, 200, JSON.stringify(written.body));
    symbols = made;
    const levels = { stopLossPrice: 50, stopLossQuantity: 10, takeProfitItems: [{ price: 200, quantity: 10 }] };
    for (const symbol of symbols) await world.post("/api/v1/oco-orders", { symbol, ...levels });
    ({ page } = await world.open());
    await page.evaluate(`{
      const original = globalThis.requestAnimationFrame.bind(globalThis);
      globalThis.frameRequests = 0;
      globalThis.requestAnimationFrame = (work) => {
        globalThis.frameRequests += 1;
        return original(work);
      };
    }`);
    await world.signIn(page);
    await page.getByText("Events live").waitFor();
  });
  after(async () => {
    await world?.stop();
  });

  const items = () => page.getByRole("list", { name: "Groups" }).getByRole("listitem");

  test("draws those in view, and tells a screen reader how many there are", async () => {
    await items().first().waitFor();
    const count = await items().count();
    assert.ok(count > 5 && count < DRAWN_MAX, `${count} of ${GROUPS} are drawn`);
    assert.equal(await items().first().getAttribute("aria-setsize"), String(GROUPS));
    await page.evaluate(`{
      const list = document.querySelector('ul[aria-label="Groups"]').parentElement;
      list.scrollTop = list.scrollHeight;
    }`);
    await page.getByRole("button", { name: /^MANY0 / }).waitFor();
    assert.ok((await items().count()) < DRAWN_MAX);
    await page.evaluate(`document.querySelector('ul[aria-label="Groups"]').parentElement.scrollTop = 0`);
    await page.getByRole("button", { name: new RegExp(`^MANY${GROUPS - 1} `) }).waitFor();
  });

  test("prices that come together cost one frame, not one each", async () => {
    for (const symbol of symbols) await stack.tick(symbol, 100);
    await page.getByRole("button", { name: /^MANY59 .*\b100\.00/ }).waitFor();
    await page.evaluate("globalThis.frameRequests = 0");
    for (const symbol of symbols) stack.nats.publish(`ticks.${symbol}`, JSON.stringify({ price: 101 }));
    await page.getByRole("button", { name: /^MANY59 .*\b101\.00/ }).waitFor();
    await page.getByRole("button", { name: /^MANY50 .*\b101\.00/ }).waitFor();
    const requests = await page.evaluate<number>("globalThis.frameRequests");
    assert.ok(requests < GROUPS / 2, `${requests} frames were asked for`);
  });
});
