/** The change of the day, and the prices at which the exchange takes orders. */
import { say } from "../language/say.ts";
import { Share } from "../part/profit.tsx";
import type { Band } from "../part/use-day-bases.ts";
import { priceText } from "../part/words.ts";

interface DayLineProps {
  /** How far the last price is from the base price of the day; undefined: not known, as with `band`. */
  readonly dayShare: number | undefined;
  readonly band: Band | undefined;
}

export function DayLine({ dayShare, band }: DayLineProps) {
  if (dayShare === undefined && band === undefined) return null;
  return (
    <p class="hint day-line">
      {dayShare !== undefined && (
        <span>
          <Share share={dayShare} /> {say("on the day")}
        </span>
      )}
      {band !== undefined && (
        <span title={say("The exchange takes orders at these prices only.")}>
          {say("Today’s limits: {floor} to {ceiling}", {
            floor: priceText(band.floorPrice),
            ceiling: priceText(band.ceilingPrice),
          })}
        </span>
      )}
    </p>
  );
}
