/** An order in doubt at the dashboard: its owner learns why, what is protected until it is settled, and what to do. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { ScriptedConnector } from "../borders/support/connector.ts";
import { browserSuite, findBarriers, type WatchedPage } from "../support/client/browser.ts";
import { DashboardWorld } from "../support/client/dashboard-world.ts";
import { until } from "../support/world/stack.ts";

const CODE = "FORGETS";
/** It never answers, and promises nothing. */
const MUTE = "MUTE";
const settings = { adapter: "gateway", ordersPerMinute: 100_000, timeoutMs: 300 };
const brokerages = [
  { code: CODE, name: CODE, resend: "query", ...settings },
  { code: MUTE, name: MUTE, resend: "none", ...settings },
];

browserSuite("an order in doubt at the dashboard", () => {
  let world: DashboardWorld;
  let connector: ScriptedConnector;
  let mute: ScriptedConnector;
  let opened: WatchedPage;
  let page: Page;

  before(async () => {
    world = await DashboardWorld.start({ brokerages });
    connector = new ScriptedConnector(world.stack.nats, {
      ...{ code: CODE, resend: "query" },
      place: (ask) => connector.accept(ask, 1, 0),
    });
    mute = new ScriptedConnector(world.stack.nats, { code: MUTE, resend: "none", place: () => undefined });
    connector.cannotTell = () => true;
    world.stack.nats.subscribe("events.*.order.inDoubt", { callback: () => void published.push("order.inDoubt") });
    await world.stack.nats.flush();
  });
  after(async () => {
    connector?.stop();
    mute?.stop();
    await world?.stop();
  });

  /** A group of a stop-loss of 100 lots at 90 and a take-profit of 40 at 110. */
  async function arm(symbol: string, brokerageCode = CODE): Promise<void> {
    await world.stack.tick(symbol, 100);
    await world.post("/api/v1/oco-orders", {
      ...{ brokerageCode, accountNumber: "A1", symbol, stopLossPrice: 90, stopLossQuantity: 100 },
      takeProfitItems: [{ price: 110, quantity: 40 }],
    });
  }

  /** The types of events that the engine published. */
  const published: string[] = [];

  function untilInDoubt(): Promise<string[]> {
    return until(
      async () => published,
      (types) => types.includes("order.inDoubt"),
    );
  }

  /** This brokerage has no positions (400), and two windows of one user share the quota of portfolio requests (429). */
  function assertNoComplaint({ complaints, foreign }: WatchedPage): void {
    assert.deepEqual(
      complaints.filter((complaint) => !/status of (400|429)/.test(complaint)),
      [],
    );
    assert.deepEqual(foreign, []);
  }

  const card = () => page.getByRole("region", { name: "Orders in doubt" });
  const alarms = () => page.getByRole("alert").filter({ hasText: "is in doubt" });

  test("from before the sign-in: an alarm until seen, the reason, the row, and that no stop-loss protects", async () => {
    await arm("THYAO");
    await world.stack.tick("THYAO", 89);
    await untilInDoubt();
    opened = await world.openSignedIn();
    ({ page } = opened);
    await alarms().getByText(`Order ${CODE}-1 (sell, 0 of 100 THYAO filled) is in doubt`).waitFor();
    await alarms().getByRole("button", { name: "Seen" }).click();
    await alarms().waitFor({ state: "detached" });
    await page.getByRole("button", { name: "1 order in doubt" }).click();
    await card().getByText(`THYAO: sell order ${CODE}-1 of 100 lots`).waitFor();
    await card()
      .getByText(/the brokerage cannot report the outcome; an operator decides/)
      .waitFor();
    await card()
      .getByText(/Stop-loss of 100 lots at 90\.00 of OCO group \d+/)
      .waitFor();
    await card().getByText("no stop-loss protects its lots").waitFor();
    assert.deepEqual(await findBarriers(page), []);
  });

  test("while the page is open: a take-profit in doubt leaves its stop-loss under watch", async () => {
    await arm("GARAN");
    await world.stack.tick("GARAN", 111);
    await alarms().getByText(`Order ${CODE}-2 (sell, 0 of 40 GARAN filled) is in doubt`).waitFor();
    await page.getByRole("button", { name: "2 orders in doubt" }).waitFor();
    await card()
      .getByText(/Take-profit of 40 lots at 110\.00 of OCO group \d+/)
      .waitFor();
    await card().getByText("Under watch: stop-loss of 100 lots at 90.00.").waitFor();
  });

  test("its owner without the scope admin is sent to the operator, and sees no command", async () => {
    const { apiKey } = await world.stack.tokenFor(world.user.userId, ["read", "trade"]);
    const other = await world.open();
    await world.signIn(other.page, apiKey);
    await other.page.getByRole("button", { name: "2 orders in doubt" }).click();
    const list = other.page.getByRole("region", { name: "Orders in doubt" });
    await list
      .getByText(
        `Look at order ${CODE}-1 at ${CODE}: how many lots were filled in all, and at which price? Report it to your operator.`,
      )
      .waitFor();
    assert.equal(await list.getByText("npm run cli").count(), 0);
    assertNoComplaint(other);
    await other.page.close();
  });

  test("an operator sees the commands that settle it, and a settled order leaves the list and the alarms", async () => {
    const shown = await card().locator("pre").first().textContent();
    const [, id] =
      new RegExp(`release (doubt-0-\\d+) --order-no ${CODE}-1 --filled LOTS@PRICE\n`).exec(shown ?? "") ?? [];
    assert.ok(id !== undefined, String(shown));
    assert.match(String(shown), new RegExp(`release ${id} --order-no ${CODE}-1 --not-filled$`));
    const second = await card().locator("pre").nth(1).textContent();
    for (const [text, orderNo] of [
      [shown, `${CODE}-1`],
      [second, `${CODE}-2`],
    ] as const) {
      const named = /doubt-0-\d+/.exec(text ?? "")?.[0];
      const { status, body } = await world.stack.http("POST", `/admin/v1/quarantine/${named}/release`, {
        token: world.user.token,
        json: { action: "filled", orderNo, quantity: orderNo.endsWith("1") ? 100 : 40, price: 89.9 },
      });
      assert.equal(status, 200, JSON.stringify(body));
    }
    await card().waitFor({ state: "detached" });
    await alarms().waitFor({ state: "detached" });
    assert.equal(await page.getByRole("button", { name: /in doubt/ }).count(), 0);
  });

  test("an order without an answer is listed for an operator, with a command for each decision, until it is settled", async () => {
    await arm("AKBNK", MUTE);
    await world.stack.tick("AKBNK", 89);
    await page
      .getByRole("alert")
      .getByText(/must be checked at the brokerage/)
      .waitFor();
    await card()
      .getByText(/AKBNK: sell order \S+-r\d+ of 100 lots without an answer/)
      .waitFor();
    const { apiKey } = await world.stack.tokenFor(world.user.userId, ["read", "trade"]);
    const other = await world.open();
    await world.signIn(other.page, apiKey);
    // No event of this page reports it: the list of orders does.
    await other.page.getByRole("button", { name: "Portfolio" }).click();
    const list = other.page.getByRole("region", { name: "Orders in doubt" });
    await list.getByText(/AKBNK: sell order \S+-r\d+ of 100 lots without an answer/).waitFor();
    await list.getByText(/report what you found to your operator/).waitFor();
    assert.equal(await list.getByText("npm run cli").count(), 0);
    await other.page.close();
    const shown = String(await card().locator("pre").textContent());
    const [, id] = /release (order-0-\d+) --placed ORDER_NO\n/.exec(shown) ?? [];
    assert.ok(id !== undefined && shown.endsWith(`release ${id} --resend`), shown);
    const { status } = await world.stack.http("POST", `/admin/v1/quarantine/${id}/release`, {
      token: world.user.token,
      json: { action: "refused", message: "the desk found none" },
    });
    assert.equal(status, 200);
    await card().waitFor({ state: "detached" });
    assertNoComplaint(opened);
  });
});
