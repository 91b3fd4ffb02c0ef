/** A dash in place of a value that is not known: the reason is shown under the pointer, and read by screen readers. */
export function Dash({ why }: { readonly why: string }) {
  return (
    <span class="hint" title={why}>
      <span aria-hidden="true">–</span>
      <span class="hidden">{why}</span>
    </span>
  );
}
