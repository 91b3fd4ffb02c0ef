/**
 * The faults with which an engine with REPLICATION=on cannot start: each would lose or double something with its
 * machine.
 */

import type { Demand } from "../../../../src/runtime/settings.ts";
import { UserError } from "../../../../src/runtime/user-error.ts";

const NEEDS_MONITORS =
  "NATS_MONITOR_URLS: REPLICATION=on needs the monitoring address of each nats-server (http://host:8222), to see that it syncs";
const NEEDS_KEY =
  "SIGNING_KEY_FILE: REPLICATION=on needs the same key on every machine: else tokens end with the machine that signed them";

/** The faults that the settings alone show, reported together with other mistakes in the settings. */
export const replicationDemand: Demand = ({ REPLICATION, NATS_MONITOR_URLS, SIGNING_KEY_FILE }) => {
  if (!REPLICATION) return [];
  return [
    ...(NATS_MONITOR_URLS === undefined ? [{ of: ["NATS_MONITOR_URLS" as const], mistake: NEEDS_MONITORS }] : []),
    ...(SIGNING_KEY_FILE === undefined ? [{ of: ["SIGNING_KEY_FILE" as const], mistake: NEEDS_KEY }] : []),
  ];
};

interface ReplicatedStart {
  readonly natsUrl: string | undefined;
  readonly monitorUrls: readonly string[];
  /** Codes of brokerages that run in the engine's own process. */
  readonly brokeragesInside: readonly string[];
  readonly hasSharedPartition: boolean;
  readonly signingKeyFile: string | undefined;
}

/** Throws a `UserError` with a line for each fault. */
export function refuseReplicatedStart(start: ReplicatedStart): void {
  const { natsUrl, monitorUrls, brokeragesInside, hasSharedPartition, signingKeyFile } = start;
  const faults = [
    natsUrl === undefined ? "NATS_URL: REPLICATION=on needs the addresses of the nats-servers that hold the log" : "",
    monitorUrls.length === 0 ? NEEDS_MONITORS : "",
    ...brokeragesInside.map(
      (code) =>
        `BROKERAGES_FILE: brokerage ${code} lives in the engine, and its book would be lost with the machine: run it with npm run paper, or take a connector`,
    ),
    hasSharedPartition && signingKeyFile === undefined ? NEEDS_KEY : "",
  ].filter((fault) => fault !== "");
  if (faults.length > 0) throw new UserError(faults.join("\n"));
}
