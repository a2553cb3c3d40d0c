// What several agents of one project write under one name: notes of one thread, builds and lessons of one key, lessons for every project, and what
// is found when an agent and a project have the same name.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { openTelegramHouse, type Talk } from './house.ts';
import { type Answer, call, overHttp, personClient, refusal, session, tokenFor } from './mcp-kit.ts';

const dm: Talk = { platform: 'telegram', chat: 'dm', user: 'you' };
const claude = { agent_id: 'claude', project_id: 'parley' };
const codex = { agent_id: 'codex', project_id: 'parley' };
const lesson = { task_type: 'build', lesson_kind: 'gotcha', lesson: 'The lexer needs a table.' };

const sectionsOf = async (client: Client, who: Answer) =>
  (await call(client, 'get_memory_bundle', who)).sections as Record<string, Answer[]>;

test('a second note of a thread is stored, and the one before it stays readable with its day and who wrote it', async (t) => {
  const house = await openTelegramHouse(t);
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  await call(client, 'close_session', { ...claude, ...session('one', { steps: [] }) });
  const [thread] = (await sectionsOf(client, claude)).open_threads ?? [];
  const settle = (who: Answer, note?: string) =>
    call(client, 'update_session_element', { ...who, element_id: thread?.id, action: 'parked', note });
  await settle(claude, 'not this week');
  const second = await settle(codex, 'nor the next one');
  assert.deepEqual(
    [second.status, second.status_note, second.settled_by],
    ['parked', 'nor the next one', 'codex'],
  );
  const day = new Date().toISOString().slice(0, 10);
  assert.deepEqual(second.earlier_notes, [`${day} claude: not this week`]);
  // the same note, or none, adds nothing
  assert.deepEqual((await settle(codex, 'nor the next one')).earlier_notes, second.earlier_notes);
  assert.deepEqual((await settle(codex)).earlier_notes, second.earlier_notes);
  const id = String(thread?.id).slice(-6);
  await house.ask(dm, `/answer ${id} In May.`);
  const done = await call(client, 'update_session_element', {
    ...{ ...claude, element_id: thread?.id, action: 'resolved', note: 'done' },
  });
  const [, ...later] = done.earlier_notes as string[];
  assert.equal(done.status_note, 'done');
  assert.match(later.join('\n'), /codex: nor the next one\n.*In May\.$/);
  // a close notes it as well
  await call(client, 'close_session', { ...claude, ...session('two', { steps: [] }) });
  const [other] = (await sectionsOf(client, claude)).open_threads ?? [];
  await call(client, 'update_session_element', {
    ...claude,
    element_id: other?.id,
    action: 'parked',
    note: 'a',
  });
  const inherited = [{ id: other?.id, action: 'parked', note: 'b' }];
  await call(client, 'close_session', {
    ...claude,
    ...session('three', { inherited, threads: [], steps: [] }),
  });
  const { items } = await call(client, 'list_session_elements', {
    ...claude,
    kind: 'thread',
    status: 'parked',
  });
  assert.deepEqual(
    (items as Answer[]).map(({ status_note, earlier_notes }) => [status_note, earlier_notes]),
    [['b', [`${day} claude: a`]]],
  );
});

test('what one agent carries on is not to be named by the close of another one, and still not by its own', async (t) => {
  const client = await personClient(t);
  await call(client, 'close_session', { ...claude, ...session('one', { steps: [] }) });
  const [thread] = (await sectionsOf(client, codex)).open_threads ?? [];
  assert.equal(thread?.carried, undefined);
  const carried = await call(client, 'update_session_element', {
    ...{ ...codex, element_id: thread?.id, action: 'carried_on', note: 'codex has it' },
  });
  assert.equal(carried.carried, true);
  const none = { threads: [], steps: [] };
  const third = { agent_id: 'third', project_id: 'parley' };
  await sectionsOf(client, third);
  await call(client, 'close_session', { ...third, ...session('t', none) });
  await call(client, 'close_session', { ...codex, ...session('x', none) });
  assert.match(await refusal(client, 'close_session', { ...codex, ...session('y', none) }), /1 missing/);
});

