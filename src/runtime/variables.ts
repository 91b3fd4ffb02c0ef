/** Variables of the environment, as every program reads them. */

export type Variables = Readonly<Record<string, string | undefined>>;

/** The value of a variable; undefined where it is not set, and where it is empty or blank. */
export function givenValue(variables: Variables, name: string): string | undefined {
  const value = variables[name];
  return value === undefined || value.trim() === "" ? undefined : value;
}
