/**
 * `npm run signing-key -- <file>`: makes the key that signs access tokens, for engines that share partitions. Each of
 * them gets a copy (SIGNING_KEY_FILE). An existing file is not changed.
 */
import { existsSync } from "node:fs";
import { explainFailedStart } from "../../src/runtime/process.ts";
import { UserError } from "../../src/runtime/user-error.ts";
import { makeSigningKey } from "../identity/signing.ts";

async function main(): Promise<void> {
  const [path, ...rest] = process.argv.slice(2);
  if (path === undefined || rest.length > 0) {
    throw new UserError("usage: npm run signing-key -- <file>", { reason: "usage" });
  }
  if (existsSync(path)) {
    throw new UserError(`${path} exists: it is kept, give another name`, { reason: "cannotCreate" });
  }
  const { kid } = await makeSigningKey(path);
  process.stdout.write(`${path} holds the new signing key ${kid}\n`);
}

main().catch(explainFailedStart("signing-key"));
