/**
 * Makes the pictures of the documents: npm run screenshots. A simulated market, some groups, and their outcomes, in each
 * language, light and dark, and on a narrow screen. PICTURES="alerts,trade" makes the pictures of these views only.
 */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { LANGUAGES, say, speak } from "../../edge/web/dashboard/language/say.ts";
import { SimulatedMarket } from "../../engine/feed/source/sim.ts";
import { PriceHistory } from "../../engine/history/price-history.ts";
import { historyFolder } from "../../engine/host/names.ts";
import { openLevelStore } from "../../engine/store/level-store.ts";
import { priceToNumber } from "../../src/domain/price/price.ts";
import { loopTimers, systemClock } from "../../src/runtime/clock.ts";
import type { Log } from "../../src/runtime/ports.ts";
import { openPage, startBrowser } from "../support/client/browser.ts";
import { startHttpReceiver } from "../support/client/receivers.ts";
import { pause, Stack, type StackUser, until } from "../support/world/stack.ts";

const FOLDER = fileURLToPath(new URL("../../docs/images/", import.meta.url));
const SYMBOLS = fileURLToPath(new URL("../../fixtures/symbols.json", import.meta.url));
/** Bought for the picture of a new group. */
const UNPROTECTED = "TUPRS";
/** Long enough for trades of the bots. */
const MARKET_MS = 150_000;
/** The history of prices before the market of the pictures begins. */
const HISTORY_MS = 90 * 60_000;
const HISTORY_TICKS = 1_000;
const HISTORY_SEED = 7;
const SETTLE_MS = 3_500;
const BOT_SYMBOLS = ["KCHOL", "SAHOL"] as const;
/** A limit below the market, within the band of the day. */
const ENTRY = { symbol: "SISE", price: 38.5 } as const;
const PRICE_ALERTS = [
  { symbol: "BIMAS", direction: "atOrAbove", price: 560, note: "Break-out" },
  { symbol: "THYAO", direction: "atOrBelow", price: 290, note: "Buy more" },
  // A little above the start price of its market: it has fired.
  { symbol: "KCHOL", direction: "atOrBelow", price: 177.5, note: "Dip" },
] as const;
const SILENT: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
/** Names of views; empty: all. */
const WANTED = (process.env.PICTURES ?? "").split(",").filter((name) => name !== "");

function ignore(): void {
  // The pictures show no log.
}

const GROUPS = [
  // Its stop-loss is reached already: it ends before the second group of the symbol is made.
  { symbol: "GARAN", stopLossPrice: 144, takeProfits: [[150, 50]] },
  {
    symbol: "THYAO",
    stopLossPrice: 305,
    takeProfits: [
      [318, 40],
      [325, 60],
    ],
  },
  { symbol: "GARAN", stopLossPrice: 138, takeProfits: [[150, 300]] },
  {
    symbol: "AKBNK",
    stopLossPrice: 64,
    takeProfits: [
      [73, 100],
      [75, 100],
    ],
  },
  {
    symbol: "ASELS",
    stopLossPrice: 180,
    // Above the price that the account begins with, and reached within the time of the pictures.
    takeProfits: [
      [186.5, 20],
      [200, 30],
    ],
  },
] as const;

async function createGroups(stack: Stack, { token }: StackUser): Promise<void> {
  for (const { symbol, stopLossPrice, takeProfits } of GROUPS) {
    const json = {
      brokerageCode: "PAPER",
      accountNumber: "PAPER-1",
      symbol,
      stopLossPrice,
      stopLossQuantity: takeProfits.reduce((sum, [, quantity]) => sum + quantity, 0),
      takeProfitItems: takeProfits.map(([price, quantity]) => ({ price, quantity })),
    };
    // A symbol's group is refused until the one before it has ended.
    const { status, body } = await until(
      () => stack.http("POST", "/api/v1/oco-orders", { token, json }),
      (answer) => answer.status === 200,
    );
    if (status !== 200) throw new Error(JSON.stringify(body));
  }
}

