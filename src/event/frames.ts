/**
 * Frames of a stream of server-sent events, as they come over fetch (WHATWG HTML, "Server-sent events"), as far as this
 * service sends them.
 *
 * Invariant: a frame is given once, when all of it has come, however the text was cut.
 */

export interface EventFrame {
  /** Undefined where the frame leaves the client's place as it is. */
  readonly id: string | undefined;
  /** Undefined: it says only that the stream lives, and where the client stands. */
  readonly data: string | undefined;
  /** How long to wait before connecting again, from now on; undefined: as before. */
  readonly retryMs: number | undefined;
}

export class FrameReader {
  #rest = "";

  /** The frames that end in this piece of text. */
  take(text: string): readonly EventFrame[] {
    const frames = (this.#rest + text).split("\n\n");
    this.#rest = frames.pop() ?? "";
    return frames.map((frame) => {
      const lines = frame.split("\n");
      const retry = fieldOf(lines, "retry") ?? "";
      const retryMs = /^[0-9]{1,9}$/.test(retry) ? Number(retry) : undefined;
      return { id: fieldOf(lines, "id"), data: fieldOf(lines, "data"), retryMs };
    });
  }
}

function fieldOf(lines: readonly string[], field: string): string | undefined {
  const line = lines.find((one) => one.startsWith(`${field}:`));
  return line?.slice(field.length + 1).trimStart();
}
