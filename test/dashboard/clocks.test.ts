/** The dashboard's view of time: a machine that slept, a wrong clock, a service that is down, a time zone. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { browserSuite } from "../support/client/browser.ts";
import { DashboardWorld } from "../support/client/dashboard-world.ts";
import { type Stack, until } from "../support/world/stack.ts";

const DAY_MS = 86_400_000;
/** Moves the wall clock and leaves the steady clock alone, as on a machine that slept. */
const SLEEP = `
  globalThis.sleptMs = 0;
  const wall = Date.now;
  Date.now = () => wall() + globalThis.sleptMs;
`;
/** Records the texts that a chart draws. */
const CHART_TEXTS = `
  globalThis.chartTexts = new Set();
  const write = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
    globalThis.chartTexts.add(text);
    return write.call(this, text, ...place);
  };
`;

browserSuite("time at the dashboard", () => {
  let world: DashboardWorld;
  let stack: Stack;
  /** No price of the chart is older. */
  const startMs = Date.now();

  before(async () => {
    world = await DashboardWorld.start();
    ({ stack } = world);
    const levels = { stopLossPrice: 100, stopLossQuantity: 1, takeProfitItems: [{ price: 400, quantity: 1 }] };
    await world.post("/api/v1/oco-orders", { symbol: "THYAO", ...levels });
  });
  after(async () => {
    await world?.stop();
  });

  const head = (page: Page) => page.getByRole("list", { name: "Conditions" });

  /** Makes the service report that no price arrived for `silentMs()`; undefined: its true answer. */
  async function saySilence(page: Page, silentMs: () => number | undefined): Promise<void> {
    await page.route("**/api/v1/conditions", async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { data: { feed: object } };
      const silence = silentMs();
      const feed = silence === undefined ? answer.data.feed : { ...answer.data.feed, silentMs: silence };
      await route.fulfill({ response, json: { ...answer, data: { ...answer.data, feed } } });
    });
  }

  test("after a sleep the page connects again and shows the age that the service says; a clock ahead refuses no due date", async () => {
    const { page } = await world.open();
    await page.addInitScript(SLEEP);
    await page.reload();
    let silence: number | undefined;
    await saySilence(page, () => silence);
    await world.signIn(page);
    await page.getByText("Events live").waitFor();
    await stack.tick("THYAO", 310);
    await stack.tick("THYAO", 311);
    await head(page)
      .getByText(/Prices live, \d+ s old/)
      .waitFor();
    silence = 640_000;
    const again = page.waitForRequest((request) => new URL(request.url()).pathname === "/api/v1/events");
    await page.evaluate("globalThis.sleptMs = 60_000");
    await again;
    await head(page).getByText("Prices silent, 10 min old").waitFor();
    await page.evaluate(`globalThis.sleptMs = ${2 * DAY_MS}`);
    await stack.tick("GARAN", 130);
    await page.getByRole("button", { name: "New group" }).click();
    await page.getByLabel("Symbol", { exact: true }).fill("GARAN");
    await page.getByRole("img", { name: /Price of GARAN with SL/ }).waitFor();
    await page.getByLabel("Lots to protect").fill("1");
    await page.getByLabel("Lots 1").fill("1");
    const due = page.getByLabel("Watched until");
    const textOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 16);
    await due.fill(textOf(Date.now() - DAY_MS));
    await page.getByRole("button", { name: "Create group" }).click();
    await page.getByText(/dueDate .*future/).waitFor();
    assert.equal(await due.getAttribute("aria-invalid"), "true");
    await due.fill(textOf(Date.now() + DAY_MS));
    await page.getByRole("button", { name: "Create group" }).click();
    await page.getByRole("heading", { name: "GARAN" }).waitFor();
    await page.context().close();
  });

  test("a feed whose prices are delayed data is named, with how late they are (3.11)", async () => {
    const { page } = await world.open();
    await page.route("**/api/v1/conditions", async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { data: { feed: { publishers: object[] } } };
      answer.data.feed.publishers.push({ name: "BIST", state: "delayed", behindMs: 900_000 });
      await route.fulfill({ response, json: answer });
    });
    await world.signIn(page);
    await head(page).getByText("BIST prices delayed by 15 min: no level fires by them").waitFor();
    await page.context().close();
  });

  test("with the service gone nothing is called live or up, and all is again once it is back", async () => {
    const { page } = await world.openSignedIn();
    await head(page).getByText("PAPER up").waitFor();
    await page.route("**/api/v1/conditions", (route) => route.abort());
    await page.evaluate("dispatchEvent(new Event('online'))");
    await head(page)
      .getByText(/^Prices not known, the last/)
      .waitFor();
    await head(page).getByText("PAPER not known").waitFor();
    assert.equal(
      await head(page)
        .getByText(/Prices live|PAPER up/)
        .count(),
      0,
    );
    await page.unroute("**/api/v1/conditions");
    await page.evaluate("dispatchEvent(new Event('online'))");
    await head(page).getByText("PAPER up").waitFor();
    await page.context().close();
  });

  test("a brokerage that was away at the sign-in appears, and until then a group is refused in words", async () => {
    const { page } = await world.open();
    let isAway = true;
    const cut = (path: string, keep: (one: { symbol: string }) => boolean) =>
      page.route(
        (url) => url.pathname === path,
        async (route) => {
          const response = await route.fetch();
          const answer = (await response.json()) as { data: { symbol: string }[] };
          await route.fulfill({ response, json: isAway ? { ...answer, data: answer.data.filter(keep) } : answer });
        },
      );
    await cut("/api/v1/accounts", () => false);
    await cut("/api/v1/symbols", ({ symbol }) => symbol !== "KCHOL");
    await page.clock.install();
    await world.signIn(page);
    await page.getByText("No brokerage has given an account yet").waitFor();
    await page.getByRole("button", { name: "New group" }).click();
    await page.getByLabel("Symbol", { exact: true }).fill("THYAO");
    await page.getByLabel("Stop-loss price").fill("200");
    await page.getByLabel("Lots to protect").fill("1");
    await page.getByLabel("Price 1").fill("400");
    await page.getByLabel("Lots 1").fill("1");
    await page.getByRole("button", { name: "Create group" }).click();

    await page.getByRole("alert").getByText("No account is known yet").waitFor();
    isAway = false;
    await page.clock.fastForward(6_000);
    await page
      .getByRole("combobox", { name: /^Account/ })
      .locator("option")
      .first()
      .waitFor({ state: "attached" });
    assert.equal(await page.getByLabel("Price 1").inputValue(), "400", "what was typed is still there");
    assert.equal(await page.locator("datalist option[value=KCHOL]").count(), 0);
    await page.clock.fastForward(61_000);
    await page.locator("datalist option[value=KCHOL]").first().waitFor({ state: "attached" });
    await page.context().close();
  });

  test("a chart's times are those of the wall, as all others are", async () => {
    const { page } = await world.open(1_440, "light", "Asia/Kathmandu");
    await page.addInitScript(CHART_TEXTS);
    await page.reload();
    await world.signIn(page);
    await page.getByRole("list", { name: "Groups" }).getByRole("button", { name: "THYAO" }).click();
    await stack.tick("THYAO", 312);
    await stack.tick("THYAO", 313);
    const texts = await until(
      () => page.evaluate<string[]>("[...globalThis.chartTexts]"),
      (all) => all.some((text) => /^\d\d:\d\d/.test(text)),
    );
    const minutes = texts.flatMap((text) => /^(\d\d):(\d\d)/.exec(text) ?? []).length;
    assert.ok(minutes > 0);
    const zoneMs = 5.75 * 3_600_000;
    const local: string[] = [];
    for (let timeMs = startMs + zoneMs; timeMs < Date.now() + zoneMs + 60_000; timeMs += 60_000) {
      local.push(new Date(timeMs).toISOString().slice(11, 16));
    }
    assert.ok(
      texts.some((text) => local.some((time) => text.startsWith(time))),
      `${local.join(" or ")} among ${texts.join(", ")}`,
    );
    await page.context().close();
  });
});
