/** A level of a running group that is moved, by its line and by keyboard. */
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import type { Page } from "playwright-core";
import { browserSuite, findBarriers } from "../support/client/browser.ts";
import { DashboardWorld, PLACE } from "../support/client/dashboard-world.ts";
import { type Stack, until } from "../support/world/stack.ts";

interface Row {
  readonly groupId: number;
  readonly symbol: string;
  readonly orderType: number;
  readonly price: number;
  readonly status: number;
}

browserSuite("levels that are moved at the dashboard", () => {
  let world: DashboardWorld;
  let stack: Stack;
  let page: Page;

  before(async () => {
    world = await DashboardWorld.start();
    ({ stack } = world);
  });
  beforeEach(async () => {
    ({ page } = await world.openSignedIn());
  });
  afterEach(() => page.context().close());
  after(async () => {
    await world?.stop();
  });

  const dialog = () => page.getByRole("alertdialog");

  /** A group of 10 lots with its stop-loss at 120 and take-profits at 140 and 150, while the price is 130. */
  async function openGroup(symbol: string): Promise<void> {
    await stack.tick(symbol, 130);
    const takeProfitItems = [
      { price: 140, quantity: 4 },
      { price: 150, quantity: 6 },
    ];
    await world.post("/api/v1/oco-orders", { symbol, stopLossPrice: 120, stopLossQuantity: 10, takeProfitItems });
    await page.getByRole("list", { name: "Groups" }).getByRole("button", { name: symbol }).click();
    await page.getByRole("img", { name: new RegExp(`Price of ${symbol} with SL 10 at 120`) }).waitFor();
  }

  async function rowsOf(symbol: string): Promise<readonly Row[]> {
    const path = `/api/v1/oco-orders?${new URLSearchParams(PLACE)}`;
    const { body } = await stack.http("GET", path, { token: world.user.token });
    return (body.data as readonly Row[]).filter((row) => row.symbol === symbol);
  }

  async function levelsOf(symbol: string): Promise<readonly number[]> {
    return (await rowsOf(symbol)).map(({ price }) => price).sort((left, right) => left - right);
  }

  async function typeLevel(row: RegExp, price: string): Promise<void> {
    await page.getByRole("button", { name: row }).click();
    await page.getByLabel(/^New level of the/).fill(price);
    await page.keyboard.press("Enter");
  }

  test("a dragged line asks with the old and the new level, and what is refused moves nothing", async () => {
    await openGroup("GARAN");
    const chart = page.getByRole("img", { name: /Price of GARAN/ });
    const box = await chart.boundingBox();
    assert.ok(box !== null);
    const x = box.x + box.width / 3;
    const dragStop = async (): Promise<void> => {
      // Away from every line: what was under the pointer before is let go.
      await page.mouse.move(x, box.y + box.height - 5);
      // The stop is the lowest line: looked for from below.
      let y = box.y + box.height - 28;
      for (; y > box.y && (await page.locator(".chart.grip").count()) === 0; y -= 3) await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x, y - 20, { steps: 4 });
      await page.mouse.up();
    };
    await dragStop();
    await dialog()
      .getByRole("heading", { name: /^Move the stop-loss of GARAN to 12\d\.\d\d\?$/ })
      .waitFor();
    assert.match((await dialog().textContent()) ?? "", /Now120\.00/);
    await page.keyboard.press("Enter");
    await dialog().waitFor({ state: "detached" });
    await page.getByRole("img", { name: /with SL 10 at 120,/ }).waitFor();
    assert.deepEqual(await levelsOf("GARAN"), [120, 140, 150]);
    await dragStop();
    const [, level] = /to (\d+\.\d+)\?/.exec((await dialog().getByRole("heading").textContent()) ?? "") ?? [];
    await dialog().getByRole("button", { name: "Change the level" }).click();
    const [stop] = await until(
      () => levelsOf("GARAN"),
      ([lowest]) => lowest !== 120,
    );
    assert.equal(stop, Number(level));
    await page.getByText("The OCO group was changed").waitFor();
  });

  test("a take-profit is moved by keyboard, and the other one stays as it is", async () => {
    await openGroup("THYAO");
    await typeLevel(/^Move the take-profit at 150/, "155");
    await dialog().getByRole("heading", { name: "Move the take-profit of THYAO to 155.00?" }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await dialog().getByRole("button", { name: "Change the level" }).click();
    await page.getByText("The OCO group was changed").waitFor();
    assert.deepEqual(await levelsOf("THYAO"), [120, 140, 155]);
    await typeLevel(/^Move the take-profit at 155/, "155.037");
    await page.locator('input:focus[aria-invalid="true"]').waitFor();
  });

  test("a level that the price has reached is called a sale, and a second Enter sells nothing", async () => {
    await openGroup("AKBNK");
    await typeLevel(/^Move the stop-loss/, "132");
    await dialog()
      .getByText(/10 lots are sold at market immediately/)
      .waitFor();
    await dialog().getByRole("button", { name: "Sell 10 AKBNK now" }).waitFor();
    await page.keyboard.press("Enter");
    await dialog().waitFor({ state: "detached" });
    assert.deepEqual(
      (await rowsOf("AKBNK")).map(({ status }) => status),
      [1, 1, 1],
    );
  });

  test("a group that changed while the question stood is left as it is", async () => {
    await openGroup("SISE");
    await typeLevel(/^Move the stop-loss/, "125");
    await dialog().waitFor();
    const [row] = await rowsOf("SISE");
    const json = { stopLossPrice: 110 };
    const path = `/api/v1/oco-orders/${row?.groupId}`;
    assert.equal((await stack.http("PATCH", path, { token: world.user.token, json })).status, 200);
    await dialog().getByRole("button", { name: "Change the level" }).click();
    await page.getByText(/has changed in the meantime: nothing was moved/).waitFor();
    assert.deepEqual(await levelsOf("SISE"), [110, 140, 150]);
  });
});
