/** A dash, or another sign, in place of a value that is not known: the reason is shown under the pointer, and read by screen readers. */
export function Dash({ why, sign = "–" }: { readonly why: string; readonly sign?: string }) {
  return (
    <span class="hint" title={why}>
      <span aria-hidden="true">{sign}</span>
      <span class="hidden">{why}</span>
    </span>
  );
}
