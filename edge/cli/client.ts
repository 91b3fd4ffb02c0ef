/**
 * The interface as the command line calls it: an API key exchanged for a token, answers unwrapped.
 *
 * Invariant: neither key nor token is ever printed.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import createClient, { type Client } from "openapi-fetch";
import { z } from "zod";
import { decodeText } from "../../src/runtime/text-file.ts";
import { type ExitReason, UserError } from "../../src/runtime/user-error.ts";
import type { paths } from "../openapi/generated/schema.d.ts";

export interface ConnectionOptions {
  readonly url: string;
  /** Undefined: the key of the first start, from the data folder. */
  readonly apiKey: string | undefined;
  readonly dataFolder: string;
}

const refusedSchema = z
  .object({ message: z.string() })
  .or(z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error));

/** The result of a call of the client. */
interface Called<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

export class Api {
  readonly client: Client<paths>;

  private constructor(client: Client<paths>) {
    this.client = client;
  }

  /** Logs in. Throws {@link UserError} if the key is missing or refused, or if the service does not answer. */
  static async connect({ url, apiKey, dataFolder }: ConnectionOptions): Promise<Api> {
    const key = apiKey ?? (await readBootstrapKey(dataFolder));
    const client = createClient<paths>({ baseUrl: url.replace(/\/+$/, "") });
    const api = new Api(client);
    const tokens = await api.unwrap(
      client.POST("/oauth/token", { params: { header: { "X-API-Key": key } }, body: { grant_type: "api_key" } }),
    );
    client.use({
      onRequest: ({ request }) => {
        request.headers.set("Authorization", `Bearer ${tokens.access_token}`);
        return request;
      },
    });
    return api;
  }

  /**
   * Returns the answer of the call, in its envelope. Throws {@link UserError} with the service's own message otherwise.
   */
  async unwrap<T>(calling: Promise<Called<T>>): Promise<T> {
    let called: Called<T>;
    try {
      called = await calling;
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const told = cause instanceof Error ? cause.message : String(cause);
      throw new UserError(`the service cannot be reached: ${told}`, { reason: "unavailable", cause });
    }
    if (called.data !== undefined) return called.data;
    const refused = refusedSchema.safeParse(called.error);
    const reason = refused.success ? refused.data.message : "it gave no reason";
    const { status } = called.response;
    throw new UserError(`${status}: ${reason}`, { reason: reasonOf(status) });
  }

  /** Like `unwrap`; returns undefined if the service reports that the item does not exist. */
  async unwrapIfFound<T>(calling: Promise<Called<T>>): Promise<T | undefined> {
    const isAbsent = await calling.then(
      ({ response }) => response.status === 404,
      () => false,
    );
    return isAbsent ? undefined : this.unwrap(calling);
  }
}

/** The kind of a refusal. */
function reasonOf(status: number): ExitReason {
  if (status === 401 || status === 403) return "notAllowed";
  if (status === 409 || status === 429) return "temporary";
  return status >= 500 ? "unavailable" : "data";
}

async function readBootstrapKey(dataFolder: string): Promise<string> {
  const path = join(dataFolder, "bootstrap-api-key");
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new UserError(`no API key: give --api-key or API_KEY, or run where ${path} is`, { reason: "noInput", cause });
  });
  return decodeText(path, bytes).trim();
}
