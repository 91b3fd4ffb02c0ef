/** Levels in percent of the last price, and lots by the amount that is at risk: fills in the fields of a new group. */
import { useState } from "preact/hooks";
import type { PercentKind } from "../../../../src/domain/price/percent.ts";
import type { TickTable } from "../../../../src/domain/price/tick-table.ts";
import { say } from "../language/say.ts";
import { Field } from "../part/field.tsx";
import { numberRule, readNumber } from "../part/number-text.ts";
import { readPercent, snap } from "./levels.ts";

/** All words of the fields, in one place. */
const TEXT = {
  title: say("By percent and risk"),
  stop: (of: string) => say("Stop-loss, % below {of}", { of }),
  profit: (of: string) => say("Take-profit, % above {of}", { of }),
  risk: () => say("Amount at risk (optional)"),
  hint: (of: string) =>
    say("The amount at risk is what a sale at the stop-loss costs against {of}. It fills in the lots.", { of }),
  fill: say("Fill in the levels"),
  noLevel: say("This gives no price of the tick table."),
  noPrice: say("The symbol has no price yet."),
  tooLittle: say("Less than what one lot would lose."),
} as const;

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
  const levelOf = (field: "stop" | "profit", kind: PercentKind, sign: 1 | -1): [number, number] => {
    const percent = readPercent(texts[field], kind);
    const level = typeof percent === "number" ? snap(price * (1 + (sign * percent) / 100), table) : undefined;
    if (typeof percent === "number" && level !== undefined) return [level, percent];
    faults[field] = typeof percent === "number" ? TEXT.noLevel : percent.fault;
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

export function Risk({ price, of = say("the last price"), table, onPropose }: RiskProps) {
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
