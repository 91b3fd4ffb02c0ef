/**
 * Subjects and subscription patterns: what is a valid one, and which pattern matches which subject.
 *
 * A subject is tokens joined by dots. In a pattern a token `*` matches exactly one token and a last token `>` matches
 * one or more. Both forms of the bus use these rules; they are a little stricter than a NATS server's: a token that
 * merely contains `*` or `>`, white space, control characters and overlong subjects are refused, so that no subject
 * can smuggle a second protocol line or break the server's limit of 4096 bytes a line.
 */

/** The longest subject, pattern or queue name, in UTF-16 units. */
export const MAX_SUBJECT_LENGTH = 512;

const DOT = 0x2e;
const STAR = 0x2a;
const GREATER = 0x3e;
const SPACE = 0x20;
const DELETE = 0x7f;
const NO_BREAK_SPACE = 0xa0;

/** True when `text` may be published to: no empty token, no white space, no wildcard. */
export function isSubject(text: string): boolean {
  if (text.length === 0 || text.length > MAX_SUBJECT_LENGTH) return false;
  let previous = DOT;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === DOT ? previous === DOT : !isTokenUnit(unit)) return false;
    previous = unit;
  }
  return previous !== DOT;
}

/** True when `text` may be subscribed to: a subject in which whole tokens may be `*` and the last one `>`. */
export function isPattern(text: string): boolean {
  if (text.length === 0 || text.length > MAX_SUBJECT_LENGTH) return false;
  const tokens = text.split(".");
  return tokens.every((token, index) => {
    if (token === "*") return true;
    if (token === ">") return index === tokens.length - 1;
    return isSubject(token);
  });
}

/** True when `text` may name a queue group: one token of a subject. */
export function isQueueName(text: string): boolean {
  return isSubject(text) && !text.includes(".");
}

/** True when the valid pattern matches more than the subject it spells. */
export function hasWildcard(pattern: string): boolean {
  return pattern.includes("*") || pattern.includes(">");
}

/**
 * True when the valid `pattern` matches the valid `subject`. Allocates nothing. For anything that
 * {@link isPattern} or {@link isSubject} refuses the answer means nothing.
 */
export function subjectMatches(pattern: string, subject: string): boolean {
  let inPattern = 0;
  let inSubject = 0;
  // At the top of each turn both are at the start of a token.
  for (;;) {
    const first = pattern.charCodeAt(inPattern);
    if (first === GREATER) return true;
    if (first === STAR) {
      inPattern += 1;
      while (inSubject < subject.length && subject.charCodeAt(inSubject) !== DOT) inSubject += 1;
    } else {
      while (inPattern < pattern.length && pattern.charCodeAt(inPattern) !== DOT) {
        if (pattern.charCodeAt(inPattern) !== subject.charCodeAt(inSubject)) return false;
        inPattern += 1;
        inSubject += 1;
      }
    }
    const isPatternDone = inPattern === pattern.length;
    const isSubjectDone = inSubject === subject.length;
    if (isPatternDone || isSubjectDone) return isPatternDone && isSubjectDone;
    if (subject.charCodeAt(inSubject) !== DOT) return false;
    inPattern += 1;
    inSubject += 1;
  }
}

function isTokenUnit(unit: number): boolean {
  if (unit < DELETE) return unit > SPACE && unit !== STAR && unit !== GREATER;
  if (unit <= NO_BREAK_SPACE) return false;
  // Half a surrogate pair would reach the other side as another character, so the astral planes are left out.
  return (unit < 0xd800 || unit > 0xdfff) && !/\s/u.test(String.fromCharCode(unit));
}
