/** What a trader does at the dashboard's forms, where a wrong level or number of lots costs money. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { browserSuite, findBarriers, findMisfits } from "../support/client/browser.ts";
import { DashboardWorld, PLACE } from "../support/client/dashboard-world.ts";
import { type Stack, until } from "../support/world/stack.ts";

interface Row {
  readonly id: number;
  readonly status: number;
  readonly price: number;
  readonly quantity: number;
}

browserSuite("trading at the dashboard", () => {
  let world: DashboardWorld;
  let stack: Stack;
  let page: Page;

  before(async () => {
    world = await DashboardWorld.start();
    ({ stack } = world);
    ({ page } = await world.openSignedIn());
  });
  after(async () => {
    await world?.stop();
  });

  const createButton = () => page.getByRole("button", { name: "Create group" });
  const stop = () => page.getByLabel("Stop-loss price");

  /** A new group's form for a symbol, with the levels and lots given. */
  async function fillForm(symbol: string, levels: { stop: string; profit: string; lots: string }): Promise<void> {
    await page.getByRole("button", { name: "OCO groups", exact: true }).click();
    await page.getByRole("button", { name: "New group" }).click();
    await page.getByLabel("Symbol", { exact: true }).fill(symbol);
    await page.getByRole("img", { name: new RegExp(`Price of ${symbol} with`) }).waitFor();
    await stop().fill(levels.stop);
    await page.getByLabel("Price 1").fill(levels.profit);
    await page.getByLabel("Lots to protect").fill(levels.lots);
    await page.getByLabel("Lots 1").fill(levels.lots);
  }

  /** Undefined: of all symbols. */
  async function rowsOf(symbol: string | undefined): Promise<readonly Row[]> {
    const path = `/api/v1/oco-orders?${new URLSearchParams(PLACE)}`;
    const { body } = await stack.http("GET", path, { token: world.user.token });
    const rows = body.data as readonly (Row & { readonly symbol: string })[];
    return rows.filter((row) => symbol === undefined || row.symbol === symbol);
  }

  test("a held line stays under the pointer: the price scale stands still until it is let go", async () => {
    await stack.tick("GARAN", 130);
    await fillForm("GARAN", { stop: "120", profit: "140", lots: "10" });
    const chart = page.getByRole("img", { name: /Price of GARAN/ });
    const drawn = (): Promise<unknown> =>
      page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))");
    // Bars that come later would move the line away from under the pointer.
    await page.locator('.chart:not([data-bars="0"])').first().waitFor();
    // The stop is the lowest line: looked for from below. What is drawn or read in between can move the line, or the
    // whole chart, before the line is held.
    let [x, y] = [0, 0];
    for (let tries = 1; Number(await stop().inputValue()) === 120; tries += 1) {
      assert.ok(tries <= 5, "the stop is held");
      await page.mouse.up();
      const box = await chart.boundingBox();
      assert.ok(box !== null);
      x = box.x + box.width / 3;
      for (y = box.y + box.height - 28; y > box.y; y -= 3) {
        await page.mouse.move(x, y);
        await drawn();
        if ((await page.locator(".chart.grip").count()) > 0) break;
      }
      await page.mouse.down();
      await page.mouse.move(x, y - 10);
      await drawn();
    }
    const seen: number[] = [];
    for (let step = 2; step <= 14; step += 1) {
      await page.mouse.move(x, y - step * 10);
      await drawn();
      seen.push(Number(await stop().inputValue()));
    }
    await page.mouse.up();
    const steps = seen.slice(1).map((price, index) => price - (seen[index] ?? 0));
    const smallest = Math.min(...steps);
    assert.ok(smallest > 0, `every move upwards raises the level: ${seen.join(", ")}`);
    assert.ok(Math.max(...steps) - smallest <= 0.25, `equal moves, equal steps of price: ${steps.join(", ")}`);
    await page.getByRole("button", { name: "Back" }).click();
  });

  test("a group that sells as it is made asks first, in view, and a second Enter sells nothing", async () => {
    await stack.tick("THYAO", 310);
    await fillForm("THYAO", { stop: "320", profit: "330", lots: "100" });
    await page.getByRole("button", { name: "Add a take-profit" }).click();
    await page.getByLabel("Price 2").fill("340");
    await page.getByLabel("Lots 1").fill("40");
    await page.getByLabel("Lots 2").fill("60");
    for (const part of [page.getByText(/has reached the stop-loss at 320/), createButton()]) {
      const box = await part.boundingBox();
      assert.ok(box !== null && box.y >= 0 && box.y + box.height <= 900, JSON.stringify(box));
    }
    await page.getByLabel("Lots 2").press("Enter");
    const dialog = page.getByRole("alertdialog", { name: "Sell THYAO now?" });
    await dialog.getByText(/last price of THYAO is 310\.00.*stop-loss at 320: 100 lots are sold at market/).waitFor();
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(await rowsOf("THYAO"), []);
    await page.getByLabel("Lots 2").press("Enter");
    await dialog.getByRole("button", { name: "Sell 100 THYAO now" }).click();
    await page.getByRole("heading", { name: "THYAO" }).waitFor();
    assert.equal((await rowsOf("THYAO")).length, 3);
  });

  test("a price that is not known yet is asked for before a group is made", async () => {
    await stack.tick("EREGL", 50);
    await page.route("**/api/v1/events*", (route) => route.abort());
    await fillForm("EREGL", { stop: "40", profit: "60", lots: "10" });
    await stack.tick("EREGL", 39);
    await createButton().click();
    await page.getByRole("alertdialog", { name: "Sell EREGL now?" }).waitFor();
    await page.getByRole("button", { name: "Change the levels" }).click();
    await page.unroute("**/api/v1/events*");
    await page.getByText("Events live").waitFor();
    await page.getByRole("button", { name: "Back" }).click();
  });

  test("more lots than are held, or of a symbol that is not held, are warned of by the form and by the answer", async () => {
    const positions = await world.post("/api/v1/accounts/positions", {});
    const held = (positions as unknown as { symbol: string; quantity: number }[]).find((one) => one.symbol === "AKBNK");
    assert.ok(held !== undefined);
    await stack.tick("AKBNK", 60);
    await fillForm("AKBNK", { stop: "50", profit: "70", lots: String(held.quantity) });
    await page.getByLabel("Lots to protect").fill(String(held.quantity + 1));
    await page.getByText(/The account holds [\d,]+ AKBNK, and this group may sell/).waitFor();
    await page.getByLabel("Lots to protect").fill(String(held.quantity));
    await page.getByText(/The account holds/).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Back" }).click();
    await stack.tick("SISE", 40);
    await fillForm("SISE", { stop: "30", profit: "50", lots: "10" });
    await page.getByText("The account holds no SISE, and this group may sell 10.").waitFor();
    await createButton().click();
    await page
      .getByRole("status")
      .getByText(/may sell 10 SISE, and the account held none at/)
      .waitFor();
  });

  test("the form and the portfolio never ask for an account within the same second", async () => {
    await page.getByRole("button", { name: "Portfolio" }).click();
    await page.getByRole("region", { name: "Orders of the day" }).getByRole("row").first().waitFor();
    const statuses: number[] = [];
    page.on("response", (response) => {
      if (/accounts\/(positions|daily-orders)$/.test(response.url())) statuses.push(response.status());
    });
    await page.getByRole("button", { name: "OCO groups", exact: true }).click();
    await page.getByRole("button", { name: "New group" }).click();
    await page.getByRole("button", { name: "Portfolio" }).click();
    await page.getByRole("region", { name: "Orders of the day" }).getByRole("row").first().waitFor();
    assert.ok(statuses.length > 0);
    assert.deepEqual(
      statuses.filter((status) => status !== 200),
      [],
    );
    await page.getByRole("button", { name: "OCO groups", exact: true }).click();
  });

  test("a sell that failed is marked in the list, stands as an alarm until it is seen, and is an error in the log", async () => {
    await stack.tick("SISE", 29);
    const alarm = page
      .getByRole("alert")
      .getByText(/SISE stop-loss at 30\.00 was reached and could not be sold: not enough/);
    await alarm.waitFor();
    await page
      .getByRole("list", { name: "Groups" })
      .getByRole("button", { name: "SISE" })
      .getByText("1 not sold")
      .waitFor();
    await page.getByRole("cell", { name: /^Failed/ }).waitFor();
    await page.getByRole("alert").getByRole("button", { name: "Seen" }).click();
    await alarm.waitFor({ state: "detached" });
    const line = await until(
      async () => /.*reached and not sold.*/.exec(stack.engine(0).output())?.[0] ?? "",
      (text) => text !== "",
    );
    const fields = JSON.parse(line) as Record<string, unknown>;
    assert.deepEqual([fields.level, fields.symbol, fields.price], [50, "SISE", 30]);
    assert.match(String(fields.reason), /not enough SISE/);
    assert.equal(typeof fields.rowId, "number");
  });

  test("numbers with one comma, and as the page shows them, are taken; so is a symbol with a blank behind it", async () => {
    await stack.tick("TUPRS", 310);
    await fillForm("TUPRS", { stop: "290,50", profit: "1,312.00", lots: "1000" });
    await page.getByLabel("Symbol", { exact: true }).fill("TUPRS ");
    await page.getByLabel("Price 1").fill("1,312");
    await createButton().click();
    await page.getByText(/^Digits, and at most 2 more/).waitFor();
    const isFaultFocused = () => page.evaluate("document.activeElement?.getAttribute('aria-invalid') === 'true'");
    assert.equal(await until(isFaultFocused, (isIt) => isIt === true), true);
    await page.getByLabel("Price 1").fill("1,312.00");
    await createButton().click();
    await page.getByRole("heading", { name: "TUPRS" }).waitFor();
    assert.deepEqual(
      (await rowsOf("TUPRS")).map(({ price, quantity }) => [price, quantity]),
      [
        [290.5, 1_000],
        [1_312, 1_000],
      ],
    );
  });

  test("trading is halted by a typed word alone, and resumed by another one (behaviour 18)", async () => {
    await page.getByRole("button", { name: "Portfolio" }).click();
    const card = page.getByRole("region", { name: "Trading" });
    const halt = card.getByRole("button", { name: "Halt trading" });
    assert.equal(await halt.isDisabled(), true);
    await card.getByLabel("Type HALT to confirm").fill("halt");
    assert.equal(await halt.isDisabled(), true);
    await card.getByLabel("Type HALT to confirm").fill("HALT");
    await halt.click();
    await card.getByText("Your trading is halted").waitFor();
    await card.getByLabel("Type RESUME to confirm").fill("RESUME");
    await card.getByRole("button", { name: "Resume trading" }).click();
    await card.getByText("Trading continues. Bots stay off.").waitFor();
    const { body } = await stack.http("GET", "/api/v1/trading-state", { token: world.user.token });
    assert.deepEqual(body.data, []);
  });

  test("the head of every view halts and resumes trading by a typed word, and shows the state to a reader", async () => {
    const head = page.getByRole("banner");
    const box = page.getByRole("dialog", { name: "Trading" });
    const reader = await world.open();
    await world.signIn(reader.page, (await stack.tokenFor(world.user.userId, ["read"])).apiKey);
    await reader.page.getByText("Events live").waitFor();
    await page.getByRole("button", { name: "Alerts", exact: true }).click();
    await head.getByRole("button", { name: "Halt trading" }).click();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await box.waitFor({ state: "detached" });
    await head.getByRole("button", { name: "Halt trading" }).click();
    await page.keyboard.type("HALT");
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("Enter");
    await box.getByText("Trading is halted.").waitFor();
    await box.getByRole("button", { name: "Close" }).click();
    await head.getByText("Your trading is halted", { exact: true }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await reader.page.getByRole("banner").getByText("Your trading is halted", { exact: true }).waitFor();
    assert.equal(await reader.page.getByRole("button", { name: "Resume trading" }).count(), 0);
    await head.getByRole("button", { name: "Resume trading" }).click();
    await page.keyboard.type("RESUME");
    await page.keyboard.press("Enter");
    await box.getByText("Trading continues. Bots stay off.").waitFor();
    await box.getByRole("button", { name: "Close" }).click();
    await reader.page.getByText("Your trading is halted").waitFor({ state: "detached" });
    await head.getByText("Your trading is halted").waitFor({ state: "detached" });
    await reader.page.context().close();
  });

  test("a paper account is set back by a typed word, and what must be ended before is said in words (behaviour 11.1b)", async () => {
    const cashOf = async (): Promise<number> => {
      const path = `/api/v1/accounts/balance?${new URLSearchParams(PLACE)}`;
      const read = () => stack.http("GET", path, { token: world.user.token });
      // The page may have asked within the same second.
      const { body } = await until(read, ({ status }) => status === 200);
      return (body.data as { readonly cash: number }).cash;
    };
    await page.getByRole("button", { name: "Portfolio" }).click();
    const card = page.getByRole("region", { name: "Paper account" });
    const button = card.getByRole("button", { name: /^Set .* back$/ });
    const word = card.getByLabel("Type RESET to confirm");
    await word.fill("reset");
    assert.equal(await button.isDisabled(), true);
    await stack.tick("KCHOL", 100);
    const group = {
      ...{ symbol: "KCHOL", stopLossPrice: 90, stopLossQuantity: 10 },
      takeProfitItems: [{ price: 150, quantity: 10 }],
    };
    await world.post("/api/v1/oco-orders", group);
    await word.fill("RESET");
    await word.press("Enter");
    await card
      .getByRole("alert")
      .getByText(/^Nothing was set back: .*end what the account still has: OCO groups \(\d+\)/)
      .waitFor();
    for (const { id } of (await rowsOf(undefined)).filter(({ status }) => status === 1)) {
      await stack.http("DELETE", `/api/v1/oco-orders/${id}?brokerageCode=PAPER`, { token: world.user.token });
    }
    assert.ok((await rowsOf(undefined)).every(({ status }) => status !== 1));
    await stack.tick("EREGL", 50);
    const began = await cashOf();
    await world.post("/api/v1/orders", { symbol: "EREGL", quantity: 7, buySell: 1, orderType: 1, price: 0 });
    await until(cashOf, (cash) => cash < began);
    await word.fill("RESET");
    await word.press("Enter");
    await card
      .getByRole("status")
      .getByText(/^The account is set back to [\d,]+\.\d\d TRY\.$/)
      .waitFor();
    await page
      .getByRole("region", { name: "Positions" })
      .getByRole("row")
      .filter({ hasText: "EREGL" })
      .waitFor({ state: "detached" });
    assert.equal(await word.inputValue(), "");
    assert.deepEqual(await findMisfits(page), []);
    await page.setViewportSize({ width: 1_440, height: 900 });
  });

  test("a group of a held symbol says so, and its owner can release it (behaviour 16.4)", async () => {
    await stack.tick("BIMAS", 50);
    const group = {
      ...{ ...PLACE, symbol: "BIMAS", stopLossPrice: 40, stopLossQuantity: 10 },
      takeProfitItems: [{ price: 60, quantity: 10 }],
    };
    const made = await stack.http("POST", "/api/v1/oco-orders", { token: world.user.token, json: group });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    const hold = (what: string) =>
      stack.http("POST", `/admin/v1/symbols/BIMAS/${what}`, { token: world.user.token, json: {} });
    assert.equal((await hold("hold")).status, 200);
    await page.getByRole("button", { name: "OCO groups", exact: true }).click();
    await page
      .getByRole("link", { name: /BIMAS/ })
      .or(page.getByRole("button", { name: /BIMAS/ }))
      .first()
      .click();
    const card = page.getByRole("region", { name: "Held symbol" });
    await card.getByText("No level of this group fires until the symbol is released").waitFor();
    await card.getByRole("button", { name: "Release group" }).click();
    await card.getByRole("button", { name: "Yes, let its levels fire" }).click();
    await card.getByText("You released this group: its levels fire.").waitFor();
  });

  test("an operator releases a held symbol after a typed word, next to its reason and its groups (behaviour 16.3)", async () => {
    const conditions = page.getByRole("list", { name: "Conditions" });
    await conditions.getByRole("button", { name: "BIMAS held: no level fires" }).click();
    const card = page.getByRole("region", { name: "Held symbols" });
    await card.getByText(/^BIMAS held since .+: an operator holds it/).waitFor();
    await card.getByRole("link", { name: /^Group \d+$/ }).waitFor();
    const release = card.getByRole("button", { name: "Release BIMAS" });
    assert.equal(await release.isDisabled(), true);
    assert.deepEqual(await findMisfits(page), []);
    await card.getByLabel("Type RELEASE to confirm").fill("RELEASE");
    await release.click();
    await card.getByText("BIMAS was released: its levels fire.").waitFor();
    await card.getByText("held since").waitFor({ state: "detached" });
    const { body } = await stack.http("GET", "/api/v1/conditions", { token: world.user.token });
    assert.deepEqual((body.data as { readonly heldSymbols: unknown }).heldSymbols, []);
  });

  test("a group that a corporate action holds says so, and offers its owner the release (behaviour 28.7)", async () => {
    await stack.tick("TCELL", 100);
    const levels = { stopLossPrice: 90, stopLossQuantity: 10, takeProfitItems: [{ price: 120, quantity: 10 }] };
    await world.post("/api/v1/oco-orders", { symbol: "TCELL", ...levels });
    const message = "split 1:2: no level fires until you release the group, as a level would lie above every price";
    // An action holds no group that was made on its own day: the answer is of a later day.
    await page.route("**/oco-orders/*/plan*", async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { readonly data: { readonly corporateActions: object } };
      const corporateActions = { ...body.data.corporateActions, isHeld: true, message };
      await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, corporateActions } } });
    });
    await page.getByRole("button", { name: "OCO groups", exact: true }).click();
    await page.getByRole("list", { name: "Groups" }).getByRole("button", { name: /TCELL/ }).click();
    const card = page.getByRole("region", { name: "Held group" });
    await card.getByText(/no level fires until you release the group/).waitFor();
    await card.getByText(/a level that the price has reached then sells immediately/).waitFor();
    await card.getByRole("button", { name: "Release group" }).waitFor();
    // A plan that is just being answered is finished first.
    await page.unrouteAll({ behavior: "wait" });
    // An event of the group makes the page read the plan again.
    await world.post("/api/v1/orders", { symbol: "TCELL", quantity: 1, buySell: 1, orderType: 1, price: 0 });
    await card.waitFor({ state: "detached" });
  });

  test("a stop-loss that trails is made, shown where it is now, and left where it is (behaviour 19)", async () => {
    await stack.tick("ASELS", 100);
    await fillForm("ASELS", { stop: "90", profit: "150", lots: "10" });
    const distance = page.getByLabel("Trailing distance (optional)");
    await distance.fill("five");
    await createButton().click();
    await page.getByText("Give a distance like 5, or a percent like 3%.").waitFor();
    await distance.fill("5 %");
    await createButton().click();
    const card = page.getByRole("region", { name: "Trailing stop-loss" });
    await card.getByText("It follows the price up, 5.00% under the high.").waitFor();
    for (const price of [110, 110]) await stack.tick("ASELS", price);
    await card.getByText("The high that counts is 110.00.").waitFor();
    await until(
      () => rowsOf("ASELS"),
      ([stopLoss]) => stopLoss?.price === 104.5,
    );
    await card.getByRole("button", { name: "Stop trailing" }).click();
    await card.getByRole("button", { name: "Yes, leave it where it is" }).click();
    await card.getByText("The stop-loss stays where it is.").waitFor();
    for (const price of [120, 120]) await stack.tick("ASELS", price);
    assert.equal((await rowsOf("ASELS"))[0]?.price, 104.5);
  });

  test("a stop-loss on a ladder says to where it rises, and what of that is done (behaviour 20)", async () => {
    await stack.tick("KCHOL", 100);
    const group = {
      ...{ ...PLACE, symbol: "KCHOL", stopLossPrice: 90, stopLossQuantity: 20, entryPrice: 98 },
      takeProfitItems: [
        { price: 150, quantity: 10 },
        { price: 160, quantity: 10 },
      ],
      stopLossLadder: [
        { afterTakeProfits: 1, to: "entry", offset: 0.5 },
        { afterTakeProfits: 2, to: "previousTakeProfit" },
      ],
    };
    const made = await stack.http("POST", "/api/v1/oco-orders", { token: world.user.token, json: group });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    await page.getByRole("button", { name: "OCO groups", exact: true }).click();
    await page
      .getByRole("link", { name: /KCHOL/ })
      .or(page.getByRole("button", { name: /KCHOL/ }))
      .first()
      .click();
    const card = page.getByRole("region", { name: "Stop-loss on a ladder" });
    await card.getByText("After 1 sold take-profit: to the entry of 98.00 + 0.50").waitFor();
    await card.getByText("After 2 sold take-profits: to the take-profit before").waitFor();
  });
});
