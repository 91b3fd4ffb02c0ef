/** The frame of the dashboard: addresses, leaving, reload, focus, narrow screens. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { browserSuite, findBarriers } from "../support/client/browser.ts";
import { DashboardWorld } from "../support/client/dashboard-world.ts";
import { type Stack, until } from "../support/world/stack.ts";

browserSuite("the frame of the dashboard", () => {
  let world: DashboardWorld;
  let stack: Stack;

  before(async () => {
    world = await DashboardWorld.start();
    ({ stack } = world);
    await stack.tick("GARAN", 130);
    const levels = { stopLossPrice: 100, stopLossQuantity: 1, takeProfitItems: [{ price: 400, quantity: 1 }] };
    await world.post("/api/v1/oco-orders", { symbol: "THYAO", ...levels });
    await world.post("/api/v1/oco-orders", { symbol: "GARAN", ...levels });
  });
  after(async () => {
    await world?.stop();
  });

  const current = (page: Page) => page.getByRole("navigation").locator("[aria-current=page]");
  /** The current link, or the element in focus, once it is as expected: a page renders a moment after an input. */
  const whenCurrent = (page: Page, name: string) =>
    until(
      () => current(page).textContent(),
      (text) => text === name,
    );
  const whenFocused = (page: Page, isRight: (focused: string) => boolean) =>
    until(
      () => page.evaluate<string>("document.activeElement?.tagName + ' ' + document.activeElement?.textContent"),
      isRight,
    );

  test("each view has an address, a reload stays signed in, and a filled form is not left unasked", async () => {
    const { page } = await world.openSignedIn();
    await page.getByRole("button", { name: "Portfolio" }).click();
    await page.getByRole("button", { name: "Alerts" }).click();
    await page.goBack();
    assert.equal(await whenCurrent(page, "Portfolio"), "Portfolio");
    await page.goForward();
    assert.equal(await whenCurrent(page, "Alerts"), "Alerts");
    await page.reload();
    await page.getByText("Events live").waitFor();
    assert.equal(await whenCurrent(page, "Alerts"), "Alerts");
    assert.equal(await page.evaluate("sessionStorage.length + localStorage.length"), 0, "nothing is left in storage");
    await page.getByRole("button", { name: "OCO groups", exact: true }).click();
    await page.getByRole("list", { name: "Groups" }).getByRole("button", { name: "THYAO" }).click();
    await page.getByRole("heading", { name: "THYAO" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "THYAO" }).waitFor();
    await page.getByRole("button", { name: "New group" }).click();
    await page.getByLabel("Lots to protect").fill("7");
    const dialog = page.getByRole("alertdialog", { name: "Leave the form?" });
    for (const leave of [
      () => page.goBack(),
      () => page.getByRole("button", { name: "Bots" }).click(),
      () => page.getByRole("button", { name: "Sign out" }).click(),
    ]) {
      await leave();
      await dialog.getByRole("button", { name: "Stay here" }).click();
      assert.equal(await page.getByLabel("Lots to protect").inputValue(), "7");
    }
    await page.goBack();
    await dialog.getByRole("button", { name: "Leave it" }).click();
    await page.getByRole("heading", { name: "THYAO" }).waitFor();
    for (const link of await page.getByRole("contentinfo").getByRole("link").all()) {
      assert.equal(await link.getAttribute("target"), "_blank");
    }
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.reload();
    await page.getByLabel("API key").waitFor();
    await page.context().close();
  });

  test("the focus follows what asks and what is taken away, and never falls to nowhere", async () => {
    const { page } = await world.openSignedIn();
    await page.getByRole("list", { name: "Groups" }).getByRole("button", { name: "GARAN" }).click();
    const cancel = page.getByRole("button", { name: "Cancel group" });
    await cancel.focus();
    await page.keyboard.press("Enter");
    assert.equal(await whenFocused(page, (one) => one === "BUTTON Keep it"), "BUTTON Keep it");
    await page.keyboard.press("Enter");
    assert.equal(await whenFocused(page, (one) => one === "BUTTON Cancel group"), "BUTTON Cancel group");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await cancel.waitFor({ state: "detached" });
    await page.getByText("The group is cancelled.").waitFor();
    assert.doesNotMatch(await whenFocused(page, (one) => !one.startsWith("BODY")), /^BODY/);
    await page.getByRole("button", { name: "New group" }).click();
    await page.getByRole("button", { name: "Create group" }).press("Enter");
    await page.getByText("Choose a symbol.").waitFor();
    const isAtSymbol = () => page.evaluate("document.activeElement?.labels?.[0]?.textContent.startsWith('Symbol')");
    assert.equal(await until(isAtSymbol, (isIt) => isIt === true), true);
    await page.context().close();
  });

  test("on a narrow screen arrows state where more tabs are, and the tab of the page is in view", async () => {
    const { page } = await world.openSignedIn(390);
    const arrows = page.locator(".tabs .more");
    const shown = (expected: readonly string[]) =>
      until(
        () => arrows.allTextContents(),
        (texts) => texts.join() === expected.join(),
      );
    assert.deepEqual(await shown(["›"]), ["›"], "the first tab is in view, and the last one is not");
    await page.getByRole("button", { name: "Portfolio" }).press("Enter");
    await page.goto(`${stack.url}/#/alerts`);
    const tab = page.getByRole("navigation").getByRole("button", { name: "Alerts" });
    await page.getByRole("heading", { name: "Channels" }).waitFor();
    assert.deepEqual((await shown(["‹", "›"]))[0], "‹");
    const box = await tab.boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box));
    await page.setViewportSize({ width: 1_440, height: 900 });
    assert.deepEqual(await shown([]), []);
    await page.context().close();
  });

  test("at 320 px nothing is cut or lies outside, and a new group opens in view", async () => {
    const { page } = await world.openSignedIn(320);
    for (const name of ["Portfolio", "Pending", "Bots", "Activity", "Alerts", "OCO groups"]) {
      await page.getByRole("button", { name, exact: true }).click();
      const width = await page.evaluate<number>("document.documentElement.scrollWidth");
      assert.ok(width <= 320, `${name} is ${width} px wide`);
    }
    await page.getByRole("button", { name: "New group" }).click();
    const box = await page.getByRole("heading", { name: "New OCO group" }).boundingBox();
    assert.ok(box !== null && box.y >= 0 && box.y < 450, JSON.stringify(box));
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole("button", { name: "Alerts" }).click();
    await page.getByRole("button", { name: "New channel" }).click();
    await page.getByLabel("Channel", { exact: true }).selectOption("webhook");
    await page.getByLabel("Name", { exact: true }).fill("my desk");
    await page.getByLabel("Address", { exact: true }).fill("https://example.com/a/long/address/of/a/hook");
    await page.getByRole("button", { name: "Create channel" }).click();
    const remove = page.getByRole("button", { name: "Remove" });
    await remove.waitFor();
    const place = await remove.boundingBox();
    assert.ok(place !== null && place.x >= 0 && place.x + place.width <= 320, JSON.stringify(place));
    const table = page.getByRole("table");
    assert.equal(
      await table.getByRole("columnheader", { name: "To" }).count(),
      1,
      "it is a table to those who hear it",
    );
    const cells = await table.getByRole("row").last().getByRole("cell").all();
    const [name, address] = await Promise.all(cells.slice(0, 2).map((cell) => cell.boundingBox()));
    assert.ok(name != null && address != null && address.y >= name.y + name.height, "a row is a block of lines");
    assert.equal(await cells[0]?.getAttribute("data-label"), "Name");
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const cut = `[...document.querySelectorAll("td, td *:not(.hidden)")].filter((one) => one.scrollWidth > one.clientWidth + 1)`;
      assert.deepEqual(
        await page.evaluate(`${cut}.filter((one) => one.clientWidth > 0).map((one) => one.outerHTML)`),
        [],
      );
      assert.deepEqual(await findBarriers(page), []);
    }
    await page.context().close();
  });

  test("the footer scrolls with the page of a phone, is in view on a desk, and a view begins at its top", async () => {
    const { page } = await world.openSignedIn(390);
    await page.getByRole("button", { name: "Alerts" }).click();
    await page.getByRole("button", { name: "New channel" }).click();
    await page.getByRole("button", { name: "Create channel" }).waitFor();
    const footer = page.getByRole("contentinfo");
    assert.ok(((await footer.boundingBox())?.y ?? 0) >= 900);
    await footer.scrollIntoViewIfNeeded();
    const box = await footer.boundingBox();
    assert.ok(box !== null && box.y + box.height <= 901, JSON.stringify(box));
    await page.getByRole("button", { name: "Portfolio" }).click();
    const top = () => page.getByRole("main").evaluate((main) => main.getBoundingClientRect().top);
    const bar = await page.getByRole("navigation").boundingBox();
    const under = (bar?.y ?? 0) + (bar?.height ?? 0);
    assert.ok((await until(top, (at) => at >= under - 1)) >= under - 1);
    await page.setViewportSize({ width: 1_280, height: 900 });
    await page.getByRole("button", { name: "Alerts" }).click();
    const wide = await footer.boundingBox();
    assert.ok(wide !== null && wide.y + wide.height <= 901, JSON.stringify(wide));
    await page.context().close();
  });

  test("a finger scrolls the page over a chart, but for one that takes a line", async () => {
    const { page } = await world.openSignedIn(390);
    await page.getByRole("list", { name: "Groups" }).getByRole("button", { name: "THYAO" }).click();
    await page.getByRole("img", { name: /Price of THYAO/ }).waitFor();
    assert.equal(await page.evaluate("getComputedStyle(document.querySelector('.chart')).touchAction"), "pan-y");
    await page.context().close();
  });

  test("the sign-in stands in the middle, a fired stop-loss is not green, and times of yesterday have a date", async () => {
    const { page } = await world.open();
    const box = await page.getByRole("form").boundingBox();
    assert.ok(box !== null && Math.abs(box.y + box.height / 2 - 450) < 40, JSON.stringify(box));
    await world.signIn(page);
    await page.getByText("Events live").waitFor();
    await page.getByRole("list", { name: "Groups" }).getByRole("button", { name: "THYAO" }).click();
    await stack.tick("THYAO", 99);
    const state = page.getByText("Triggered", { exact: true });
    await state.waitFor();
    const colorOf = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector("${selector}")).color`);
    assert.notEqual(await colorOf("tr.state-2 .state"), await colorOf("li.good"));
    assert.equal(await page.getByText(/resend/).count(), 0);
    await page.context().close();
    const { page: later } = await world.open();
    await later.clock.install({ time: Date.now() + 86_400_000 });
    await later.reload();
    await world.signIn(later);
    await later.getByRole("list", { name: "Groups" }).getByRole("button", { name: "THYAO" }).click();
    await later
      .getByText(/^\d\d \w{3,4},? \d\d:\d\d/)
      .first()
      .waitFor();
    await later.context().close();
  });
});
