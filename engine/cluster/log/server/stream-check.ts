/** The requirements on a stream that holds a log. */
import { StorageType, type StreamConfig } from "nats";
import { UserError } from "../../../../src/runtime/user-error.ts";

const REPLICAS_MIN = 3;

/** A stream that cannot hold the log. The message names the stream and the reason. */
export class StreamRefused extends UserError {
  override readonly name = "StreamRefused";
}

/** Returns one line for each setting that could lose acknowledged messages, or let two engines append. */
export function findStreamFaults(config: Readonly<StreamConfig> & { readonly persist_mode?: string }): string[] {
  const { name, storage, num_replicas, max_age, max_bytes, max_msgs, mirror, sources, persist_mode } = config;
  const isLimited = max_age > 0 || max_bytes > 0 || max_msgs > 0;
  return [
    storage === StorageType.File ? "" : `stream ${name} is kept in ${storage}, and a log needs files`,
    num_replicas >= REPLICAS_MIN
      ? ""
      : `stream ${name} has ${num_replicas} replicas, and a log needs ${REPLICAS_MIN}: it would be gone with its server`,
    persist_mode === "async"
      ? `stream ${name} has persist_mode async, and a log must be on disk before it is acknowledged`
      : "",
    isLimited
      ? `stream ${name} has a limit (max_age, max_bytes or max_msgs), and would forget what copies still need`
      : "",
    mirror === undefined && (sources ?? []).length === 0
      ? ""
      : `stream ${name} is filled from another stream, and a log is written by its leader alone`,
  ].filter((fault) => fault !== "");
}
