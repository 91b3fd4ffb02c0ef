/**
 * The signed-in session: an API key is exchanged for tokens, which live in memory and nowhere else.
 *
 * Owns: the token set, its refresh, when the session is over, and how a request is made with it. Does not own: what is
 * asked, and whether it is asked again.
 *
 * Invariants:
 * 1. Nothing is ever written to an address. Tokens are written to the tab's own storage when the page ends, and taken
 *    out of it by the next page of the tab: while a page runs, storage contains no token that a script could find, or
 *    that a second tab could use a second time. The API key is never written anywhere.
 * 2. One refresh at a time: a second one with the same refresh token would end the whole family (behaviour 2.4).
 * 3. Once a refresh was refused the session is over, and nothing is sent any more.
 */

import { say } from "../language/say.ts";
import { serviceText } from "../language/service-text.ts";
import { ageOf, type Moment, momentBefore } from "./moment.ts";

/** The service's answer in place of data; `status` 0: it was not reached. */
export class RequestFailed extends Error {
  override readonly name = "RequestFailed";
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  /** The message as the service sent it. It begins with the field that it is about; `message` is for the user. */
  readonly sent: string;

  constructor(status: number, message: string, retryAfterSeconds?: number) {
    super(serviceText(message));
    this.sent = message;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The service's answer if `If-Match` does not name the current version. */
export const VERSION_DIFFERS = 412;

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly issued: Moment;
  readonly goodForMs: number;
}

interface TokenAnswer {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
}

interface Envelope<T> {
  readonly success: boolean;
  readonly message: string;
  readonly data: T;
}

/** Renewed before it ends, so that no request meets an ended one. */
const RENEW_BEFORE_SECONDS = 300;
/** A refresh that failed is not tried with every request: the service counts them by address. */
const RENEW_AGAIN_MS = 10_000;
/** Longer than the service takes for anything. A browser has few connections to one host, and holds requests back. */
const ANSWER_MS_MAX = 35_000;
/** The service's answers to a refresh token that is no longer valid. */
const REFUSED: ReadonlySet<number> = new Set([400, 401]);
const UNAUTHORIZED = 401;
/** A tab that was closed and is opened again later has lost its session. */
const KEPT_MS_MAX = 60_000;
/** Nothing is kept by the browser, and nothing is added to a request. */
const BARE = { cache: "no-store", credentials: "omit" } as const;

export interface Caller {
  readonly userId: number;
  readonly scopes: readonly string[];
}

export class Session {
  readonly caller: Caller;
  #tokens: Tokens;
  #renewal: Promise<void> | undefined;
  #renewalFailed: Moment | undefined;
  readonly #over = new AbortController();
  #isSignedOut = false;

  private constructor(tokens: Tokens) {
    this.#tokens = tokens;
    this.caller = readCaller(tokens.accessToken);
  }

  /** The session that a page of this tab left a moment ago; undefined if the text is not a session. */
  static resume(text: string): Session | undefined {
    const tokens = readKept(text);
    return tokens && new Session(tokens);
  }

