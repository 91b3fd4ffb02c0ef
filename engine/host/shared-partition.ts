/**
 * The data of the whole installation: users, keys, tokens, symbols, lists and restrictions (behaviour 12.5). It lives
 * on one partition, whose engine answers for it in addition to that partition's own commands and queries.
 */
import { randomBytes } from "node:crypto";
import type { Envelope } from "../../src/contract/command.ts";
import { TOKEN_AUDIENCE, TOKEN_ISSUER } from "../../src/contract/operator/identity.ts";
import { REVOKED_SUBJECT } from "../../src/contract/subject.ts";
import { every } from "../../src/runtime/clock.ts";
import { userCommands } from "../command/operator/operator.ts";
import { referenceCommands } from "../command/operator/reference.ts";
import { type Bootstrap, ensureBootstrap } from "../identity/bootstrap.ts";
import { Directory } from "../identity/directory.ts";
import { identityHandlers } from "../identity/handlers.ts";
import { Revocations } from "../identity/revocations.ts";
import { openSigner } from "../identity/signing.ts";
import { TokenIssuer } from "../identity/tokens.ts";
import { referenceQueries } from "../query/operator/reference.ts";
import { announceOn } from "../reference/announcer.ts";
import { openReferenceData } from "../reference/reference-store.ts";
import type { Answer } from "./bus-answers.ts";
import type { HostedPartition, SharedServices } from "./hosted-partition.ts";

export const SHARED_PARTITION = 0;
const SWEEP_MS = 60 * 60 * 1000;

/** The shared partition's further answers. A type that it does not know is the partition's own. */
export interface SharedParts {
  readonly bootstrap: Bootstrap | undefined;
  answer(envelope: Envelope): Promise<Answer> | undefined;
  stop(): void;
}

/** Opens identity and reference data over a recovered partition. Ticks must not come before: they need the symbols. */
export async function openSharedParts(services: SharedServices, hosted: HostedPartition): Promise<SharedParts> {
  const { symbols, bus, log } = services;
  const { partition, folder } = hosted;
  // First of all, so that the demo user of a new installation is number 1.
  const { handlers, bootstrap, stop } = await openIdentity(services, hosted);
  const announcer = announceOn(bus);
  const ports = { journal: partition.journal, store: folder.store, log };
  const reference = await openReferenceData({ ...ports, directory: symbols, onChanged: announcer.tell });
  partition.addCommands(referenceCommands(reference));
  const queries = referenceQueries(reference);
  return {
    bootstrap,
    answer: (envelope) => {
      const identity = handlers.get(envelope.type);
      if (identity !== undefined) return identity(envelope.body, envelope);
      return queries.get(envelope.type)?.(partition.context, envelope.userId, envelope.body);
    },
    stop: () => {
      announcer.stop();
      stop();
    },
  };
}

async function openIdentity({ config, bus, log }: SharedServices, { partition, folder }: HostedPartition) {
  const decide = <T>(work: () => T): Promise<T> => partition.decide(work);
  const { journal } = partition;
  const { clock } = partition.context;
  const ports = { journal, store: folder.store, clock, random: randomBytes, log, decide };
  const directory = new Directory(ports);
  const revocations = new Revocations({
    ...ports,
    onRevoked: (revocation) => bus.publish(REVOKED_SUBJECT, Buffer.from(JSON.stringify(revocation))),
  });
  const signer = await openSigner({
    dataFolder: folder.folder,
    keyFile: config.signingKeyFile,
    issuer: TOKEN_ISSUER,
    audience: TOKEN_AUDIENCE,
    log,
  });
  const issuer = new TokenIssuer({ ...ports, actors: partition.host, directory, revocations, signer });
  partition.addCommands(userCommands(directory));
  const bootstrap = await ensureBootstrap({ ...ports, dataFolder: config.dataFolder, directory });
  const sweep = (): void =>
    void issuer
      .sweep()
      .catch((err: unknown) =>
        log.error({ event: "identity.notSwept", err }, "old token families and revocations could not be removed"),
      );
  sweep();
  const handlers = identityHandlers({ directory, issuer, revocations, signer, decide });
  return { handlers, bootstrap, stop: every(SWEEP_MS, sweep) };
}
