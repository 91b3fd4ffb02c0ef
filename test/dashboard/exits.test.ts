/** The sale of a stop-loss: set in the form of a new group, and changed in the view of a running group. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { browserSuite, findBarriers, findMisfits } from "../support/client/browser.ts";
import { DashboardWorld } from "../support/client/dashboard-world.ts";
import { type Stack, until } from "../support/world/stack.ts";

interface Plan {
  readonly groupId: number;
  readonly exit: {
    readonly stopLoss: string;
    readonly at: string | null;
    readonly beforeCloseMinutes: number | null;
  };
}

browserSuite("exits at the dashboard", () => {
  let world: DashboardWorld;
  let stack: Stack;
  let page: Page;
  let complaints: string[];

  before(async () => {
    world = await DashboardWorld.start({ environment: { CALENDARS: "on" } });
    ({ stack } = world);
    // The page's time zone is not the time zone of the exchange.
    ({ page, complaints } = await world.open(undefined, "light", "America/New_York"));
    await world.signIn(page);
    await page.getByText("Events live").waitFor();
  });
  after(async () => {
    await world?.stop();
  });

  const card = () => page.getByRole("region", { name: "How the stop-loss sells" });
  const dialog = () => page.getByRole("alertdialog");
  const at = () => page.getByLabel("Sell at (optional)");
  const minutes = () => page.getByLabel("Minutes before the close (optional)");

  async function openForm(symbol: string): Promise<void> {
    await page.getByRole("button", { name: "OCO groups", exact: true }).click();
    await page.getByRole("button", { name: "New group" }).click();
    await page.getByLabel("Symbol", { exact: true }).fill(symbol);
    await page.getByLabel("Stop-loss price").fill("40");
    await page.getByLabel("Price 1").fill("200");
    await page.getByLabel("Lots to protect").fill("10");
    await page.getByLabel("Lots 1").fill("10");
    await page.getByText("Sell at a set time", { exact: false }).first().click();
  }

  async function planOf(groupId: number): Promise<Plan> {
    const { body } = await stack.http("GET", `/api/v1/oco-orders/${groupId}/plan`, { token: world.user.token });
    return body.data as Plan;
  }

  async function shownGroup(): Promise<number> {
    await card().waitFor();
    return Number(/groups\/(\d+)/.exec(page.url())?.[1]);
  }

  test("a group is made that sells by the clock of its exchange, and what is refused stands at its field", async () => {
    await openForm("ASELS");
    await page.getByText(/is the time of the exchange: Europe\/Istanbul/).waitFor();
    await at().fill("2020-03-02T17:50");
    await minutes().fill("0");
    await page.getByRole("button", { name: "Create group" }).click();
    await page.getByText("Whole minutes, 1 to 1,440.").waitFor();
    await minutes().fill("15");
    await page.getByRole("button", { name: "Create group" }).click();
    await page.getByText("exit.at must be in the future").waitFor();
    assert.equal(await at().getAttribute("aria-invalid"), "true");
    assert.match(complaints.splice(0).join(), /400/, "the browser tells of the refusal, too");
    await at().fill("2035-03-02T17:50");
    await page.getByLabel("If an order leaves lots unsold").selectOption("once");
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole("button", { name: "Create group" }).click();
    await card().getByText("at 2035-03-02 17:50 (Europe/Istanbul), or 15 minutes before the close").waitFor();
    const { exit } = await planOf(await shownGroup());
    assert.deepEqual([exit.stopLoss, exit.at, exit.beforeCloseMinutes], ["once", "2035-03-02T14:50:00.000Z", 15]);
  });

  test("its exit is changed after a question with the old and the new terms, and a second Enter changes nothing", async () => {
    const groupId = await shownGroup();
    await card().getByRole("button", { name: "Change how it sells" }).click();
    await page.getByRole("button", { name: "Check the change" }).click();
    await page.getByText("These are the terms of now.").waitFor();
    await at().fill("");
    await minutes().fill("20");
    await minutes().press("Enter");
    await dialog().getByText("20 minutes before the close", { exact: true }).waitFor();
    await dialog()
      .getByText(/2035-03-02 17:50.*or 15 minutes/)
      .waitFor();
    await page.keyboard.press("Enter");
    await dialog().waitFor({ state: "detached" });
    assert.equal((await planOf(groupId)).exit.beforeCloseMinutes, 15);
    await page.getByRole("button", { name: "Portfolio" }).click();
    await dialog().getByText("Leave the form?").waitFor();
    await dialog().getByRole("button", { name: "Stay here" }).click();
    await page.getByRole("button", { name: "Check the change" }).click();
    await dialog().getByRole("button", { name: "Change how it sells" }).click();
    await page.getByText("The OCO group was changed").waitFor();
    const { exit } = await planOf(groupId);
    assert.deepEqual([exit.stopLoss, exit.at, exit.beforeCloseMinutes], ["once", null, 20]);
  });

  test("an exit that changed while the question stood is shown as it is now, and what was typed remains", async () => {
    const groupId = await shownGroup();
    await card().getByRole("button", { name: "Change how it sells" }).click();
    await minutes().fill("30");
    await minutes().press("Enter");
    await dialog().waitFor();
    const json = { exit: { stopLoss: "untilSold" } };
    const path = `/api/v1/oco-orders/${groupId}`;
    assert.equal((await stack.http("PATCH", path, { token: world.user.token, json })).status, 200);
    await dialog().getByRole("button", { name: "Change how it sells" }).click();
    await page.getByText(/changed in the meantime: nothing was changed/).waitFor();
    await card().getByText("Further orders until all is sold").first().waitFor();
    assert.match(complaints.splice(0).join(), /412/);
    assert.equal(await minutes().inputValue(), "30");
    await page.getByRole("button", { name: "Check the change" }).click();
    await dialog().getByRole("button", { name: "Change how it sells" }).click();
    const { exit } = await until(
      () => planOf(groupId),
      (plan) => plan.exit.beforeCloseMinutes === 30,
    );
    assert.equal(exit.stopLoss, "untilSold");
    assert.deepEqual(complaints, []);
  });

  test("session, band and each measure stand at the group, with what they do to it", async () => {
    const groupId = await shownGroup();
    const operator = await stack.userOn(0, ["admin"]);
    const band = { floorPrice: 36, ceilingPrice: 250 };
    const written = await stack.http("PUT", "/admin/v1/symbols/ASELS/band", { token: operator.token, json: band });
    assert.equal(written.status, 200, JSON.stringify(written.body));
    const terms = { validFrom: "2026-01-01", sourceRef: "a test", effects: { noMarket: true } };
    const restriction = { code: "ASELS", restrictionType: 99, ...terms };
    const json = { restrictions: [restriction] };
    const imposed = await stack.http("POST", "/admin/v1/restrictions", { token: operator.token, json });
    assert.equal(imposed.status, 200, JSON.stringify(imposed.body));
    await until(
      () => stack.http("GET", `/api/v1/oco-orders/${groupId}/outlook`, { token: world.user.token }),
      ({ body }) => (body.data as { restrictions: unknown[] }).restrictions.length === 1,
    );
    await page.reload();
    await page.getByText(/The market is (open|closed).*Orders are accepted between 36\.00 and 250\.00\./).waitFor();
    const measures = page.getByRole("list", { name: "Measures of the exchange" });
    await measures.getByText("Diger: sells are limit orders at the floor of the day if it is known.").waitFor();
    await measures.getByText("The stop-loss would now be a limit order at 36.00 of 10 lots.").waitFor();
    assert.deepEqual(await findBarriers(page), []);
    assert.deepEqual(complaints, []);
  });

  test("at 320, 390 and 1440 px nothing of it is cut", async () => {
    await card().getByRole("button", { name: "Change how it sells" }).click();
    assert.deepEqual(await findMisfits(page), []);
  });
});
