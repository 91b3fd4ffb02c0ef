/**
 * The first start: a demo user whose API key the operator finds in the data folder.
 *
 * Invariant: the file is written before the user is, so a crash in between leaves a key that nobody has yet. The next
 * start finds it, still sees no user, and gives that key to the user it makes. There is never a user without a key that
 * somebody knows.
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

/** Where the demo user's key is kept, for as long as the operator keeps it. */
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

/** What the first start made. `apiKey` is to be printed once and never logged. */
export interface Bootstrap {
  readonly userId: number;
  readonly apiKey: string;
  readonly path: string;
}

/** Makes the demo user where there is no user at all; undefined where there is one. Throws on a file that is no key. */
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
