/** The faults of deliveries (engine/notification/failure.ts) in the language of the page. Any other text is unchanged. */
import { sayEvent, type Text } from "./say.ts";

/** The longer ones of a form come first. */
const TEXTS: readonly Text[] = [
  "{server} refused the sign-in (status {status})",
  "{server} refused the sign-in",
  "{server} refused it (status {status})",
  "no TLS connection with {server}: {fault}",
  "no TLS connection with {server}",
  "time-out: {server} did not answer",
  "{server} is not reachable: its name does not resolve to a public address",
  "{server} is not reachable",
  "{server} broke the connection off",
  "it could not be handed to {server}",
];
/** What they name. A test checks that each fault of the service is known here. */
const NAMED: ReadonlySet<string> = new Set<Text>([
  "the server",
  "the mail server",
  "its certificate has expired",
  "its certificate is not valid yet",
  "its certificate is for another name",
  "its certificate is not trusted",
]);

/** The fault of a delivery in the user's language. */
export function deliveryFaultText(message: string): string {
  for (const text of TEXTS) {
    const values = patternOf(text).exec(message)?.groups;
    if (values === undefined) continue;
    const named = Object.entries(values).map(([name, value]) => [name, NAMED.has(value) ? sayEvent(value) : value]);
    return sayEvent(text, Object.fromEntries(named));
  }
  return message;
}

/** What a text is with its values in it. */
function patternOf(text: string): RegExp {
  const escaped = text.replaceAll(/[()]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll(/\{(\w+)\}/g, "(?<$1>.+)")}$`);
}
