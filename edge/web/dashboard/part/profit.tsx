/** A profit in currency or in percent of what was paid; a dash if it is not known. */
import { moneyText, shareText } from "./words.ts";

export function Profit({ amount }: { readonly amount: number | null | undefined }) {
  if (amount === null || amount === undefined) return <>–</>;
  return <span class={amount < 0 ? "down" : "up"}>{moneyText(amount)}</span>;
}

export function Share({ share }: { readonly share: number | undefined }) {
  if (share === undefined) return <>–</>;
  return <span class={share < 0 ? "down" : "up"}>{shareText(share)}</span>;
}
