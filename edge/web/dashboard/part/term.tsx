/** A named amount in a list of sums (`dl.totals`), with a line below that explains it. */
import type { ComponentChildren } from "preact";
import { say } from "../language/say.ts";

interface TermProps {
  readonly name: string;
  readonly below?: ComponentChildren;
  /** Whether the amount is not the whole one. */
  readonly isPartial?: boolean;
  /** Undefined: not read yet. */
  readonly children?: ComponentChildren;
}

export function Term({ name, below, isPartial = false, children }: TermProps) {
  return (
    <div>
      <dt>{name}</dt>
      {children === undefined ? (
        <dd class="hint reading">{say("Reading…")}</dd>
      ) : (
        <dd class={isPartial ? "amount part" : "amount"}>{children}</dd>
      )}
      {below !== undefined && below !== false && <dd class="hint">{below}</dd>}
    </div>
  );
}
