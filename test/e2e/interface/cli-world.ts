/** The command line, and everything in one process for it to talk to. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { runCommandLine } from "../../../edge/cli/program.ts";
import { type Program, startProgram, temporaryFolder } from "../../support/machine/process.ts";

interface Ended {
  readonly exitCode: number | null;
  readonly out: string;
  readonly err: string;
}

/** Run at most 30 commands a minute: each logs in. */
export class CommandLineWorld {
  readonly folder: string;
  readonly url: string;
  readonly #program: Program;
  readonly #remove: () => Promise<void>;

  private constructor(program: Program, folder: string, remove: () => Promise<void>) {
    this.#program = program;
    this.folder = folder;
    this.#remove = remove;
    this.url = /listens on (\S+)/.exec(program.output())?.[1] ?? "";
  }

  /** Starts everything. `extra` contains further settings. */
  static async start(extra: Readonly<Record<string, string>> = {}): Promise<CommandLineWorld> {
    const { path, remove } = await temporaryFolder();
    const environment = { DATA_DIR: path, PORT: "0", FEED: "none", ...extra };
    const program = await startProgram("src/main.ts", environment, /Trading Developer API listens on/);
    return new CommandLineWorld(program, path, remove);
  }

  async end(): Promise<void> {
    await this.#program.end("SIGKILL");
    await this.#remove();
  }

  get environment(): Readonly<Record<string, string>> {
    return { API_URL: this.url, DATA_DIR: this.folder };
  }

  async run(words: readonly string[]): Promise<Ended> {
    let [out, err] = ["", ""];
    const exitCode = await runCommandLine(words, this.environment, {
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
    });
    return { exitCode, out, err };
  }

  /** Runs a command that must succeed; returns its answer. */
  async json(...words: readonly string[]): Promise<unknown> {
    const ended = await this.run(["--json", ...words]);
    assert.equal(ended.exitCode, 0, ended.err);
    return JSON.parse(ended.out);
  }

  /** Sends a POST as the demo user, without the command line. Returns the answer's `data`. */
  async post(path: string, body: object): Promise<unknown> {
    const key = (await readFile(join(this.folder, "bootstrap-api-key"), "utf8")).trim();
    const send = async (to: string, headers: Readonly<Record<string, string>>, json: object): Promise<unknown> => {
      const init = {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(json),
      };
      return (await fetch(`${this.url}${to}`, init)).json();
    };
    const token = z
      .object({ access_token: z.string() })
      .parse(await send("/oauth/token", { "x-api-key": key }, { grant_type: "api_key" }));
    const answer = await send(path, { authorization: `Bearer ${token.access_token}` }, body);
    return z.object({ data: z.unknown() }).parse(answer).data;
  }

  async file(name: string, text: string): Promise<string> {
    const path = join(this.folder, name);
    await writeFile(path, text);
    return path;
  }
}
