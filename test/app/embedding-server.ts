// A server of embeddings on loopback that can refuse texts, batches and everything, or give wrong vectors. Not a test.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

const themes = [/bicycle|bike|saddle/i, /boat|ship|sail|harbour/i, /cat|kitten|pet/i];

export interface EmbeddingServer {
  /** The API root. */
  url: string;
  /** The texts of each call. */
  calls: string[][];
  /** Bytes of endless answers that someone took. */
  sentBytes(): number;
  /** What it answers; the next calls follow it. */
  behaviour: {
    /** Texts that one call may have. */
    most?: number;
    /** A text that makes the whole call fail, with this status. */
    poison?: { words: string; status: number };
    /** A text over which the server dies: its connection is reset, and so are those of the next calls, so many of them. */
    deadly?: { words: string; calls: number };
    /** A text whose vector is of another size. */
    short?: string;
    /** A text whose vector has this in place of its second number, as servers write it that JSON has no number for. */
    noNumber?: { words: string; written: string };
    /** No call is answered. */
    hangs?: true;
    /** Every call fails with this status. */
    down?: number;
    /** Every answer goes on until its connection ends. */
    endless?: true;
    /** By how many places its vectors differ from those of other servers. */
    shift?: number;
  };
}

/** Speaks `/embeddings` as OpenAI does, with vectors of eight numbers: texts about the same thing are near. */
export async function startEmbeddingServer(
  t: TestContext,
  behaviour: EmbeddingServer['behaviour'] = {},
): Promise<EmbeddingServer> {
  const calls: string[][] = [];
  let dead = 0;
  let sent = 0;
  const pour = (response: ServerResponse): void => {
    const piece = Buffer.alloc(2 ** 20, ' ');
    const more = (): void => {
      while (!response.destroyed) {
        sent += piece.length;
        if (!response.write(piece)) return;
      }
    };
    response.on('drain', more);
    more();
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => {
      body += part.toString();
    });
    request.on('end', () => {
      const { input } = JSON.parse(body) as { input: string | string[] }; // as the client library writes it
      const texts = [input].flat();
      calls.push(texts);
      const { most = 1_000, poison, deadly, short, noNumber, hangs, down, shift = 0 } = served.behaviour;
      if (hangs) return;
      if (deadly !== undefined && texts.some((text) => text.includes(deadly.words))) dead = deadly.calls + 1;
      if (dead > 0) {
        dead -= 1;
        return void request.socket.resetAndDestroy();
      }
      const poisoned = poison !== undefined && texts.some((text) => text.includes(poison.words));
      const status = down ?? (texts.length > most ? 400 : poisoned ? poison.status : 200);
      response.writeHead(status, { 'content-type': 'application/json' });
      if (served.behaviour.endless) return pour(response);
      if (status !== 200) return response.end(JSON.stringify({ error: { message: 'refused', code: null } }));
      const data = texts.map((text, index) => ({
        object: 'embedding',
        index,
        embedding: short !== undefined && text.includes(short) ? [1, 2, 3] : vectorOf(text, shift),
      }));
      const list = { object: 'list', model: 'themes', data, usage: { prompt_tokens: 1, total_tokens: 1 } };
      const isOdd = noNumber !== undefined && texts.some((text) => text.includes(noNumber.words));
      const written = JSON.stringify(list);
      response.end(isOdd ? written.replace(/(\[[\d.]+,)[\d.]+/, `$1${noNumber.written}`) : written);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo; // a TCP server's address is an object
  const served: EmbeddingServer = {
    url: `http://127.0.0.1:${port}/v1`,
    calls,
    sentBytes: () => sent,
    behaviour,
  };
  return served;
}

function vectorOf(text: string, shift: number): number[] {
  const vector = new Array<number>(8).fill(0.01);
  for (const [index, theme] of themes.entries()) if (theme.test(text)) vector[(index + shift) % 8] = 1;
  vector[7] = 0.1;
  return vector;
}
