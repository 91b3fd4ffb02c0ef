/** An installation with a user of its demonstration, and a browser that opens its dashboard. */
import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import { natsServerAvailable } from "../machine/nats-server.ts";
import { Stack, type StackOptions, type StackUser } from "../world/stack.ts";
import { openPage, startBrowser, type WatchedPage } from "./browser.ts";

/** The user's account at the paper brokerage. */
export const PLACE = { brokerageCode: "PAPER", accountNumber: "PAPER-1" };

export class DashboardWorld {
  readonly stack: Stack;
  readonly user: StackUser;
  readonly #browser: Browser;

  private constructor(stack: Stack, user: StackUser, browser: Browser) {
    this.stack = stack;
    this.user = user;
    this.#browser = browser;
  }

  /** Starts both. Rejects if the machine has no nats-server, or no browser. */
  static async start(options: StackOptions = {}): Promise<DashboardWorld> {
    assert.ok(natsServerAvailable() !== undefined, "nats-server not found");
    const stack = await Stack.start(options);
    try {
      return new DashboardWorld(stack, await stack.demoUser(), await startBrowser());
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }

  /** The sign-in, in a window of its own. */
  open(width?: number, colorScheme?: "light" | "dark", timezoneId?: string, locale?: string): Promise<WatchedPage> {
    return openPage(this.#browser, this.stack.url, width, colorScheme, timezoneId, locale);
  }

  /** Signs in, without waiting for the result. */
  async signIn(page: Page, apiKey = this.user.apiKey): Promise<void> {
    await page.getByLabel("API key").fill(apiKey);
    await page.getByRole("button", { name: "Sign in" }).click();
  }

  /** Opens a page that is signed in and receives events. */
  async openSignedIn(width?: number, colorScheme?: "light" | "dark"): Promise<WatchedPage> {
    const opened = await this.open(width, colorScheme);
    await this.signIn(opened.page);
    await opened.page.getByText("Events live").waitFor();
    return opened;
  }

  /** Sends a request as a user's script would; a refusal fails the test. */
  async post(path: string, json: object): Promise<Record<string, unknown>> {
    const { status, body } = await this.stack.http("POST", path, {
      token: this.user.token,
      json: { ...PLACE, ...json },
    });
    assert.equal(status, 200, JSON.stringify(body));
    return body.data as Record<string, unknown>;
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    await this.stack.stop();
  }
}
