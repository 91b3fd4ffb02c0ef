/** Why something failed, read out as soon as it is there. */
export function Fault({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="fault" role="alert">
      {text}
    </p>
  );
}
