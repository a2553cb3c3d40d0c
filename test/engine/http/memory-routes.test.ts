// Memory over HTTP and through the client: put, searched, listed, deleted, always inside one audience.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { createSecrets } from '#base/secrets.ts';
import { refusalOf } from '#engine/client/client.ts';
import { clientInProcess } from '#engine/in-process-client.ts';
import { createMemory } from '#memory/memory.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { converse, openKit, originOf, textBody } from '../support/kit.ts';
import { bearer, json } from './kit.ts';
import { openService } from './service-kit.ts';

async function opened(t: TestContext, changes: Parameters<typeof openKit>[1] = {}) {
  const saved = createMemory({
    path: join(tempFolder(t), 'memory.sqlite'),
    clock: systemClock,
    newId: createIds(systemClock),
  });
  const { engine } = await openKit(t, { ...changes, memory: saved });
  const client = clientInProcess(engine, { clock: systemClock, log: quietLog().log, version: '1' });
  return { engine, memory: client.memory, saved };
}

test('memory is searched and listed inside the audience that is named, and inside the own one when none is (T30)', async (t) => {
  const { engine, memory } = await opened(t);
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  await converse(engine, id, textBody('The greenhouse key hangs behind the door.', originOf()));
  const audience = 'person:per_1';
  const found = await memory.search('Where is the greenhouse key?', { audience });
  assert.match(found.results[0]?.content ?? '', /greenhouse key/);
  assert.deepEqual([found.results[0]?.session_id, found.results[0]?.source_type], [id, 'exchange']);
  assert.equal((await memory.list({ audience })).items[0]?.id, found.results[0]?.id);
  for (const other of [{}, { audience: 'person:per_2' }]) {
    assert.deepEqual((await memory.search('Where is the greenhouse key?', other)).results, []);
    assert.deepEqual((await memory.list(other)).items, []);
  }
  assert.deepEqual(await memory.audiences(), { audiences: [{ audience, entries: 1 }] });
});

test('`stored` is true only for what was stored: not for the same words again, nor for what was forgotten (TAO)', async (t) => {
  const { memory } = await opened(t);
  const first = await memory.put('The boiler code is four seven.', { kind: 'fact' });
  assert.deepEqual([first.stored, first.status, first.audience], [true, 'stored', 'person:operator']);
  const again = await memory.put('The boiler  code is FOUR seven.');
  assert.deepEqual([again.stored, again.status, again.id], [false, 'duplicate', first.id]);
  const somewhereElse = await memory.put('The boiler code is four seven.', { audience: 'person:per_1' });
  assert.equal(somewhereElse.stored, true);
  const [item] = (await memory.list()).items;
  assert.deepEqual(
    [item?.content, item?.source_type, item?.speaker],
    ['The boiler code is four seven.', 'fact', 'operator'],
  );
  assert.equal((await memory.search('What is the boiler code?')).results[0]?.id, first.id);
  await memory.delete(first.id ?? '');
  const back = await memory.put('The boiler code is four seven.');
  assert.deepEqual([back.stored, back.status, back.id], [false, 'forgotten', null]);
  assert.equal(
    (await memory.put('<memory_context nonce="x">\n</memory_context>')).status,
    'nothing to store',
  );
});

test('what is deleted is deleted from rows, words, vectors and files, and only by its own audience (T38)', async (t) => {
  const { memory, saved } = await opened(t);
  const audience = 'person:per_1';
  const { id } = await memory.put('The xylophonist lives in Zanzibar.', { audience });
  await memory.put('The bike is green.', { audience });
  assert.equal(typeof id, 'string');
  for (const wrong of [memory.delete(id ?? ''), memory.delete('mem_none', { audience })])
    await assert.rejects(wrong, (error) => refusalOf(error)?.code === 'MEMORY_NOT_FOUND');
  assert.equal((await memory.list({ audience })).count, 2);
  assert.deepEqual(await memory.delete(id ?? '', { audience }), { ok: true, id, traces: 0 });
  assert.equal((await memory.list({ audience })).count, 1);
  assert.deepEqual((await memory.search('xylophonist', { audience })).results, []);
  assert.deepEqual(await saved.verify(['xylophonist', 'zanzibar']), { problems: [], traces: [] });
  const status = await saved.status();
  assert.deepEqual([status.chunks], [1]);
});

