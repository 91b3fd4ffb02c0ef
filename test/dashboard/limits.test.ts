/** The limits of an account in the browser: set, used, loosened by a typed word, and an account that only sells. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { browserSuite, findMisfits } from "../support/client/browser.ts";
import { DashboardWorld, PLACE } from "../support/client/dashboard-world.ts";
import { type Stack, until } from "../support/world/stack.ts";

browserSuite("limits at the dashboard", () => {
  let world: DashboardWorld;
  let stack: Stack;
  let page: Page;
  let complaints: readonly string[];

  before(async () => {
    world = await DashboardWorld.start();
    ({ stack } = world);
    ({ page, complaints } = await world.openSignedIn());
    await page.getByRole("button", { name: "Portfolio" }).click();
  });
  after(async () => {
    await world?.stop();
  });

  const card = () => page.getByRole("region", { name: "Limits", exact: true });
  const field = (name: string) => card().getByRole("textbox", { name });
  const term = (name: string) => card().locator("dl > div").filter({ hasText: name });

  async function limitsNow(): Promise<unknown> {
    const path = `/api/v1/limits?${new URLSearchParams(PLACE)}`;
    return (await stack.http("GET", path, { token: world.user.token })).body.data;
  }

  test("limits are set by form, with what is wrong at its field, after the old and the new values", async () => {
    await term("Loss of a day").getByText("no limit").waitFor();
    await card().getByRole("button", { name: "Change limits" }).click();
    const form = card().getByRole("form", { name: "Change limits" });
    const check = form.getByRole("button", { name: "Check the change" });
    await check.click();
    await form.getByText("No limit is changed yet.").waitFor();
    await field("Loss of a day").fill("0");
    await check.click();
    await form.getByText("Must be greater than 0. Leave the field empty for no limit.").waitFor();
    await field("Loss of a day").fill("100");
    await field("Orders in a minute").fill("30");
    await check.click();
    await card().getByText("Loss of a day: no limit → 100.00 TRY").waitFor();
    assert.deepEqual(await findMisfits(page), []);
    await page.setViewportSize({ width: 1_440, height: 900 });
    await card().getByRole("button", { name: "Set the limits" }).click();
    await card().getByText("The limits are set.").waitFor();
    assert.deepEqual(await limitsNow(), {
      ...{ maxDailyLoss: 100, maxOrdersPerMinute: 30, maxOrderValue: null },
      ...{ realisedToday: 0, ordersLastMinute: 0 },
    });
    await term("Loss of a day").getByText("100.00 TRY").waitFor();
    await term("Loss of a day").getByText("realised today: 0.00 TRY").waitFor();
  });

  test("a raised limit takes the typed word", async () => {
    await card().getByRole("button", { name: "Change limits" }).click();
    await field("Orders in a minute").fill("");
    await field("Loss of a day").fill("200");
    await card().getByRole("button", { name: "Check the change" }).click();
    await card().getByText("Orders in a minute: 30 → no limit").waitFor();
    await card().getByText("This raises or removes a limit.").waitFor();
    const loosen = card().getByRole("button", { name: "Loosen the limits" });
    assert.equal(await loosen.isDisabled(), true);
    await card().getByLabel("Type LOOSEN to confirm").fill("LOOSEN");
    await loosen.click();
    await card().getByText("The limits are set.").waitFor();
    const { maxDailyLoss, maxOrdersPerMinute } = (await limitsNow()) as Readonly<Record<string, unknown>>;
    assert.deepEqual([maxDailyLoss, maxOrdersPerMinute], [200, null]);
  });

  test("a loss that reaches the limit shows why the account only sells, and the way back takes the typed word", async () => {
    await stack.tick("EREGL", 100);
    await world.post("/api/v1/orders", { symbol: "EREGL", quantity: 20, buySell: 1, orderType: 1, price: 0 });
    await stack.tick("EREGL", 90);
    await world.post("/api/v1/orders", { symbol: "EREGL", quantity: 20, buySell: 2, orderType: 1, price: 0 });
    await card().getByText("The account only sells").waitFor();
    await card().getByText("own fills of today have lost 200, and maxDailyLoss is 200").waitFor();
    await term("Loss of a day").getByText("-200.00").waitFor();
    assert.equal(await term("Loss of a day").getByRole("meter").getAttribute("value"), "1");
    assert.deepEqual(await findMisfits(page), []);
    await page.setViewportSize({ width: 1_440, height: 900 });
    await card().getByLabel("Type RESUME to confirm").fill("RESUME");
    await card().getByRole("button", { name: "Let the account buy again" }).click();
    await card().getByText("The account buys again.").waitFor();
    await card().getByText("The account only sells").waitFor({ state: "detached" });
    const read = () => stack.http("GET", "/api/v1/trading-state", { token: world.user.token });
    await until(read, ({ body }) => JSON.stringify(body.data) === "[]");
    assert.deepEqual(complaints, []);
  });
});
