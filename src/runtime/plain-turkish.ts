/** Turkish text in a form that can be searched: announcements and answers spell the same word in several ways. */

/**
 * Returns the text in lower case, with Latin letters for Turkish ones and single spaces. Capitals with and without a dot,
 * letters with a mark of their own, and the dot that other languages leave on a lowered İ give the same text.
 */
export function plainTurkish(text: string): string {
  return text.toLocaleLowerCase("tr").normalize("NFKD").replace(/\p{M}/gu, "").replace(/ı/g, "i").replace(/\s+/g, " ");
}
