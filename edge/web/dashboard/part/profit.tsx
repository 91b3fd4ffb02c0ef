/** A profit in currency or in percent of what was paid; a dash if it is not known. */
import { profitText, shareText } from "./words.ts";

export function Profit({ amount }: { readonly amount: number | null | undefined }) {
  if (amount === null || amount === undefined) return <>–</>;
  return <span class={`whole ${toneOf(amount, 2)}`}>{profitText(amount)}</span>;
}

export function Share({ share }: { readonly share: number | undefined }) {
  if (share === undefined) return <>–</>;
  return <span class={`whole ${toneOf(share, 4)}`}>{shareText(share)}</span>;
}

/** A profit with its share of what was paid, in parentheses: two numbers in sequence would read as one. */
export function ProfitAndShare({
  amount,
  share,
}: {
  readonly amount: number | undefined;
  readonly share: number | undefined;
}) {
  return (
    <>
      <Profit amount={amount} />
      {share !== undefined && <span class={`whole ${toneOf(share, 4)}`}> ({shareText(share)})</span>}
    </>
  );
}

/** The class of an amount as it is shown: an amount that rounds to zero has no color. */
function toneOf(amount: number, decimals: number): string {
  const shown = Math.round(amount * 10 ** decimals);
  return shown === 0 ? "" : shown < 0 ? "down" : "up";
}
