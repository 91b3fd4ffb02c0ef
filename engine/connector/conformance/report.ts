/**
 * The observed behaviour of a connector, and the promise that it supports.
 *
 * Owns: the verdict. Does not own: the observations (checks.ts), printing (engine/entry/conformance.ts).
 */
import { isStrongerPromise, type ResendPromise } from "../../../src/contract/trading/order.ts";

/** `breach`: the contract is broken, or the connector keeps less than it promises. `note`: worth knowing. */
interface Finding {
  readonly type: "held" | "breach" | "note";
  readonly text: string;
}

export interface Verdict {
  readonly findings: readonly Finding[];
  /** Operations without an answering process. */
  readonly missing: readonly string[];
  /** The promise in the connector's status; null: it sends no status. */
  readonly told: ResendPromise | null;
  /** The strongest promise that the answers support. */
  readonly supported: ResendPromise;
  /** For each stronger promise, why the answers do not support it. */
  readonly whyNot: Readonly<Partial<Record<ResendPromise, readonly string[]>>>;
  readonly isConforming: boolean;
}

const STRONGEST_FIRST: readonly ResendPromise[] = ["idempotent", "expiry", "query", "none"];

export class ReportBuilder {
  readonly #findings: Finding[] = [];
  readonly #missing: string[] = [];
  readonly #against = new Map<ResendPromise, string[]>();
  told: ResendPromise | null = null;

  /** A rule of the contract that every connector keeps. */
  require(isKept: boolean, held: string, breach: string): void {
    this.#findings.push(isKept ? { type: "held", text: held } : { type: "breach", text: breach });
  }

  note(text: string): void {
    this.#findings.push({ type: "note", text });
  }

  missing(operation: string): void {
    this.#missing.push(operation);
  }

  /** Notes a condition for these promises; if it does not hold, they are not supported. */
  needs(promises: readonly ResendPromise[], isSo: boolean, held: string, because: string): void {
    if (isSo) this.#findings.push({ type: "held", text: held });
    for (const promise of isSo ? [] : promises) {
      this.#against.set(promise, [...(this.#against.get(promise) ?? []), because]);
    }
  }

  verdict(): Verdict {
    const supported = STRONGEST_FIRST.find((promise) => !this.#against.has(promise)) ?? "none";
    const findings = [...this.#findings];
    if (this.told !== null && isStrongerPromise(this.told, supported)) {
      findings.push({ type: "breach", text: `it reports resend ${this.told}, and its answers support ${supported}` });
    }
    const stronger = STRONGEST_FIRST.filter((promise) => isStrongerPromise(promise, supported));
    return {
      findings,
      missing: this.#missing,
      told: this.told,
      supported,
      whyNot: Object.fromEntries(stronger.map((promise) => [promise, this.#against.get(promise) ?? []])),
      isConforming: findings.every(({ type }) => type !== "breach"),
    };
  }
}