test('a build and a lesson of one key are one in a project, whichever of its agents writes, and say who did', async (t) => {
  const client = await personClient(t);
  const build = { key: 'release', title: 'First', status: 'active' };
  const first = await call(client, 'put_build', { ...claude, ...build });
  const second = await call(client, 'put_build', { ...codex, ...build, title: 'Second' });
  assert.deepEqual(
    [second.id, second.title, second.agent_id, second.updated_by],
    [first.id, 'Second', 'claude', 'codex'],
  );
  assert.equal((await call(client, 'put_build', { ...claude, ...build })).updated_by, undefined);
  const { items } = await call(client, 'list_sessions', { project_id: 'parley', kind: 'build' });
  assert.equal((items as Answer[]).length, 1);

  const keyed = { ...lesson, key: 'lexer' };
  const old = await call(client, 'record_lesson', { ...claude, ...keyed });
  const same = await call(client, 'record_lesson', { ...codex, ...keyed });
  assert.deepEqual([same.id, same.repeated], [old.id, true]);
  const now = await call(client, 'record_lesson', {
    ...codex,
    ...keyed,
    lesson: 'The lexer needs two tables.',
  });
  assert.deepEqual(now.supersedes, [old.id]);
  const lessons = async (status: string) =>
    (await call(client, 'get_lessons', { ...claude, status })).items as Answer[];
  assert.deepEqual(
    (await lessons('active')).map(({ id }) => id),
    [now.id],
  );
  assert.deepEqual(
    (await lessons('deprecated')).map(({ id, successor_id }) => [id, successor_id]),
    [[old.id, now.id]],
  );
  const found = (await call(client, 'memory_lookup', { key: 'lexer' })).items as Answer[];
  assert.deepEqual(
    found.map(({ id }) => id),
    [now.id],
  );
  // elsewhere, and outside of projects, the key is free; and a lesson without a key replaces nothing
  for (const place of [
    { agent_id: 'claude', project_id: 'other' },
    { agent_id: 'claude' },
    { agent_id: 'codex' },
  ]) {
    assert.notEqual((await call(client, 'put_build', { ...place, ...build })).id, first.id);
    const free = await call(client, 'record_lesson', { ...place, ...keyed });
    assert.deepEqual([free.repeated, free.supersedes], [undefined, undefined], JSON.stringify(place));
  }
  await call(client, 'record_lesson', { ...codex, ...lesson });
  assert.equal((await lessons('active')).length, 2);
});

test('a lesson that was forgotten is recorded again on purpose only, and that is said and audited', async (t) => {
  const house = await openTelegramHouse(t);
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  const forget: Record<string, (id: unknown) => Promise<unknown>> = {
    forget_journal_entries: (id) => call(client, 'forget_journal_entries', { ids: [id] }),
    memory_delete: (id) => call(client, 'memory_delete', { id }),
    memory_forget: () => call(client, 'memory_forget', { words: 'lexer table', mode: 'forget' }),
  };
  for (const [tool, gone] of Object.entries(forget)) {
    const words = { ...claude, ...lesson, lesson: `${lesson.lesson} (${tool})` };
    const { id } = await call(client, 'record_lesson', words);
    await gone(id);
    assert.match(
      await refusal(client, 'record_lesson', { ...words, lesson: words.lesson.toUpperCase() }),
      /were forgotten before\..*again: true\. Nothing was written\.$/,
    );
    const stored = await call(client, 'record_lesson', { ...words, again: true });
    assert.equal(stored.was_forgotten, true);
    assert.equal((await call(client, 'record_lesson', { ...words })).was_forgotten, undefined);
    const { item } = (await call(client, 'memory_read', { id: stored.id })) as { item: Answer };
    const audit = new URL('/memory/audit', house.parley.url);
    audit.search = new URLSearchParams({ audience: String(item.audience) }).toString();
    const token = readFileSync(join(house.home, 'token'), 'utf8').trim();
    const response = await fetch(audit, { headers: { authorization: `Bearer ${token}` } });
    const { events } = (await response.json()) as { events: { memory_ids: string[]; detail: Answer }[] };
    assert.deepEqual(
      events
        .filter(({ memory_ids }) => memory_ids.includes(String(stored.id)))
        .map(({ detail }) => detail.again),
      [true],
    );
  }
  assert.equal((await call(client, 'memory_create', { content: 'The moth is grey.' })).status, 'stored');
});

