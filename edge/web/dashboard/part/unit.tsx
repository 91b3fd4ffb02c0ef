/** The currency of an amount, smaller than the amount; nothing while it is not known. */
export function Unit({ currency }: { readonly currency: string | undefined }) {
  return currency === undefined ? null : <span class="unit">{currency}</span>;
}
