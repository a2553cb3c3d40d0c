// A model that answers at once and can be checked: it repeats the tokens of the last message in words that never recur.
// It speaks as much of the OpenAI chat API as the engine needs, and keeps a record of what it said.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { systemClock } from '#base/clock.ts';
import { parseJson } from '#base/json.ts';
import { endOfRoomContext } from '#engine/context/build.ts';
import { withoutNotes } from '#engine/wire/channels/notes.ts';

/** One answer as the model meant it; its words are `a7w1`, `a7w2` and so on, and stand nowhere else. */
export interface Said {
  id: number;
  tokens: readonly string[];
  words: number;
}

export interface EchoModel {
  /** The root for OPENAI_BASE_URL. */
  url: string;
  book: ReadonlyMap<number, Said>;
  /** Called when an answer that takes its time begins. */
  onSlow(listener: () => void): () => void;
  close(): Promise<void>;
}

/** What a message asks of the model besides an answer: `long 900` words, `slow 1500` milliseconds. */
const asked = { long: /\blong (\d+)\b/g, slow: /\bslow (\d+)\b/g };
const token = /\btok\d+x[0-9a-z]+\b/g;
const piecesOfSlow = 12;
const wordsOfLine = 12;

const content = z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]);
const request = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: content.nullish() })),
});

/** Starts the model on a free port of 127.0.0.1. */
export async function startEchoModel(): Promise<EchoModel> {
  const book = new Map<number, Said>();
  const times = new Map<string, number>();
  const listeners = new Set<() => void>();
  const closing = new AbortController();

  const answer = (text: string): { said: Said; slowMs: number } => {
    const tokens = [...new Set(text.match(token) ?? [])];
    const most = (pattern: RegExp): number =>
      Math.max(0, ...[...text.matchAll(pattern)].map(([, value]) => Number(value)));
    const key = tokens.join();
    const before = times.get(key) ?? 0;
    times.set(key, before + 1);
    // asked again, it says less, so that what an earlier answer left standing is seen
    const words = Math.max(8, Math.floor(most(asked.long) / (before + 1)));
    const said = { id: book.size + 1, tokens, words };
    book.set(said.id, said);
    return { said, slowMs: most(asked.slow) };
  };

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
    const body = parseJson(Buffer.concat(chunks).toString(), request, 'The request to the model');
    const last = body.messages.findLast(({ role }) => role === 'user')?.content ?? '';
    const whole = typeof last === 'string' ? last : last.map((part) => part.text ?? '').join('\n');
    // what others wrote in the thread before is told in notes, and asks for nothing
    const text = withoutNotes(whole.slice(whole.lastIndexOf(endOfRoomContext) + 1));
    const { said, slowMs } = answer(text);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (slowMs > 0) for (const listener of listeners) listener();
    const pieces = piecesOf(textOf(said), slowMs > 0 ? piecesOfSlow : 2);
    for (const piece of pieces) {
      if (response.destroyed) return;
      response.write(chunkOf(said, { content: piece }, null));
      if (slowMs > 0) await systemClock.sleep(slowMs / pieces.length, closing.signal);
    }
    response.write(chunkOf(said, {}, 'stop'));
    response.end('data: [DONE]\n\n');
  };

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  return {
    url: `http://127.0.0.1:${port}/v1`,
    book,
    onSlow(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closing.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The answer as text: its first word and the tokens, so that no piece of it is without a word; then the other words in paragraphs. */
function textOf({ id, tokens, words }: Said): string {
  const all = Array.from({ length: words }, (_, at) => `a${id}w${at + 1}`);
  const lines: string[] = [];
  for (let at = 1; at < all.length; at += wordsOfLine) lines.push(all.slice(at, at + wordsOfLine).join(' '));
  return [[all[0], ...tokens].join(' '), ...lines].join('\n\n');
}

/** The text in at most `count` pieces, cut after spaces. */
function piecesOf(text: string, count: number): string[] {
  const parts = text.match(/\S+\s*/g) ?? [];
  const size = Math.ceil(parts.length / count);
  const pieces: string[] = [];
  for (let at = 0; at < parts.length; at += size) pieces.push(parts.slice(at, at + size).join(''));
  return pieces;
}

function chunkOf({ id }: Said, delta: object, finish: 'stop' | null): string {
  const choices = [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: finish }];
  const chunk = { id: `chatcmpl-${id}`, object: 'chat.completion.chunk', created: 0, model: 'echo', choices };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
