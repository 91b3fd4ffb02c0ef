/** Arguments of the command line. */
import { InvalidArgumentError } from "commander";

/** A whole number of at least 0. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError(`${text} is not a whole number`);
  return Number(text);
}
