/** One bot as it is now, with the version that a change of it names. */
import { say } from "../language/say.ts";
import type { Account, Bot } from "../state/model.ts";
import { RequestFailed, type Session } from "../state/session.ts";
import type { BotKind } from "./draft.ts";

const NOT_FOUND = 404;

interface ReadBot {
  readonly data: Bot;
  readonly version: string;
}

export async function readBot(session: Session, kind: BotKind, id: number, account: Account): Promise<ReadBot> {
  const query = new URLSearchParams({ brokerageCode: account.brokerageCode });
  try {
    return await session.getVersion<Bot>(`/api/v1/${kind}/${id}?${query}`);
  } catch (error) {
    if (!(error instanceof RequestFailed) || error.status !== NOT_FOUND) throw error;
    throw new RequestFailed(NOT_FOUND, say("The bot has ended."));
  }
}
