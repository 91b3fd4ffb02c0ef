/**
 * Headless Chromium for tests, from the machine's own package. Without one the tests are reported as skipped, by name;
 * under `CI=true` they fail instead.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { type Browser, chromium, type Page } from "playwright-core";
import { findProgram, suiteThatNeeds } from "../machine/installed.ts";

/** Arguments of a browser that runs as root, alone, and sends no requests by itself. */
const BROWSER_ARGUMENTS = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--no-default-browser-check"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions"],
];
const STEP_TIMEOUT_MS = 60_000;

/** The path of the browser, if this machine has one. */
function findBrowser(): string | undefined {
  return findProgram("chromium") ?? findProgram("chromium-browser");
}

/** A group of tests that need a browser. */
export const browserSuite = suiteThatNeeds(findBrowser() !== undefined, "chromium");

/** Starts the browser. */
export function startBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  assert.ok(executablePath !== undefined);
  return chromium.launch({ executablePath, headless: true, args: BROWSER_ARGUMENTS });
}

/** A page with a record of its faults. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors on the console and uncaught ones, except for requests that were meant to fail. */
  readonly complaints: string[];
  /** Requested addresses outside of the installation. */
  readonly foreign: string[];
}

/** Opens a page of the installation at `url`. */
export async function openPage(
  browser: Browser,
  url: string,
  width = 1_440,
  colorScheme: "light" | "dark" = "light",
  timezoneId = "UTC",
  locale = "en-US",
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, timezoneId, locale });
  await context.grantPermissions(["clipboard-write"], { origin: url });
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_TIMEOUT_MS);
  const complaints: string[] = [];
  const foreign: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("request", (request) => {
    const address = request.url();
    if (!address.startsWith(url) && !address.startsWith("data:") && !address.startsWith("blob:")) foreign.push(address);
  });
  await page.goto(url);
  return { page, complaints, foreign };
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly target: readonly unknown[] }[];
  }[];
}

/** Returns the faults that axe-core finds on the page in its present state. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  // Past the content policy: the check is the test's own and no part of the page.
  const path = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
  const source = await readFile(path, "utf8");
  await page.evaluate(source);
  // In the middle of a transition a color is neither the old nor the new one.
  await page.evaluate(
    "Promise.allSettled(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished)).then(() => undefined)",
  );
  const result = await page.evaluate<AxeResult>("globalThis.axe.run(document)");
  return result.violations.map(
    ({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ target }) => target).join("; ")})`,
  );
}

/** The widths at which every view is checked: a small phone, a phone, a desk. */
const WIDTHS = [320, 390, 1_440];

/**
 * Finds what is wrong with a page at any of the widths: it is wider than the screen, a control lies outside, or
 * axe-core finds something.
 */
export async function findMisfits(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    // Charts take their new width with the next frame.
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    const pageWidth = await page.evaluate<number>("document.documentElement.scrollWidth");
    if (pageWidth > width) found.push(`${width} px: the page is ${pageWidth} px wide`);
    // Controls in a part that scrolls sideways can be reached.
    for (const control of await page.locator("main :is(button, input, select, summary):not(.scroll *)").all()) {
      const box = (await control.isVisible()) ? await control.boundingBox() : null;
      const isOutside = box !== null && (box.x < 0 || box.x + box.width > width);
      if (isOutside) found.push(`${width} px: outside: ${await control.getAttribute("id")}, ${JSON.stringify(box)}`);
    }
    found.push(...(await findBarriers(page)).map((barrier) => `${width} px: ${barrier}`));
  }
  return found;
}
