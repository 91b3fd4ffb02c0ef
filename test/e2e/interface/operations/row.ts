/**
 * A row of the table of operations: one operation, what succeeds, what is refused and how.
 */
import type { Answer, Given, World } from "./world.ts";

export interface Refused {
  /** The change of the request that makes it wrong. */
  readonly given: (right: Given, world: World) => Given;
  readonly status: 400 | 403 | 404 | 409;
  readonly message: RegExp;
}

export interface Row {
  /** As the document names it: `GET /api/v1/oco-orders/{id}`. */
  readonly operation: string;
  readonly scope: "read" | "trade" | "admin";
  /** A request that succeeds. */
  readonly given: (world: World) => Given;
  /** What must hold of the answer; keeps ids for later rows. */
  readonly success: (answer: Answer, world: World) => void | Promise<void>;
  readonly refused?: readonly Refused[];
  /** The same request for something that is not there: 404. */
  readonly absent?: (right: Given) => Given;
  /** What another user gets for this very request; default: an answer with nothing of Alice's in it. */
  readonly foreign?: 403 | 404;
  /** Waited for before a request that is not refused before its own limit is asked. */
  readonly waitMs?: number;
}

/** Changes fields of a JSON body. */
export function withBody(change: Readonly<Record<string, unknown>>): Refused["given"] {
  return (right) => ({ ...right, json: { ...(right.json as object), ...change } });
}

/** Changes query parameters. */
export function withQuery(change: Readonly<Record<string, string>>): Refused["given"] {
  return (right) => ({ ...right, query: { ...right.query, ...change } });
}

/** Changes path parameters. */
export function withPath(change: Readonly<Record<string, string | number>>): (right: Given) => Given {
  return (right) => ({ ...right, path: { ...right.path, ...change } });
}

export const unknownBrokerage: Refused = {
  given: withBody({ brokerageCode: "paper" }),
  status: 400,
  message: /brokerageCode/,
};
export const unknownBrokerageInQuery: Refused = { ...unknownBrokerage, given: withQuery({ brokerageCode: "paper" }) };
/** What is asked for is the user's, and at another brokerage than the one named. */
export const ofAnotherBrokerage: Refused = {
  given: withQuery({ brokerageCode: "TINY" }),
  status: 404,
  message: /not found/,
};
export const unknownSymbol: Refused = { given: withBody({ symbol: "NOSUCH" }), status: 400, message: /symbol NOSUCH/ };

export const ABSENT_ID = 999_999_999;
