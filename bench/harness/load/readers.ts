/** Users who read lists of ten rows over REST, and how many of their requests are answered a second. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import autocannon from "autocannon";
import type { Figure } from "../figure/result.ts";
import { symbolPages } from "../world.ts";
import { type Client, call, makeClients, tokenFor } from "./clients.ts";
import { symbolOf } from "./owned-group.ts";

export const CODE = "PAPER";
export const OCO_PATH = "/api/v1/oco-orders";
export const CONNECTIONS = 32;

/**
 * Settings of an engine with its data in `folder`, no prices, and a paper brokerage that takes any number of orders.
 */
export function paperEnvironment(folder: string): Record<string, string> {
  const brokeragesFile = join(folder, "brokerages.json");
  const brokerage = {
    code: CODE,
    name: "Paper",
    adapter: "paper",
    resend: "idempotent",
    ordersPerMinute: 1_000_000_000,
  };
  writeFileSync(brokeragesFile, JSON.stringify([brokerage]));
  return { FEED: "none", DATA_DIR: join(folder, "data"), BROKERAGES_FILE: brokeragesFile, LOG_LEVEL: "warn" };
}

/** Makes `count` users, each with a group of one stop-loss and nine take-profits: ten rows. */
export async function makeReaders(folder: string, url: string, count: number): Promise<Client[]> {
  const adminKey = readFileSync(join(folder, "data", "bootstrap-api-key"), "utf8").trim();
  const admin = { authorization: await tokenFor(url, adminKey, "10.1.0.2") };
  for (const symbols of symbolPages()) await call(url, "POST", "/admin/v1/symbols", admin, { symbols });
  const clients = await makeClients(url, adminKey, count, CODE);
  const takeProfitItems = Array.from({ length: 9 }, (_, index) => ({ price: 120 + index, quantity: 1 }));
  for (const { authorization, accountNumber } of clients) {
    const group = {
      brokerageCode: CODE,
      accountNumber,
      symbol: symbolOf(0),
      stopLossPrice: 80,
      stopLossQuantity: 10,
      takeProfitItems,
    };
    await call(url, "POST", OCO_PATH, { authorization }, group);
  }
  return clients;
}

export function readRequest({ authorization, accountNumber }: Client) {
  const path = `${OCO_PATH}?brokerageCode=${CODE}&accountNumber=${accountNumber}`;
  return { method: "GET", path, headers: { authorization } };
}

type Requests = Parameters<typeof autocannon>[0]["requests"];

/** Returns the answers per second. Rejects if one is not a success. */
export async function load(url: string, seconds: number, requests: Requests): Promise<number> {
  const result = await autocannon({ url, connections: CONNECTIONS, duration: seconds, requests });
  if (result.errors > 0 || result.non2xx > 0) {
    const statuses = JSON.stringify(result.statusCodeStats);
    throw new Error(`${url}: ${result.non2xx} answers were no success (${statuses}), ${result.errors} requests failed`);
  }
  return result["2xx"] / result.duration;
}

export function perSecond(name: string, rounds: readonly number[]): Figure {
  return { name, unit: "/s", rounds };
}
