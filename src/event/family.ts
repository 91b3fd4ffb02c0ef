/** The family of an event: a user who looks for one kind among many is shown that kind. */
export const FAMILIES = ["groups", "bots", "orders"] as const;
export type EventFamily = (typeof FAMILIES)[number];

const BY_SUBJECT: Readonly<Record<string, EventFamily>> = {
  oco: "groups",
  setup: "groups",
  bot: "bots",
  pair: "bots",
  signal: "bots",
};

/** Orders, alarms and all events outside of groups and bots are one family. */
export function familyOf(type: string): EventFamily {
  return BY_SUBJECT[type.slice(0, type.indexOf("."))] ?? "orders";
}

/** The newest first, as many of each family as `most`: a busy bot pushes no group's event out. */
export function withEvent<E extends { readonly type: string }>(
  events: readonly E[],
  event: E,
  most: number,
): readonly E[] {
  const family = familyOf(event.type);
  const all = [event, ...events];
  const same = all.filter(({ type }) => familyOf(type) === family);
  return same.length <= most ? all : all.filter((one) => one !== same.at(-1));
}
