/**
 * The dashboard of a user with 10,000 rows over 200 symbols, in a real browser. Measures how long it takes from the
 * sign-in until the groups are in view. Also measures how many frames a second are drawn while 200 prices a second
 * change, with the time of the page's own script in each.
 *
 * The browser draws in software on the processors that everything else runs on. Its frames show what this machine can
 * draw, the script's time what the page needs on any machine.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, CDPSession, Page } from "playwright-core";
import { openPage, startBrowser } from "../../test/support/client/browser.ts";
import { barsOf } from "../harness/figure/report.ts";
import { absolute, type Figure, type Scenario } from "../harness/figure/result.ts";
import { sleep } from "../harness/figure/timing.ts";
import { call, tokenFor } from "../harness/load/clients.ts";
import { symbolOf } from "../harness/load/owned-group.ts";
import { startBenchProgram } from "../harness/program.ts";
import { symbolPages } from "../harness/world.ts";

const GROUPS = 200;
/** One stop-loss and the rest take-profits. */
const ROWS_PER_GROUP = 50;
const PRICES_PER_SECOND = 200;
const PRICES_AT_ONCE = 20;

/** Milliseconds of a frame, and how many frames a second. */
interface Drawn {
  readonly framesPerSecond: readonly number[];
  readonly scriptMs: number;
  readonly taskMs: number;
}

