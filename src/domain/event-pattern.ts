/** Whether a type is meant: itself, `oco.*` for all that begin so, `*` for all. */
export function fitsPattern(type: string, pattern: string): boolean {
  if (pattern === "*") return true;
  return pattern.endsWith(".*") ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
}
