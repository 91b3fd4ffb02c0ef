/** Real proxies with the sample configurations of docs/deploy, on free ports of loopback. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../../support/machine/free-ports.ts";
import { findProgram } from "../../support/machine/installed.ts";

const SAMPLES = fileURLToPath(new URL("../../../docs/deploy/", import.meta.url));
const SAMPLE_NAME = "api.example.com";
const SAMPLE_EDGE = "127.0.0.1:8080";
const LOOK_AGAIN_MS = 20;

/** Where a proxy listens and sends to, and what of its sample is another in a test. */
interface Place {
  readonly folder: string;
  readonly port: number;
  /** `host:port` of the edge or of the next proxy. */
  readonly to: string;
  /** PEM files; undefined: plain HTTP, as between two proxies. */
  readonly certificate: { readonly certFile: string; readonly keyFile: string; readonly bothFile: string } | undefined;
  /** Replaces the sample's time for idle connections to the edge. */
  readonly keepAlive: string | undefined;
}

interface Kind {
  readonly sample: string;
  /** The sample's time for idle connections to the edge; null: it keeps none. */
  readonly keepAlive: RegExp | null;
  configure(text: string, place: Place): { readonly text: string; readonly args: readonly string[] };
}

const KINDS = {
  nginx: {
    sample: "nginx.conf",
    keepAlive: /keepalive_timeout (\d+)s/,
    configure(text, { folder, port, to, certificate, keepAlive }) {
      const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      );
      const site = text
        .replace("listen 443 ssl", `listen 127.0.0.1:${port}${certificate === undefined ? "" : " ssl"}`)
        .replace(/ssl_certificate [^;]*/, certificate === undefined ? "" : `ssl_certificate ${certificate.certFile}`)
        .replace(
          /ssl_certificate_key [^;]*/,
          certificate === undefined ? "" : `ssl_certificate_key ${certificate.keyFile}`,
        )
        .replaceAll(/^ *;$/gm, "")
        .replace(SAMPLE_EDGE, to)
        .replace("keepalive_timeout 60s", `keepalive_timeout ${keepAlive ?? "60s"}`);
      return {
        text: `pid ${folder}/pid;\nevents {}\nhttp {\naccess_log off;\n${temporary.join("\n")}\n${site}}\n`,
        args: ["-p", folder, "-e", "stderr", "-g", "daemon off;", "-c"],
      };
    },
  },
  haproxy: {
    sample: "haproxy.cfg",
    keepAlive: null,
    configure(text, { port, to, certificate }) {
      const end = certificate === undefined ? "" : ` ssl crt ${certificate.bothFile}`;
      const own = text.replace(/bind .*/, `bind 127.0.0.1:${port}${end}`).replace(SAMPLE_EDGE, to);
      return { text: own, args: ["-db", "-f"] };
    },
  },
  caddy: {
    sample: "Caddyfile",
    keepAlive: /keepalive (\d+)s/,
    configure(text, { port, to, certificate, keepAlive }) {
      const address = `${certificate === undefined ? "http" : "https"}://${SAMPLE_NAME}:${port}`;
      const files = certificate === undefined ? "" : `\ttls ${certificate.certFile} ${certificate.keyFile}\n`;
      const site = text
        .replace(`${SAMPLE_NAME} {\n`, `${address} {\n\tbind 127.0.0.1\n${files}`)
        .replace(SAMPLE_EDGE, to)
        .replace("keepalive 60s", `keepalive ${keepAlive ?? "60s"}`);
      return {
        text: `{\n\tadmin off\n\tauto_https off\n}\n${site}`,
        args: ["run", "--adapter", "caddyfile", "--config"],
      };
    },
  },
} as const satisfies Record<string, Kind>;

export type ProxyName = keyof typeof KINDS;
export const PROXIES = Object.keys(KINDS) as ProxyName[];

export interface RunningProxy {
  readonly port: number;
  stop(): Promise<void>;
}

/** How many seconds the sample keeps an idle connection to the edge; 0: none is kept. */
export function sampleKeepAliveSeconds(name: ProxyName): number {
  const { sample, keepAlive }: Kind = KINDS[name];
  return keepAlive === null ? 0 : Number(keepAlive.exec(readFileSync(join(SAMPLES, sample), "utf8"))?.[1]);
}

/** Makes a certificate for the samples' name in `folder`. */
export async function makeCertificate(folder: string): Promise<NonNullable<Place["certificate"]>> {
  const [certFile, keyFile, bothFile] = ["cert.pem", "key.pem", "both.pem"].map((name) => join(folder, name));
  const subject = ["-subj", `/CN=${SAMPLE_NAME}`, "-addext", `subjectAltName=DNS:${SAMPLE_NAME}`];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
  const files = ["-keyout", `${keyFile}`, "-out", `${certFile}`];
  execFileSync("openssl", ["req", "-x509", "-nodes", "-days", "2", ...curve, ...files, ...subject], { stdio: "pipe" });
  await writeFile(`${bothFile}`, `${readFileSync(`${certFile}`, "utf8")}${readFileSync(`${keyFile}`, "utf8")}`);
  return { certFile: `${certFile}`, keyFile: `${keyFile}`, bothFile: `${bothFile}` };
}

/** Starts one in a folder of its own under `folder`, and waits until it listens. Rejects with its output if it ends. */
export async function startProxy(
  name: ProxyName,
  options: Pick<Place, "folder" | "to"> & Partial<Pick<Place, "certificate" | "keepAlive">>,
): Promise<RunningProxy> {
  const program = findProgram(name);
  if (program === undefined) throw new Error(`${name} is not installed`);
  const [port, folder] = [await freePort(), join(options.folder, name)];
  await mkdir(folder, { recursive: true });
  const kind: Kind = KINDS[name];
  const place = { certificate: undefined, keepAlive: undefined, ...options, folder, port };
  const { text, args } = kind.configure(readFileSync(join(SAMPLES, kind.sample), "utf8"), place);
  const file = join(folder, kind.sample);
  await writeFile(file, text);
  const child = spawn(program, [...args, file], {
    env: { PATH: process.env.PATH ?? "", HOME: folder },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, "close");
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}:\n${output}`);
    await pause(LOOK_AGAIN_MS);
  }
  return {
    port,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect({ host: "127.0.0.1", port });
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
