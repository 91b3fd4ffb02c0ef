/** Users of a running installation, made through its own admin interface, each with an access token. */
import { z } from "zod";

export interface Client {
  readonly authorization: string;
  readonly accountNumber: string;
}

const tokenSchema = z
  .object({ data: z.object({ access_token: z.string() }) })
  .or(z.object({ access_token: z.string() }));
const userSchema = z.object({ data: z.object({ userId: z.number() }) });
const keySchema = z.object({ data: z.object({ apiKey: z.string() }) });
const accountsSchema = z.object({ data: z.array(z.object({ accountNumber: z.string(), brokerageCode: z.string() })) });

/** Calls an installation's REST interface and returns the answer's JSON. Throws if it is not a 200. */
export async function call(
  url: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<unknown> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

/** An access token for an API key. The address keeps the limit of token requests off. */
export async function tokenFor(url: string, apiKey: string, address: string): Promise<string> {
  const headers = { "x-api-key": apiKey, "x-forwarded-for": address };
  const answer = tokenSchema.parse(await call(url, "POST", "/oauth/token", headers, { grant_type: "api_key" }));
  return `Bearer ${"data" in answer ? answer.data.access_token : answer.access_token}`;
}

/** Makes `count` users who may read and trade, with the account that `brokerageCode` gives them. */
export async function makeClients(
  url: string,
  adminKey: string,
  count: number,
  brokerageCode: string,
): Promise<Client[]> {
  const admin = { authorization: await tokenFor(url, adminKey, "10.1.0.1") };
  const clients: Client[] = [];
  for (let number = 1; number <= count; number += 1) {
    const { userId } = userSchema.parse(
      await call(url, "POST", "/admin/v1/users", admin, { name: `client ${number}` }),
    ).data;
    const key = await call(url, "POST", `/admin/v1/users/${userId}/api-keys`, admin, {
      name: "bench",
      scopes: ["read", "trade"],
    });
    const authorization = await tokenFor(url, keySchema.parse(key).data.apiKey, `10.2.${number >> 8}.${number & 255}`);
    const accounts = accountsSchema.parse(await call(url, "GET", "/api/v1/accounts", { authorization })).data;
    const account = accounts.find((each) => each.brokerageCode === brokerageCode);
    if (account === undefined) throw new Error(`user ${userId} has no account at ${brokerageCode}`);
    clients.push({ authorization, accountNumber: account.accountNumber });
  }
  return clients;
}