test('a list has pages and can be narrowed to words and to a project, and a note of a public room reaches as far as it says', async (t) => {
  const { memory, saved } = await opened(t);
  const room = { audience: 'room:discord:channel:1:2:3:-', space: 'discord:1:2' } as const;
  await memory.put('The red door sticks.', { project_id: 'house' });
  await memory.put('The blue door is open.', { project_id: 'garden' });
  await memory.put('The blue gate is shut.', { project_id: 'garden' });
  await memory.put('Rehearsal is on Friday.', { ...room, private: false });
  await memory.put('The key is under the stone.', room);
  const texts = async (query: Parameters<typeof memory.list>[0]) =>
    (await memory.list(query)).items.map(({ content }) => content);
  assert.equal((await texts({})).length, 3);
  assert.deepEqual(await texts({ q: 'blue door' }), ['The blue door is open.']);
  assert.deepEqual(await texts({ project_id: 'house' }), ['The red door sticks.']);
  const page = await memory.list({ limit: 1, offset: 1 });
  assert.deepEqual([page.items[0]?.content, page.count, page.limit], ['The blue door is open.', 1, 1]);
  const first = await memory.list({ limit: 2 });
  const rest = await memory.list({ limit: 2, after: first.next ?? '' });
  assert.deepEqual([rest.items[0]?.content, rest.count, rest.next], ['The red door sticks.', 1, null]);
  await assert.rejects(memory.list({ kind: 'fact', after: first.next ?? '' }), /after: expected none/);
  const space = { audiences: [], spaces: [room.space], everyone: false };
  const seen = await saved.list({ scope: space });
  assert.deepEqual(
    seen.map(({ text }) => text),
    ['Rehearsal is on Friday.'],
  );
});

test('a secret in what is put reaches no file (J7)', async (t) => {
  const { memory } = await opened(t, { secrets: createSecrets(['canary-token-1']) });
  const { id } = await memory.put('The door code is canary-token-1 today.');
  const { items } = await memory.list();
  assert.equal(items[0]?.id, id);
  assert.doesNotMatch(JSON.stringify(items), /canary/);
});

test('what does not fit is refused with a message, and the document has every route', async (t) => {
  const service = await openService(t, { model: { provider: 'offline' } });
  for (const body of [{}, { query: '' }, { query: 'x', audience: 'everyone' }, { query: 'x', limit: 0 }])
    assert.equal((await service.ask('POST', '/memory/search', body)).status, 400, JSON.stringify(body));
  for (const body of [
    {},
    { content: ' ' },
    { content: 'x', kind: 'secret' },
    { content: 'x', private: false },
    { content: 'x', audience: 'person:per_1', private: false },
    { content: 'x', scope: { everyone: true } },
  ])
    assert.equal((await service.ask('POST', '/memory/put', body)).status, 400, JSON.stringify(body));
  for (const query of ['limit=0', 'limit=1001', 'offset=-1', 'audience=all', 'after=mem_1'])
    assert.equal((await service.ask('GET', `/memory?${query}`)).status, 400, query);
  assert.equal((await service.ask('DELETE', '/memory/mem_none')).status, 404);
  assert.equal((await service.ask('DELETE', '/memory/..%2f..')).status, 404);
  for (const [method, path, body] of [
    ['POST', '/memory/search', { query: 'x' }],
    ['POST', '/memory/put', { content: 'x' }],
    ['GET', '/memory', undefined],
    ['GET', '/memory/audiences', undefined],
  ] as const)
    assert.equal((await service.ask(method, path, body)).status, 200, path);
});

test('a memory that was deleted says when it was forgotten and why, inside its audience alone', async (t) => {
  const { memory } = await opened(t);
  const { id } = await memory.put('The boiler code is four seven.');
  await memory.delete(id ?? '', { reason: 'the boiler was replaced' });
  await assert.rejects(memory.get(id ?? ''), (error) => {
    const refusal = refusalOf(error);
    assert.deepEqual([refusal?.status, refusal?.code], [410, 'MEMORY_FORGOTTEN']);
    assert.match(
      refusal?.message ?? '',
      /forgotten at \d{4}-.+ by operator; the reason given: the boiler was replaced\.$/,
    );
    return true;
  });
  await assert.rejects(
    memory.get(id ?? '', { audience: 'person:per_2' }),
    (error) => refusalOf(error)?.status === 404,
  );
});

test('a record names who said it where a gateway passes it on, and the operator approves only what is their own', async (t) => {
  const { memory, saved } = await opened(t);
  const said = { person: 'per_1', platform: 'discord', chat: 'discord:dm:1:-:2:-', message_ids: ['m1'] };
  const { id } = await memory.put('The boiler is blue.', {
    audience: 'person:per_1',
    said,
    session_id: 'ses_7',
  });
  const { item } = await memory.get(id ?? '', { audience: 'person:per_1' });
  assert.deepEqual(
    [item.governance?.user_id, item.chat, item.platform, item.session_id, item.memory_trust],
    ['per_1', said.chat, 'discord', 'ses_7', 'external_user_supplied'],
  );
  const scope = { audiences: ['person:per_1'] as const, spaces: [], everyone: false };
  for (const selection of [{ person: 'per_1' }, { chat: said.chat }, { session: 'ses_7' }])
    assert.equal((await saved.forget({ scope, selection, mode: 'preview' })).entries, 1);
});

