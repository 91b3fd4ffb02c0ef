/**
 * The certificate of the server, kept current while it runs: files are renewed every few weeks, and a server that reads
 * them once ends up with an expired one.
 *
 * Owns: reading the files again each minute and on request, reporting when the certificate ends.
 * Does not own: the server, signals.
 *
 * Invariant: a pair of files that cannot be read, or that does not fit, never replaces a serving pair. A renewal writes
 * two files, so that such a pair can be a passing state: it is read again.
 */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { Gauge, type Registry } from "prom-client";
import type { Clock, Log, Schedule } from "../../src/runtime/ports.ts";
import { UserError } from "../../src/runtime/user-error.ts";
import type { TlsFiles } from "../config.ts";

/** The figure of its end, in seconds since 1970: only if the edge serves TLS itself. */
export const END_FIGURE = "trading_edge_certificate_end_timestamp_seconds";

const READ_EVERY_MS = 60_000;
const DAY_MS = 86_400_000;
/** From then on until it is renewed its end is reported once a day. Renewers act some 30 days before the end. */
const SOON_MS = 14 * DAY_MS;

/** A certificate and its key, in PEM form. */
export interface TlsPair {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Reads the pair. Throws `UserError` if the files cannot be read or do not fit each other. */
export function readTls({ certFile, keyFile }: TlsFiles): TlsPair {
  const pair = { cert: readTlsFile("TLS_CERT_FILE", certFile), key: readTlsFile("TLS_KEY_FILE", keyFile) };
  try {
    createSecureContext(pair);
  } catch (cause) {
    throw new UserError(
      `TLS_CERT_FILE, TLS_KEY_FILE: ${certFile} and ${keyFile} are not a certificate and its key in PEM form (${String(cause)})`,
      { reason: "data", cause },
    );
  }
  return pair;
}

function readTlsFile(name: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw new UserError(`${name}: ${path} cannot be read`, { reason: "noInput" });
  }
}

interface CurrentCertificateOptions {
  readonly files: TlsFiles;
  /** Takes a renewed pair into use, for connections that come from then on. */
  readonly use: (pair: TlsPair) => void;
  readonly clock: Pick<Clock, "nowMs">;
  readonly schedule: Schedule;
  readonly log: Log;
  /** The registry of the end's figure; undefined: no figure. */
  readonly registry?: Registry | undefined;
}

export class CurrentCertificate {
  readonly #options: CurrentCertificateOptions;
  readonly #end: Gauge | undefined;
  #pair: TlsPair;
  #cancelNext: () => void = () => undefined;
  #warnedAtMs = Number.NEGATIVE_INFINITY;

  /** `pair`: the first pair of the server. */
  constructor(pair: TlsPair, options: CurrentCertificateOptions) {
    this.#pair = pair;
    this.#options = options;
    const { registry } = options;
    if (registry !== undefined) {
      this.#end = new Gauge({
        name: END_FIGURE,
        help: "When the certificate that clients are shown ends",
        registers: [registry],
      });
    }
    this.#look();
  }

  /** Reads the files now: they can have been renewed. Never throws. */
  reread(): void {
    try {
      const pair = readTls(this.#options.files);
      if (!pair.cert.equals(this.#pair.cert) || !pair.key.equals(this.#pair.key)) {
        this.#options.use(pair);
        this.#pair = pair;
        this.#warnedAtMs = Number.NEGATIVE_INFINITY;
        this.#options.log.info(
          { event: "certificate.renewed", endsAt: endOf(pair).toISOString() },
          "the renewed certificate is in use",
        );
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#options.log.warn(
        { event: "certificate.unreadable", reason },
        "the certificate cannot be read again: the one before stays in use",
      );
    }
    this.#look();
  }

  stop(): void {
    this.#cancelNext();
  }

  #look(): void {
    const { clock, log, schedule } = this.#options;
    const endMs = endOf(this.#pair).getTime();
    this.#end?.set(endMs / 1_000);
    const nowMs = clock.nowMs();
    if (endMs - nowMs < SOON_MS && nowMs - this.#warnedAtMs >= DAY_MS) {
      this.#warnedAtMs = nowMs;
      const what = endMs <= nowMs ? "the certificate has expired: clients refuse it" : "the certificate expires soon";
      log.warn(
        { event: "certificate.ending", endsAt: new Date(endMs).toISOString(), file: this.#options.files.certFile },
        what,
      );
    }
    this.#cancelNext();
    this.#cancelNext = schedule(READ_EVERY_MS, () => this.reread());
  }
}

function endOf({ cert }: TlsPair): Date {
  return new Date(new X509Certificate(cert).validTo);
}
