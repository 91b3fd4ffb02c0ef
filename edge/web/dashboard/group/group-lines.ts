/** The levels of a group that are under watch, as lines of a chart. */
import { say } from "../language/say.ts";
import { quantityText } from "../part/words.ts";
import { ACTIVE, type Group, type OcoRow, STOP_LOSS } from "../state/model.ts";
import type { ChartLine } from "./chart.tsx";

export function groupLines(rows: readonly OcoRow[]): readonly ChartLine[] {
  return rows
    .filter(({ status }) => status === ACTIVE)
    .map((row) => ({
      key: String(row.id),
      price: row.price,
      kind: row.orderType === STOP_LOSS ? "stopLoss" : "takeProfit",
      title:
        row.orderType === STOP_LOSS
          ? say("SL {lots}", { lots: quantityText(row.quantity) })
          : say("TP {lots}", { lots: quantityText(row.quantity) }),
    }));
}

/** The levels of all groups of a symbol, each named with its group: they are not dragged. */
export function watchedLines(groups: readonly Group[], symbol: string): readonly ChartLine[] {
  return groups
    .filter((group) => group.symbol === symbol)
    .flatMap(({ id, rows }) =>
      groupLines(rows).map((line) => ({
        ...line,
        key: `group ${line.key}`,
        title: `#${id} ${line.title}`,
        isFixed: true,
      })),
    );
}
