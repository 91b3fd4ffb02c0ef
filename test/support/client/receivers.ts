/** Servers that alerts are sent to: a web server and a mail server, both real, both of this machine. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export interface Heard {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface HttpReceiver {
  readonly heard: Heard[];
  readonly url: string;
  stop(): Promise<void>;
}

/** Answers every request with `status`, and with `answer` where one is given. */
export async function startHttpReceiver(
  status: number | ((body: string) => number),
  headers: Readonly<Record<string, string>> = {},
  answer: (body: string) => string = () => "x".repeat(100_000),
): Promise<HttpReceiver> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on("end", () => {
      heard.push({ path: request.url, headers: request.headers, body });
      response.writeHead(typeof status === "number" ? status : status(body), headers).end(answer(body));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    heard,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface MailReceiver {
  readonly mails: string[];
  readonly url: string;
  stop(): Promise<void>;
}

/** Takes every mail. */
export async function startMailReceiver(): Promise<MailReceiver> {
  const mails: string[] = [];
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ["STARTTLS"] },
    onData: (stream, _session, done) => {
      let text = "";
      stream.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
      stream.on("end", () => {
        mails.push(text);
        done();
      });
    },
  });
  const listener = server.listen(0, "127.0.0.1");
  await once(listener, "listening");
  return {
    mails,
    url: `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    stop: () => new Promise<void>((resolve) => void server.close(resolve)),
  };
}
