/** How many lots an order has: typed, counted from an amount of money, or a share of what is possible. */
import { say } from "../language/say.ts";
import { Field } from "../part/field.tsx";
import { readNumber } from "../part/number-text.ts";
import { Shares } from "../part/shares.tsx";
import { quantityText } from "../part/words.ts";
import { TEXT } from "./texts.ts";
import { amountOfLots, type TicketDraft, withTicketAmount, withTicketLots } from "./ticket-draft.ts";

interface SizeProps {
  readonly draft: TicketDraft;
  /** What a lot counts; undefined: not known. */
  readonly lotPrice: number | undefined;
  readonly currency: string;
  /** The name of what the shares are of. */
  readonly whole: string;
  /** The most lots that are possible; undefined: not known. */
  readonly most: number | undefined;
  readonly fault: string | undefined;
  readonly onChange: (changes: Partial<TicketDraft>) => void;
}

export function Size({ draft, lotPrice, currency, whole, most, fault, onChange }: SizeProps) {
  const isMoney = draft.amount !== undefined;
  const lots = readNumber(draft.lots, 0);
  /** The lots, with the amount that pays them if the field has one. */
  const changeLots = (count: number, isCounted: boolean): void => {
    const amount = isCounted && lotPrice !== undefined ? amountOfLots(count, lotPrice) : undefined;
    onChange({ ...withTicketLots(draft, String(count)), amount });
  };
  const changeUnit = (toMoney: boolean): void => {
    if (lots !== undefined && lots > 0 && (!toMoney || lotPrice !== undefined)) changeLots(lots, toMoney);
    else onChange({ ...withTicketLots(draft, ""), amount: toMoney ? "" : undefined });
  };
  return (
    <div class="size">
      <fieldset class="choice units" aria-label={TEXT.sizeIn}>
        <button type="button" class="quiet" aria-pressed={!isMoney} onClick={() => isMoney && changeUnit(false)}>
          {TEXT.lots}
        </button>
        <button type="button" class="quiet" aria-pressed={isMoney} onClick={() => isMoney || changeUnit(true)}>
          {currency}
        </button>
      </fieldset>
      <Field
        label={isMoney ? say("Amount, {currency}", { currency }) : TEXT.lots}
        fault={fault}
        note={isMoney && lots !== undefined ? say("= {lots} lots", { lots: quantityText(lots) }) : undefined}
      >
        {(attributes) => (
          <input
            {...attributes}
            inputMode={isMoney ? "decimal" : "numeric"}
            value={draft.amount ?? draft.lots}
            autocomplete="off"
            onInput={({ currentTarget: { value } }) =>
              onChange(isMoney ? withTicketAmount(draft, value, lotPrice) : withTicketLots(draft, value))
            }
          />
        )}
      </Field>
      <Shares of={whole} lots={most} onLots={(count) => changeLots(count, isMoney)} />
    </div>
  );
}
