// The journal and memory over MCP with the SDK's own client, over HTTP and over standard input and output.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { until } from '../support/found.ts';
import { type House, onlyTelegram, openTelegramHouse } from './house.ts';
import { type Answer, call, overHttp, overStdio, refusal, session, tokenFor } from './mcp-kit.ts';

const agent = { agent_id: 'coder' };

const transports: Record<string, (house: House, secret: string) => Promise<Client>> = {
  HTTP: (house, secret) => overHttp(house.parley.url, secret),
  'standard input and output': overStdio,
};

for (const [name, connect] of Object.entries(transports))
  test(`an agent wakes, learns, closes its session, and the next session finds all of it, over ${name}`, async (t) => {
    const house = await openTelegramHouse(t);
    const { secret } = await tokenFor(house, '--person', 'Robin');
    const client = await connect(house, secret);
    t.after(() => client.close());
    const { tools } = await client.listTools();
    assert.equal(tools.length, 37);
    for (const tool of tools) {
      assert.ok((tool.description ?? '').length > 20, tool.name);
      assert.equal(typeof tool.annotations?.readOnlyHint, 'boolean');
      assert.equal(tool.inputSchema.type, 'object');
    }
    assert.deepEqual((await call(client, 'get_memory_bundle', agent)).left_out, []);
    await call(client, 'record_lesson', {
      ...agent,
      ...{ task_type: 'build', lesson_kind: 'gotcha', lesson: 'The lexer needs a table.' },
    });
    const { lineage_id } = await call(client, 'close_session', { ...agent, ...session('one') });
    const { sections } = (await call(client, 'get_memory_bundle', {
      ...agent,
      intent: 'speed up the lexer',
    })) as {
      sections: Record<string, Answer[]>;
    };
    assert.deepEqual(
      ['latestSession', 'openThreads', 'nextSteps', 'decisions', 'lessons', 'gotchas'].map(
        (section) => sections[snake(section)]?.length,
      ),
      [1, 1, 1, 1, 1, 1],
    );
    const [thread] = sections.open_threads ?? [];
    const [step] = sections.next_steps ?? [];
    const missing = await refusal(client, 'close_session', { ...agent, ...session('two') });
    assert.ok(missing.includes(String(thread?.id)) && missing.includes(String(step?.id)), missing);
    await call(client, 'update_session_element', { ...agent, element_id: thread?.id, action: 'resolved' });
    const inherited = [{ id: step?.id, action: 'carried_on' }];
    const second = { ...agent, ...session('two', { inherited }) };
    const closed = await call(client, 'close_session', second);
    assert.deepEqual(await call(client, 'close_session', second), { ...closed, repeated: true, swept: 0 });
    const found = await call(client, 'search_sessions', { query: 'lexer slow' });
    assert.equal((found.items as Answer[]).length, 2);
    const record = await call(client, 'get_session', { lineage_id });
    assert.equal((record.decisions as Answer[])[0]?.title, 'Use a table');
    const hits = (await call(client, 'memory_search', { query: 'which table does the lexer need' }))
      .items as Answer[];
    assert.ok(hits.some(({ text }) => String(text).includes('The lexer needs a table')));
  });

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

