// Browsers in place of the token, over the real engine and store: a link that works once, a cookie, owners and viewers.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createIds } from '#base/ids.ts';
import { openSignIns } from '#console/sign-ins.ts';
import { createHttpApp } from '#engine/http/app.ts';
import { createViewerEngine } from '#engine/http/guards/viewer-engine.ts';
import type { EngineService } from '#engine/wire/service.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { converse, openKit, originOf, textBody } from '../support/kit.ts';
import { bearer, json, token } from './kit.ts';

const host = '127.0.0.1:7410';
const page = { origin: `http://${host}` };
const days = 24 * 3_600_000;

async function open(t: TestContext, over: (engine: EngineService) => Partial<EngineService> = () => ({})) {
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
  return { ...kit, engine, clock, signIns, send, signIn, conversation };
}

const openRoom = {
  chat: 'discord:channel:1:2:3:-',
  kind: 'channel',
  audience: 'room:discord:channel:1:2:3:-',
  space: 'discord:1:2',
  restricted: false,
} as const;

test('a link is exchanged once, by a page of this server, for a cookie that no script reads', async (t) => {
  const { send, signIns, clock } = await open(t);
  const { body: link } = await send('POST', '/sign-in/link', bearer, { role: 'viewer', name: 'Ben' });
  for (const [foreign, code] of [
    [{}, 'FOREIGN_PAGE'],
    [{ 'sec-fetch-site': 'cross-site' }, 'FOREIGN_PAGE'],
    [{ origin: 'https://evil.example' }, 'ORIGIN_NOT_ALLOWED'],
  ] as const) {
    const refused = await send('POST', '/sign-in', foreign as Record<string, string>, { key: link.key });
    assert.deepEqual([refused.status, refused.body.code, refused.cookie], [403, code, '']);
  }
  const agent = { 'user-agent': 'b'.repeat(400) };
  const made = await send('POST', '/sign-in', { ...page, ...agent }, { key: link.key });
  assert.deepEqual([made.status, made.body], [200, { role: 'viewer', name: 'Ben' }]);
  assert.match(
    made.cookie,
    /^parley_console_7410=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/,
  );
  assert.equal(signIns.list()[0]?.agent, 'b'.repeat(300));
  const again = await send('POST', '/sign-in', page, { key: link.key });
  assert.deepEqual(
    [again.status, again.body.code, again.body.retryable, again.cookie],
    [401, 'LINK_USED', false, ''],
  );
  const { body: late } = await send('POST', '/sign-in/link', bearer, {});
  await clock.advance(5 * 60_000);
  assert.equal((await send('POST', '/sign-in', page, { key: late.key })).status, 401);
});

test('behind a proxy with TLS the cookie is for TLS alone, and a page that the browser calls our own needs no origin', async (t) => {
  const { send, signIns } = await open(t);
  for (const [headers, isSecure] of [
    [{ ...page, 'x-forwarded-proto': 'https' }, true],
    [{ origin: `HTTPS://${host}` }, false],
    [{ 'sec-fetch-site': 'same-origin' }, false],
  ] as const) {
    const { key } = signIns.makeLink({ role: 'owner' });
    const { status, cookie } = await send('POST', '/sign-in', headers, { key });
    assert.deepEqual([status, /; Secure/.test(cookie)], [200, isSecure], JSON.stringify(headers));
  }
});

test('who is asking is the token, or the sign-in with its role and name', async (t) => {
  const { send, signIn } = await open(t);
  const { body: byToken } = await send('GET', '/sign-in', bearer);
  assert.deepEqual(byToken, {
    ...{ by: 'token', role: 'owner', name: 'token', id: null, expiresAtMs: null },
    ...{ version: '1', sandbox: false },
  });
  for (const role of ['owner', 'viewer'] as const) {
    const { body } = await send('GET', '/sign-in', await signIn(role));
    assert.deepEqual([body.by, body.role, body.name], ['sign-in', role, 'Anna']);
    assert.match(body.id, /^sgn_/);
  }
  assert.equal((await send('GET', '/sign-in')).status, 401);
  const unknown = { cookie: `parley_console_7410=${'x'.repeat(43)}` };
  assert.equal((await send('GET', '/sign-in', unknown)).status, 401);
});

