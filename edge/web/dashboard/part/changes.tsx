/** Values that are about to be changed, old and new. */
import { say } from "../language/say.ts";

interface ChangesProps {
  readonly of: readonly { readonly what: string; readonly before: string; readonly after: string }[];
}

export function Changes({ of }: ChangesProps) {
  return (
    <ul>
      {of.map(({ what, before, after }) => (
        <li key={`${what} ${before} ${after}`}>
          {what}: {before || say("none")} → <strong>{after || say("none")}</strong>
        </li>
      ))}
    </ul>
  );
}
