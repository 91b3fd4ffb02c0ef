/** The chart of a group: what it shows after a reload, its time frames, and where rows fired. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { browserSuite } from "../support/client/browser.ts";
import { DashboardWorld } from "../support/client/dashboard-world.ts";
import { type Stack, until } from "../support/world/stack.ts";

browserSuite("the chart of a group", () => {
  let world: DashboardWorld;
  let stack: Stack;

  before(async () => {
    world = await DashboardWorld.start();
    ({ stack } = world);
    const levels = { stopLossPrice: 100, stopLossQuantity: 1, takeProfitItems: [{ price: 400, quantity: 1 }] };
    await world.post("/api/v1/oco-orders", { symbol: "THYAO", ...levels });
  });
  after(async () => {
    await world?.stop();
  });

  const openGroup = (page: Page) =>
    page.getByRole("list", { name: "Groups" }).getByRole("button", { name: "THYAO" }).click();

  const barCount = (page: Page) => page.locator(".chart").getAttribute("data-bars").then(Number);

  /** Moves over the chart from the right until a bar is met. */
  async function wordsUnderCrosshair(page: Page): Promise<string> {
    const box = (await page.locator(".chart").boundingBox()) ?? assert.fail("no chart");
    for (let x = box.x + box.width - 4; x > box.x; x -= 4) {
      await page.mouse.move(x, box.y + box.height / 2);
      const words = await page.locator(".chart-tools .hint.number").textContent();
      if (words) return words;
    }
    return assert.fail("no bar was met");
  }

  test("a chart has the bars that the service keeps, also after a reload and without a further price", async () => {
    for (const price of [310, 312, 311]) await stack.tick("THYAO", price);
    const { page } = await world.openSignedIn();
    const answers: unknown[] = [];
    page.on("response", (response) => {
      if (!response.url().includes("/bars?")) return;
      // The body of an answer that the reload left behind is gone.
      void response.json().then(
        (body) => answers.push(body),
        () => undefined,
      );
    });
    await page.reload();
    if (await page.getByLabel("API key").isVisible()) await world.signIn(page);
    await page.getByText("Events live").waitFor();
    await openGroup(page);
    await until(
      () => barCount(page),
      (count) => count > 0,
    );
    await until(
      async () => answers.length,
      (count) => count > 0,
    );
    const [answer] = answers as { data: { high: number; low: number }[] }[];
    assert.deepEqual([Math.max(...(answer?.data ?? []).map(({ high }) => high))], [312]);
    await page.getByRole("button", { name: "1h", exact: true }).click();
    await until(
      () => barCount(page),
      (count) => count > 0,
    );
    await page.getByRole("button", { name: "Line", exact: true }).click();
    await until(
      () => barCount(page),
      (count) => count > 0,
    );
    assert.match(await wordsUnderCrosshair(page), /open 31\d\.00 high 31\d\.00 low 31\d\.00 close 311\.00$/);
    await page.context().close();
  });

  test("a row that fired is marked", async () => {
    const { page } = await world.openSignedIn();
    await openGroup(page);
    await stack.tick("THYAO", 401);
    await page.getByRole("img", { name: /TP fired at 401\.00/ }).waitFor();
    await page.context().close();
  });
});
