// A wire tap between the program and a sandbox server: every HTTP call passes through it, is noted, and can be held.
// It changes nothing that passes. Sockets (Discord's gateway, Slack's Socket Mode) do not come this way.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type CallKind = 'send' | 'edit' | 'poll' | 'other';

export interface Call {
  kind: CallKind;
  path: string;
  /** Of the connection that it came over, at its near end. */
  port: number | undefined;
  requestedAt: number;
  /** The platform's answer; 0 while there is none, and when the platform cut the connection instead. */
  status: number;
  /** `done`: the platform carried it out; `refused`: it said no. */
  effect: 'pending' | 'done' | 'refused';
  /** The id that the platform gave to what was sent. */
  messageID: string | undefined;
  /** When the answer was handed to the program's connection; undefined when it never was. */
  answeredAt: number | undefined;
}

/** What a watcher may do at a stage of a call: nothing, or hold it until the promise resolves. */
export type Watcher = (call: Call, stage: 'asked' | 'done' | 'answered') => Promise<void> | undefined;

export interface Tap {
  url: string;
  /** Sends and edits so far. */
  calls: readonly Call[];
  /** Answers of the platform by what went wrong: refused for the rate, broken, cut off. */
  problem: Record<'limited' | 'broken' | 'cut', number>;
  watch(watcher: Watcher): () => void;
  close(): Promise<void>;
}

/** Listens on a free port of 127.0.0.1 and forwards to `target`, whose path is kept in `url`. */
export async function startTap(
  target: string,
  kindOf: (method: string, path: string) => CallKind,
): Promise<Tap> {
  const goal = new URL(target);
  const calls: Call[] = [];
  const problem = { limited: 0, broken: 0, cut: 0 };
  const watchers = new Set<Watcher>();
  const notify = async (call: Call, stage: 'asked' | 'done' | 'answered'): Promise<void> => {
    for (const watcher of [...watchers]) await watcher(call, stage);
  };

  const pass = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = incoming.url ?? '/';
    const kind = kindOf(incoming.method ?? 'GET', path);
    const call: Call = {
      kind,
      path,
      port: incoming.socket.remotePort,
      requestedAt: Date.now(),
      status: 0,
      effect: 'pending',
      messageID: undefined,
      answeredAt: undefined,
    };
    if (kind === 'send' || kind === 'edit') calls.push(call);
    const body = await readAll(incoming);
    await notify(call, 'asked');
    const gone = new AbortController();
    // what a dead program asked for is carried out all the same, except that nobody waits for news any more
    if (kind === 'poll') response.once('close', () => gone.abort());
    const answer = await forward(goal, incoming, { path, body, signal: gone.signal });
    call.status = answer?.status ?? 0;
    // the sandbox cuts a connection only after the effect, as `lost_response` says
    call.effect = answer === undefined || isGood(answer) ? 'done' : 'refused';
    call.messageID = answer === undefined ? undefined : messageIDIn(answer.body);
    if (answer === undefined) problem.cut += gone.signal.aborted ? 0 : 1;
    else if (answer.status === 429) problem.limited += 1;
    else if (answer.status >= 500) problem.broken += 1;
    await notify(call, 'done');
    if (answer === undefined || response.destroyed) {
      response.destroy();
      return;
    }
    response.writeHead(answer.status, answer.headers).end(answer.body);
    response.once('finish', () => {
      call.answeredAt = Date.now();
      void notify(call, 'answered');
    });
  };

  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
    pass(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  return {
    url: `http://127.0.0.1:${port}${goal.pathname === '/' ? '' : goal.pathname}`,
    calls,
    problem,
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    async close() {
      watchers.clear();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** The platform's answer, or undefined when it cut the connection. */
function forward(
  goal: URL,
  { method, headers }: IncomingMessage,
  { path, body, signal }: { path: string; body: Buffer; signal: AbortSignal },
): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const outgoing = request(
      {
        host: goal.hostname,
        port: goal.port,
        method,
        path,
        headers: { ...headers, host: goal.host },
        signal,
      },
      (answer) => {
        readAll(answer).then(
          (whole) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: whole }),
          () => resolve(undefined),
        );
      },
    );
    outgoing.on('error', () => resolve(undefined));
    outgoing.end(body);
  });
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** Slack refuses with 200 and `"ok":false`. */
function isGood({ status, body }: Answer): boolean {
  return status < 300 && !body.subarray(0, 40).toString().includes('"ok":false');
}

function messageIDIn(body: Buffer): string | undefined {
  const text = body.toString();
  return (
    /"message_id":(\d+)/.exec(text)?.[1] ??
    /"ts":"([\d.]+)"/.exec(text)?.[1] ??
    /"id":"(\d+)"/.exec(text)?.[1]
  );
}
