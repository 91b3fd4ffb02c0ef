/** Levels of a running group that are moved, by line and by keyboard, and changed with their lots by form. */
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import type { Page } from "playwright-core";
import { browserSuite, findBarriers } from "../support/client/browser.ts";
import { DashboardWorld, PLACE } from "../support/client/dashboard-world.ts";
import { type Stack, until } from "../support/world/stack.ts";

interface Row {
  readonly id: number;
  readonly quantity: number;
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

  /** The rows under watch as "lots at price", the lowest first. */
  async function watchedOf(symbol: string): Promise<readonly string[]> {
    const active = (await rowsOf(symbol)).filter(({ status }) => status === 1);
    return active
      .toSorted((left, right) => left.price - right.price)
      .map(({ quantity, price }) => `${quantity} at ${price}`);
  }

  const form = () => page.getByRole("form", { name: "Change levels and lots" });
  const openForm = () => page.getByRole("button", { name: "Change levels and lots" }).click();
  const check = () => form().getByRole("button", { name: "Check the change" }).click();
  const confirm = () => dialog().getByRole("button", { name: "Change the group" }).click();

  test("lots are changed, a take-profit is removed and one is added, after a question with the old and the new values", async () => {
    await openGroup("ASELS");
    await openForm();
    await form().getByText("sells immediately if the last price has reached it").waitFor();
    await check();
    await form().getByText("Nothing of the group is changed yet.").waitFor();
    await form().getByLabel("Lots to protect").fill("9");
    await check();
    await form().getByText("The take-profits sell 10 together: more than this.").waitFor();
    await form().getByRole("button", { name: "Remove take-profit 1" }).click();
    await form().getByRole("button", { name: "Add a take-profit" }).click();
    await form().getByLabel("Price 2").fill("160.037");
    await form().getByLabel("Lots 2").fill("3");
    await check();
    await form().locator('input:focus[aria-invalid="true"]').waitFor();
    await form().getByLabel("Price 2").fill("160");
    assert.deepEqual(await findBarriers(page), []);
    await check();
    await dialog().waitFor();
    assert.deepEqual(await dialog().getByRole("listitem").allTextContents(), [
      "Stop-loss: 10 at 120.00 → 9 at 120.00",
      "Take-profit: 4 at 140.00 → cancelled",
      "Take-profit: none → 3 at 160.00",
    ]);
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("Enter");
    await dialog().waitFor({ state: "detached" });
    assert.deepEqual(await watchedOf("ASELS"), ["10 at 120", "4 at 140", "6 at 150"]);
    await page.getByRole("button", { name: "Portfolio" }).click();
    await dialog().getByText("Leave the form?").waitFor();
    await dialog().getByRole("button", { name: "Stay here" }).click();
    await check();
    await confirm();
    await page.getByText("The OCO group was changed").waitFor();
    await form().waitFor({ state: "detached" });
    assert.deepEqual(await watchedOf("ASELS"), ["9 at 120", "6 at 150", "3 at 160"]);
    await page.getByRole("img", { name: /Price of ASELS with SL 9 at 120/ }).waitFor();
  });

  test("a form of a group that changed in the meantime states what changed, and what was typed remains", async () => {
    await openGroup("KCHOL");
    await openForm();
    await form().getByLabel("Lots 2").fill("5");
    await check();
    await dialog().waitFor();
    const [first, second] = (await rowsOf("KCHOL")).filter(({ orderType }) => orderType === 1);
    const json = {
      stopLossPrice: 125,
      takeProfitItems: [{ id: second?.id, price: 150, quantity: 6 }],
    };
    const path = `/api/v1/oco-orders/${first?.groupId}`;
    assert.equal((await stack.http("PATCH", path, { token: world.user.token, json })).status, 200);
    await confirm();
    await form()
      .getByText(/changed in the meantime: nothing was changed/)
      .waitFor();
    const news = form().getByRole("region", { name: "What has changed in the group" });
    assert.deepEqual(await news.getByRole("listitem").allTextContents(), [
      "Stop-loss: 10 at 120.00 → 10 at 125.00",
      "Take-profit: 4 at 140.00 → no longer under watch",
    ]);
    assert.deepEqual(await watchedOf("KCHOL"), ["10 at 125", "6 at 150"]);
    assert.equal(await form().getByLabel("Stop-loss price").inputValue(), "125.00");
    assert.equal(await form().getByLabel("Lots 1").inputValue(), "5");
    await check();
    await dialog().waitFor();
    assert.deepEqual(await dialog().getByRole("listitem").allTextContents(), [
      "Take-profit: 6 at 150.00 → 5 at 150.00",
    ]);
    await confirm();
    await page.getByText("The OCO group was changed").waitFor();
    assert.deepEqual(await watchedOf("KCHOL"), ["10 at 125", "5 at 150"]);
  });

  test("a refusal of the service is at its field, and a level that sells immediately is called a sale", async () => {
    await openGroup("SAHOL");
    await openForm();
    await page.route("**/api/v1/oco-orders/*", async (route) => {
      if (route.request().method() !== "PATCH") return route.continue();
      const message = "takeProfitItems[1].quantity must be an integer from 1 to 5";
      await route.fulfill({ status: 400, json: { success: false, error: { message } } });
    });
    await form().getByLabel("Lots 2").fill("5");
    await form().getByLabel("Price 1").fill("129");
    await check();
    await dialog().getByText("The last price has reached 129.00 already: 4 lots are sold at market").waitFor();
    await dialog().getByRole("button", { name: "Sell 4 SAHOL now" }).click();
    await form().locator('input:focus[aria-invalid="true"]').waitFor();
    assert.equal(await form().getByLabel("Lots 2").getAttribute("aria-invalid"), "true");
    await form().getByText("takeProfitItems[1].quantity must be an integer from 1 to 5").waitFor();
    assert.deepEqual(await watchedOf("SAHOL"), ["10 at 120", "4 at 140", "6 at 150"]);
  });
});