test('/lessons and /recap of a project have the lessons that are for every project, as the bundles of its agents have', async (t) => {
  const house = await openTelegramHouse(t);
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  await call(client, 'record_lesson', { ...claude, ...lesson });
  await call(client, 'record_lesson', { agent_id: 'general', ...lesson, lesson: 'Everyone measures first.' });
  await call(client, 'record_lesson', {
    agent_id: 'codex',
    project_id: 'other',
    ...lesson,
    lesson: 'Elsewhere.',
  });
  for (const command of ['/lessons parley', '/recap parley', '/lessons PARLEY']) {
    const shown = await house.ask(dm, command);
    assert.match(shown, /The lexer needs a table/, command);
    assert.match(shown, /Everyone measures first/, command);
    assert.doesNotMatch(shown, /Elsewhere/, command);
  }
  assert.match(await house.ask(dm, '/lessons parley agent:claude'), /Everyone/);
  const headers = { authorization: `Bearer ${readFileSync(join(house.home, 'token'), 'utf8').trim()}` };
  const read = async (query: Record<string, string>) => {
    const address = new URL('/memory/journal', house.parley.url);
    address.search = new URLSearchParams({ audiences: 'all', ...query }).toString();
    return fetch(address, { headers });
  };
  const { entries } = (await (await read({ kind: 'lesson', project: 'parley' })).json()) as {
    entries: Answer[];
  };
  assert.deepEqual(entries.map(({ text }) => text).sort(), ['Everyone measures first.', lesson.lesson]);
  const bogus = await read({ status: 'bogus' });
  assert.equal(bogus.status, 400);
  assert.match(await bogus.text(), /open.*pending.*parked.*deprecated/s);
  assert.equal((await read({ status: 'open,parked' })).status, 200);
});

test('an agent and a project with one name are both reached: parley://bundle/NAME is the agent, parley://project/NAME the project', async (t) => {
  const client = await personClient(t);
  const none = { steps: [], decisions: [], context: [] };
  await call(client, 'close_session', { agent_id: 'atlas', ...session('of the agent', none) });
  await call(client, 'close_session', {
    agent_id: 'claude',
    project_id: 'Atlas',
    ...session('of the project', none),
  });
  const read = async (uri: string) => JSON.stringify((await client.readResource({ uri })).contents);
  assert.match(await read('parley://bundle/atlas'), /Thread of of the agent/);
  assert.doesNotMatch(await read('parley://bundle/ATLAS'), /Thread of of the project/);
  const project = await read('parley://project/atlas');
  assert.match(project, /Thread of of the project/);
  assert.doesNotMatch(project, /Thread of of the agent/);
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.ok(resourceTemplates.some(({ uriTemplate }) => uriTemplate === 'parley://project/{project}'));
  // a prompt of the project names it as such
  const { messages } = await client.getPrompt({ name: 'wake', arguments: { project_id: 'Atlas' } });
  assert.match(JSON.stringify(messages), /"uri":"parley:\/\/project\/Atlas"/);
});

test('an artifact and a build that another agent of the project changed name both, wherever they are shown', async (t) => {
  const client = await personClient(t);
  const entry = { project_slug: 'parley', entry_type: 'spec', entry_id: 'one' };
  const writes: Record<string, Answer> = {
    put_t4_entry: { ...entry, title: 'Hazelnut', body: 'Words of it.' },
    put_build: { key: 'release', title: 'Hazelnut', status: 'active', summary: 'Words of it.' },
  };
  for (const [tool, args] of Object.entries(writes)) {
    const first = await call(client, tool, { ...claude, ...args });
    const second = await call(client, tool, { ...codex, ...args });
    assert.deepEqual([second.id, second.agent_id, second.updated_by], [first.id, 'claude', 'codex'], tool);
    const { item } = (await call(client, 'memory_read', { id: first.id })) as { item: Answer };
    assert.match(`${item.speaker} ${item.text}`, /claude.*codex/, tool);
    const found = (await call(client, 'memory_search', { query: 'hazelnut' })).items as Answer[];
    assert.ok(
      found.some(
        ({ id, text, speaker }) => id === first.id && speaker === 'claude' && /codex/.test(String(text)),
      ),
      tool,
    );
  }
  const read = await call(client, 'get_t4_entry', { ...entry, project_id: 'parley' });
  const listed = await call(client, 'search_t4', { query: 'hazelnut', project_id: 'parley' });
  const [of] = listed.items as Answer[];
  assert.deepEqual([read.updated_by, of?.updated_by], ['codex', 'codex']);
});

test('an agent deprecates a lesson of another one in their project, and nowhere else', async (t) => {
  const client = await personClient(t);
  const { id } = await call(client, 'record_lesson', { ...claude, ...lesson });
  const gone = await call(client, 'deprecate_lesson', { ...codex, lesson_id: id, reason: 'It is fast.' });
  assert.deepEqual(
    [gone.agent_id, gone.status, gone.status_note],
    ['claude', 'deprecated', 'codex: It is fast.'],
  );
  const elsewhere = await call(client, 'record_lesson', { agent_id: 'claude', ...lesson });
  for (const place of [{ agent_id: 'codex' }, codex])
    assert.match(
      await refusal(client, 'deprecate_lesson', { ...place, lesson_id: elsewhere.id }),
      /expected "claude"/,
    );
});