export const scenario: Scenario = async ({ isQuick, say }) => {
  const [groups, views, seconds] = isQuick ? [20, 1, 2] : [GROUPS, 5, 20];
  const folder = mkdtempSync(join(tmpdir(), "trading-bench-"));
  const program = await startBenchProgram({
    entry: "src/main.ts",
    ready: /listens on (http:\S+)/,
    environment: { PORT: "0", FEED: "none", DATA_DIR: join(folder, "data"), LOG_LEVEL: "warn", TRUST_PROXY: "on" },
  });
  const [, url = ""] = /listens on (http:\S+)/.exec(program.output()) ?? [];
  const browser = await startBrowser();
  try {
    const apiKey = readFileSync(join(folder, "data", "bootstrap-api-key"), "utf8").trim();
    const authorization = await tokenFor(url, apiKey, "10.1.0.3");
    say(`makes ${groups} groups of ${ROWS_PER_GROUP} rows`);
    await prepare(url, authorization, groups);
    const firstViews: number[] = [];
    // The first one has the page bundled.
    await firstView(browser, url, apiKey);
    for (let view = 0; view < views; view += 1) firstViews.push(await firstView(browser, url, apiKey));
    say(`first view: ${firstViews.map((ms) => ms.toFixed(0)).join(", ")} ms`);
    const { page } = await openPage(browser, url);
    await signIn(page, apiKey);
    await page.getByText("Events live").waitFor();
    const quiet = await drawnWithin(page, seconds);
    const [busy] = await Promise.all([drawnWithin(page, seconds), changePrices(url, authorization, groups, seconds)]);
    const first = figure("sign-in to the groups in view", "ms", firstViews);
    const frames = figure("frames a second, 200 prices a second", "/s", busy.framesPerSecond);
    const quietFrames = figure("frames a second, prices silent", "/s", quiet.framesPerSecond);
    return {
      title: `Dashboard: ${(groups * ROWS_PER_GROUP).toLocaleString("en-US")} rows over ${groups} symbols`,
      figures: [
        first,
        frames,
        quietFrames,
        figure("the page's script, a frame", "ms", [busy.scriptMs]),
        figure("all of the page's main thread, a frame", "ms", [busy.taskMs]),
        figure("the page's script, a frame, prices silent", "ms", [quiet.scriptMs]),
      ],
      targets: [
        absolute("sign-in to the groups in view", first, "atMost", 1_000),
        // A frame is counted when it has ended: one of 60 can end in the next second.
        absolute("frames a second, 200 prices a second", frames, "atLeast", 59, quietFrames),
      ],
      charts: [barsOf("Frames a second", [frames, quietFrames])],
      notes: [
        "headless Chromium without a graphics processor, beside engine and edge on the same processors",
        "the first of all views, in which the edge bundles the page, is not counted",
      ],
    };
  } finally {
    await browser.close();
    await program.end("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
};

function figure(name: string, unit: string, rounds: readonly number[]): Figure {
  return { name, unit, rounds };
}

async function prepare(url: string, authorization: string, groups: number): Promise<void> {
  for (const symbols of symbolPages()) await call(url, "POST", "/admin/v1/symbols", { authorization }, { symbols });
  const takeProfitItems = Array.from({ length: ROWS_PER_GROUP - 1 }, (_, index) => ({
    price: 120 + index,
    quantity: 1,
  }));
  for (let index = 0; index < groups; index += 1) {
    await call(
      url,
      "POST",
      "/api/v1/oco-orders",
      { authorization },
      {
        ...{ brokerageCode: "PAPER", accountNumber: "PAPER-1", symbol: symbolOf(index) },
        ...{ stopLossPrice: 80, stopLossQuantity: ROWS_PER_GROUP, takeProfitItems },
      },
    );
  }
  await sendPrices(
    url,
    authorization,
    Array.from({ length: groups }, (_, index) => [index, 100] as const),
  );
}

async function signIn(page: Page, apiKey: string): Promise<void> {
  await page.getByLabel("API key").fill(apiKey);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** From the press of the button until the first group is drawn, by the page's own clock. */
async function firstView(browser: Browser, url: string, apiKey: string): Promise<number> {
  const { page } = await openPage(browser, url);
  await page.getByLabel("API key").fill(apiKey);
  const shownMs = await page.evaluate<number>(`new Promise((resolve) => {
    const startMs = performance.now();
    const look = () => {
      if (document.querySelector('ul[aria-label="Groups"] .entry') === null) requestAnimationFrame(look);
      else resolve(performance.now() - startMs);
    };
    document.querySelector("form button[type=submit]").click();
    look();
  })`);
  await page.context().close();
  return shownMs;
}

/** The frames of this many seconds, second by second, and their times. */
async function drawnWithin(page: Page, seconds: number): Promise<Drawn> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const before = await durationsOf(session);
  const framesPerSecond = await page.evaluate<number[]>(`new Promise((resolve) => {
    const counts = [];
    const startMs = performance.now();
    const count = (nowMs) => {
      const second = Math.floor((nowMs - startMs) / 1000);
      if (second >= ${seconds}) resolve(counts.map((frames) => frames ?? 0));
      else {
        if (second >= 0) counts[second] = (counts[second] ?? 0) + 1;
        requestAnimationFrame(count);
      }
    };
    requestAnimationFrame(count);
  })`);
  const after = await durationsOf(session);
  await session.detach();
  const frames = framesPerSecond.reduce((sum, count) => sum + count, 0);
  const perFrame = (name: string): number => (((after.get(name) ?? 0) - (before.get(name) ?? 0)) * 1_000) / frames;
  return { framesPerSecond, scriptMs: perFrame("ScriptDuration"), taskMs: perFrame("TaskDuration") };
}

async function durationsOf(session: CDPSession): Promise<ReadonlyMap<string, number>> {
  const { metrics } = await session.send("Performance.getMetrics");
  return new Map(metrics.map(({ name, value }) => [name, value]));
}

/** Every price another one each time, evenly over the seconds. */
async function changePrices(url: string, authorization: string, groups: number, seconds: number): Promise<void> {
  const startMs = performance.now();
  const batches = (seconds * PRICES_PER_SECOND) / PRICES_AT_ONCE;
  for (let batch = 0; batch < batches; batch += 1) {
    await sleep(startMs + (batch * 1_000 * PRICES_AT_ONCE) / PRICES_PER_SECOND - performance.now());
    const prices = Array.from({ length: PRICES_AT_ONCE }, (_, index) => {
      const symbol = (batch * PRICES_AT_ONCE + index) % groups;
      return [symbol, 100 + (batch % 50) * 0.05] as const;
    });
    await sendPrices(url, authorization, prices);
  }
}

async function sendPrices(
  url: string,
  authorization: string,
  prices: readonly (readonly [index: number, price: number])[],
): Promise<void> {
  const ticks = prices.map(([index, price]) => ({ symbol: symbolOf(index), price: Math.round(price * 100) / 100 }));
  await call(url, "POST", "/admin/v1/ticks", { authorization }, { ticks });
}
