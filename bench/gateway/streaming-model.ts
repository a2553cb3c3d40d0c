// A tiny OpenAI-compatible server whose answers take their time: many streams at once, each at its own beat. Not a model.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StreamingModel {
  /** The API root, for `model.baseUrl`. */
  url: string;
  close(): Promise<void>;
}

export interface Pace {
  /** Pieces of one answer. */
  deltas: number;
  /** Milliseconds between two of them. */
  everyMs: number;
  /** The text of the piece with this number. */
  piece?: (number: number) => string;
}

/** The last words of every answer. */
export const lastWords = 'and that is all.';

/** Starts on a free port of 127.0.0.1. */
export async function startStreamingModel({
  deltas,
  everyMs,
  piece = (number) => `word${number} `,
}: Pace): Promise<StreamingModel> {
  const timers = new Set<NodeJS.Timeout>();
  let answers = 0;

  const chunk = (delta: object, finish: string | null = null): string =>
    `data: ${JSON.stringify({
      id: 'bench',
      object: 'chat.completion.chunk',
      created: 0,
      model: 'bench',
      choices: [{ index: 0, delta, finish_reason: finish }],
    })}\n\n`;

  const stream = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunk({ role: 'assistant', content: '' }));
    answers += 1;
    let said = 0;
    const next = (): void => {
      said += 1;
      if (said < deltas) {
        response.write(chunk({ content: piece(said) }));
        return;
      }
      clearInterval(timer);
      timers.delete(timer);
      response.end(`${chunk({ content: lastWords })}${chunk({}, 'stop')}data: [DONE]\n\n`);
    };
    const timer = setInterval(next, everyMs);
    timers.add(timer);
  };

  const server = createServer((request, response) => {
    request.resume();
    // Requests come in one burst; real streams are not in step, so each begins somewhere in a beat.
    request.on('end', () => setTimeout(() => stream(response), (answers * 7) % everyMs));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  return {
    url: `http://127.0.0.1:${port}/v1`,
    async close() {
      for (const timer of timers) clearInterval(timer);
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
