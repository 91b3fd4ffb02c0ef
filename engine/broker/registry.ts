/**
 * The brokerages of `BROKERAGES_FILE`.
 */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { type BrokerageSettings, brokerageSettingsSchema } from "../../src/contract/trading/order.ts";
import { OperatorMistake } from "../../src/operator-mistake.ts";
import type { Brokerage, Brokerages } from "../ports/brokerage.ts";

const fileSchema = z.array(brokerageSettingsSchema).min(1);

/** Reads and checks the file. Throws with one readable line. */
export function readBrokeragesFile(file: string): readonly BrokerageSettings[] {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new OperatorMistake(`BROKERAGES_FILE: ${file} cannot be read as JSON`, { reason: "noInput", cause });
  }
  const parsed = fileSchema.safeParse(json);
  if (!parsed.success) {
    const lines = parsed.error.issues.map(
      ({ path, message }) => `BROKERAGES_FILE: ${file}: ${path.join(".")} ${message}`,
    );
    throw new OperatorMistake(lines.join("\n"), { reason: "data" });
  }
  const codes = parsed.data.map((settings) => settings.code);
  const twice = codes.find((code, index) => codes.indexOf(code) !== index);
  if (twice !== undefined)
    throw new OperatorMistake(`BROKERAGES_FILE: ${file}: code ${twice} is listed twice`, { reason: "data" });
  return parsed.data;
}

/** Throws where a brokerage is reached through NATS only, in a process that has none. */
export function refuseGatewaysWithoutNats(settings: readonly BrokerageSettings[]): void {
  const codes = settings.filter(({ adapter }) => adapter === "gateway").map(({ code }) => code);
  if (codes.length === 0) return;
  throw new OperatorMistake(
    `NATS_URL: is not set, and BROKERAGES_FILE names brokerages with the adapter "gateway" (${codes.join(", ")}): ` +
      "their connectors are reached over NATS",
  );
}

/** Connected brokerages, found by their code. */
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
