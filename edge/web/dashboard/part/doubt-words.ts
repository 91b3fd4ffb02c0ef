/** An order in doubt as text: what it is about, what is protected until it is settled, and what to do (behaviour 13.6). */
import type { BotNames } from "../../../../src/event/describe-event.ts";
import { say } from "../language/say.ts";
import { ACTIVE, type DoubtfulOrder, type OcoRow, STOP_LOSS } from "../state/model.ts";
import { priceText, quantityText } from "./words.ts";

/** The part of a group's plan that names the row of an order. */
export interface DoubtPlan {
  readonly rows: readonly OcoRow[];
  readonly orders: readonly { readonly rowId: number; readonly orderNo: string | null }[];
}

/** Returns the row, bot or pending OCO that the order belongs to. `plan`: its group's, once it is read. */
export function subjectText({ owner, orderNumbers }: DoubtfulOrder, plan?: DoubtPlan, names?: BotNames): string {
  switch (owner.type) {
    case "group": {
      const sent = plan?.orders.find(({ orderNo }) => orderNo !== null && orderNumbers.includes(orderNo));
      const row = plan?.rows.find(({ id }) => id === sent?.rowId);
      if (row === undefined) return say("OCO group {id}", { id: owner.id });
      return row.orderType === STOP_LOSS
        ? say("Stop-loss of {lots} lots at {price} of OCO group {id}", { ...lotsOf(row), id: owner.id })
        : say("Take-profit of {lots} lots at {price} of OCO group {id}", { ...lotsOf(row), id: owner.id });
    }
    case "bot": {
      const name = names?.get(owner.id);
      return name === undefined ? say("Bot {id}", { id: owner.id }) : say("Bot “{name}”", { name });
    }
    case "pendingOco":
      return say("Pending OCO {id}", { id: owner.id });
    case "client":
      return say("An order that you placed");
  }
}

/** Returns what is under watch while the order is in doubt; undefined until the plan of its group is read. */
export function protectionText({ owner }: DoubtfulOrder, plan?: DoubtPlan): string | undefined {
  switch (owner.type) {
    case "group":
      return plan && levelsText(plan.rows.filter(({ status }) => status === ACTIVE));
    case "bot":
      return say("No level protects these lots. The bot sends no other order for this trade.");
    case "pendingOco":
      return say("Nothing is under watch: the group is made when the brokerage reports the fill.");
    case "client":
      return say("No level depends on this order.");
  }
}

function levelsText(active: readonly OcoRow[]): string {
  if (active.length === 0) return say("Nothing of the group is under watch: no stop-loss protects its lots.");
  const [stopLoss] = active.filter(({ orderType }) => orderType === STOP_LOSS);
  const others = active.filter(({ orderType }) => orderType !== STOP_LOSS).map(rowText);
  if (stopLoss === undefined)
    return say("No stop-loss is under watch. Under watch: {levels}.", { levels: others.join(", ") });
  const levels = [stopLoss, ...active.filter((row) => row !== stopLoss)].map(rowText).join(", ");
  return say("Under watch: {levels}.", { levels });
}

function rowText(row: OcoRow): string {
  return row.orderType === STOP_LOSS
    ? say("stop-loss of {lots} lots at {price}", lotsOf(row))
    : say("take-profit of {lots} lots at {price}", lotsOf(row));
}

function lotsOf({ quantity, price }: OcoRow): { readonly lots: string; readonly price: string } {
  return { lots: quantityText(quantity), price: priceText(price) };
}

/** Returns the next step of the order's owner. `isOperator`: the owner settles it by the commands below the text. */
export function adviceText({ owner, orderNo, brokerageCode }: DoubtfulOrder, isOperator: boolean): string {
  const order = { orderNo, brokerage: brokerageCode };
  if (owner.type === "pendingOco")
    return say(
      "Look at order {orderNo} at {brokerage}. If it bought nothing, remove the pending OCO (Pending). If it bought lots, remove it as well and make a group for them.",
      order,
    );
  const question = say(
    "Look at order {orderNo} at {brokerage}: how many lots were filled in all, and at which price?",
    order,
  );
  return isOperator
    ? `${question} ${say("Then settle it with one of these commands.")}`
    : `${question} ${say("Report it to your operator.")}`;
}

/** Returns the two commands that settle an order in doubt. `id`: its id in the operator's list. */
export function settlingCommands(orderNo: string, id: string): readonly [filled: string, notFilled: string] {
  const command = `npm run cli -- release ${id} --order-no ${shellWord(orderNo)}`;
  return [`${command} --filled LOTS@PRICE`, `${command} --not-filled`];
}

/** Returns the next step for an order without an answer. `isOperator`: the reader can settle it. */
export function decidingText(brokerageCode: string, isOperator: boolean): string {
  const look = say("Look for it at {brokerage}.", { brokerage: brokerageCode });
  const next = isOperator
    ? say(
        "Then settle it: it exists under a number, it does not exist and is refused, or it does not exist and is sent again.",
      )
    : say("The service asks for it as well. If it remains without an answer, report what you found to your operator.");
  return `${look} ${next}`;
}

/** Returns the three commands that settle an order without an answer. `id`: its id in the operator's list. */
export function decidingCommands(id: string): readonly [placed: string, refused: string, resend: string] {
  const command = `npm run cli -- release ${id}`;
  return [`${command} --placed ORDER_NO`, `${command} --refused "MESSAGE"`, `${command} --resend`];
}

function shellWord(text: string): string {
  return /^[\w.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
