/**
 * Makes the pictures of the documents: npm run screenshots. A simulated market, some groups, and their outcomes.
 */
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { openPage, startBrowser } from "../support/client/browser.ts";
import { pause, Stack, type StackUser } from "../support/world/stack.ts";

const FOLDER = fileURLToPath(new URL("../../docs/images/", import.meta.url));
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
    stopLossPrice: 60,
    takeProfits: [
      [75, 100],
      [80, 100],
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
    buyGap: 0.1,
    targetProfit: 0.02,
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

async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `${FOLDER}${name}.png` });
  process.stdout.write(`docs/images/${name}.png\n`);
}

async function main(): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const stack = await Stack.start({ environment: { FEED: "sim", FEED_SPEED: "4" } });
  const browser = await startBrowser();
  try {
    const user = await stack.demoUser();
    for (const [width, colorScheme] of [
      [1_280, "light"],
      [1_280, "dark"],
      [390, "light"],
    ] as const) {
      const { page } = await openPage(browser, stack.url, width, colorScheme);
      await page.getByLabel("API key").fill(user.apiKey);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByText("Events live").waitFor();
      const isFirst = colorScheme === "light" && width > 400;
      if (isFirst) {
        await page.getByRole("button", { name: "Portfolio" }).click();
        await createGroups(stack, user);
        await createBots(stack, user);
        await page.getByRole("button", { name: "OCO groups" }).click();
      }
      await page.getByRole("list", { name: "Groups" }).getByRole("button", { name: "THYAO" }).click();
      await pause(isFirst ? MARKET_MS : SETTLE_MS * 3);
      await page.mouse.move(5, 5);
      await picture(page, `groups-${width < 400 ? "narrow" : colorScheme}`);
      if (!isFirst) continue;
      await page.getByRole("button", { name: "Activity" }).click();
      await picture(page, "activity");
      await page.getByRole("button", { name: "Portfolio" }).click();
      await pause(SETTLE_MS);
      await picture(page, "portfolio");
      await page.getByRole("button", { name: "Bots" }).click();
      await page.getByRole("button", { name: "Pairs of Dips" }).click();
      await pause(SETTLE_MS);
      await page.getByRole("heading", { name: "Closed pairs of Dips" }).scrollIntoViewIfNeeded();
      await picture(page, "bots");
      await page.getByRole("button", { name: "OCO groups" }).click();
      await page.getByRole("button", { name: "New group" }).click();
      await page.getByLabel("Symbol", { exact: true }).fill("KCHOL");
      await pause(SETTLE_MS);
      await picture(page, "new-group");
    }
  } finally {
    await browser.close();
    await stack.stop();
  }
}

await main();