test('a search of a project also finds what is for every project, and nothing of another one', async (t) => {
  const { memory } = await opened(t);
  await memory.put('The ferry leaves at nine.', { tier: 'global' });
  await memory.put('The ferry to the site leaves at ten.', { tier: 'project', project_id: 'site' });
  await memory.put('The ferry to the plant leaves at noon.', { tier: 'project', project_id: 'plant' });
  const contents = async (options: Parameters<typeof memory.search>[1]) =>
    (await memory.search('When does the ferry leave?', options)).results.map(({ content }) => content).sort();
  const [site, every] = ['The ferry to the site leaves at ten.', 'The ferry leaves at nine.'];
  assert.deepEqual(await contents({ project_id: 'site' }), [every, site]);
  assert.deepEqual(await contents({ project_id: 'site', source: 'records' }), [every, site]);
  assert.deepEqual(await contents({ partition: { project_id: 'site' } }), [every, site]);
  assert.deepEqual(await contents({ project_id: 'site', read_scopes: ['project'], limit: 1 }), [site]);
  assert.deepEqual(await contents({ project_id: 'site', read_scopes: ['session'] }), []);
});

test('what another project has imported in numbers keeps nothing of this one from being found', async (t) => {
  const { memory } = await opened(t);
  await memory.put('The ferry leaves at nine.', { project_id: 'site', tier: 'project' });
  for (let index = 0; index < 120; index += 1)
    await memory.put(`The ferry, the ferry, the ferry ${index}!`, { tier: 'project', project_id: 'plant' });
  const { results } = await memory.search('ferry', { project_id: 'site' });
  assert.deepEqual(
    results.map(({ content }) => content),
    ['The ferry leaves at nine.'],
  );
});

test('a body that is nested 20,000 levels deep is refused with a message', async (t) => {
  const service = await openService(t);
  const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
  for (const [path, body] of [
    ['/session', `{"sourceMetadata":${deep}}`],
    ['/memory/put', `{"content":"x","metadata":${deep}}`],
  ] as const) {
    const response = await service.fetch(
      new Request(`http://127.0.0.1:7410${path}`, {
        method: 'POST',
        headers: { host: '127.0.0.1:7410', ...bearer, ...json },
        body,
      }),
    );
    assert.equal(response.status, 400, path);
    assert.match(await response.text(), /at most 100 levels/);
  }
});

test('the journal of one audience is read in pages, newest first, of every agent and project, and of no other audience', async (t) => {
  const { memory } = await opened(t);
  const write = (person: string, agentID: string, lesson: string, projectID?: string) => {
    const { nativeIDs: _ids, ...reader } = originOf({
      audience: `person:${person}`,
      speaker: { person, name: person },
    });
    return memory.forReader('recordLesson', {
      ...{ reader, projectID },
      input: { agentID, taskType: 'sailing', lessonKind: 'pattern', lesson, tags: [] },
    });
  };
  await write('per_1', 'sailor', 'Reef early.');
  await write('per_1', 'coder', 'Measure first.', 'parser');
  await write('per_2', 'sailor', 'Never sail at night.');
  const audience = 'person:per_1';
  const first = await memory.journal({ audience, limit: 1 });
  assert.deepEqual(
    first.entries.map(({ kind, agent, project_id, text, status }) => [kind, agent, project_id, text, status]),
    [['lesson', 'coder', 'parser', 'Measure first.', 'active']],
  );
  const second = await memory.journal({ audience, limit: 1, before: first.next ?? '' });
  assert.deepEqual([second.entries[0]?.text, second.next], ['Reef early.', null]);
  assert.equal((await memory.journal({ audience, agent: 'sailor' })).entries.length, 1);
  assert.deepEqual((await memory.journal({ audience, kind: 'build' })).entries, []);
  assert.deepEqual((await memory.journal()).entries, []);
  for (const wrong of [{ kind: 'diary' }, { limit: 0 }, { audience: 'nobody' }])
    await assert.rejects(memory.journal(wrong as object), (error) => refusalOf(error)?.status === 400);
});

