/** Whether a name was meant to be another one, so surely that the program need not start with it. */
import { distance } from "fastest-levenshtein";

/** Shorter names have too many neighbours that mean something else: HOSTS, VHOST and PORTS are strangers' names. */
const LONG_NAME_LENGTH_MIN = 6;
const LETTERS_A_MISTAKE = 6;

/**
 * True for a long name with a wrong letter in every six of it, and for a short one with a letter too many or too few
 * between its first and its last, or with two that changed places. Case does not count, but a difference of case alone
 * is not a mistake of a short name.
 */
export function isMisspelt(name: string, known: string): boolean {
  const written = name.toUpperCase();
  if (known.length >= LONG_NAME_LENGTH_MIN) {
    return distance(written, known) <= Math.max(1, Math.floor(known.length / LETTERS_A_MISTAKE));
  }
  return hasOneMoreWithin(written, known) || hasOneMoreWithin(known, written) || isSwapped(written, known);
}

/** True where at most one letter differs, or the case. */
export function isNeighbour(name: string, known: string): boolean {
  return distance(name.toUpperCase(), known) <= 1;
}

/** A doubled letter is one of them, also at an end. */
function hasOneMoreWithin(longer: string, shorter: string): boolean {
  const inner = Array.from({ length: Math.max(0, longer.length - 2) }, (_, index) => index + 1);
  return inner.some((index) => longer.slice(0, index) + longer.slice(index + 1) === shorter);
}

function isSwapped(written: string, known: string): boolean {
  if (written === known) return false;
  return [...known.slice(1)].some((letter, index) => {
    const swapped = `${known.slice(0, index)}${letter}${known.charAt(index)}${known.slice(index + 2)}`;
    return swapped === written;
  });
}
