/** Whether the service can be signed in to, as its probe for load balancers reports it: no token is needed. */

/** `starting`: it answers, but not for every user yet. */
export type ServiceState = "ready" | "starting" | "silent";

const PATH = "/ready";
const ANSWER_MS_MAX = 4_000;

/** Asks the service once. A request that fails, or that takes longer than four seconds, is `silent`. */
export async function readServiceState(): Promise<ServiceState> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    const { ok } = await fetch(PATH, { cache: "no-store", credentials: "omit", signal });
    return ok ? "ready" : "starting";
  } catch {
    return "silent";
  }
}