test('an owner reads with the cookie from anywhere, and writes from a page of this server only', async (t) => {
  const { send, signIn } = await open(t);
  const owner = await signIn('owner');
  assert.equal((await send('GET', '/session', { ...owner, 'sec-fetch-site': 'cross-site' })).status, 200);
  const write = (headers: Record<string, string>) => send('POST', '/session', { ...owner, ...headers }, {});
  assert.deepEqual([(await write({})).body.code, (await write(page)).status], ['FOREIGN_PAGE', 200]);
  assert.equal(
    (await send('POST', '/session', { ...owner, ...bearer }, {})).status,
    200,
    'a program has the token',
  );
  const wrong = { ...owner, ...page, authorization: 'Bearer wrong' };
  assert.equal((await send('GET', '/session', wrong)).status, 401, 'a wrong token is no sign-in');
});

test('sign-ins are listed, ended by their id or by their browser, and end after thirty days', async (t) => {
  const { send, signIn, clock } = await open(t);
  const [owner, other, viewer] = [
    await signIn('owner'),
    await signIn('owner', 'Cid'),
    await signIn('viewer', 'Ben'),
  ];
  const { body: all } = await send('GET', '/sign-ins', bearer);
  assert.deepEqual(
    all.map(({ name }: { name: string }) => name),
    ['Ben', 'Cid', 'Anna'],
  );
  assert.deepEqual((await send('DELETE', `/sign-ins/${all[1].id}`, { ...owner, ...page })).body, {
    ok: true,
  });
  const gone = await send('DELETE', `/sign-ins/${all[1].id}`, bearer);
  assert.deepEqual([gone.status, gone.body.code], [404, 'SIGN_IN_NOT_FOUND']);
  assert.equal((await send('GET', '/session', other)).status, 401);
  assert.equal((await send('DELETE', '/sign-in', viewer)).status, 403);
  const ended = await send('DELETE', '/sign-in', { ...viewer, ...page });
  assert.deepEqual([ended.status, ended.body], [200, { ok: true }]);
  assert.match(ended.cookie, /^parley_console_7410=; Max-Age=0; Path=\//);
  assert.equal((await send('GET', '/session', viewer)).status, 401);
  assert.deepEqual((await send('DELETE', '/sign-in', page)).body, { ok: true }, 'also for one that has none');
  await clock.advance(30 * days - 1);
  assert.equal((await send('GET', '/session', owner)).status, 200);
  await clock.advance(1);
  assert.equal((await send('GET', '/session', owner)).status, 401);
});

test('a viewer reads what open rooms hold; anything else is as if it were not there', async (t) => {
  const { send, signIn, conversation } = await open(t);
  const room = await conversation('The zeppelin lands on Monday.', openRoom);
  const direct = await conversation('My xylophone is in the attic.', {});
  const closed = await conversation('The harbour is closed.', { ...openRoom, restricted: true });
  const viewer = await signIn('viewer');
  const read = async (path: string) => send('GET', path, viewer);
  const ids = (all: { id?: string; runID?: string }[]) => all.map(({ id, runID }) => id ?? runID);
  assert.deepEqual(ids((await read('/session')).body), [room.id]);
  assert.deepEqual(ids((await read('/runs')).body), [room.runID]);
  for (const [{ id, runID }, status] of [
    [room, 200],
    [direct, 404],
    [closed, 404],
  ] as const)
    for (const path of [
      `/session/${id}`,
      `/session/${id}/message`,
      `/session/${id}/message?limit=5`,
      `/runs/${runID}`,
      `/runs/${runID}/events`,
    ])
      assert.equal((await read(path)).status, status, path);
  assert.match(JSON.stringify((await read(`/session/${room.id}/message`)).body), /zeppelin/);
  assert.equal((await read(`/session/${room.id}/message?limit=1`)).body.length, 1);
  for (const path of ['/permission', '/question']) assert.deepEqual((await read(path)).body, []);
  assert.deepEqual((await read('/session/status')).body, {});
  assert.equal((await read('/usage/series?from_ms=0&until_ms=1000&step_ms=1000')).status, 200);
  assert.equal((await read('/provider')).status, 200);
});

test('a room that is closed takes all of its conversations from viewers, those of before too, until it opens again', async (t) => {
  const { send, signIn, conversation, engine } = await open(t);
  const root = await conversation('The zeppelin lands on Monday.', openRoom);
  const thread = await conversation('It has a leak.', { ...openRoom, chat: `${openRoom.chat}9` });
  const viewer = await signIn('viewer');
  const ids = async (path: string) =>
    (await send('GET', path, viewer)).body.map(({ id, runID }: Record<string, string>) => id ?? runID).sort();
  const set = (restricted: boolean) => engine.setRooms([{ audience: openRoom.audience, restricted }]);
  const all = [root.id, thread.id].sort();
  assert.deepEqual(await ids('/session'), all);
  await set(true);
  for (const path of ['/session', '/runs']) assert.deepEqual(await ids(path), [], path);
  for (const { id, runID } of [root, thread])
    for (const path of [`/session/${id}/message`, `/runs/${runID}`, `/runs/${runID}/events`])
      assert.equal((await send('GET', path, viewer)).status, 404, path);
  await set(false);
  assert.deepEqual(await ids('/session'), all);
});

test('the stream that a viewer has of a conversation ends with the next event after its room was closed', async (t) => {
  const { engine, conversation } = await open(t);
  const { id } = await conversation('The zeppelin lands on Monday.', openRoom);
  const viewed = createViewerEngine(engine);
  const stop = new AbortController();
  const seen: string[] = [];
  const reading = (async () => {
    for await (const event of viewed.events({ sessionID: id }, stop.signal)) seen.push(JSON.stringify(event));
  })();
  await engine.updateSession(id, { title: 'Of zeppelins' });
  while (seen.length === 0) await new Promise(setImmediate);
  await engine.setRooms([{ audience: openRoom.audience, restricted: true }]);
  await engine.updateSession(id, { title: 'Of submarines' });
  await reading;
  assert.doesNotMatch(seen.join(), /submarines/);
});

test('a viewer changes nothing, reads no memory and none of what is for owners', async (t) => {
  const { send, signIn, conversation, engine } = await open(t);
  const { id } = await conversation('The zeppelin lands on Monday.', openRoom);
  const viewer = { ...(await signIn('viewer')), ...page };
  for (const [method, path] of [
    ['PATCH', `/session/${id}`],
    ['DELETE', `/session/${id}`],
    ['POST', `/session/${id}/prompt_async`],
    ['POST', '/session'],
    ['POST', '/sign-in/link'],
    ['GET', '/sign-ins'],
    ['GET', '/memory'],
    ['GET', '/memory/audiences'],
    ['GET', '/usage'],
    ['GET', '/nowhere'],
  ] as const) {
    const refused = await send(method, path, viewer, method === 'GET' ? undefined : {});
    assert.deepEqual([refused.status, refused.body.code], [403, 'VIEWER_READS_ONLY'], `${method} ${path}`);
  }
  assert.equal((await engine.listSessions({ limit: 9, offset: 0 })).length, 1);
  for (const path of ['/console/x', '/console', '/']) {
    const [ofViewer, ofAnyone] = [await send('GET', path, viewer), await send('GET', path, {})];
    assert.deepEqual(ofViewer.body, ofAnyone.body, 'the page holds no data, and is the same for all');
  }
});

test("an owner's look into a private conversation is in the audit before it is shown, once for its newest page, and no look of a program is", async (t) => {
  const noted: string[] = [];
  let isFull = false;
  const { send, signIn, conversation, memory } = await open(t, (engine) => ({
    async noteOpened(id, by) {
      await new Promise((resolve) => setImmediate(resolve));
      if (isFull) throw new Error('the disk is full');
      noted.push(by);
      await engine.noteOpened(id, by);
    },
  }));
  const { id } = await conversation('My xylophone is in the attic.', {});
  const owner = await signIn('owner', 'Cid');
  const looks = [`/session/${id}`, `/session/${id}/message`, `/session/${id}/message?limit=1`];
  for (const path of looks) {
    assert.equal((await send('GET', path, owner)).status, 200);
    assert.deepEqual(noted.splice(0), ['Cid'], path);
    isFull = true;
    const refused = await send('GET', path, owner);
    isFull = false;
    assert.equal(refused.status, 500, path);
    assert.doesNotMatch(JSON.stringify(refused.body), /xylophone/);
    assert.equal((await send('GET', path, bearer)).status, 200);
    assert.deepEqual(noted, []);
  }
  const [message] = (await send('GET', `/session/${id}/message`, bearer)).body;
  await send('GET', `/session/${id}/message?limit=1&before=${message.info.id}`, owner);
  assert.deepEqual(noted, [], 'older pages are of the same look');
  const audit = await memory.audit({ of: 'person:per_1', action: 'read' });
  assert.ok(audit.length <= looks.length);
});
