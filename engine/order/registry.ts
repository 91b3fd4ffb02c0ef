/**
 * The brokerages of `BROKERAGES_FILE`.
 */
import { z } from "zod";
import { describeIssues } from "../../src/contract/issue.ts";
import { type BrokerageSettings, brokerageSettingsSchema } from "../../src/contract/trading/order.ts";
import { readTextFile } from "../../src/runtime/text-file.ts";
import { mistakeOf, UserError } from "../../src/runtime/user-error.ts";
import type { Brokerage, Brokerages } from "../ports/brokerage.ts";

const fileSchema = z.array(brokerageSettingsSchema).min(1);

/** Reads and checks the file. Throws with one readable line. */
export function readBrokeragesFile(file: string): readonly BrokerageSettings[] {
  const parsed = fileSchema.safeParse(readJson(file));
  const codes = parsed.success ? parsed.data.map((settings) => settings.code) : [];
  const twice = new Set(codes.filter((code, index) => codes.indexOf(code) !== index));
  const mistakes = parsed.success
    ? [...twice].map((code) => `code ${code} is listed twice`)
    : describeIssues(parsed.error);
  if (!parsed.success || mistakes.length > 0) {
    const lines = mistakes.map((mistake) => `BROKERAGES_FILE: ${file}: ${mistake}`);
    throw new UserError(lines.join("\n"), { reason: "data" });
  }
  return parsed.data;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readTextFile(file));
  } catch (cause) {
    if (cause instanceof SyntaxError) {
      throw new UserError(`BROKERAGES_FILE: ${file} is not JSON: ${cause.message}`, { reason: "data", cause });
    }
    const mistake = mistakeOf(cause);
    if (mistake === undefined) throw cause;
    throw new UserError(`BROKERAGES_FILE: ${mistake.message}`, { reason: mistake.reason, cause });
  }
}

/** Throws if a brokerage is reached only through NATS and the process is not connected to it. */
export function refuseGatewaysWithoutNats(settings: readonly BrokerageSettings[]): void {
  const codes = settings.filter(({ adapter }) => adapter === "gateway").map(({ code }) => code);
  if (codes.length === 0) return;
  throw new UserError(
    `NATS_URL: is not set, and BROKERAGES_FILE names brokerages with the adapter "gateway" (${codes.join(", ")}): ` +
      "their connectors are reached over NATS",
  );
}

/** The connected brokerages by code. */
export class BrokerageRegistry implements Brokerages {
  readonly #byCode: ReadonlyMap<string, Brokerage>;

  constructor(brokerages: readonly Brokerage[]) {
    this.#byCode = new Map(brokerages.map((brokerage) => [brokerage.settings.code, brokerage]));
  }

  find(code: string): Brokerage | undefined {
    return this.#byCode.get(code);
  }

  all(): readonly Brokerage[] {
    return [...this.#byCode.values()];
  }
}
