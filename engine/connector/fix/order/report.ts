/**
 * An ExecutionReport (35=8) as plain values, of FIX 4.2 and 4.4 alike.
 *
 * Invariant: a report that cannot be read whole does not count. A fractional quantity or an unknown status must not
 * become a fill.
 */
import { type FixMessage, readText } from "../wire/message.ts";
import { Tag } from "../wire/tag.ts";

/** `told`: the broker's own news. `answer`: to a question of ours. `correction`: a fill was busted or changed. */
type ReportKind = "told" | "answer" | "correction";

export interface Report {
  readonly kind: ReportKind;
  /** Identifies this report among all reports of its order; undefined for answers, which have no identity. */
  readonly key?: string;
  readonly clientOrderId?: string;
  readonly originalClientOrderId?: string;
  readonly orderId?: string;
  /** The value of field 39. */
  readonly status: string;
  /** The value of field 150, or of 39 if it is absent. */
  readonly execType: string;
  readonly filledQuantity: number;
  readonly averagePrice?: number;
  readonly lastQuantity?: number;
  readonly lastPrice?: number;
  readonly rejectReason?: number;
  /** The value of field 378: why the brokerage cancelled or changed it unasked. */
  readonly restatementReason?: number;
  readonly text: string;
}

const KNOWN_STATUS = /^[0-9A-E]$/;
/** OrderID as brokers write it for an order that they do not know. */
const NO_ORDER_ID = /^(none|unknown|n\/a|null|0|\[n\/a\])$/i;
/** ExecID of an answer without news, in FIX 4.2; some brokers of FIX 4.4 write it, too. */
const NO_EXEC_ID = "0";
/** OrdRejReason: unknown order. */
const UNKNOWN_ORDER = 5;
/** OrdRejReason: duplicate order. */
export const DUPLICATE_ORDER = 6;

/** Reads a report; returns a text that describes the fault if it cannot. */
export function readReport(message: FixMessage): Report | string {
  const status = message.get(Tag.OrdStatus) ?? "";
  if (!KNOWN_STATUS.test(status)) return `OrdStatus (39) ${readText(status, 10)} is not known`;
  const filledQuantity = wholeNumber(message.decimal(Tag.CumQty));
  if (filledQuantity === undefined) return "CumQty (14) is absent or no whole number";
  const kind = kindOf(message);
  const execId = message.get(Tag.ExecID) ?? "";
  return {
    kind,
    status,
    filledQuantity,
    execType: message.get(Tag.ExecType) ?? status,
    text: readText(message.get(Tag.Text)),
    ...(kind === "answer" || execId === "" || execId === NO_EXEC_ID ? {} : { key: `${execId}/${filledQuantity}` }),
    ...present("clientOrderId", message.get(Tag.ClOrdID)),
    ...present("originalClientOrderId", message.get(Tag.OrigClOrdID)),
    ...present("orderId", orderIdOf(message)),
    ...present("averagePrice", message.decimal(Tag.AvgPx)),
    ...present("lastQuantity", wholeNumber(message.decimal(Tag.LastQty))),
    ...present("lastPrice", message.decimal(Tag.LastPx)),
    ...present("rejectReason", message.int(Tag.OrdRejReason)),
    ...present("restatementReason", message.int(Tag.ExecRestatementReason)),
  };
}

/**
 * Whether a report is the answer "no such order" to a question about one. `perhaps`: it names no order and has a reason
 * of its own ("other", which brokers write for "not found" and for "not now"). That is not a refusal of the order, and
 * not a proof.
 */
export function saysUnknownOrder(report: Report): "yes" | "perhaps" | "no" {
  if (report.status !== "8" || report.filledQuantity > 0) return "no";
  if (report.rejectReason === UNKNOWN_ORDER) return "yes";
  if (report.kind !== "answer" || report.orderId !== undefined) return "no";
  return report.rejectReason === undefined ? "yes" : "perhaps";
}

function kindOf(message: FixMessage): ReportKind {
  const execType = message.get(Tag.ExecType);
  const transaction = message.get(Tag.ExecTransType);
  // An answer repeats the name of its question, even if a broker marks it as something else.
  if (execType === "I" || transaction === "3" || message.get(Tag.OrdStatusReqID) !== undefined) return "answer";
  const isCorrection = execType === "G" || execType === "H" || transaction === "1" || transaction === "2";
  return isCorrection ? "correction" : "told";
}

function orderIdOf(message: FixMessage): string | undefined {
  const orderId = message.get(Tag.OrderID);
  return orderId === undefined || NO_ORDER_ID.test(orderId) ? undefined : readText(orderId, 100);
}

function wholeNumber(value: number | undefined): number | undefined {
  return value !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function present<Name extends string, Value>(name: Name, value: Value | undefined): { readonly [Key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [Key in Name]?: Value });
}
