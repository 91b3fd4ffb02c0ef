/** Levels in percent of the last price, and lots by the amount that is at risk: fills in the fields of a new group. */
import { useState } from "preact/hooks";
import { parsePercent } from "../../../../src/domain/price/percent.ts";
import type { TickTable } from "../../../../src/domain/price/tick-table.ts";
import { Field } from "../part/field.tsx";
import { numberRule, readNumber } from "../part/number-text.ts";
import { snap } from "./levels.ts";

/** All words of the fields, in one place. */
const TEXT = {
  title: "By percent and risk",
  stop: (of: string) => `Stop-loss, % below ${of}`,
  profit: (of: string) => `Take-profit, % above ${of}`,
  risk: () => "Amount at risk (optional)",
  hint: (of: string) => `The amount at risk is what a sale at the stop-loss costs against ${of}. It fills in the lots.`,
  fill: "Fill in the levels",
  noPrice: "The symbol has no price yet.",
  tooLittle: "Less than what one lot would lose.",
} as const;

const PERCENT_DECIMALS_MAX = 4;
const MONEY_DECIMALS_MAX = 2;

interface ProposedLevels {
  readonly stopLossPrice: number;
  readonly stopLossPercent: number;
  readonly takeProfitPrice: number;
  readonly takeProfitPercent: number;
  /** Undefined if no amount at risk was given. */
  readonly lots: number | undefined;
}

interface RiskProps {
  readonly price: number | undefined;
  /** What that price is. */
  readonly of?: string;
  readonly table: TickTable;
  readonly onPropose: (levels: ProposedLevels) => void;
}

type RiskFields = "stop" | "profit" | "risk";
type RiskFaults = Readonly<Partial<Record<RiskFields, string>>>;

/** The levels that the texts ask for, or a message for each field that breaks a rule. */
function proposeByRisk(
  texts: Readonly<Record<RiskFields, string>>,
  price: number | undefined,
  table: TickTable,
): ProposedLevels | { readonly faults: RiskFaults } {
  if (price === undefined) return { faults: { stop: TEXT.noPrice } };
  const faults: Partial<Record<RiskFields, string>> = {};
  const levelOf = (field: "stop" | "profit", kind: "stopLoss" | "takeProfit", sign: 1 | -1): [number, number] => {
    const percent = readNumber(texts[field], PERCENT_DECIMALS_MAX);
    const read = percent === undefined ? undefined : parsePercent(percent, "The percent", kind);
    if (read?.ok === true) {
      const level = snap(price * (1 + (sign * read.value) / 100), table);
      if (level !== undefined) return [level, read.value];
    }
    faults[field] = read === undefined || read.ok ? numberRule(PERCENT_DECIMALS_MAX) : `${read.message}.`;
    return [0, 0];
  };
  const [stopLossPrice, stopLossPercent] = levelOf("stop", "stopLoss", -1);
  const [takeProfitPrice, takeProfitPercent] = levelOf("profit", "takeProfit", 1);
  let lots: number | undefined;
  if (texts.risk.trim() !== "") {
    const risk = readNumber(texts.risk, MONEY_DECIMALS_MAX);
    const loss = price - stopLossPrice;
    lots = risk === undefined || loss <= 0 ? 0 : Math.floor(risk / loss);
    if (risk === undefined) faults.risk = numberRule(MONEY_DECIMALS_MAX);
    else if (faults.stop === undefined && lots < 1) faults.risk = TEXT.tooLittle;
  }
  if (Object.keys(faults).length > 0) return { faults };
  return { stopLossPrice, stopLossPercent, takeProfitPrice, takeProfitPercent, lots };
}

export function Risk({ price, of = "the last price", table, onPropose }: RiskProps) {
  const [texts, setTexts] = useState<Readonly<Record<RiskFields, string>>>({ stop: "3", profit: "5", risk: "" });
  const [faults, setFaults] = useState<RiskFaults>({});
  const fill = (): void => {
    const proposed = proposeByRisk(texts, price, table);
    setFaults("faults" in proposed ? proposed.faults : {});
    if (!("faults" in proposed)) onPropose(proposed);
  };
  const field = (name: RiskFields) => (
    <Field label={TEXT[name](of)} fault={faults[name]}>
      {(attributes) => (
        <input
          {...attributes}
          value={texts[name]}
          autocomplete="off"
          onInput={(event) => setTexts({ ...texts, [name]: event.currentTarget.value })}
        />
      )}
    </Field>
  );
  return (
    <details>
      <summary>{TEXT.title}</summary>
      <div class="fields">
        {field("stop")}
        {field("profit")}
        {field("risk")}
        <button type="button" onClick={fill}>
          {TEXT.fill}
        </button>
      </div>
      <p class="hint">{TEXT.hint(of)}</p>
    </details>
  );
}
