// A terminal's side of its channel: says what is typed, and writes what is shown, piece by piece as it comes.
import { randomUUID } from 'node:crypto';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { listenPath, type Shown, sayPath, seenPath, shown } from '#adapters/terminal/wire.ts';
import { ParleyError } from '#base/errors.ts';

export interface TerminalClient {
  /** Resolves once the message is accepted; it will have one answer. */
  say(text: string): Promise<void>;
  /** Resolves with the next complete message. */
  answer(): Promise<string>;
  /** Takes what was answered and not asked for here: what an earlier talk had left. */
  left(): string[];
  close(): Promise<void>;
}

interface TerminalClientOptions {
  baseUrl: string;
  token: string;
  user: string;
  /** Writes a piece of an answer as it comes; `end` after its last one. */
  write: (piece: string) => void;
}

const againMs = 500;
/** How often a message is handed in before its sender sees that it was not accepted. */
const maxAttempts = 20;

/**
 * Connects to the engine and shows what arrives, again after a lost connection, until it is closed. Resolves once messages from an
 * earlier talk have arrived. Throws a ParleyError when the engine refuses.
 */
export async function openTerminalClient({
  baseUrl,
  token,
  user,
  write,
}: TerminalClientOptions): Promise<TerminalClient> {
  const leaving = new AbortController();
  const { signal } = leaving;
  const headers = { authorization: `Bearer ${token}` };
  const at = (path: string): URL => new URL(path, baseUrl);
  const answers: string[] = [];
  const waiting: ((text: string) => void)[] = [];
  const keys = new Set<string>();
  const screen = createScreen(write);
  const caughtUp = Promise.withResolvers<void>();

  const acknowledging = new Set<Promise<unknown>>();
  /** One that is lost is made up for: the message comes again, and with it the next acknowledgement. */
  const acknowledge = (key: string): void => {
    const body = JSON.stringify({ user, key });
    const done: Promise<unknown> = fetch(at(seenPath), { method: 'POST', headers, body })
      .then((response) => response.text())
      .catch(() => undefined)
      .finally(() => acknowledging.delete(done));
    acknowledging.add(done);
  };

  const show = (what: Shown): void => {
    if (what.type === 'live') {
      screen.live(what.text);
      return;
    }
    if (what.type === 'caught up') {
      caughtUp.resolve();
      return;
    }
    acknowledge(what.key);
    if (keys.has(what.key)) return;
    keys.add(what.key);
    screen.whole(what.text);
    const next = waiting.shift();
    if (next === undefined) answers.push(what.text);
    else next(what.text);
  };

  const connect = async (): Promise<ReadableStream<Uint8Array>> => {
    const url = at(listenPath);
    url.searchParams.set('user', user);
    const response = await fetch(url, { headers, signal });
    if (response.ok && response.body !== null) return response.body;
    if (response.status === 404)
      throw new ParleyError('channels_not_running', `At ${baseUrl} an engine runs without channels.`, {
        hint: 'Start them with "parley channels": a terminal is one of them.',
      });
    throw new ParleyError(
      'engine_refused',
      `The engine does not take this terminal: ${await response.text()}`,
    );
  };
  const read = async (first: ReadableStream<Uint8Array>): Promise<void> => {
    for (let body: ReadableStream<Uint8Array> | undefined = first; !signal.aborted; body = undefined) {
      try {
        const frames = (body ?? (await connect()))
          .pipeThrough(new TextDecoderStream())
          .pipeThrough(new EventSourceParserStream());
        for await (const { data } of frames) show(shown.parse(JSON.parse(data)));
      } catch {
        // the engine is away: it is asked again until the talk is closed
      }
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, againMs));
    }
  };
  const reading = read(await connect());
  await caughtUp.promise;

  return {
    async say(text) {
      const body = JSON.stringify({ user, id: randomUUID(), text });
      for (let attempt = 1; ; attempt += 1) {
        const response = await fetch(at(sayPath), { method: 'POST', headers, body, signal });
        const words = await response.text();
        if (response.ok) return;
        if (response.status !== 503 || attempt === maxAttempts)
          throw new ParleyError('engine_refused', `The message was not taken: ${words}`);
        await new Promise((resolve) => setTimeout(resolve, againMs)); // it is starting, or about to end
      }
    },
    answer: () => {
      const text = answers.shift();
      return text === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(text);
    },
    left: () => answers.splice(0),
    async close() {
      await Promise.all(acknowledging);
      leaving.abort();
      await reading;
    },
  };
}

/** Writes each answer once: text that was shown live is completed, not repeated. */
export function createScreen(write: (piece: string) => void) {
  let printed = '';
  const go = (text: string): void => {
    if (text.startsWith(printed)) write(text.slice(printed.length));
    else write(`\n${text}`); // it began again, or its end reads otherwise than its beginning
    printed = text;
  };
  return {
    live: go,
    whole(text: string): void {
      go(text);
      write('\n');
      printed = '';
    },
  };
}