test('every other tool does what its name says, and resources and prompts have the same bundle', async (t) => {
  const house = await openTelegramHouse(t);
  const { secret } = await tokenFor(house, '--agent', 'coder');
  const client = await overHttp(house.parley.url, secret);
  t.after(() => client.close());
  const { lineage_id } = await call(client, 'close_session', session('one'));
  const lesson = { task_type: 'build', lesson_kind: 'pattern', tags: ['io'] };
  const old = await call(client, 'record_lesson', { ...lesson, lesson: 'Use callbacks.' });
  const now = await call(client, 'record_lesson', { ...lesson, lesson: 'Use promises.' });
  await call(client, 'deprecate_lesson', { lesson_id: old.id, successor_id: now.id, reason: 'newer' });
  assert.deepEqual(ids(await call(client, 'get_lessons', { task_type: 'build' })), [now.id]);
  assert.deepEqual(ids(await call(client, 'get_lessons', { status: 'deprecated' })), [old.id]);
  const stone = await call(client, 'record_touchstone', {
    ...{ type: 'moment', title: 'It ran', felt_weight: 8, fact: 'All tests passed.' },
  });
  const linked = await call(client, 'link_touchstone', {
    touchstone_id: stone.id,
    session_lineage: lineage_id,
  });
  assert.equal(linked.lineage_id, lineage_id);
  assert.deepEqual(ids(await call(client, 'get_touchstones')), [stone.id]);
  const talk = await call(client, 'create_conversation', {
    title: 'Caching',
    topic: 'Where?',
    topic_tags: ['cache'],
  });
  const entry = {
    conversation_id: talk.id,
    entry_type: 'claim',
    author: 'coder',
    body: 'In front of the parser.',
  };
  await call(client, 'add_conversation_entry', entry);
  const conversation = await call(client, 'get_conversation', { conversation_id: talk.id });
  assert.equal((conversation.entries as Answer[])[0]?.body, 'In front of the parser.');
  assert.deepEqual(ids(await call(client, 'search_conversations', { query: 'parser caching' })), [talk.id]);
  const phases = [{ title: 'One', status: 'active', slices: [{ title: 'Slice', status: 'planned' }] }];
  const build = await call(client, 'put_build', { key: 'b', title: 'Build', status: 'active', phases });
  assert.deepEqual(await call(client, 'get_build', { build_id: build.id }), build);
  const at = { project_slug: 'parley', entry_type: 'note', entry_id: 'n1' };
  await call(client, 'put_t4_entry', { ...at, title: 'Artifact', body: 'Version one of quince.' });
  const artifact = await call(client, 'put_t4_entry', {
    ...at,
    title: 'Artifact',
    body: 'Version two of quince.',
  });
  assert.equal(artifact.version, 2);
  assert.equal((await call(client, 'get_t4_entry', at)).body, 'Version two of quince.');
  assert.deepEqual(ids(await call(client, 'search_t4', { query: 'quince', project_slug: 'parley' })), [
    artifact.id,
  ]);
  assert.equal(ids(await call(client, 'list_session_elements', { kind: 'decision' })).length, 1);
  assert.deepEqual(await call(client, 'forget_journal_entries', { ids: [stone.id] }), { forgotten: 1 });
  assert.deepEqual(ids(await call(client, 'get_touchstones')), []);

  const { resources } = await client.listResources();
  const [bundle] = (await client.readResource({ uri: resources[0]?.uri ?? '' })).contents;
  assert.deepEqual(
    JSON.parse(String(bundle && 'text' in bundle && bundle.text)),
    await call(client, 'get_memory_bundle'),
  );
  const wake = await client.getPrompt({ name: 'wake', arguments: { intent: 'build' } });
  assert.match(JSON.stringify(wake.messages), /You are coder[\s\S]*Use promises/);
  const close = await client.getPrompt({ name: 'close' });
  assert.match(JSON.stringify(close.messages), /close_session[\s\S]*Thread of one/);
});

test('a memory is stored, found, read, corrected, verified and forgotten over MCP', async (t) => {
  const house = await openTelegramHouse(t);
  const { secret } = await tokenFor(house, '--person', 'Robin');
  const client = await overHttp(house.parley.url, secret);
  t.after(() => client.close());
  const stored = await call(client, 'memory_create', { content: 'The kumquat server listens on port 4711.' });
  assert.equal(stored.status, 'stored');
  assert.equal(
    (await call(client, 'memory_create', { content: 'The kumquat server listens on port 4711.' })).status,
    'duplicate',
  );
  const { items } = await call(client, 'memory_search', { query: 'kumquat server port' });
  assert.equal((items as Answer[])[0]?.id, stored.id);
  const updated = await call(client, 'memory_update', {
    id: stored.id,
    content: 'The kumquat server listens on port 99.',
  });
  const read = await call(client, 'memory_read', { id: updated.id });
  assert.deepEqual(
    (read.versions as Answer[]).map(({ state }) => state),
    ['superseded', 'active'],
  );
  const resource = await client.readResource({ uri: `parley://memory/${String(updated.id)}` });
  assert.match(JSON.stringify(resource.contents), /port 99/);
  const preview = await call(client, 'memory_forget', { words: 'kumquat', mode: 'preview' });
  assert.deepEqual([preview.entries, preview.forgotten], [1, false]);
  assert.deepEqual((await call(client, 'memory_verify', { ids: [updated.id] })).items, [
    { id: updated.id, status: 'stored', found: true },
  ]);
  assert.equal((await call(client, 'memory_delete', { id: updated.id, reason: 'it moved' })).deleted, true);
  const [verified] = (await call(client, 'memory_verify', { ids: [updated.id, 'mem_none'] }))
    .items as Answer[];
  assert.deepEqual([verified?.status, verified?.reason], ['forgotten', 'it moved']);
  assert.match(await refusal(client, 'memory_read', { id: updated.id }), /was forgotten at .*it moved/);
});

