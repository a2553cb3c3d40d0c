// What viewers are shown of conversations, and what owners leave in the audit when they look at those of others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAuditedEngine } from '#engine/http/guards/audited-engine.ts';
import { createViewerEngine } from '#engine/http/guards/viewer-engine.ts';
import { until } from '../../support/found.ts';
import { converse, originOf } from '../support/kit.ts';
import { bearer } from './kit.ts';
import { openRoom, openSignedIn, page } from './sign-in-kit.ts';

test('a viewer reads what open rooms hold; anything else is as if it were not there', async (t) => {
  const { send, signIn, conversation } = await openSignedIn(t);
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
  const { send, signIn, conversation, engine } = await openSignedIn(t);
  const root = await conversation('The zeppelin lands on Monday.', openRoom);
  const thread = await conversation('It has a leak.', { ...openRoom, chat: `${openRoom.chat}9` });
  const viewer = await signIn('viewer');
  const ids = async (path: string) =>
    (await send('GET', path, viewer)).body.map(({ id, runID }: Record<string, string>) => id ?? runID).sort();
  const set = (restricted: boolean) =>
    engine.setRooms({ rooms: [{ audience: openRoom.audience, restricted }] });
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

test('a conversation that was shared or forked shows nothing of a room that is closed, nor, once it opens again, of what was written in between', async (t) => {
  const { send, signIn, conversation, engine } = await openSignedIn(t);
  const root = await conversation('The zeppelin lands on Monday.', openRoom);
  await engine.updateSession({ sessionID: root.id, shared: true });
  const fork = await engine.forkSession({ sessionID: root.id });
  const viewer = await signIn('viewer');
  const shown = async (path: string): Promise<string> =>
    JSON.stringify((await send('GET', path, viewer)).body);
  const set = (restricted: boolean) =>
    engine.setRooms({ rooms: [{ audience: openRoom.audience, restricted }] });
  const lists = ['/session', '/session?shared=true', '/session?text=zeppelin', '/runs', '/usage'];
  const ofOne = (id: string): string[] =>
    ['', '/message', '/children', '/context', '/diff', '/todo'].map((rest) => `/session/${id}${rest}`);
  assert.match(await shown(`/session/${root.id}/message`), /zeppelin/, 'it is open before');
  await set(true);
  const inBetween = await conversation('The zeppelin has a leak.', { ...openRoom, restricted: true });
  for (const path of [...lists, ...ofOne(root.id), ...ofOne(fork.id)])
    assert.doesNotMatch(await shown(path), /zeppelin/i, path);
  await set(false);
  assert.match(await shown(`/session/${root.id}/message`), /zeppelin/);
  for (const path of [...lists, ...ofOne(inBetween.id)]) assert.doesNotMatch(await shown(path), /leak/, path);
});

test('the stream that a viewer has of a conversation ends with the next event after its room was closed', async (t) => {
  const { engine, conversation } = await openSignedIn(t);
  const { id } = await conversation('The zeppelin lands on Monday.', openRoom);
  const viewed = createViewerEngine(engine);
  const stop = new AbortController();
  const seen: string[] = [];
  const reading = (async () => {
    for await (const event of viewed.events({ sessionID: id }, stop.signal)) seen.push(JSON.stringify(event));
  })();
  await engine.updateSession({ sessionID: id, title: 'Of zeppelins' });
  while (seen.length === 0) await new Promise(setImmediate);
  await engine.setRooms({ rooms: [{ audience: openRoom.audience, restricted: true }] });
  await engine.updateSession({ sessionID: id, title: 'Of submarines' });
  await reading;
  assert.doesNotMatch(seen.join(), /submarines/);
});

test('a viewer changes nothing, reads no memory and none of what is for owners', async (t) => {
  const { send, signIn, conversation, engine } = await openSignedIn(t);
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
  assert.equal((await engine.findSessions({ limit: 9, offset: 0 })).total, 1);
  for (const path of ['/console/x', '/console', '/']) {
    const [ofViewer, ofAnyone] = [await send('GET', path, viewer), await send('GET', path, {})];
    assert.deepEqual(ofViewer.body, ofAnyone.body, 'the page holds no data, and is the same for all');
  }
});

test("an owner's look into a private conversation is in the audit before it is shown, once for its newest page, and no look of a program is", async (t) => {
  const noted: string[] = [];
  let isFull = false;
  const { send, signIn, conversation, memory } = await openSignedIn(t, (engine) => ({
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

test('whatever an owner reads of another person leaves a line: a fork and the copy, memory, files, runs and streams', async (t) => {
  const { send, signIn, conversation, memory } = await openSignedIn(t);
  const { id, runID } = await conversation('My xylophone is in the attic.', {});
  const owner = { ...(await signIn('owner', 'Cid')), ...page };
  const lines = async (): Promise<number> =>
    (await memory.audit({ of: 'person:per_1', action: 'read' })).filter(({ actor }) =>
      JSON.stringify(actor).includes('Cid'),
    ).length;
  const leavesOne = async (method: string, path: string, body?: unknown) => {
    const before = await lines();
    const answer = await send(method, path, owner, body);
    assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`);
    assert.equal((await lines()) - before, 1, path);
    return answer.body;
  };
  const fork = await leavesOne('POST', `/session/${id}/fork`, {});
  await leavesOne('GET', `/session/${fork.id}/message`);
  await leavesOne('GET', '/memory?audience=person:per_1');
  await leavesOne('GET', '/memory/journal?audience=person:per_1');
  const { nativeIDs: _ids, ...reader } = originOf({ audience: 'person:per_1' });
  const lesson = { agentID: 'coder', taskType: 't', lessonKind: 'pattern', lesson: 'Look.' };
  await send('POST', '/memory/reader', bearer, { operation: 'recordLesson', reader, input: lesson });
  await leavesOne('GET', '/memory/journal?audiences=all');
  await leavesOne('GET', `/runs/${runID}`);
  await leavesOne('GET', `/runs/${runID}/events`);
  const before = await lines();
  assert.equal((await send('GET', '/memory?audience=person:per_1', bearer)).status, 200);
  assert.equal(await lines(), before, 'a program is its operator');
});

test('what shows words of many leaves a line for each person: lists once an hour, a stream over all conversations once', async (t) => {
  const { send, signIn, conversation, memory, clock, engine } = await openSignedIn(t);
  const { id } = await conversation('My xylophone is in the attic.', {});
  await conversation('The zeppelin lands on Monday.', openRoom);
  const lines = async (): Promise<number> =>
    (await memory.audit({ of: 'person:per_1', action: 'read' })).filter(({ actor }) =>
      JSON.stringify(actor).includes('Cid'),
    ).length;
  for (const path of ['/runs', '/session', '/session?text=xylophone']) {
    const owner = await signIn('owner', 'Cid');
    await clock.advance(3_600_000);
    const before = await lines();
    for (const _ of [1, 2]) assert.equal((await send('GET', path, owner)).status, 200);
    assert.equal((await lines()) - before, 1, path);
    await clock.advance(3_600_000);
    await send('GET', path, owner);
    assert.equal((await lines()) - before, 2, `${path}, an hour later`);
  }
  const audited = createAuditedEngine(engine, () => ({ name: 'Cid', noted: new Set() }), clock);
  const before = await lines();
  const stop = new AbortController();
  const seen: string[] = [];
  const reading = (async () => {
    for await (const event of audited.events({}, stop.signal)) seen.push(JSON.stringify(event));
  })();
  // the stream begins a little later than it is asked for
  await until('some changes', async () => {
    await engine.updateSession({ sessionID: id, title: `Of ${seen.length} attics, ${await lines()}` });
    return seen.length >= 2;
  });
  stop.abort();
  await reading.catch(() => undefined);
  assert.equal((await lines()) - before, 1);
});

test('an owner who names an upload of another person in a prompt or a message leaves a line, however its path is written, and one of nobody is refused', async (t) => {
  const { send, signIn, memory, engine } = await openSignedIn(t);
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  const file = (url: string) => ({ type: 'file', mime: 'text/plain', filename: 'will.txt', url }) as const;
  const url = 'upload:telegram/1/will.txt';
  await converse(engine, id, { parts: [file(url)], origin: originOf({ audience: 'person:per_1' }) });
  const linesOf = async (name: string): Promise<number> =>
    (await memory.audit({ of: 'person:per_1', action: 'read' })).filter(({ actor }) =>
      JSON.stringify(actor).includes(name),
    ).length;
  const session = async (as: Record<string, string>): Promise<string> =>
    (await send('POST', '/session', as, {})).body.id;
  const ways = [
    ['message', url],
    ['prompt_async', url],
    ['message', 'upload:telegram/1/wil%6C.txt'],
    ['prompt_sync', 'upload:%74elegram/1/will%2Etxt'],
  ] as const;
  for (const [index, [way, named]] of ways.entries()) {
    const name = `Cid${index}`;
    const owner = { ...(await signIn('owner', name)), ...page };
    const own = await session(owner);
    const answer = await send('POST', `/session/${own}/${way}`, owner, { parts: [file(named)] });
    assert.ok(answer.status < 300, `${way}: ${JSON.stringify(answer.body)}`);
    assert.equal(await linesOf(name), 1, `${way} ${named}`);
  }
  const owner = { ...(await signIn('owner', 'Dan')), ...page };
  const own = await session(owner);
  for (const way of ['message', 'prompt_async', 'prompt_sync']) {
    const body = { parts: [file(`upload:telegram/1/diary-${way}.txt`)] };
    const refused = await send('POST', `/session/${own}/${way}`, owner, body);
    assert.equal(refused.status, 403, way);
    assert.match(refused.body.error, /"telegram\/1\/diary-\w+\.txt" stands in no conversation/);
    assert.ok((await send('POST', `/session/${await session(bearer)}/${way}`, bearer, body)).status < 300);
  }
  const pasted = { parts: [file('data:text/plain;base64,SGVsbG8=')] };
  assert.ok((await send('POST', `/session/${own}/message`, owner, pasted)).status < 300);
});

test("an owner who prompts in the name of another person's place leaves a line", async (t) => {
  const { send, signIn, memory, conversation } = await openSignedIn(t);
  await conversation('My xylophone is in the attic.', {});
  const owner = { ...(await signIn('owner', 'Cid')), ...page };
  const { id } = (await send('POST', '/session', owner, {})).body;
  const body = {
    parts: [{ type: 'text', text: 'Where is the xylophone?' }],
    origin: originOf({ audience: 'person:per_1' }),
  };
  const { status } = await send('POST', `/session/${id}/prompt_sync`, owner, body);
  const lines = await memory.audit({ of: 'person:per_1', action: 'read' });
  assert.ok(status >= 400 || lines.some(({ actor }) => JSON.stringify(actor).includes('Cid')), `${status}`);
});
