/**
 * The signed-in session: an API key is exchanged for tokens, which live in memory and nowhere else.
 *
 * Owns: the token set, its refresh, and how a request is made with it. Does not own: what is asked.
 *
 * Invariants:
 * 1. Nothing is ever written to storage or to an address. A reload signs out.
 * 2. One refresh at a time: a second one with the same refresh token would end the whole family (behaviour 2.4).
 */

/** What the service answered in place of data; `status` 0: it was not reached. */
export class RequestFailed extends Error {
  override readonly name = "RequestFailed";
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, message: string, retryAfterSeconds?: number) {
    super(message);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly renewAtMs: number;
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

export interface Caller {
  readonly userId: number;
  readonly scopes: readonly string[];
}

export class Session {
  readonly caller: Caller;
  #tokens: Tokens;
  #renewal: Promise<void> | undefined;

  private constructor(tokens: Tokens) {
    this.#tokens = tokens;
    this.caller = readCaller(tokens.accessToken);
  }

  /** Exchanges an API key. Throws {@link RequestFailed} where it is refused. */
  static async signIn(apiKey: string): Promise<Session> {
    return new Session(await exchange({ grant_type: "api_key" }, { "x-api-key": apiKey }));
  }

  has(scope: string): boolean {
    return this.caller.scopes.includes(scope);
  }

  /** Makes a request with the token; a token that was refused is renewed once. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    if (Date.now() >= this.#tokens.renewAtMs) await this.#renew();
    const response = await this.#send(path, init);
    if (response.status !== 401) return response;
    await this.#renew();
    return this.#send(path, init);
  }

  async get<T>(path: string): Promise<T> {
    return readData<T>(await this.#reach(path, {}));
  }

  async send<T>(method: "POST" | "PUT" | "DELETE", path: string, body?: object): Promise<Envelope<T>> {
    const init: RequestInit = { method, headers: { "idempotency-key": crypto.randomUUID() } };
    if (body !== undefined) {
      init.body = JSON.stringify(body);
      init.headers = { ...init.headers, "content-type": "application/json" };
    }
    return readEnvelope<T>(await this.#reach(path, init));
  }

  async #reach(path: string, init: RequestInit): Promise<Response> {
    try {
      return await this.fetch(path, init);
    } catch (error) {
      if (error instanceof RequestFailed) throw error;
      throw new RequestFailed(0, "The service cannot be reached.");
    }
  }

  #send(path: string, init: RequestInit): Promise<Response> {
    const headers = { ...init.headers, authorization: `Bearer ${this.#tokens.accessToken}` };
    return fetch(path, { ...init, headers, cache: "no-store", credentials: "omit" });
  }

  #renew(): Promise<void> {
    this.#renewal ??= exchange({ grant_type: "refresh_token", refresh_token: this.#tokens.refreshToken }, {})
      .then((tokens) => {
        this.#tokens = tokens;
      })
      .finally(() => {
        this.#renewal = undefined;
      });
    return this.#renewal;
  }
}

async function exchange(body: object, headers: Record<string, string>): Promise<Tokens> {
  const response = await fetch("/oauth/token", {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
    cache: "no-store",
    credentials: "omit",
  }).catch(() => {
    throw new RequestFailed(0, "The service cannot be reached.");
  });
  const answer = (await response.json()) as TokenAnswer & { readonly message?: string };
  if (!response.ok) throw new RequestFailed(response.status, answer.message ?? "The API key was refused.");
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token,
    renewAtMs: Date.now() + (answer.expires_in - RENEW_BEFORE_SECONDS) * 1_000,
  };
}

/** The token is the service's own word on who this is; nothing is decided by it here, only shown. */
function readCaller(accessToken: string): Caller {
  const [, payload = ""] = accessToken.split(".");
  const claims = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))) as {
    readonly sub: string;
    readonly scope: string;
  };
  return { userId: Number(claims.sub), scopes: claims.scope.split(" ") };
}

async function readEnvelope<T>(response: Response): Promise<Envelope<T>> {
  const answer = (await response.json().catch(() => undefined)) as
    | (Envelope<T> & { readonly error?: { readonly message: string }; readonly retryAfterSeconds?: number })
    | undefined;
  if (response.ok && answer !== undefined) return answer;
  const message = answer?.error?.message ?? answer?.message ?? `The service answered ${response.status}.`;
  throw new RequestFailed(response.status, message, answer?.retryAfterSeconds);
}

async function readData<T>(response: Response): Promise<T> {
  return (await readEnvelope<T>(response)).data;
}
