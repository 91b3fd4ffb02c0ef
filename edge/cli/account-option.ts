/** The options that name one account, as several commands take them. */
import type { Command } from "commander";

export interface AccountOptions {
  readonly brokerage: string;
  readonly account: string;
}

/** Adds the options, both required. */
export function ofAccount(command: Command): Command {
  return command
    .requiredOption("--brokerage <code>", "the account's brokerage")
    .requiredOption("--account <accountNumber>", "the account");
}

/** The account as the interface names it. */
export function accountOf({ brokerage, account }: AccountOptions) {
  return { brokerageCode: brokerage, accountNumber: account };
}
