/**
 * A scripted counterparty: a real TCP server that reads and writes FIX, keeps honest counters unless a test changes
 * them, and has a script for each message that comes.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { renderUtc } from "../../../../../engine/connector/fix/session/schedule.ts";
import { FrameReader } from "../../../../../engine/connector/fix/wire/framing.ts";
import { encode, type Field, type FixMessage } from "../../../../../engine/connector/fix/wire/message.ts";
import { isSessionType, MsgType, Tag } from "../../../../../engine/connector/fix/wire/tag.ts";
import { untilTrue } from "../../../../support/machine/until-true.ts";

export interface SendOptions {
  readonly number?: number;
  readonly possDup?: boolean;
  readonly timeMs?: number;
  readonly sender?: string;
  readonly target?: string;
  readonly beginString?: string;
  /** False: the message is counted and never written, as if it were lost on the way. */
  readonly isWritten?: boolean;
}

export class ScriptedPeer {
  readonly received: FixMessage[] = [];
  readonly port: number;
  nextOutgoing = 1;
  expected = 1;
  beginString = "FIX.4.4";
  /** Handles a message; default: as a well-behaved session does. */
  script: (message: FixMessage, peer: ScriptedPeer) => void = (message) => this.behave(message);
  /** Application messages for `behave`. */
  onApplication: (message: FixMessage) => void = () => undefined;
  socket: Socket | undefined;
  connectionCount = 0;
  readonly #server: Server;
  /** All connections, also of strangers: a program whose server was killed tries the port again that is this one's now. */
  readonly #sockets = new Set<Socket>();
  readonly #kept = new Map<number, readonly [string, readonly Field[]]>();

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
      this.#accept(socket);
    });
  }

  static async start(): Promise<ScriptedPeer> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new ScriptedPeer(server);
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }

  /** Sends a message under the next number, or under the given one. */
  send(type: string, fields: readonly Field[], options: SendOptions = {}): Buffer {
    const number = options.number ?? this.nextOutgoing;
    if (options.number === undefined) {
      this.nextOutgoing += 1;
      this.#kept.set(number, [type, fields]);
    }
    const bytes = encode(options.beginString ?? this.beginString, [
      [Tag.MsgType, type],
      [Tag.SenderCompID, options.sender ?? "DESK"],
      [Tag.TargetCompID, options.target ?? "ME"],
      [Tag.MsgSeqNum, String(number)],
      [Tag.SendingTime, renderUtc(options.timeMs ?? Date.now())],
      ...(options.possDup === true ? [[Tag.PossDupFlag, "Y"] as const] : []),
      ...fields,
    ]);
    if (options.isWritten !== false) this.socket?.write(bytes);
    return bytes;
  }

  write(bytes: Buffer): void {
    this.socket?.write(bytes);
  }

  logOn(fields: readonly Field[] = [], options: SendOptions = {}): void {
    this.send(MsgType.Logon, [[Tag.EncryptMethod, "0"], [Tag.HeartBtInt, "1"], ...fields], options);
  }

  /** Repeats sent messages: application messages as they were, and runs of others as gap fills. */
  resend(from: number): void {
    for (let number = from; number < this.nextOutgoing; number += 1) {
      const [type, fields] = this.#kept.get(number) ?? [MsgType.Heartbeat, []];
      if (!isSessionType(type)) this.send(type, fields, { number, possDup: true });
      else this.fillGap(number, number + 1);
    }
  }

  fillGap(number: number, next: number): void {
    this.send(
      MsgType.SequenceReset,
      [
        [Tag.GapFillFlag, "Y"],
        [Tag.NewSeqNo, String(next)],
      ],
      { number, possDup: true },
    );
  }

  /** Handles a message as a well-behaved session does. */
  behave(message: FixMessage): void {
    const number = message.int(Tag.MsgSeqNum) ?? 0;
    if (message.type === MsgType.Logon) this.answerLogon(message);
    else if (message.type === MsgType.SequenceReset) {
      this.expected = Math.max(this.expected, message.int(Tag.NewSeqNo) ?? 0);
    } else this.#behaveNumbered(message, number);
  }

  #behaveNumbered(message: FixMessage, number: number): void {
    if (message.type === MsgType.ResendRequest) this.resend(message.int(Tag.BeginSeqNo) ?? 1);
    if (number > this.expected) this.#askFrom(this.expected);
    if (number !== this.expected) return;
    this.expected = number + 1;
    if (message.type === MsgType.TestRequest) {
      this.send(MsgType.Heartbeat, [[Tag.TestReqID, message.get(Tag.TestReqID) ?? ""]]);
    } else if (message.type === MsgType.Logout) {
      this.send(MsgType.Logout, []);
      this.socket?.end();
    } else if (!isSessionType(message.type)) this.onApplication(message);
  }

  #askFrom(number: number): void {
    this.send(MsgType.ResendRequest, [
      [Tag.BeginSeqNo, String(number)],
      [Tag.EndSeqNo, "0"],
    ]);
  }

  answerLogon(message: FixMessage): void {
    const number = message.int(Tag.MsgSeqNum) ?? 0;
    const isReset = message.is(Tag.ResetSeqNumFlag);
    if (isReset) {
      this.nextOutgoing = 1;
      this.expected = 1;
      this.#kept.clear();
    }
    if (number < this.expected) {
      this.send(MsgType.Logout, [[Tag.Text, `MsgSeqNum too low, expecting ${this.expected} but received ${number}`]]);
      this.socket?.end();
      return;
    }
    this.logOn(isReset ? [[Tag.ResetSeqNumFlag, "Y"]] : []);
    if (number > this.expected) this.#askFrom(this.expected);
    else this.expected = number + 1;
  }

  /** The messages of a type that came so far. */
  of(type: string): FixMessage[] {
    return this.received.filter((message) => message.type === type);
  }

  /** Resolves when `count` messages of a type have come. */
  async until(type: string, count = 1): Promise<FixMessage> {
    await untilTrue(() => this.of(type).length >= count);
    const last = this.of(type)[count - 1];
    assert.ok(last);
    return last;
  }

  #accept(socket: Socket): void {
    this.connectionCount += 1;
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on("error", () => undefined);
    const frames = new FrameReader({ bodyLengthMax: 1_000_000, onGarbled: () => undefined });
    socket.on("data", (chunk) => {
      for (const { message } of frames.push(chunk)) {
        this.received.push(message);
        this.script(message, this);
      }
    });
  }
}
