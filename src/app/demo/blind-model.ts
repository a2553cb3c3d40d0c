// A model server on loopback that takes no pictures: it refuses each request with one in the words of a real server, and answers the others.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Its name, and the person to whom it answers in the demo. */
export const blindModel = { name: 'words-only', person: 'Guest' } as const;

interface BlindModel {
  /** Of its API, as `model.baseUrl` has it. */
  baseUrl: string;
  /** How many requests with a picture it refused. */
  refused(): number;
  close(): Promise<void>;
}

/** Starts it on a free port of 127.0.0.1. */
export async function startBlindModel(): Promise<BlindModel> {
  let refused = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    if (body.includes('"image_url"')) {
      refused += 1;
      const error = { message: 'No endpoints found that support image input', code: 404 };
      response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const choice of [{ delta: { content: answerTo(body) } }, { delta: {}, finish_reason: 'stop' }])
      response.write(`data: ${JSON.stringify({ id: 'c1', choices: [{ index: 0, ...choice }] })}\n\n`);
    response.end('data: [DONE]\n\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    refused: () => refused,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** What it says to the newest question: of a picture it has no more than the note in its place. */
function answerTo(body: string): string {
  const question = body.slice(body.lastIndexOf('"role":"user"'));
  const [, name] = /\[a picture that is not shown to you: ([\w.]+)\]/.exec(question) ?? [];
  if (/two and two/.test(question)) return 'Two and two is four.';
  return name === undefined ? 'I only know words.' : `Of ${name} I know no more than its name.`;
}
