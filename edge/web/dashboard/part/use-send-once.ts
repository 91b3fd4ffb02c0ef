/**
 * What a form makes, made once: a repeat after an answer that was lost bears the key of the first try, and the service
 * gives it the first answer (behaviour 1.6).
 */
import { useRef } from "preact/hooks";
import { RequestFailed, type Session } from "../state/session.ts";

interface Attempt {
  readonly text: string;
  readonly key: string;
}

interface Made<T> {
  readonly data: T;
  readonly message: string;
}

/** A request that is refused so did nothing, and the service would repeat the refusal to the same key. */
const REFUSED_IN_WORDS: ReadonlySet<number> = new Set([400, 404, 422]);

/** Returns the way to POST. A request refused with such a status did nothing: its repeat has another key. */
export function useSendOnce(session: Session): <T>(path: string, body: object) => Promise<Made<T>> {
  const unsure = useRef<Attempt | undefined>(undefined);
  return async <T>(path: string, body: object) => {
    const text = `${path} ${JSON.stringify(body)}`;
    const attempt = unsure.current?.text === text ? unsure.current : { text, key: crypto.randomUUID() };
    try {
      const answer = await session.send<T>("POST", path, body, { key: attempt.key });
      unsure.current = undefined;
      return answer;
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error;
      if (error.status === 0 || error.status >= 500) unsure.current = attempt;
      else if (REFUSED_IN_WORDS.has(error.status)) unsure.current = undefined;
      throw error;
    }
  };
}
