// A server that speaks OpenAI's chat stream byte by byte, as the test wants it: stalls, torn characters, broken sockets.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { ModelSettings } from '#engine/providers/calls/settings.ts';

export interface RawCall {
  /** The request's body. */
  body: { messages: { role: string; content: unknown }[]; [key: string]: unknown };
  /** Sends the headers of a stream. */
  open(): void;
  /** Sends bytes unchanged. */
  write(bytes: string | Uint8Array): void;
  /** Sends a piece of text. */
  say(text: string): void;
  /** Calls a tool, and ends this turn of the answer. */
  callTool(name: string, args: unknown): void;
  /** Refuses the request with these words. */
  refuse(status: number, words: object, headers?: Record<string, string>): void;
  /** Answers with this body. */
  send(status: number, body: string, type: string): void;
  /** Ends the answer as a provider does. */
  finish(reason?: string): void;
  /** Says this and ends the answer. */
  answer(text: string): void;
  /** Ends the body without the words that end an answer. */
  end(): void;
  /** Closes the socket in the middle. */
  tear(): void;
  /** Resolves when the client no longer exists or the answer is over. */
  closed: Promise<void>;
}

/** The bytes of one event of the stream. */
export function frame(delta: Record<string, unknown>, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices })}\n\n`;
}

/** `answer` is called with each request, in order; without it they are taken by `next`. */
export async function startRaw(t: TestContext, answer?: (call: RawCall, index: number) => void) {
  let asked = 0;
  const calls: RawCall[] = [];
  const waiting: ((call: RawCall) => void)[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const call = callOf(response, Buffer.concat(chunks).toString('utf8'));
      const next = waiting.shift();
      if (answer !== undefined) answer(call, asked++);
      else if (next === undefined) calls.push(call);
      else next(call);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const settings: ModelSettings = {
    provider: 'openai-compatible',
    model: 'm',
    baseUrl: `http://127.0.0.1:${port}/v1`,
  };
  return {
    settings,
    /** The next request, in order. */
    next(): Promise<RawCall> {
      const call = calls.shift();
      return call === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(call);
    },
  };
}

function callOf(response: ServerResponse, body: string): RawCall {
  const open = (): void => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
  };
  const write = (bytes: string | Uint8Array): void => {
    open();
    response.write(bytes);
  };
  const finish = (reason = 'stop'): void => {
    write(`${frame({}, reason)}data: [DONE]\n\n`);
    response.end();
  };
  const send = (status: number, text: string, type: string, headers: Record<string, string> = {}): void => {
    response.writeHead(status, { 'content-type': type, ...headers });
    response.end(text);
  };
  return {
    body: JSON.parse(body),
    open,
    write,
    say: (text) => write(frame({ content: text })),
    callTool(name, args) {
      const call = {
        index: 0,
        id: `t_${name}`,
        type: 'function',
        function: { name, arguments: JSON.stringify(args) },
      };
      write(`${frame({ tool_calls: [call] })}${frame({}, 'tool_calls')}data: [DONE]\n\n`);
      response.end();
    },
    refuse: (status, words, headers = {}) => send(status, JSON.stringify(words), 'application/json', headers),
    send: (status, text, type) => send(status, text, type),
    finish,
    answer(text) {
      write(frame({ content: text }));
      finish();
    },
    end: () => response.end(),
    tear: () => response.destroy(),
    closed: new Promise((resolve) => response.once('close', () => resolve())),
  };
}
