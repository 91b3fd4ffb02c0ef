/** From the sign-in to a protected position with the keyboard alone. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { browserSuite } from "../support/client/browser.ts";
import { DashboardWorld, PLACE } from "../support/client/dashboard-world.ts";
import { until } from "../support/world/stack.ts";

/** More than any view has before what is looked for. */
const STOPS_MAX = 80;

browserSuite("the keyboard alone", () => {
  let world: DashboardWorld;

  before(async () => {
    world = await DashboardWorld.start();
  });
  after(async () => {
    await world?.stop();
  });

  /** Goes forward with Tab until the element with this role and name has the focus. */
  async function tabTo(page: Page, role: "button" | "textbox", name: string): Promise<void> {
    const wanted = page.getByRole(role, { name, exact: true });
    await wanted.first().waitFor();
    for (let stop = 0; stop < STOPS_MAX; stop += 1) {
      await page.keyboard.press("Tab");
      const isThere = await wanted.evaluateAll((elements) => elements.some((one) => one.matches(":focus")));
      if (isThere) return;
    }
    assert.fail(`${role} ${name} is not reached with Tab`);
  }

  test("leads from the sign-in to a protected position", async () => {
    await world.stack.tick("THYAO", 310);
    const { page, complaints } = await world.open();
    await page.getByLabel("API key").waitFor();
    for (let stop = 0; stop < STOPS_MAX && !(await page.locator("#api-key:focus").count()); stop += 1)
      await page.keyboard.press("Tab");
    await page.keyboard.type(world.user.apiKey);
    await page.keyboard.press("Enter");
    await page.getByText("Events live").waitFor();
    await tabTo(page, "button", "Portfolio");
    await page.keyboard.press("Enter");
    await tabTo(page, "button", "Protect THYAO");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "New OCO group" }).waitFor();
    await until(
      () => page.getByLabel("Stop-loss price").inputValue(),
      (proposed) => proposed !== "",
    );
    await tabTo(page, "button", "Create group");
    await page.keyboard.press("Enter");
    const protectedRows = async (): Promise<readonly { readonly symbol: string; readonly status: number }[]> => {
      const path = `/api/v1/oco-orders?${new URLSearchParams(PLACE)}`;
      const { body } = await world.stack.http("GET", path, { token: world.user.token });
      return body.data as readonly { readonly symbol: string; readonly status: number }[];
    };
    const rows = await until(protectedRows, ({ length }) => length > 0);
    assert.deepEqual(
      rows.map(({ symbol, status }) => [symbol, status]),
      [
        ["THYAO", 1],
        ["THYAO", 1],
      ],
    );
    assert.deepEqual(complaints, []);
  });
});
