/**
 * Reads NATS messages in place, in the bytes that the socket returned.
 *
 * Owns: where a frame of the NATS protocol begins and ends, the short path of messages that a subscriber reads
 * immediately, and the short path of bytes from the socket to here. Does not own: the rest of the protocol: any other
 * frame is given, whole and in order, to the parser of nats.js.
 *
 * nats.js makes four objects for a message and looks at each of its bytes. For a price that reaches no level, that is
 * most of the cost. It passes the bytes of the socket through an asynchronous generator, eight microtasks each.
 *
 * Invariants:
 * 1. Messages arrive in the order in which the server sent them, on either path.
 * 2. A frame that is not understood here, or longer than `TAIL_BYTES_MAX`, is left to nats.js.
 * 3. While frames are read in place, nats.js holds whole frames between two calls, except one whose rest it still needs
 *    (`#owedBytes`). Otherwise it may be within a frame: its `state` shows that, and it continues alone until then.
 * 4. A socket is read directly only after nats.js has passed on all earlier bytes.
 */
import type { Socket } from "node:net";
import type { NatsConnection } from "nats";
import { assert } from "../../assert.ts";
import { CARRIAGE_RETURN, isDigit, LINE_FEED, SPACE, ZERO } from "../ascii.ts";
import type { BusMessage, MessageFrame } from "../port.ts";

/** Internals of nats.js that are used here; its version is fixed. */
interface LibraryParser {
  /** 0 between two frames. */
  readonly state: number;
  parse(bytes: Uint8Array): void;
}

interface LibraryTransport {
  /** Undefined before it is there and once it is closed. */
  readonly socket?: Socket | undefined;
  /** True once the generator receives the bytes of the socket. */
  readonly connected: boolean;
  /** Bytes of the socket that the generator has not taken. */
  readonly yields: readonly Uint8Array[];
}

interface LibraryProtocol {
  /** Replaced with every new socket. */
  parser: LibraryParser;
  /** Replaced after it. */
  readonly transport: LibraryTransport;
  inMsgs: number;
  inBytes: number;
}

type Take = (message: BusMessage) => void;

const MESSAGE_START = Buffer.from("MSG ");
const MESSAGE_LETTERS = Buffer.from("MmHh");
const BREAK_BYTES = 2;
const BETWEEN_FRAMES = 0;
/** More of a frame is never kept here. */
export const TAIL_BYTES_MAX = 64 * 1024;
const UNKNOWN = -1;

/** Gives takers their messages, and nats.js everything else. */
export class NatsFrames {
  /** By subscription: an edge has one for each user who follows. */
  readonly #takers = new Map<number, Take>();

