/**
 * The first start: a demo user whose API key is in the data folder for the operator.
 *
 * Invariant: the file is written before the user. A crash in between leaves a key without a user; the next start still
 * finds no user, and gives that key to the user that it makes. No user ever has a key that is not in the file.
 */
import { join } from "node:path";
import { SCOPES } from "../../src/domain/family.ts";
import { writeDurableFile } from "../../src/runtime/durable-file.ts";
import type { Log } from "../../src/runtime/ports.ts";
import { UserError } from "../../src/runtime/user-error.ts";
import type { Directory } from "./directory.ts";
import { readPrivateFile } from "./private-file.ts";
import type { Decide } from "./revocations.ts";
import { isApiKey, makeApiKey, type RandomBytes } from "./secret.ts";

const FILE_NAME = "bootstrap-api-key";

/** The file of the demo user's key, for as long as the operator keeps it. */
export function bootstrapKeyPath(dataFolder: string): string {
  return join(dataFolder, FILE_NAME);
}

interface BootstrapOptions {
  readonly dataFolder: string;
  readonly directory: Directory;
  readonly decide: Decide;
  readonly random: RandomBytes;
  readonly log: Log;
}

/** The result of the first start. `apiKey` is printed once and never logged. */
export interface Bootstrap {
  readonly userId: number;
  readonly apiKey: string;
  readonly path: string;
}

/** Makes the demo user if no user exists; undefined if one does. Throws if the file is not a key. */
export async function ensureBootstrap(options: BootstrapOptions): Promise<Bootstrap | undefined> {
  const { directory, decide, dataFolder } = options;
  if (await directory.hasUsers()) return undefined;
  const path = bootstrapKeyPath(dataFolder);
  const apiKey = await keepApiKey(path, options);
  return decide(() => {
    const { userId } = directory.createUser("demo");
    directory.addApiKey(userId, "bootstrap", SCOPES, apiKey);
    return { userId, apiKey, path };
  });
}

async function keepApiKey(path: string, { random, log }: BootstrapOptions): Promise<string> {
  const text = await readPrivateFile(path, log);
  if (text !== undefined) {
    const kept = text.trim();
    if (!isApiKey(kept))
      throw new UserError(`${path} does not hold an API key: remove it to have a new one made`, {
        reason: "data",
      });
    return kept;
  }
  const made = makeApiKey(random);
  await writeDurableFile(path, `${made}\n`);
  return made;
}
