/** Bytes of text, for those who read what the bus brings without making a string of it. */

export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;
export const SPACE = 0x20;
export const ZERO = 0x30;
const NINE = 0x39;

/** Whether the byte is one of 0 to 9; undefined, beyond the end of an array, is not. */
export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}
