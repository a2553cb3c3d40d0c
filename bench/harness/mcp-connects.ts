// Clients that connect over MCP and leave without a goodbye, and what the program holds before and after them. Judges nothing.
import { readdirSync } from 'node:fs';
import { systemClock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';

export interface Connects {
  connects: number;
  /** Answers that named a session of the transport, which would have to be ended. */
  named: number;
  /** Open files and sockets before and after, and sessions of the engine. */
  handles: readonly [number, number];
  sessions: readonly [number, number];
  /** Of the main thread's heap, without garbage. */
  gainedBytes: number;
}

/** Heap that may be gained, in bytes: a server for each client that left would need more. */
export const allowedBytes = 8 * 1024 * 1024;
/** At the same time: more wait in this process. */
const atOnce = 20;
/** Before the first count, so that caches are full. */
const warmUp = 200;
/** Sockets may close so long after their clients, in milliseconds. */
const closingMs = 30_000;
/** Longer than the program waits between two collections of its garbage. */
const [looks, betweenMs] = [32, 200];

const params = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'leaves', version: '1' },
};

/** Connects so often to the program at `url`, which collects its garbage every few seconds. A ParleyError when a client is refused. */
export async function connectAndLeave(
  connects: number,
  { url, token, pid }: { url: string; token: string; pid: number },
): Promise<Connects> {
  const get = async (path: string): Promise<Response> =>
    fetch(new URL(path, url), { headers: { authorization: `Bearer ${token}` } });
  const made = await fetch(new URL('/tokens', url), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ agent: 'coder' }),
  });
  const { secret } = (await made.json()) as { secret: string };
  const client = {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      connection: 'close',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  };
  let named = 0;
  const one = async (): Promise<void> => {
    const response = await fetch(new URL('/mcp', url), client);
    const text = await response.text();
    if (response.status !== 200) throw new ParleyError('refused', `MCP: ${response.status} ${text}`);
    if (response.headers.get('mcp-session-id') !== null) named += 1;
  };
  const connect = async (count: number): Promise<void> => {
    for (let left = count; left > 0; left -= atOnce)
      await Promise.all(Array.from({ length: Math.min(left, atOnce) }, one));
  };
  const handles = (): number => readdirSync(`/proc/${pid}/fd`).length;
  const sessions = async (): Promise<number> =>
    Number((await get('/session?limit=1')).headers.get('x-total-count'));
  /** The least heap of some looks: between two collections there is garbage. */
  const heap = async (): Promise<number> => {
    let least = Number.POSITIVE_INFINITY;
    for (let look = 0; look < looks; look += 1) {
      const text = await (await get('/metrics')).text();
      least = Math.min(least, Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(text)?.[1]));
      await systemClock.sleep(betweenMs);
    }
    return least;
  };
  await connect(warmUp);
  const before = { heap: await heap(), handles: handles(), sessions: await sessions() };
  await connect(connects);
  const until = Date.now() + closingMs;
  while (handles() > before.handles && Date.now() < until) await systemClock.sleep(betweenMs);
  return {
    ...{ connects, named },
    handles: [before.handles, handles()],
    sessions: [before.sessions, await sessions()],
    gainedBytes: (await heap()) - before.heap,
  };
}

/** What grew, as text; `spare` handles may be open for something else. */
export function wrongOf({ named, handles, sessions, gainedBytes }: Connects, spare = 0): string[] {
  return [
    ...(named > 0 ? [`${named} connects over MCP were given a session of the transport`] : []),
    ...(handles[1] > handles[0] + spare ? [`connects over MCP left handles: ${handles.join(' → ')}`] : []),
    ...(sessions[1] > sessions[0] ? [`connects over MCP left sessions: ${sessions.join(' → ')}`] : []),
    // written so that a heap that could not be read is wrong too
    ...(gainedBytes < allowedBytes
      ? []
      : [`connects over MCP left ${gainedBytes} bytes, ${allowedBytes} allowed`]),
  ];
}