test('the journal of several audiences, or of all, is narrowed by state and project, and what is open is settled and answered in it', async (t) => {
  const { memory } = await opened(t);
  for (const [person, projectID] of [
    ['per_1', 'parser'],
    ['per_2', undefined],
  ] as const) {
    const { nativeIDs: _ids, ...reader } = originOf({
      audience: `person:${person}`,
      speaker: { person, name: person },
    });
    const element = (kind: string) => ({
      agentID: 'coder',
      kind,
      title: `The ${kind} of ${person}`,
      body: '',
    });
    for (const kind of ['thread', 'step', 'decision'])
      await memory.forReader('noteElement', { reader, projectID, input: element(kind) });
  }
  const titles = async (query: Parameters<typeof memory.journal>[0]) =>
    (await memory.journal(query)).entries.map(({ title }) => title);
  const open = { kind: 'thread,step', status: 'open,pending' };
  assert.equal((await titles({ audiences: 'all', ...open })).length, 4);
  assert.deepEqual(await titles({ audiences: 'all', ...open, project: 'Parser' }), [
    'The step of per_1',
    'The thread of per_1',
  ]);
  assert.equal((await titles({ audiences: 'person:per_1,person:per_2', kind: 'decision' })).length, 2);
  assert.deepEqual(await titles({ audiences: 'room:a,b', kind: 'decision' }), []);
  const { places, entries } = await memory.journal({ audiences: 'all', with: 'places', ...open });
  assert.deepEqual(new Set(places?.map(({ project_id }) => project_id)), new Set(['parser', null]));
  const [step, thread] = entries.filter(({ audience }) => audience === 'person:per_1');
  assert.ok(step !== undefined && thread !== undefined);
  const audience = 'person:per_1' as const;
  const answered = await memory.settleEntry(thread.id, {
    audience,
    action: 'answered',
    note: 'Yes.',
    by: 'Ann',
  });
  assert.deepEqual(answered, { id: thread.id, status: 'open', note: 'Ann: Yes.' });
  const parked = await memory.settleEntry(step.id, { audience, action: 'parked', note: 'later', by: 'Ann' });
  assert.deepEqual([parked.status, parked.note], ['parked', 'later']);
  assert.deepEqual(await titles({ audience, kind: 'step', status: 'parked' }), ['The step of per_1']);
  await memory.settleEntry(step.id, { audience, action: 'carried_on' });
  await memory.settleEntry(step.id, { audience, action: 'resolved' });
  assert.deepEqual(await titles({ audience, ...open }), ['The thread of per_1']);
  const refused = async (id: string, of: object, code: string) =>
    assert.rejects(memory.settleEntry(id, of as never), (error) => refusalOf(error)?.code === code);
  await refused(step.id, { audience, action: 'dropped' }, 'INVALID_JOURNAL');
  await refused(thread.id, { audience: 'person:per_2', action: 'resolved' }, 'JOURNAL_NOT_FOUND');
  await refused(thread.id, { audience, action: 'done' }, 'INVALID_REQUEST');
});

test('dreams of a memory without files are refused with a hint', async (t) => {
  const { memory } = await opened(t);
  await assert.rejects(memory.dreams(), (error) => refusalOf(error)?.code === 'NO_MEMORY_FILES');
});

test('records with a kind, a key or a tag are counted and forgotten inside one audience over HTTP; wrong selections are refused', async (t) => {
  const { memory } = await opened(t);
  const audience = 'person:per_1';
  await memory.put('The zither is in Zagreb', { audience, tags: ['band'], pinned: true });
  await memory.put('The zither is tuned', { audience, tags: ['band'], kind: 'fact' });
  await memory.put('The zither is in Zagreb', { tags: ['band'] });
  const shown = await memory.forget({ audience, tag: 'band' });
  assert.deepEqual([shown.applied, shown.entries, shown.pinned], [false, 2, 1]);
  assert.equal((await memory.list({ audience })).count, 2);
  const facts = await memory.forget({ audience, tag: 'band', kind: 'fact', apply: true });
  assert.deepEqual([facts.applied, facts.entries, facts.remains], [true, 1, []]);
  const rest = await memory.forget({ audience, tag: 'band', apply: true, reason: 'asked by letter' });
  assert.deepEqual([rest.entries, rest.pinned], [1, 1]);
  assert.equal((await memory.list({ audience })).count, 0);
  assert.equal((await memory.list()).count, 1, 'the memory of another audience stays');
  await assert.rejects(memory.get(shown.samples[0]?.id ?? '', { audience }), /asked by letter|forgotten/);
  for (const [wrong, expected] of [
    [{}, /at least one of kind, key and tag/],
    [{ kind: 'diary' }, /kind/],
    [{ tag: ' ' }, /tag/],
    [{ tag: 'x', shelf: 1 }, /shelf/],
    [{ tag: 'x', apply: 'yes' }, /apply/],
  ] as const)
    await assert.rejects(memory.forget(wrong as object), expected, JSON.stringify(wrong));
});

test('a refusal says over HTTP, and through the client, what to do about it', async (t) => {
  const { memory } = await opened(t);
  const missing = await memory.delete('mem_none').catch(refusalOf);
  assert.deepEqual(
    [missing && 'hint' in missing && missing.hint, missing && 'details' in missing && missing.details],
    ['List what there is, and name the audience that it belongs to.', {}],
  );
  const none = await memory.forget({ tag: 'x'.repeat(61) }).catch(refusalOf);
  assert.equal(none && 'hint' in none ? none.hint : '', undefined, 'where there is none, it is absent');
});
