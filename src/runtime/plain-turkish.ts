/** Turkish text in a form that can be searched: announcements and answers spell the same word in several ways. */

const LETTERS: Readonly<Record<string, string>> = { ı: "i", ş: "s", ğ: "g", ü: "u", ö: "o", ç: "c", â: "a", î: "i" };

/** Returns the text in lower case, with Latin letters for Turkish ones and single spaces. */
export function plainTurkish(text: string): string {
  return text
    .toLocaleLowerCase("tr")
    .replace(/[ışğüöçâî]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/\s+/g, " ");
}
