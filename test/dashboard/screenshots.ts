/**
 * Makes the pictures of the documents: npm run screenshots. A simulated market, some groups, and their outcomes, in each
 * language, light and dark, and on a narrow screen.
 */
import { mkdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { LANGUAGES, say, speak } from "../../edge/web/dashboard/language/say.ts";
import { openPage, startBrowser } from "../support/client/browser.ts";
import { pause, Stack, type StackUser } from "../support/world/stack.ts";

const FOLDER = fileURLToPath(new URL("../../docs/images/", import.meta.url));
const SYMBOLS = fileURLToPath(new URL("../../fixtures/symbols.json", import.meta.url));
/** Bought for the picture of a new group. */
const UNPROTECTED = "TUPRS";
/** Long enough for a line on the chart. */
const MARKET_MS = 45_000;
const SETTLE_MS = 3_500;

const GROUPS = [
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
    takeProfits: [
      [183, 20],
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
    const { status, body } = await stack.http("POST", "/api/v1/oco-orders", { token, json });
    if (status !== 200) throw new Error(JSON.stringify(body));
  }
}

/** Bots that trade within the time of the pictures. */
async function createBots(stack: Stack, { token }: StackUser): Promise<void> {
  const account = { brokerageCode: "PAPER", accountNumber: "PAPER-1", isActive: true };
  const levelBotDetails = ["KCHOL", "SAHOL"].map((symbol) => ({
    symbol,
    quantity: 5,
    buyGap: 0.3,
    targetProfit: 0.25,
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

/** The day's bands, as an exchange states them: profits of the day need base prices. */
async function setBands(stack: Stack, { token }: StackUser): Promise<void> {
  const symbols = JSON.parse(await readFile(SYMBOLS, "utf8")) as { symbol: string; startPrice: number }[];
  const shown = new Set<string>([...GROUPS.map(({ symbol }) => symbol), "KCHOL", "SAHOL", UNPROTECTED]);
  for (const { symbol, startPrice: basePrice } of symbols.filter((one) => shown.has(one.symbol))) {
    const json = { basePrice, floorPrice: Math.ceil(basePrice * 0.9), ceilingPrice: Math.floor(basePrice * 1.1) };
    const { status, body } = await stack.http("PUT", `/admin/v1/symbols/${symbol}/band`, { token, json });
    if (status !== 200) throw new Error(JSON.stringify(body));
  }
}

/** A holding without a group, a buy that waits, and an alert. */
async function createMore(stack: Stack, { token }: StackUser): Promise<void> {
  const entry = {
    ...{ brokerageCode: "PAPER", accountNumber: "PAPER-1", symbol: "SISE", stopLossPercent: 3 },
    entry: { orderType: 2, price: 30, quantity: 400 },
    takeProfitItems: [{ percent: 5, quantityPercent: 100 }],
  };
  // Off: it would send to the network.
  const alert = { kind: "webhook", name: "desk", events: ["oco.*"], isActive: false, url: "https://hook.invalid/in" };
  const { brokerageCode, accountNumber } = entry;
  const bought = { brokerageCode, accountNumber, symbol: UNPROTECTED, buySell: 1, orderType: 1, quantity: 300 };
  for (const [path, json] of [
    ["/api/v1/orders", bought],
    ["/api/v1/oco-orders/entries", entry],
    ["/api/v1/notification-targets", alert],
  ] as const) {
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
  await page.getByLabel(say("Protect it with a stop-loss and take-profits")).check();
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
  await page.getByRole("button", { name: say("Trades of {name}", { name: "Dips" }) }).click();
  await pause(SETTLE_MS);
  await picture("bots");
  await open(say("OCO groups"));
  await press(say("New group"));
  await page.getByLabel(say("Symbol"), { exact: true }).fill(UNPROTECTED);
  await pause(SETTLE_MS);
  await picture("new-group");
}

async function main(): Promise<void> {
  const stack = await Stack.start({ environment: { FEED: "sim", FEED_SPEED: "4" } });
  const browser = await startBrowser();
  try {
    const user = await stack.demoUser();
    await setBands(stack, user);
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
          await page.mouse.move(5, 5);
          const name = `${view}-${width < 400 ? "narrow" : scheme}.png`;
          await page.screenshot({ path: `${folder}${name}` });
          process.stdout.write(`docs/images/${language}/${name}\n`);
        };
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
  }
}

await main();
