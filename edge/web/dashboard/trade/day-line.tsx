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
    <p class="hint">
      {dayShare !== undefined && (
        <>
          <Share share={dayShare} /> {say("on the day")}
        </>
      )}
      {dayShare !== undefined && band !== undefined && " · "}
      {band !== undefined &&
        say("floor {floor}, ceiling {ceiling}", {
          floor: priceText(band.floorPrice),
          ceiling: priceText(band.ceilingPrice),
        })}
    </p>
  );
}
