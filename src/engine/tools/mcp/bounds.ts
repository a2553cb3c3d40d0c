// How much one answer of an MCP server may be, over HTTP and over stdio: a larger one is refused, and the server stays.
import { deserializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { cutAfter } from '#base/body-limit.ts';
import { ParleyError } from '#base/errors.ts';

/** Bytes of one answer; the SDK has the same bound over stdio, and drops the server there. */
const maxAnswerBytes = 10 * 1024 * 1024;
/** Bytes of what comes with a refused request: people read its first words. */
const maxErrorBytes = 64 * 1024;
/** Bytes of a refused answer that are looked at for the request that it answers. */
const lookBytes = 512;

const tooLarge = (most: number): string =>
  `The server's answer is larger than ${Math.floor(most / 1024 / 1024)} MB and was refused; ask for less of it.`;

/** The answer to a request in the place of the one that was refused. */
const refusalTo = (id: number, most: number): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  error: { code: -32_000, message: tooLarge(most) },
});

/** A `fetch` whose bodies are bounded: JSON as a whole, of a stream each event. */
export function boundedFetch(most = maxAnswerBytes): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true;
    const bound = !response.ok ? cutAfter(maxErrorBytes) : isStream ? eventsWithin(most, init) : within(most);
    return new Response(response.body.pipeThrough(bound), response);
  };
}

function within(most: number): TransformStream<Uint8Array, Uint8Array> {
  let left = most;
  return new TransformStream({
    transform(chunk, controller) {
      left -= chunk.length;
      if (left < 0) controller.error(new ParleyError('mcp_answer_too_large', tooLarge(most)));
      else controller.enqueue(chunk);
    },
  });
}

/** An error of the stream would leave its request without an answer, so that one is written into it. */
function eventsWithin(most: number, init: RequestInit | undefined): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  let last = '';
  return new TransformStream({
    transform(chunk, controller) {
      const text = last + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1');
      const end = Math.max(text.lastIndexOf('\n\n'), text.lastIndexOf('\r\n\r\n'), text.lastIndexOf('\r\r'));
      size = end < 0 ? size + chunk.length : text.length - end;
      last = text.slice(-3);
      if (size <= most) return controller.enqueue(chunk);
      const id = requestIn(init?.body);
      const answer = id === undefined ? '' : `\n\ndata: ${JSON.stringify(refusalTo(id, most))}\n\n`;
      controller.enqueue(Buffer.from(answer));
      controller.terminate();
    },
  });
}

/** The id of the request that this body makes. */
function requestIn(body: unknown): number | undefined {
  if (typeof body !== 'string') return undefined;
  const parsed: unknown = JSON.parse(body);
  return typeof parsed === 'object' && parsed !== null && 'id' in parsed && typeof parsed.id === 'number'
    ? parsed.id
    : undefined;
}

/** What the SDK reads messages of a server over stdio from. */
interface LineBuffer {
  append(chunk: Buffer): void;
  readMessage(): JSONRPCMessage | null;
  clear(): void;
}

/** Lines as messages; one that is longer than `most` bytes is not held, and the error that refuses it comes in its place. */
export function createLineBuffer(most = maxAnswerBytes): LineBuffer {
  const ready: (string | JSONRPCMessage)[] = [];
  let pieces: Buffer[] = [];
  let size = 0;
  let start = '';
  let end = '';

  const grow = (piece: Buffer): void => {
    size += piece.length;
    start += piece.toString('latin1', 0, Math.max(0, lookBytes - start.length));
    end = (end + piece.toString('latin1', Math.max(0, piece.length - lookBytes))).slice(-lookBytes);
    if (size <= most) pieces.push(piece);
    else pieces = [];
  };
  const clear = (): void => {
    pieces = [];
    size = 0;
    start = '';
    end = '';
  };
  const finish = (): void => {
    const id = size <= most ? undefined : answeredIn(start, end);
    if (size <= most) ready.push(Buffer.concat(pieces).toString('utf8').replace(/\r$/, ''));
    else if (id !== undefined) ready.push(refusalTo(id, most));
    clear();
  };
  return {
    append(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        grow(chunk.subarray(from, at));
        finish();
        from = at + 1;
      }
      if (from < chunk.length) grow(chunk.subarray(from));
    },
    readMessage() {
      const next = ready.shift();
      if (next === undefined) return null;
      return typeof next === 'string' ? deserializeMessage(next) : next;
    },
    clear() {
      ready.length = 0;
      clear();
    },
  };
}

const version = '"jsonrpc"\\s*:\\s*"2\\.0"';
const first = new RegExp(`^\\s*\\{\\s*(?:${version}\\s*,\\s*)?"id"\\s*:\\s*(\\d+)\\s*,`);
const last = new RegExp(`,\\s*"id"\\s*:\\s*(\\d+)\\s*(?:,\\s*${version}\\s*)?\\}\\s*$`);
const asks = /^\s*\{[^{]*"method"/;

/** The id of the request that a line answers, from its first and last bytes: undefined where it is no answer, or has it elsewhere. */
function answeredIn(start: string, end: string): number | undefined {
  if (asks.test(start)) return undefined;
  const id = first.exec(start)?.[1] ?? last.exec(end)?.[1];
  return id === undefined ? undefined : Number(id);
}