const ids = ({ items }: Answer): unknown[] => (items as Answer[]).map(({ id }) => id);

test('words of a chat are found over MCP by the person who may read them, and by nobody else (P14)', async (t) => {
  const house = await openTelegramHouse(t);
  const robin = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  const coder = await overHttp(house.parley.url, (await tokenFor(house, '--agent', 'coder')).secret);
  t.after(() => Promise.all([robin.close(), coder.close()]));
  await house.ask({ platform: 'telegram', chat: 'dm', user: 'you' }, 'The rambutan key is under the mat.');
  const found = async (client: Client) =>
    ((await call(client, 'memory_search', { query: 'where is the rambutan key' })).items as Answer[]).length;
  await until('the key', async () => (await found(robin)) > 0);
  assert.equal(await found(coder), 0);
});

test('what a person thinks of an answer is read over MCP by that person alone, and is gone when it is taken back', async (t) => {
  const house = await openTelegramHouse(t);
  const robin = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  const coder = await overStdio(house, (await tokenFor(house, '--agent', 'coder')).secret);
  t.after(() => Promise.all([robin.close(), coder.close()]));
  const talk = { platform: 'telegram', chat: 'dm', user: 'you' } as const;
  await house.ask(talk, 'When is high tide?');
  const answer = house.answers(talk).at(-1);
  const thumb = { id: answer?.id ?? '', user: 'you', emoji: '👍' } as const;
  const total = async (client: Client, args: Answer = {}) =>
    (await call(client, 'memory_feedback', args)).total;
  assert.equal(await total(robin), 0);
  house.sandbox.telegram.react(thumb);
  await until('the thumb', async () => (await total(robin)) === 1);
  const [item] = (await call(robin, 'memory_feedback', { rating: 'good' })).items as Answer[];
  assert.deepEqual([item?.emoji, answer?.text.includes(String(item?.answer).slice(0, 20))], ['👍', true]);
  assert.match(String(item?.run_id), /^run_/);
  assert.deepEqual([await total(robin, { rating: 'bad' }), await total(coder)], [0, 0]);
  house.sandbox.telegram.react({ ...thumb, taken: 'back' });
  await until('nothing', async () => (await total(robin)) === 0);
});

test('two agents that write to one project at once lose nothing, and each sees what the other wrote at its next call (P12)', async (t) => {
  const house = await openTelegramHouse(t);
  const { secret } = await tokenFor(house, '--person', 'Robin');
  const [first, second] = await Promise.all([overHttp(house.parley.url, secret), overStdio(house, secret)]);
  t.after(() => Promise.all([first.close(), second.close()]));
  const project = { project_id: 'parley' };
  await Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      const lesson = { ...project, task_type: 't', lesson_kind: 'pattern', lesson: `Lesson ${index}.` };
      await call(first, 'record_lesson', { ...lesson, agent_id: 'general' });
      await call(second, 'record_lesson', { ...lesson, agent_id: 'general' });
    }),
  );
  await call(first, 'close_session', { ...project, agent_id: 'one', ...session('one') });
  await call(second, 'close_session', { ...project, agent_id: 'two', ...session('two') });
  for (const [client, agent_id] of [
    [first, 'one'],
    [second, 'two'],
  ] as const) {
    const { sections } = (await call(client, 'get_memory_bundle', { ...project, agent_id })) as {
      sections: Record<string, Answer[]>;
    };
    assert.deepEqual([sections.lessons?.length, sections.open_threads?.length], [20, 2]);
  }
});

test('a call works after a restart of the server, with the client that was connected before (P8)', async (t) => {
  const house = await openTelegramHouse(t);
  const { secret } = await tokenFor(house, '--agent', 'coder');
  const stdio = await overStdio(house, secret);
  t.after(() => stdio.close());
  await call(stdio, 'record_lesson', { task_type: 't', lesson_kind: 'pattern', lesson: 'One.' });
  await house.parley.close();
  await call(stdio, 'record_lesson', {
    task_type: 't',
    lesson_kind: 'pattern',
    lesson: 'Two, while nothing runs.',
  });
  await house.restart();
  assert.equal(ids(await call(stdio, 'get_lessons')).length, 2);
  const idle = await overHttp(house.parley.url, secret);
  t.after(() => idle.close());
  const { port } = new URL(house.parley.url);
  await house.restart({ channels: onlyTelegram, engine: { port: Number(port) } });
  assert.equal(ids(await call(idle, 'get_lessons')).length, 2);
});