/** Bots that trade within the time of the pictures. */
async function createBots(stack: Stack, { token }: StackUser): Promise<void> {
  const account = { brokerageCode: "PAPER", accountNumber: "PAPER-1", isActive: true };
  const levelBotDetails = BOT_SYMBOLS.map((symbol) => ({
    symbol,
    quantity: 5,
    buyGap: 0.2,
    targetProfit: 0.2,
  }));
  const webhookBotDetails = [{ symbol: "THYAO", quantity: 5, algoName: "MACD", period: "1H" }];
  for (const [path, json] of [
    ["/api/v1/level-bots", { ...account, name: "Dips", levelBotDetails }],
    ["/api/v1/webhook-bots", { ...account, name: "Trend", webhookBotDetails }],
  ] as const) {
    const { status, body } = await stack.http("POST", path, { token, json });
    if (status !== 200) throw new Error(JSON.stringify(body));
  }
}

interface Listed {
  readonly symbol: string;
  readonly startPrice: number;
}

/** The symbols of the pictures. */
async function shownSymbols(): Promise<readonly Listed[]> {
  const symbols = JSON.parse(await readFile(SYMBOLS, "utf8")) as readonly Listed[];
  const shown = new Set<string>([...GROUPS.map(({ symbol }) => symbol), ...BOT_SYMBOLS, ENTRY.symbol, UNPROTECTED]);
  return symbols.filter(({ symbol }) => shown.has(symbol));
}

/**
 * Gives the engine a history of prices that ends at the start prices of its market, while the engine does not run.
 * Returns the first price of each symbol.
 */
async function writeHistory(stack: Stack, symbols: readonly Listed[]): Promise<ReadonlyMap<string, number>> {
  await stack.engine(0).end("SIGTERM");
  const history = new PriceHistory({
    open: () => openLevelStore(historyFolder(join(stack.folder, "data-0"), [0]), true),
    ...{ days: 1, clock: systemClock, timers: loopTimers, log: SILENT },
  });
  await history.start();
  const endMs = Date.now() - 60_000;
  const first = new Map<string, number>();
  // A walk to the start price is a walk from it, read from its end.
  for (const one of symbols) {
    const market = new SimulatedMarket([one], HISTORY_SEED + one.symbol.charCodeAt(0));
    for (let back = 0; back < HISTORY_TICKS; back += 1) {
      const value = priceToNumber(market.next().price);
      first.set(one.symbol, value);
      history.onTick({ symbol: one.symbol, price: { value }, timeMs: endMs - (back * HISTORY_MS) / HISTORY_TICKS });
    }
  }
  await history.stop();
  await stack.startEngine(0);
  return first;
}

/** The day's bands, as an exchange states them: profits of the day need base prices. */
async function setBands(stack: Stack, { token }: StackUser, bases: ReadonlyMap<string, number>): Promise<void> {
  for (const [symbol, basePrice] of bases) {
    const json = { basePrice, floorPrice: Math.ceil(basePrice * 0.9), ceilingPrice: Math.floor(basePrice * 1.1) };
    const { status, body } = await stack.http("PUT", `/admin/v1/symbols/${symbol}/band`, { token, json });
    if (status !== 200) throw new Error(JSON.stringify(body));
  }
}

/** A holding without a group, a buy that waits, prices under watch, and a channel. */
async function createMore(stack: Stack, { token }: StackUser): Promise<void> {
  const account = { brokerageCode: "PAPER", accountNumber: "PAPER-1" };
  const entry = {
    ...{ ...account, symbol: ENTRY.symbol, stopLossPercent: 3 },
    entry: { orderType: 2, price: ENTRY.price, quantity: 400 },
    takeProfitItems: [{ percent: 5, quantityPercent: 100 }],
  };
  const bought = { ...account, symbol: UNPROTECTED, buySell: 1, orderType: 1, quantity: 300 };
  const channel = {
    ...{ kind: "telegram", name: "Telegram", isActive: true, events: ["oco.*", "price.reached"] },
    ...{ botToken: "123456:abcdefghijklmnopqrstuvwxyz", chatId: "@thyao_desk" },
  };
  const posts: [string, object][] = [
    ["/api/v1/orders", bought],
    ["/api/v1/oco-orders/entries", entry],
    ["/api/v1/notification-targets", channel],
    ...PRICE_ALERTS.map((alert): [string, object] => ["/api/v1/price-alerts", alert]),
  ];
  for (const [path, json] of posts) {
    const { status, body } = await stack.http("POST", path, { token, json });
    if (status !== 200) throw new Error(JSON.stringify(body));
  }
}

