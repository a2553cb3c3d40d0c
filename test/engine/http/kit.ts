// What the tests of the HTTP routes share: a clock they turn, an app with its engine, a server, a reader of SSE. Not tests.
import type { TestContext } from 'node:test';
import type { Hono } from 'hono';
import { systemClock } from '#base/clock.ts';
import type { Log } from '#base/log/log.ts';
import { createHttpApp } from '#engine/http/app.ts';
import type { HttpEnv } from '#engine/http/routing/route.ts';
import { type EngineServer, ownHosts, serveHttp } from '#engine/http/serve.ts';
import { createManualClock, type ManualClock } from '../../support/manual-clock.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { createScriptedEngine, type ScriptedEngine } from './scripted-engine.ts';

export const token = 'a-token-of-the-test-and-no-secret';
export const bearer = { authorization: `Bearer ${token}` };
export const json = { 'content-type': 'application/json' };
export const hello = JSON.stringify({ parts: [{ type: 'text', text: 'hello' }] });

export type Body = string | Uint8Array<ArrayBuffer>;

export interface Kit {
  engine: ScriptedEngine;
  app: Hono<HttpEnv>;
  clock: ManualClock;
  logged: string[];
  log: Log;
  /** A request with the token and our Host, unless the headers say otherwise (an empty value leaves one away). */
  ask(
    path: string,
    init?: { method?: string; headers?: Record<string, string>; body?: Body },
  ): Promise<Response>;
  /** A session and its id. */
  session(): Promise<string>;
}

export function createKit(options: { origins?: string[]; extra?: Hono; hosts?: () => string[] } = {}): Kit {
  const clock = createManualClock();
  const engine = createScriptedEngine(clock);
  const { log, lines: logged } = quietLog('info');
  const { hosts = () => ['127.0.0.1:7410'], ...rest } = options;
  const app = createHttpApp({ engine, token, hosts, clock, log, version: '1.2.3', ...rest });
  return {
    engine,
    app,
    clock,
    logged,
    log,
    async ask(path, { method = 'GET', headers = {}, body } = {}) {
      const all = Object.entries({ host: '127.0.0.1:7410', ...bearer, ...headers }).filter(
        ([, v]) => v !== '',
      );
      return app.request(path, { method, headers: all, ...(body === undefined ? {} : { body }) });
    },
    session: async () => (await engine.createSession({})).id,
  };
}

export interface Served extends Kit {
  server: EngineServer;
}

/** The kit on a real socket; closes with the test. */
export async function serveKit(
  t: TestContext,
  options: { graceMs?: number; stalledMs?: number; extra?: Hono } = {},
): Promise<Served> {
  let port = 0;
  const { graceMs, stalledMs, ...rest } = options;
  const kit = createKit({ ...rest, hosts: () => ownHosts({ host: '127.0.0.1', port }) });
  const { app, log } = kit;
  const times = { graceMs, stalledMs };
  const server = await serveHttp({ app, host: '127.0.0.1', port: 0, clock: systemClock, log, ...times });
  port = server.port;
  t.after(() => server.close());
  return { ...kit, server };
}

export interface Frame {
  id?: string;
  event?: string;
  comment?: string;
  data?: { type: string; properties: Record<string, unknown>; envelope: { seq: number | null } };
}

export interface Listener {
  status: number;
  headers: Headers;
  /** The next frame; undefined after a clean end. */
  next(): Promise<Frame | undefined>;
  /** The next frame with an event, as its type. */
  type(): Promise<string | undefined>;
  /** The types of all events until the end. */
  rest(): Promise<string[]>;
  leave(): void;
}

/** Opens `/event` and reads its frames as they come. */
export async function listen(url: string, headers: Record<string, string> = {}): Promise<Listener> {
  const left = new AbortController();
  const response = await fetch(url, { headers: { ...bearer, ...headers }, signal: left.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let held = '';
  const next = async (): Promise<Frame | undefined> => {
    while (!held.includes('\n\n')) {
      const chunk = await reader?.read();
      if (chunk === undefined || chunk.done) return undefined;
      held += chunk.value;
    }
    const [frame = ''] = held.split('\n\n', 1);
    held = held.slice(frame.length + 2);
    return parseFrame(frame);
  };
  const type = async (): Promise<string | undefined> => {
    for (let frame = await next(); frame !== undefined; frame = await next())
      if (frame.data !== undefined) return frame.data.type;
    return undefined;
  };
  return {
    status: response.status,
    headers: response.headers,
    next,
    type,
    async rest() {
      const types: string[] = [];
      for (let each = await type(); each !== undefined; each = await type()) types.push(each);
      return types;
    },
    leave: () => left.abort(),
  };
}

/** The frames of a stream that has ended. */
export function parseFrames(text: string): Frame[] {
  return text
    .split('\n\n')
    .filter((frame) => frame !== '')
    .map(parseFrame);
}

/** The frames that hold an event, without comments such as the mark of an end. */
export function eventFrames(text: string): Frame[] {
  return parseFrames(text).filter(({ data }) => data !== undefined);
}

function parseFrame(text: string): Frame {
  const frame: Frame = {};
  for (const line of text.split('\n')) {
    if (line.startsWith('id: ')) frame.id = line.slice(4);
    else if (line.startsWith('event: ')) frame.event = line.slice(7);
    else if (line.startsWith('data: ')) frame.data = JSON.parse(line.slice(6));
    else if (line.startsWith(': ')) frame.comment = line.slice(2);
    else throw new Error(`not a line of SSE: ${line}`);
  }
  return frame;
}
