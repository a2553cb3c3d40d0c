// The readers of bench.ts, in a separate process: one connection for each session, and how late each event came.
import { get } from 'node:http';

export interface Plan {
  url: string;
  token: string;
  sessions: string[];
}

export interface Figures {
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  received: number;
}

/** Between when an event was published and when it was read, in milliseconds. */
const late: number[] = [];

process.on('message', (message: Plan | 'report') => {
  if (message !== 'report') return void subscribe(message).then(() => process.send?.('subscribed'));
  late.sort((a, b) => a - b);
  const at = (share: number) => round(late[Math.min(late.length - 1, Math.floor(late.length * share))] ?? 0);
  const figures: Figures = { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1), received: late.length };
  process.send?.(figures, () => process.exit());
});

async function subscribe({ url, token, sessions }: Plan): Promise<void> {
  await Promise.all(
    sessions.map((sessionID) => {
      const { promise: greeted, resolve, reject } = Promise.withResolvers<void>();
      const headers = { authorization: `Bearer ${token}` };
      const request = get(`${url}/event?sessionID=${sessionID}`, { headers, agent: false }, (response) => {
        response.setEncoding('utf8');
        let held = '';
        response.on('data', (chunk: string) => {
          held += chunk;
          const end = held.lastIndexOf('\n\n');
          if (end < 0) return;
          read(held.slice(0, end));
          held = held.slice(end + 2);
          resolve();
        });
      });
      request.on('error', reject);
      return greeted;
    }),
  );
}

/** Each event carries the time of its publishing where its text would be. */
function read(frames: string): void {
  const now = performance.timeOrigin + performance.now();
  for (const [, sent] of frames.matchAll(/"(?:delta|text)":"([\d.]+)"/g)) late.push(now - Number(sent));
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
