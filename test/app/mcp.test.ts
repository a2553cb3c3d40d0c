// The journal and memory over MCP with the SDK's own client, over HTTP and over standard input and output.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import Database from 'better-sqlite3';
import { type House, openHouse } from './house.ts';
import { type Answer, call, overHttp, overStdio, parley, refusal, session, tokenFor } from './mcp-kit.ts';

const config = { channels: { discord: { enabled: false }, slack: { enabled: false } } };
const agent = { agent_id: 'coder' };

const transports: Record<string, (house: House, secret: string) => Promise<Client>> = {
  HTTP: (house, secret) => overHttp(house.parley.url, secret),
  'standard input and output': overStdio,
};

async function open(t: TestContext) {
  const house = await openHouse(t, { config });
  await house.ready('telegram');
  return house;
}

for (const [name, connect] of Object.entries(transports))
  test(`an agent wakes, learns, closes its session, and the next session finds all of it, over ${name}`, async (t) => {
    const house = await open(t);
    const { secret } = await tokenFor(house, '--person', 'Robin');
    const client = await connect(house, secret);
    t.after(() => client.close());
    const { tools } = await client.listTools();
    assert.equal(tools.length, 29);
    for (const tool of tools) {
      assert.ok((tool.description ?? '').length > 20, tool.name);
      assert.equal(typeof tool.annotations?.readOnlyHint, 'boolean');
      assert.equal(tool.outputSchema?.type, 'object');
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
  const house = await open(t);
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
  const house = await open(t);
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

test('what is said in chats is found over MCP by the person who may read it, and by nobody else (P14)', async (t) => {
  const house = await open(t);
  const robin = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  const coder = await overHttp(house.parley.url, (await tokenFor(house, '--agent', 'coder')).secret);
  t.after(() => Promise.all([robin.close(), coder.close()]));
  await house.ask({ platform: 'telegram', chat: 'dm', user: 'you' }, 'The rambutan key is under the mat.');
  const found = async (client: Client) =>
    ((await call(client, 'memory_search', { query: 'where is the rambutan key' })).items as Answer[]).length;
  for (let tries = 0; tries < 50 && (await found(robin)) === 0; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 100));
  assert.ok((await found(robin)) > 0);
  assert.equal(await found(coder), 0);
});

test('wrong arguments name the field, what was expected and what came, and nothing is written (P11)', async (t) => {
  const house = await open(t);
  const { secret } = await tokenFor(house, '--person', 'Robin');
  const client = await overHttp(house.parley.url, secret);
  t.after(() => client.close());
  const megabyte = 'x'.repeat(1_000_000);
  const lesson = { ...agent, task_type: 't', lesson_kind: 'k' };
  const wrong: [string, Answer, RegExp][] = [
    ['record_lesson', { ...lesson, lesson: 7 }, /lesson: .*expected string.*received 7/],
    [
      'record_lesson',
      { ...lesson, lesson: megabyte },
      /lesson: .*20000.*received a text of 1000000 characters/,
    ],
    ['record_lesson', { ...lesson, lesson: 'x', extra: 1 }, /extra/],
    ['get_memory_bundle', {}, /agent_id: .*expected string.*received nothing/],
    ['get_memory_bundle', { ...agent, depth: 'deepest' }, /depth: .*cold_start.*received "deepest"/],
    ['get_session', { lineage_id: 'jnl_none' }, /jnl_none/],
    ['get_lessons', { ...agent, cursor: 'page two' }, /cursor: .*received "page two"/],
    ['memory_search', { query: '' }, /query: .*received ""/],
    ['memory_read', { id: 'mem_none' }, /id: .*mem_none/],
    [
      'close_session',
      { ...agent, ...session('one', { inherited: [{ id: 'jnl_none', action: 'resolved' }] }) },
      /jnl_none/,
    ],
  ];
  for (const [tool, args, expected] of wrong) assert.match(await refusal(client, tool, args), expected, tool);
  await assert.rejects(client.callTool({ name: 'no_such_tool', arguments: {} }), /no_such_tool/);
  await assert.rejects(client.readResource({ uri: 'parley://elsewhere/1' }), /uri: expected/);
  const own = await overHttp(house.parley.url, (await tokenFor(house, '--agent', 'tester')).secret);
  t.after(() => own.close());
  assert.match(
    await refusal(own, 'get_lessons', { agent_id: 'coder' }),
    /agent_id: expected "tester".*received "coder"/,
  );
  const file = new Database(join(house.home, 'memory.sqlite'), { readonly: true });
  t.after(() => file.close());
  for (const table of ['lessons', 'session_headers', 'memory_records'])
    assert.equal(file.prepare(`SELECT count(*) AS count FROM ${table}`).pluck().get(), 0, table);
});

test('a result of more than a megabyte comes in pages that read on (P10)', async (t) => {
  const house = await open(t);
  const { secret } = await tokenFor(house, '--agent', 'coder');
  const client = await overHttp(house.parley.url, secret);
  t.after(() => client.close());
  const items = Array.from({ length: 70 }, (_, index) => ({ title: `T${index}`, body: 'x'.repeat(19_000) }));
  await call(client, 'close_session', session('long', { decisions: items }));
  let cursor: unknown;
  let read = 0;
  do {
    const args = { kind: 'decision', limit: 100, ...(cursor !== undefined && { cursor }) };
    const page = await call(client, 'list_session_elements', args);
    assert.ok(JSON.stringify(page).length < 100_000);
    read += (page.items as Answer[]).length;
    cursor = page.next;
  } while (cursor !== undefined);
  assert.equal(read, 70);
});

test('a secret in a lesson, a decision, a touchstone or a memory is masked over MCP (P13)', async (t) => {
  const house = await open(t);
  const { secret } = await tokenFor(house, '--agent', 'coder');
  const client = await overHttp(house.parley.url, secret);
  t.after(() => client.close());
  const key = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
  const text = `The key is ${key}.`;
  const answers = [
    await call(client, 'record_lesson', { task_type: 't', lesson_kind: 'k', lesson: text }),
    await call(client, 'record_touchstone', { type: 't', title: 't', felt_weight: 1, fact: text }),
    await call(client, 'close_session', session('one', { decisions: [{ title: 'Key', body: text }] })),
    await call(client, 'memory_create', { content: text }),
    await call(client, 'get_memory_bundle'),
    await call(client, 'memory_search', { query: 'what is the key' }),
  ];
  assert.ok(!JSON.stringify(answers).includes(key));
});

test('two agents that write to one project at once lose nothing, and each sees what the other wrote at its next call (P12)', async (t) => {
  const house = await open(t);
  const { secret } = await tokenFor(house, '--person', 'Robin');
  const [first, second] = await Promise.all([overHttp(house.parley.url, secret), overStdio(house, secret)]);
  t.after(() => Promise.all([first.close(), second.close()]));
  const project = { project_id: 'parley' };
  await Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      const lesson = { ...project, task_type: 't', lesson_kind: 'k', lesson: `Lesson ${index}.` };
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
  const house = await open(t);
  const { secret } = await tokenFor(house, '--agent', 'coder');
  const stdio = await overStdio(house, secret);
  t.after(() => stdio.close());
  await call(stdio, 'record_lesson', { task_type: 't', lesson_kind: 'k', lesson: 'One.' });
  await house.parley.close();
  await call(stdio, 'record_lesson', {
    task_type: 't',
    lesson_kind: 'k',
    lesson: 'Two, while nothing runs.',
  });
  await house.restart();
  assert.equal(ids(await call(stdio, 'get_lessons')).length, 2);
  const idle = await overHttp(house.parley.url, secret);
  t.after(() => idle.close());
  const { port } = new URL(house.parley.url);
  await house.restart({ ...config, engine: { port: Number(port) } });
  assert.equal(ids(await call(idle, 'get_lessons')).length, 2);
});

test('a token of one person sees nothing of another, one that is revoked, expired or wrong is refused, and one to read writes nothing (P14)', async (t) => {
  const house = await open(t);
  const made = await parley(house, 'token', 'create', '--person', 'Robin');
  const [secret = ''] = made.out.split('\n');
  assert.match(secret, /^parley_[\w-]{43}$/);
  for (const line of made.out.split('\n')) assert.ok(line.length <= 80, line);
  const file = new Database(join(house.home, 'gateway.sqlite'), { readonly: true });
  t.after(() => file.close());
  assert.ok(!JSON.stringify(file.prepare('SELECT * FROM access_tokens').all()).includes(secret.slice(8)));
  const reading = await tokenFor(house, '--person', 'Robin', '--read-only', '--expires', '1');
  const client = await overHttp(house.parley.url, reading.secret);
  t.after(() => client.close());
  const { tools } = await client.listTools();
  assert.ok(tools.length > 10 && tools.every(({ annotations }) => annotations?.readOnlyHint === true));
  assert.match(await refusal(client, 'memory_create', { content: 'x' }), /only reads/);
  const listed = await parley(house, 'token', 'list');
  assert.match(listed.out, new RegExp(`${reading.id}  person Robin  read-only, expires `));
  assert.equal((await parley(house, 'token', 'revoke', reading.id)).code, 0);
  await assert.rejects(client.listTools(), /revoked on/);
  await assert.rejects(overHttp(house.parley.url, 'parley_wrong'), /not known here/);
  const bare = await fetch(new URL('/mcp', house.parley.url), { method: 'POST', body: '{}' });
  assert.deepEqual([bare.status, bare.headers.get('www-authenticate')], [401, 'Bearer']);
  assert.equal((await fetch(new URL('/mcp', house.parley.url))).status, 405);
  const wrong: [string[], RegExp][] = [
    [['create'], /either a person or an agent/],
    [['create', '--person', 'Nobody'], /nobody of the name "Nobody"/],
    [['create', '--agent', 'a/b'], /name of an agent/],
    [['create', '--agent', 'a', '--expires', 'soon'], /--expires/],
    [['revoke', 'tok_none'], /no token "tok_none"/],
    [['dance'], /not an action/],
  ];
  for (const [words, expected] of wrong) {
    const { code, err } = await parley(house, 'token', ...words);
    assert.ok(code > 0, words.join(' '));
    assert.match(err, expected);
  }
});
