/** Alerts made in the browser, from an event of the engine to the recipients. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { Webhook } from "standardwebhooks";
import { browserSuite, findMisfits } from "../support/client/browser.ts";
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
    await page.getByRole("button", { name: "New channel" }).click();
    await page.getByLabel("Channel", { exact: true }).selectOption(kind);
    for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text);
    await page.getByRole("button", { name: "Create channel" }).click();
    await page.getByRole("cell", { name: String(fields.Name), exact: true }).waitFor();
  }

  const rowOf = (title: string, symbol: string): Locator =>
    page.getByRole("region", { name: title, exact: true }).getByRole("row").filter({ hasText: symbol });
  const watched = (symbol: string): Locator => rowOf("Price alerts", symbol);
  const endedOf = (symbol: string): Locator => rowOf("Price alerts of the last seven days", symbol);

  test("a price alert is made by form, sent once the price is there, and removed at two presses (behaviour 29)", async () => {
    await stack.tick("KCHOL", 150);
    const form = page.getByRole("form", { name: "New price alert" });
    const create = form.getByRole("button", { name: "Create price alert" });
    await create.click();
    await form.getByText("Choose a symbol.").waitFor();
    await form.getByLabel("Symbol", { exact: true }).fill("kchol");
    await form.getByLabel("Price", { exact: true }).fill("0");
    await create.click();
    await form.getByText("Must be greater than 0.").waitFor();
    await form.getByText(/^Last 150\.00/).waitFor();
    await form.getByLabel("Price", { exact: true }).fill("140");
    await form.getByText("the alert would notify you immediately").waitFor();
    await form.getByLabel("Price", { exact: true }).fill("160");
    await form.getByText("Last 150.00, +6.67%", { exact: true }).waitFor();
    assert.equal(await form.getByText("the alert would notify you immediately").count(), 0);
    await form.getByLabel("Note (optional)").fill("breakout");
    await create.click();
    const row = watched("KCHOL");
    await row.getByRole("cell", { name: "rises to 160.00, once, until cancelled", exact: true }).waitFor();
    await page.locator(`nav [aria-description="price alerts under watch: 1"]`).waitFor();
    await page.getByText("No alert has fired in the last seven days.").waitFor();
    await row.getByRole("cell", { name: "+6.67%", exact: true }).waitFor();
    await page.getByText("No channel sends price alerts yet.").waitFor();
    assert.deepEqual(await findMisfits(page), []);
    await page.setViewportSize({ width: 1_440, height: 900 });
    await stack.tick("KCHOL", 161);
    await row.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Activity" }).click();
    await page.getByText("Price alert at 160.00: the price rose to 161.00 (breakout)").waitFor();
    await page.getByRole("button", { name: "Alerts" }).click();
    await form.getByLabel("Symbol", { exact: true }).fill("KCHOL");
    await form.getByLabel("When the price").selectOption("falls to");
    await form.getByLabel("Price", { exact: true }).fill("100");
    await create.click();
    await row.getByRole("cell", { name: "falls to 100.00, once, until cancelled", exact: true }).waitFor();
    await row.getByRole("button", { name: "Remove" }).click();
    await row.getByRole("button", { name: "Yes, remove it" }).click();
    await page.getByText("No price alert yet.").waitFor();
    const ended = endedOf("KCHOL");
    await ended.getByRole("cell", { name: "rises to 160.00, once", exact: true }).waitFor();
    await ended.getByRole("cell", { name: "fired at 161.00", exact: true }).waitFor();
    await ended.getByRole("cell", { name: "breakout", exact: true }).waitFor();
  });

  test("a price alert repeats, is changed in place, and shows its note on a narrow screen (behaviour 29.4, 29.5)", async () => {
    await stack.tick("SISE", 40);
    const form = page.getByRole("form", { name: "New price alert" });
    await form.getByLabel("Symbol", { exact: true }).fill("SISE");
    await form.getByLabel("Price", { exact: true }).fill("41");
    await form.getByLabel("Watched until (optional)").fill("2199-01");
    await form.getByLabel("How often").selectOption("Every time it crosses");
    await form.getByRole("button", { name: "Create price alert" }).click();
    await form.getByText("Give the whole date and time, or none").waitFor();
    await form.getByLabel("Watched until (optional)").fill("2199-01-02 10:30");
    await form.getByRole("button", { name: "Create price alert" }).click();
    const row = watched("SISE");
    await row.getByRole("cell", { name: /^rises to 41\.00, each time, until 02 Jan/ }).waitFor();
    await stack.tick("SISE", 41.5);
    await row.getByText(/^\d\d:\d\d:\d\d at 41\.50; again after a price below 41\.00$/).waitFor();
    for (const price of [40.5, 42]) await stack.tick("SISE", price);
    await row.getByText(/at 42\.00 \(2 times\)/).waitFor();
    await row.getByRole("button", { name: "Change" }).click();
    const change = page.getByRole("form", { name: "Change the price alert on SISE" });
    assert.equal(await change.getByLabel("Watched until (optional)").inputValue(), "2199-01-02 10:30");
    await change.getByLabel("Watched until (optional)").fill("2020-01-02 10:30");
    await change.getByRole("button", { name: "Save price alert" }).click();
    await change.getByText("until must be in the future").waitFor();
    assert.match(complaints.splice(0).join(), /400/);
    await change.getByLabel("Watched until (optional)").fill("");
    await change.getByLabel("Price", { exact: true }).fill("45");
    await change.getByLabel("Note (optional)").fill("sell half");
    await change.getByLabel("How often").selectOption("Once");
    await change.getByRole("button", { name: "Save price alert" }).click();
    await change.waitFor({ state: "detached" });
    await row.getByRole("cell", { name: "rises to 45.00, once, until cancelled", exact: true }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await row.getByText("sell half").waitFor();
    assert.deepEqual(await findMisfits(page), []);
    await page.setViewportSize({ width: 1_440, height: 900 });
    await stack.tick("SISE", 45);
    await endedOf("SISE").getByRole("cell", { name: "fired at 45.00", exact: true }).waitFor();
    await row.waitFor({ state: "detached" });
  });

  test("a chart leads to a new price alert of its symbol", async () => {
    await page.getByRole("button", { name: "Trade" }).click();
    await page.getByLabel("Symbol", { exact: true }).fill("KCHOL");
    await page.getByRole("link", { name: "New price alert" }).click();
    await page.getByRole("button", { name: "Leave it" }).click();
    const form = page.getByRole("form", { name: "New price alert" });
    await form.waitFor();
    assert.equal(await form.getByLabel("Symbol", { exact: true }).inputValue(), "KCHOL");
    await page.getByRole("button", { name: "Alerts" }).click();
  });

  test("a new channel is made in a form that a button opens and closes", async () => {
    const form = page.getByRole("form", { name: "New channel" });
    assert.equal(await form.count(), 0);
    await page.getByRole("button", { name: "New channel" }).click();
    await form.getByRole("button", { name: "Back" }).click();
    await form.waitFor({ state: "detached" });
  });

  test("what is wrong with one is said at its field", async () => {
    await page.getByRole("button", { name: "New channel" }).click();
    await page.getByLabel("Channel", { exact: true }).selectOption("email");
    await page.getByLabel("Name", { exact: true }).fill("nobody");
    await page.getByLabel("E-mail address", { exact: true }).fill("no address");
    await page.getByRole("button", { name: "Create channel" }).click();
    const field = page.getByLabel("E-mail address", { exact: true });
    await page.getByText("must be an e-mail address").waitFor();
    assert.equal(await field.getAttribute("aria-invalid"), "true");
    assert.match((await field.getAttribute("aria-describedby")) ?? "", /fault$/);
    assert.equal(await page.getByLabel("Name", { exact: true }).getAttribute("aria-invalid"), "false");
    assert.match(complaints.splice(0).join(), /400/, "the browser tells of the refusal, too");
    await page.getByRole("form", { name: "New channel" }).getByRole("button", { name: "Back" }).click();
    await page.getByRole("button", { name: "Leave it" }).click();
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
    const rows = ["my desk", "my mailbox", "my phone"].map((name) => page.getByRole("row").filter({ hasText: name }));
    for (const row of rows) await row.getByRole("cell", { name: "None yet", exact: true }).waitFor();
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
    for (const row of rows) await row.getByRole("cell", { name: /^\d\d:\d\d:\d\d accepted$/ }).waitFor();
  });

  test("the last delivery is shown with its time, and with what was wrong", async () => {
    const shelf = await startHttpReceiver(204);
    await createAlert("webhook", { Name: "my shelf", Address: `${shelf.url}/hook` });
    const row = page.getByRole("row").filter({ hasText: "my shelf" });
    await row.getByRole("cell", { name: "None yet", exact: true }).waitFor();
    await row.getByRole("button", { name: "Send a test" }).click();
    await row.getByRole("cell", { name: /^\d\d:\d\d:\d\d accepted$/ }).waitFor();
    await shelf.stop();
    await row.getByRole("button", { name: "Send a test" }).click();
    await row.getByRole("cell", { name: /^\d\d:\d\d:\d\d the server is not reachable/ }).waitFor();
    await row.getByRole("button", { name: "Remove" }).click();
    await row.getByRole("button", { name: "Yes, remove it" }).click();
    await row.waitFor({ state: "detached" });
  });

  test("a test message is sent at a press, and a target is removed at two", async () => {
    const before = hook.heard.length;
    const row = page.getByRole("row").filter({ hasText: "my desk" });
    await row.getByRole("button", { name: "Send a test" }).click();
    await page.getByRole("status").getByText(/taken/).waitFor();
    assert.equal(hook.heard.length, before + 1);
    await row.getByRole("button", { name: "Turn off" }).click();
    await row.getByRole("cell", { name: "Off", exact: true }).waitFor();
    const { events, address, isActive } = (await keptOf("my desk")) ?? {};
    assert.equal(isActive, false);
    await row.getByRole("button", { name: "Turn on" }).click();
    await row.getByRole("cell", { name: "Off", exact: true }).waitFor({ state: "detached" });
    const after = await keptOf("my desk");
    assert.deepEqual(
      [after?.events, after?.address, after?.isActive],
      [events, address, true],
      "only the switch changed",
    );
    const phone = page.getByRole("row").filter({ hasText: "my phone" });
    assert.equal(await phone.getByRole("button", { name: "Change" }).count(), 1);
    assert.equal(await phone.getByRole("button", { name: "Turn off" }).count(), 0, "it would need the token again");
    await row.getByRole("button", { name: "Remove" }).click();
    await row.getByRole("button", { name: "Yes, remove it" }).click();
    await row.waitFor({ state: "detached" });
  });

  /** Returns the alert of a name as the service stores it. */
  async function keptOf(name: string): Promise<Record<string, unknown> | undefined> {
    const { body } = await stack.http("GET", "/api/v1/notification-targets", { token: user.token });
    return (body.data as Record<string, unknown>[]).find((target) => target.name === name);
  }

  test("events are ticked by their names, with the keyboard alone, and a wide tick stands for its types", async () => {
    const tick = (name: string) => page.getByRole("checkbox", { name, exact: true });
    await page.getByRole("button", { name: "New channel" }).click();
    const every = tick("All alarms");
    assert.equal(await every.isChecked(), true);
    const orders = page.getByText(/^Orders and alarms: \d+ of \d+$/);
    await orders.press("Enter");
    const lost = tick("The service missed prices");
    await lost.waitFor();
    assert.deepEqual([await lost.isChecked(), await lost.isDisabled()], [true, true], "the wide tick stands for it");
    await page.getByText(/^OCO groups: \d+ of \d+$/).press("Enter");
    assert.equal(await tick("A stop-loss or take-profit fired").isChecked(), true);
    assert.deepEqual(await findMisfits(page), []);
    await page.setViewportSize({ width: 1_440, height: 900 });
    await every.press("Space");
    assert.deepEqual([await lost.isChecked(), await lost.isDisabled()], [false, false]);
    await page.getByLabel("Channel", { exact: true }).selectOption("email");
    await page.getByLabel("Name", { exact: true }).fill("my night");
    await page.getByLabel("E-mail address", { exact: true }).fill("night@example.com");
    await lost.press("Space");
    await page.getByLabel("E-mail address", { exact: true }).press("Enter");
    await page.getByRole("cell", { name: "my night", exact: true }).waitFor();
    const events = (await keptOf("my night"))?.events as readonly string[];
    assert.ok(events.includes("oco.triggered") && events.includes("alarm.ticksLost"), events.join());
    assert.ok(!events.includes("alarm.*") && !events.includes("alarm.measure"), events.join());
    const row = page.getByRole("row").filter({ hasText: "my night" });
    await row.getByText(/, and \d+ more$/).press("Enter");
    await row.getByText("The service missed prices", { exact: true }).waitFor();
    assert.equal(await row.getByText("alarm.ticksLost").count(), 0, "no codes");
  });

  test("an alert is changed in place, a pattern that is no tick is shown, and one without an event is not sent", async () => {
    const json = {
      kind: "email",
      name: "by hand",
      isActive: true,
      address: "a@example.com",
      events: ["order.*", "pair.sold"],
    };
    const made = await stack.http("POST", "/api/v1/notification-targets", { token: user.token, json });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    await page.getByRole("button", { name: "Activity" }).click();
    await page.getByRole("button", { name: "Alerts" }).click();
    const row = page.getByRole("row").filter({ hasText: "by hand" });
    await row.getByText("Orders: all events, a bot sold").waitFor();
    await row.getByRole("button", { name: "Change" }).click();
    const form = page.getByRole("form", { name: "Change “by hand”" });
    assert.equal(await form.getByLabel("Name", { exact: true }).inputValue(), "by hand");
    assert.equal(await form.getByLabel("E-mail address", { exact: true }).inputValue(), "a@example.com");
    await form.getByRole("checkbox", { name: "Orders: all events" }).uncheck();
    await form.getByText(/^Bots: 1 of/).click();
    await form.getByRole("checkbox", { name: "A bot sold", exact: true }).uncheck();
    await form.getByRole("button", { name: "Save channel" }).click();
    await form.getByText("events: choose at least one").waitFor();
    const first = form.getByRole("checkbox", { name: /^All alarms/ });
    assert.equal(await first.getAttribute("aria-invalid"), "true");
    assert.deepEqual((await keptOf("by hand"))?.events, json.events, "nothing was sent");
    await first.check();
    await form.getByRole("checkbox", { name: "Events are sent" }).uncheck();
    await form.getByLabel("Name", { exact: true }).fill("by page");
    await form.getByRole("button", { name: "Save channel" }).click();
    await form.waitFor({ state: "detached" });
    await page.getByRole("row").filter({ hasText: "by page" }).getByText("Off", { exact: true }).waitFor();
    const kept = await keptOf("by page");
    assert.deepEqual([kept?.events, kept?.isActive, kept?.address], [["alarm.*"], false, "a@example.com"]);
  });

  test("an address that is refused is told in words", async () => {
    await page.getByRole("button", { name: "New channel" }).click();
    await page.getByLabel("Channel", { exact: true }).selectOption("webhook");
    await page.getByLabel("Name", { exact: true }).fill("nowhere");
    await page.getByLabel("Address", { exact: true }).fill("nonsense");
    await page.getByRole("button", { name: "Create channel" }).click();
    await page.getByText(/^url /).waitFor();
    assert.deepEqual(
      complaints.filter((complaint) => !complaint.includes("400")),
      [],
    );
    assert.deepEqual(foreign, []);
  });

  /** The notices that a window's fakes received. */
  interface Given {
    readonly notifications: readonly { readonly body: string; readonly tag: string }[];
    readonly tones: number;
  }

  /** Records notifications and sounds: a browser without a screen shows none. The test answers permission requests. */
  const STAND_IN = `
    globalThis.given = { notifications: [], tones: 0 };
    globalThis.Notification = class {
      static get permission() { return localStorage.getItem("test-permission") ?? "default"; }
      static async requestPermission() {
        localStorage.setItem("test-permission", globalThis.answer);
        return globalThis.answer;
      }
      constructor(title, { body, tag }) { given.notifications.push({ body, tag }); }
    };
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (from) { given.tones += 1; start.call(this, from); };
  `;

  test("notices are off until they are chosen, one window gives each event once, and a denied permission is said", async () => {
    const context = await page.context().browser()?.newContext();
    assert.ok(context !== undefined);
    await context.addInitScript(STAND_IN);
    const openWindow = async (): Promise<Page> => {
      const opened = await context.newPage();
      await opened.goto(`${stack.url}/#/alerts`);
      await world.signIn(opened);
      await opened.getByText("Events live").waitFor();
      return opened;
    };
    const first = await openWindow();
    const second = await openWindow();
    const given = (shown: Page): Promise<Given> => shown.evaluate<Given>("globalThis.given");
    const card = first.getByRole("region", { name: "In this browser" });
    const notifications = card.getByRole("checkbox", { name: "Desktop notifications" });
    assert.equal(await notifications.isChecked(), false);
    await first.evaluate("globalThis.answer = 'denied'");
    await notifications.press("Space");
    await card.getByText(/does not allow notifications of this page/).waitFor();
    assert.equal(await notifications.isChecked(), false);
    assert.equal(await first.evaluate("JSON.parse(localStorage.notices).hasNotification"), false);
    await first.evaluate("globalThis.answer = 'granted'");
    await notifications.press("Space");
    await card.getByRole("checkbox", { name: "Sound" }).press("Space");
    await second.getByRole("checkbox", { name: "Desktop notifications", checked: true }).waitFor();
    assert.equal((await given(first)).tones, 2, "the choice is heard");
    await fireRow("AKBNK");
    const both = async (): Promise<Given["notifications"]> =>
      (await Promise.all([first, second].map(given))).flatMap((one) => one.notifications);
    const isFired = ({ body }: { readonly body: string }): boolean =>
      body.startsWith("AKBNK take-profit at 140.00 fired");
    await until(both, (all) => all.some(isFired));
    for (const shown of [first, second]) {
      await shown.getByRole("button", { name: "Activity" }).click();
      await shown.getByText(/AKBNK #\d+ Take-profit at 140\.00 fired/).waitFor();
    }
    assert.equal((await both()).filter(isFired).length, 1, "one window gives it");
    await first.reload();
    await first.getByText(/AKBNK #\d+ Take-profit at 140\.00 fired/).waitFor();
    assert.deepEqual((await given(first)).notifications, [], "the past is shown and not given again");
    await first.getByRole("button", { name: "Alerts" }).click();
    assert.deepEqual(await findMisfits(first), []);
    await context.close();
  });
});
