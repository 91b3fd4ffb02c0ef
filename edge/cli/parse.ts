/** Arguments of the command line. */
import { InvalidArgumentError } from "commander";

/** A whole number of at least 0. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError(`${text} is not a whole number`);
  return Number(text);
}

/** `on` or `off`. */
export function onOrOff(text: string): boolean {
  if (text !== "on" && text !== "off") throw new InvalidArgumentError("must be on or off");
  return text === "on";
}

/** A number above 0, with a point. */
export function positiveNumber(text: string): number {
  const value = /^\d{1,15}(\.\d{1,9})?$/.test(text) ? Number(text) : 0;
  if (value === 0) throw new InvalidArgumentError(`${text} is not a number above 0`);
  return value;
}