  constructor(connection: NatsConnection) {
    const { protocol } = connection as NatsConnection & { readonly protocol: LibraryProtocol };
    assert(typeof protocol?.parser?.parse === "function", "nats.js is as it was when this was written");
    assert(typeof protocol.parser.state === "number", "nats.js is as it was when this was written");
    assert(Array.isArray(protocol.transport?.yields), "nats.js is as it was when this was written");
    let reader = new FrameReader(protocol, protocol.parser, this.#takers);
    let isStraight = false;
    const readStraightSoon = (): void => {
      isStraight = true;
      const { transport } = protocol;
      // By then nats.js has handed on what came: it does so in microtasks.
      setImmediate(() => {
        if (protocol.transport === transport) isStraight = readStraight(transport, reader);
      });
    };
    Object.defineProperty(protocol, "parser", {
      get: () => {
        // The generator asks for the parser with each chunk that still arrives through it.
        if (!isStraight) readStraightSoon();
        return reader;
      },
      set: (parser: LibraryParser) => {
        reader = new FrameReader(protocol, parser, this.#takers);
        isStraight = false;
      },
    });
    readStraightSoon();
  }

  /** From now on `take` receives the messages of a subscription, except any that nats.js gives to the subscription. */
  add(subscriptionId: number, take: Take): void {
    this.#takers.set(subscriptionId, take);
  }

  remove(subscriptionId: number): void {
    this.#takers.delete(subscriptionId);
  }
}

/**
 * From now on only the reader receives the bytes of the socket. False if the socket is not in use (yet or any more), or
 * nats.js still holds bytes.
 */
function readStraight({ socket, connected, yields }: LibraryTransport, reader: FrameReader): boolean {
  if (socket === undefined || !connected || yields.length > 0) return false;
  socket.removeAllListeners("data");
  socket.on("data", (chunk: Uint8Array) => {
    try {
      reader.parse(chunk);
    } catch (error) {
      // The bytes are not NATS. Another socket is dialled.
      socket.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  });
  return true;
}

/** One object for all messages of a socket: valid while its taker is called. */
class FrameInPlace implements BusMessage, MessageFrame {
  bytes: Uint8Array = new Uint8Array(0);
  subjectStart = 0;
  subjectEnd = 0;
  dataStart = 0;
  dataEnd = 0;

  get frame(): MessageFrame {
    return this;
  }

  get subject(): string {
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length).toString(
      "utf8",
      this.subjectStart,
      this.subjectEnd,
    );
  }

  get data(): Uint8Array {
    return this.bytes.subarray(this.dataStart, this.dataEnd);
  }
}

/** Cuts the bytes of one socket into frames. */
export class FrameReader implements LibraryParser {
  readonly #protocol: Pick<LibraryProtocol, "inMsgs" | "inBytes">;
  readonly #library: LibraryParser;
  readonly #takers: ReadonlyMap<number, Take>;
  readonly #frame = new FrameInPlace();
  /** The beginning of a frame whose end has not come. */
  #tail: Uint8Array | undefined;
  /** Bytes still to come of a frame whose beginning nats.js has received. */
  #owedBytes = 0;
  /** Of the message whose head was read last. */
  #subscriptionId = UNKNOWN;

  constructor(
    protocol: Pick<LibraryProtocol, "inMsgs" | "inBytes">,
    library: LibraryParser,
    takers: ReadonlyMap<number, Take>,
  ) {
    this.#protocol = protocol;
    this.#library = library;
    this.#takers = takers;
  }

  get state(): number {
    return this.#library.state;
  }

  /**
   * Takes the next bytes of the socket. Throws as nats.js does, at bytes that are not NATS, once that frame is whole.
   */
  parse(chunk: Uint8Array): void {
    if (this.#tail === undefined && this.#owedBytes === 0) {
      // No subscription reads in place, or nats.js was in the middle of a frame when one was added.
      if (this.#takers.size === 0 || this.#library.state !== BETWEEN_FRAMES) this.#library.parse(chunk);
      else this.#read(chunk, 0);
      return;
    }
    const bytes = this.#tail === undefined ? chunk : Buffer.concat([this.#tail, chunk]);
    this.#tail = undefined;
    const owed = Math.min(this.#owedBytes, bytes.length);
    this.#owedBytes -= owed;
    if (owed > 0) this.#library.parse(bytes.subarray(0, owed));
    this.#read(bytes, owed);
  }

  /** Reads frames from `start` on; between calls of takers and nats.js nothing is left behind. */
  #read(bytes: Uint8Array, start: number): void {
    // From here on nats.js has not been given anything.
    let ungiven = start;
    let at = start;
    while (at < bytes.length) {
      let end = this.#readMessage(bytes, at);
      const take = end === UNKNOWN ? undefined : this.#takers.get(this.#subscriptionId);
      if (take === undefined) end = endOfFrame(bytes, at);
      else if (end <= bytes.length) {
        if (ungiven < at) this.#library.parse(bytes.subarray(ungiven, at));
        this.#give(take, bytes);
        at = end;
        ungiven = end;
        continue;
      }
      if (end > bytes.length || end === UNKNOWN) {
        this.#keep(bytes, ungiven, at, end);
        return;
      }
      at = end;
    }
    if (ungiven < at) this.#library.parse(bytes.subarray(ungiven, at));
  }

  /** Keeps the bytes of the unfinished frame at `at`, or passes a long one to nats.js. `end` may be `UNKNOWN`. */
  #keep(bytes: Uint8Array, ungiven: number, at: number, end: number): void {
    const isLong = (end === UNKNOWN ? bytes.length : end) - at > TAIL_BYTES_MAX;
    const given = isLong ? bytes.length : at;
    if (ungiven < given) this.#library.parse(bytes.subarray(ungiven, given));
    if (!isLong) this.#tail = bytes.subarray(at);
    else if (end !== UNKNOWN) this.#owedBytes = end - bytes.length;
  }

  #give(take: Take, bytes: Uint8Array): void {
    this.#protocol.inMsgs += 1;
    this.#protocol.inBytes += this.#frame.dataEnd - this.#frame.dataStart;
    this.#frame.bytes = bytes;
    take(this.#frame);
  }

  /**
   * Reads the head `MSG <subject> <subscription> <size>` of a message without a subject for replies: answers where the
   * frame ends, `UNKNOWN` for any other frame and for a head that has not come whole.
   */
  #readMessage(bytes: Uint8Array, start: number): number {
    for (let index = 0; index < MESSAGE_START.length; index += 1) {
      if (bytes[start + index] !== MESSAGE_START[index]) return UNKNOWN;
    }
    const frame = this.#frame;
    let at = start + MESSAGE_START.length;
    frame.subjectStart = at;
    // Any other white space means another thing to nats.js.
    while ((bytes[at] ?? 0) > SPACE) at += 1;
    frame.subjectEnd = at;
    if (at === frame.subjectStart || bytes[at] !== SPACE) return UNKNOWN;
    let subscriptionId = 0;
    for (at += 1; isDigit(bytes[at]); at += 1) subscriptionId = subscriptionId * 10 + (bytes[at] ?? ZERO) - ZERO;
    this.#subscriptionId = subscriptionId;
    if (bytes[at] !== SPACE) return UNKNOWN;
    let size = 0;
    const sizeStart = at + 1;
    for (at = sizeStart; isDigit(bytes[at]); at += 1) size = size * 10 + (bytes[at] ?? ZERO) - ZERO;
    if (at === sizeStart || bytes[at] !== CARRIAGE_RETURN || bytes[at + 1] !== LINE_FEED) return UNKNOWN;
    frame.dataStart = at + BREAK_BYTES;
    frame.dataEnd = frame.dataStart + size;
    return frame.dataEnd + BREAK_BYTES;
  }
}

/** The end of any frame: after its line, and of a message after its payload. `UNKNOWN` if the line has not come. */
function endOfFrame(bytes: Uint8Array, start: number): number {
  const lineEnd = bytes.indexOf(LINE_FEED, start);
  if (lineEnd === -1) return UNKNOWN;
  if (!MESSAGE_LETTERS.includes(bytes[start] ?? 0)) return lineEnd + 1;
  // The size is the last field. Without it nats.js takes all bytes, and its state shows when it is between frames.
  if (bytes[lineEnd - 1] !== CARRIAGE_RETURN || !isDigit(bytes[lineEnd - BREAK_BYTES])) return bytes.length;
  let size = 0;
  let factor = 1;
  for (let at = lineEnd - BREAK_BYTES; isDigit(bytes[at]); at -= 1) {
    size += ((bytes[at] ?? ZERO) - ZERO) * factor;
    factor *= 10;
  }
  return lineEnd + 1 + size + BREAK_BYTES;
}
