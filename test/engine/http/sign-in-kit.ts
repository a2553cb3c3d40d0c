// Browsers that sign in at the real engine over HTTP. Not a test.
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createIds } from '#base/ids.ts';
import { openSignIns } from '#console/sign-ins.ts';
import { createHttpApp } from '#engine/http/app.ts';
import type { EngineService } from '#engine/wire/service.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { converse, openKit, originOf, textBody } from '../support/kit.ts';
import { json, token } from './kit.ts';

export const host = '127.0.0.1:7410';
export const page = { origin: `http://${host}` };

export async function openSignedIn(
  t: TestContext,
  over: (engine: EngineService) => Partial<EngineService> = () => ({}),
) {
  const kit = await openKit(t);
  const clock = createManualClock(Date.now());
  const signIns = openSignIns({
    path: join(tempFolder(t), 'console.sqlite'),
    clock,
    newId: createIds(clock),
  });
  t.after(() => signIns.close());
  const engine = { ...kit.engine, ...over(kit.engine) };
  const app = createHttpApp({
    engine,
    token,
    hosts: () => [host],
    clock,
    log: quietLog().log,
    version: '1',
    signIns,
  });
  const send = async (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await app.request(path, { method, headers: { host, ...json, ...headers }, ...sent });
    const text = await response.text();
    const cookie = response.headers.get('set-cookie') ?? '';
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text), cookie };
  };
  /** Signs a browser in; gives the header with its cookie. */
  const signIn = async (role: 'owner' | 'viewer', name = 'Anna'): Promise<{ cookie: string }> => {
    const { key } = signIns.makeLink({ role, name });
    const { cookie } = await send('POST', '/sign-in', page, { key });
    return { cookie: cookie.split(';')[0] ?? '' };
  };
  const conversation = async (text: string, origin: Parameters<typeof originOf>[0]) => {
    const { id } = await engine.createSession({ sourceKind: 'channel' });
    const { runID } = await converse(engine, id, textBody(text, originOf(origin)));
    return { id, runID };
  };
  return { ...kit, app, engine, clock, signIns, send, signIn, conversation };
}

export const openRoom = {
  chat: 'discord:channel:1:2:3:-',
  kind: 'channel',
  audience: 'room:discord:channel:1:2:3:-',
  space: 'discord:1:2',
  restricted: false,
} as const;