/** Takes a picture of every view that a trader has. */
async function takeAll(page: Page, picture: (view: string) => Promise<void>): Promise<void> {
  const press = (name: string): Promise<void> => page.getByRole("button", { name, exact: true }).first().click();
  const open = async (name: string): Promise<void> => {
    await press(name);
    await pause(SETTLE_MS);
  };
  await page
    .getByRole("list", { name: say("Groups") })
    .getByRole("button", { name: "THYAO" })
    .click();
  await pause(SETTLE_MS * 2);
  await picture("groups");
  await open(say("Trade"));
  await page.getByLabel(say("Symbol"), { exact: true }).fill("THYAO");
  await page.getByLabel(say("Lots"), { exact: true }).fill("50");
  await page.getByLabel(say("Protect it: stop-loss and take-profits")).check();
  await pause(SETTLE_MS);
  await picture("trade");
  await page.reload();
  for (const [name, view] of [
    [say("Portfolio"), "portfolio"],
    [say("Pending"), "pending"],
    [say("Activity"), "activity"],
    [say("Alerts"), "alerts"],
  ] as const) {
    await open(name);
    // The brokerage is asked once a second.
    await page.getByText(say("Reading…")).first().waitFor({ state: "detached" });
    await picture(view);
  }
  await open(say("Bots"));
  await pause(SETTLE_MS);
  await picture("bots");
  await open(say("OCO groups"));
  await press(say("New group"));
  await page.getByLabel(say("Symbol"), { exact: true }).fill(UNPROTECTED);
  await pause(SETTLE_MS);
  await picture("new-group");
}

async function main(): Promise<void> {
  const telegram = await startHttpReceiver(200, {}, () => JSON.stringify({ ok: true }));
  const stack = await Stack.start({ environment: { FEED: "sim", FEED_SPEED: "1", TELEGRAM_URL: telegram.url } });
  const browser = await startBrowser();
  try {
    const bases = await writeHistory(stack, await shownSymbols());
    const user = await stack.demoUser();
    await setBands(stack, user, bases);
    await createGroups(stack, user);
    await createBots(stack, user);
    await createMore(stack, user);
    await pause(MARKET_MS);
    for (const language of LANGUAGES) {
      speak(language);
      const folder = `${FOLDER}${language}/`;
      await mkdir(folder, { recursive: true });
      for (const [width, scheme] of [
        [1_280, "light"],
        [1_280, "dark"],
        [390, "light"],
      ] as const) {
        const { page } = await openPage(browser, stack.url, width, scheme, "Europe/Istanbul", language);
        const picture = async (view: string): Promise<void> => {
          if (WANTED.length > 0 && !WANTED.includes(view)) return;
          await page.mouse.move(5, 5);
          const name = `${view}-${width < 400 ? "narrow" : scheme}.png`;
          await page.screenshot({ path: `${folder}${name}` });
          process.stdout.write(`docs/images/${language}/${name}\n`);
        };
        await page.getByText(say("Service ready")).waitFor();
        await picture("sign-in");
        await page.getByLabel(say("API key")).fill(user.apiKey);
        await page.getByRole("button", { name: say("Sign in") }).click();
        await page.getByText(say("Events live")).waitFor();
        await takeAll(page, picture);
        await page.context().close();
      }
    }
  } finally {
    await browser.close();
    await stack.stop();
    await telegram.stop();
  }
}

await main();
