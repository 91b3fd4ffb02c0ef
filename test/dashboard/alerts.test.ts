/** Alerts made in the browser, from an event of the engine to those who are told. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { Webhook } from "standardwebhooks";
import { browserSuite } from "../support/client/browser.ts";
import { DashboardWorld } from "../support/client/dashboard-world.ts";
import {
  type HttpReceiver,
  type MailReceiver,
  startHttpReceiver,
  startMailReceiver,
} from "../support/client/receivers.ts";
import { type Stack, type StackUser, until } from "../support/world/stack.ts";

browserSuite("alerts of the dashboard", () => {
  let world: DashboardWorld;
  let stack: Stack;
  let user: StackUser;
  let hook: HttpReceiver;
  let telegram: HttpReceiver;
  let mail: MailReceiver;
  let page: Page;
  let complaints: string[];
  let foreign: readonly string[];

  before(async () => {
    [hook, telegram, mail] = await Promise.all([startHttpReceiver(204), startHttpReceiver(200), startMailReceiver()]);
    world = await DashboardWorld.start({
      environment: { ALERT_PRIVATE_ADDRESSES: "on", SMTP_URL: mail.url, TELEGRAM_URL: telegram.url },
    });
    ({ stack, user } = world);
    ({ page, complaints, foreign } = await world.openSignedIn());
    await page.getByRole("button", { name: "Alerts" }).click();
  });
  after(async () => {
    await world?.stop();
    await Promise.all([hook?.stop(), telegram?.stop(), mail?.stop()]);
  });

  /** Makes an alert of a kind, its fields by their labels. */
  async function createAlert(kind: string, fields: Readonly<Record<string, string>>): Promise<void> {
    await page.getByLabel("By", { exact: true }).selectOption(kind);
    for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text);
    await page.getByRole("button", { name: "Create alert" }).click();
    await page.getByRole("cell", { name: String(fields.Name), exact: true }).waitFor();
  }

  test("what is wrong with one is said at its field", async () => {
    await page.getByLabel("By", { exact: true }).selectOption("email");
    await page.getByLabel("Name", { exact: true }).fill("nobody");
    await page.getByLabel("E-mail address", { exact: true }).fill("no address");
    await page.getByRole("button", { name: "Create alert" }).click();
    const field = page.getByLabel("E-mail address", { exact: true });
    await page.getByText("must be an e-mail address").waitFor();
    assert.equal(await field.getAttribute("aria-invalid"), "true");
    assert.match((await field.getAttribute("aria-describedby")) ?? "", /fault$/);
    assert.equal(await page.getByLabel("Name", { exact: true }).getAttribute("aria-invalid"), "false");
    assert.match(complaints.splice(0).join(), /400/, "the browser tells of the refusal, too");
  });

  async function fireRow(symbol: string): Promise<void> {
    await stack.tick(symbol, 130);
    const { status } = await stack.http("POST", "/api/v1/oco-orders", {
      token: user.token,
      json: {
        ...{ brokerageCode: "PAPER", accountNumber: "PAPER-1", symbol },
        ...{ stopLossPrice: 120, stopLossQuantity: 10, takeProfitItems: [{ price: 140, quantity: 10 }] },
      },
    });
    assert.equal(status, 200);
    await stack.tick(symbol, 141);
  }

  test("a row that fires reaches a web server, signed, a mailbox and a chat", async () => {
    await createAlert("webhook", { Name: "my desk", Address: `${hook.url}/hook` });
    const said = (await page.getByRole("status").textContent()) ?? "";
    const secret = /whsec_[A-Za-z0-9+/=]+/.exec(said)?.[0] ?? "";
    assert.notEqual(secret, "", "the secret is shown");
    await createAlert("email", { Name: "my mailbox", "E-mail address": "me@example.com" });
    assert.equal(await page.getByText(secret).count(), 0, "the secret is shown once");
    const botToken = "123456:abcdefghijklmnopqrstuvwxyz";
    await createAlert("telegram", { Name: "my phone", "Bot token": botToken, Chat: "42" });
    await fireRow("GARAN");
    const isTold = async (): Promise<boolean> =>
      hook.heard.length > 0 && mail.mails.length > 0 && telegram.heard.length > 0;
    assert.equal(await until(isTold, (told) => told), true, "all three are told");
    const [sent] = hook.heard;
    const event = new Webhook(secret).verify(sent?.body ?? "", sent?.headers as Record<string, string>) as {
      readonly type: string;
      readonly row: { readonly symbol: string; readonly triggeredPrice: number };
    };
    assert.deepEqual([event.type, event.row.symbol, event.row.triggeredPrice], ["oco.triggered", "GARAN", 141]);
    assert.match(mail.mails[0] ?? "", /To: me@example\.com/);
    assert.match(mail.mails[0] ?? "", /GARAN/);
    assert.equal(telegram.heard[0]?.path, `/bot${botToken}/sendMessage`);
    assert.match((JSON.parse(telegram.heard[0]?.body ?? "") as { text: string }).text, /GARAN/);
  });

  test("a test message is sent at a press, and a target is removed at two", async () => {
    const before = hook.heard.length;
    const row = page.getByRole("row").filter({ hasText: "my desk" });
    await row.getByRole("button", { name: "Send a test" }).click();
    await page.getByRole("status").getByText(/taken/).waitFor();
    assert.equal(hook.heard.length, before + 1);
    await row.getByRole("button", { name: "Remove" }).click();
    await row.getByRole("button", { name: "Yes, remove it" }).click();
    await row.waitFor({ state: "detached" });
  });

  test("an address that is refused is told in words", async () => {
    await page.getByLabel("By", { exact: true }).selectOption("webhook");
    await page.getByLabel("Name", { exact: true }).fill("nowhere");
    await page.getByLabel("Address", { exact: true }).fill("nonsense");
    await page.getByRole("button", { name: "Create alert" }).click();
    await page.getByText(/^url /).waitFor();
    assert.deepEqual(
      complaints.filter((complaint) => !complaint.includes("400")),
      [],
    );
    assert.deepEqual(foreign, []);
  });
});