  /** The state for the next page of this tab. Undefined while a renewal is on its way, or once the session is over. */
  get kept(): string | undefined {
    if (this.#isSignedOut || this.#over.signal.aborted || this.#renewal !== undefined) return undefined;
    return JSON.stringify({ ...this.#tokens, keptMs: Date.now() });
  }

  /** The user signs out: from here on no page resumes the session, however soon this one ends. */
  signOut(): void {
    this.#isSignedOut = true;
  }

  /** Exchanges an API key. Throws {@link RequestFailed} if it is refused. */
  static async signIn(apiKey: string): Promise<Session> {
    return new Session(await exchange({ grant_type: "api_key" }, { "x-api-key": apiKey }));
  }

  has(scope: string): boolean {
    return this.caller.scopes.includes(scope);
  }

  /** Aborted once the service has refused to renew the tokens: the user must sign in again. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Makes a request with the token; a token that was refused is renewed once. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    // A token that could not be renewed early may still be valid.
    const { issued, goodForMs } = this.#tokens;
    if (ageOf(issued) >= goodForMs && this.#mayRenew) await this.#renew().catch(() => undefined);
    const response = await this.#send(path, init);
    if (response.status !== UNAUTHORIZED) return response;
    if (!this.#mayRenew) throw new RequestFailed(0, say("The session cannot be renewed now."));
    await this.#renew();
    return this.#send(path, init);
  }

  async get<T>(path: string): Promise<T> {
    return (await readAnswer<Envelope<T>>(await this.#reach(path, {}))).data;
  }

  /** The answer with its version, for {@link send}. */
  async getVersion<T>(path: string): Promise<{ readonly data: T; readonly version: string }> {
    const response = await this.#reach(path, {});
    const version = response.headers.get("etag");
    const { data } = await readAnswer<Envelope<T>>(response);
    if (version === null) throw new RequestFailed(0, say("The service did not state the version."));
    return { data, version };
  }

  /** With the `key` of an attempt before it is done once, whether or not that one was; with a `version` only if that is still the version. */
  async send<T>(
    method: "POST" | "PUT" | "PATCH" | "DELETE",
    path: string,
    body?: object,
    { key = crypto.randomUUID(), version }: { readonly key?: string; readonly version?: string } = {},
  ): Promise<Envelope<T>> {
    const init: RequestInit = { method, headers: { "idempotency-key": key } };
    if (version !== undefined) init.headers = { ...init.headers, "if-match": version };
    if (body !== undefined) {
      init.body = JSON.stringify(body);
      init.headers = { ...init.headers, "content-type": "application/json" };
    }
    const answer = await readAnswer<Envelope<T>>(await this.#reach(path, init));
    return { ...answer, message: serviceText(answer.message) };
  }

  /** The body of an answer that is not JSON. Throws {@link RequestFailed} if it is refused. */
  async open(path: string): Promise<ReadableStream<Uint8Array>> {
    const response = await this.#reach(path, {});
    if (response.ok && response.body !== null) return response.body;
    await readAnswer(response);
    throw new RequestFailed(0, say("The service gave an empty answer."));
  }

  async #reach(path: string, init: RequestInit): Promise<Response> {
    try {
      return await this.fetch(path, { ...init, signal: AbortSignal.timeout(ANSWER_MS_MAX) });
    } catch (error) {
      throw asRequestFailed(error);
    }
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    if (this.#over.signal.aborted) throw new RequestFailed(UNAUTHORIZED, say("The session has ended."));
    const headers = { ...init.headers, authorization: `Bearer ${this.#tokens.accessToken}` };
    return fetch(path, { ...init, ...BARE, headers });
  }

  /** A failed renewal is not repeated within `RENEW_AGAIN_MS`. */
  get #mayRenew(): boolean {
    return this.#renewalFailed === undefined || ageOf(this.#renewalFailed) >= RENEW_AGAIN_MS;
  }

  #renew(): Promise<void> {
    this.#renewal ??= exchange({ grant_type: "refresh_token", refresh_token: this.#tokens.refreshToken }, {})
      .then((tokens) => {
        this.#tokens = tokens;
      })
      .catch((error: unknown) => {
        if (error instanceof RequestFailed && REFUSED.has(error.status)) this.#over.abort();
        this.#renewalFailed = momentBefore();
        throw error;
      })
      .finally(() => {
        this.#renewal = undefined;
      });
    return this.#renewal;
  }
}

/** The tokens that a page left; undefined if it left them long ago, or if the text is something else. */
function readKept(text: string): Tokens | undefined {
  try {
    const { accessToken, refreshToken, issued, goodForMs, keptMs } = JSON.parse(text) as Tokens & { keptMs: number };
    if (!(Math.abs(Date.now() - keptMs) < KEPT_MS_MAX)) return undefined;
    // The steady clock of that page began at another time.
    return { accessToken, refreshToken, issued: momentBefore(Date.now() - issued.wallMs), goodForMs };
  } catch {
    return undefined;
  }
}

async function exchange(body: object, headers: Record<string, string>): Promise<Tokens> {
  const response = await fetch("/oauth/token", {
    ...BARE,
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  }).catch((error: unknown) => {
    throw asRequestFailed(error);
  });
  const answer = await readAnswer<TokenAnswer>(response);
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token,
    issued: momentBefore(),
    goodForMs: (answer.expires_in - RENEW_BEFORE_SECONDS) * 1_000,
  };
}

/** Reads the user from the service's token, for the page alone: the service checks every right itself. */
function readCaller(accessToken: string): Caller {
  const [, payload = ""] = accessToken.split(".");
  const claims = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))) as {
    readonly sub: string;
    readonly scope: string;
  };
  return { userId: Number(claims.sub), scopes: claims.scope.split(" ") };
}

export function asRequestFailed(error: unknown): RequestFailed {
  if (error instanceof RequestFailed) return error;
  const isLate = error instanceof DOMException && error.name === "TimeoutError";
  return new RequestFailed(
    0,
    isLate ? say("The service did not answer in time.") : say("The service cannot be reached."),
  );
}

interface Refusal {
  readonly message?: string;
  readonly error?: { readonly message?: string };
  readonly retryAfterSeconds?: number;
}

/** Throws {@link RequestFailed} at a refusal, or if it is not JSON: a proxy's own page, or half of an answer. */
async function readAnswer<A extends object>(response: Response): Promise<A> {
  const answer = (await response.json().catch(() => undefined)) as (A & Refusal) | undefined;
  if (response.ok && answer !== undefined) return answer;
  const message =
    answer?.error?.message ?? answer?.message ?? say("The service answered {status}.", { status: response.status });
  throw new RequestFailed(response.ok ? 0 : response.status, message, answer?.retryAfterSeconds);
}
