/** Buttons that fill in a quarter, a half, three quarters or all of an amount. */
import { say } from "../language/say.ts";

const SHARES = [25, 50, 75, 100] as const;

interface SharesProps {
  /** The name of the whole, for example "the holding". */
  readonly of: string;
  /** The whole in lots; undefined while it is not known. */
  readonly lots: number | undefined;
  readonly onLots: (lots: number) => void;
}

/** Lots are rounded down: a share is never more than its percent. */
export function Shares({ of, lots, onLots }: SharesProps) {
  return (
    <fieldset class="choice" aria-label={say("Percent of {whole}", { whole: of })}>
      {SHARES.map((share) => (
        <button
          key={share}
          type="button"
          class="quiet"
          disabled={lots === undefined || lots < 1}
          onClick={() => onLots(Math.floor(((lots ?? 0) * share) / 100))}
        >
          {say("{share}%", { share })}
        </button>
      ))}
    </fieldset>
  );
}
