// The journal out of one home folder and into another, on the command line, as agents meet it there over MCP.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { openTelegramHouse } from './house.ts';
import { rows } from './imports.ts';
import { type Answer, call, overHttp, parley, session, tokenFor } from './mcp-kit.ts';

const claude = { agent_id: 'claude', project_id: 'parley' };
const codex = { agent_id: 'codex' };

async function opened(t: TestContext) {
  const house = await openTelegramHouse(t);
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  const { out } = await parley(house, 'people', 'list', '--json');
  const [person] = /per_[0-9a-z]{26}/.exec(out) ?? [];
  return { house, client, audience: `person:${person}` };
}

/** One entry of each kind in each state: of two agents, in a project and in none. */
async function fill(client: Client): Promise<{ conversation: unknown; build: unknown }> {
  const decisions = [
    { title: 'Use a table', body: 'Easier.', key: 'Parser', tags: ['Lexing'], pinned: true },
  ];
  await call(client, 'close_session', { ...claude, ...session('one', { decisions }) });
  const { sections } = (await call(client, 'get_memory_bundle', claude)) as {
    sections: Record<string, Answer[]>;
  };
  const inherited = [
    { id: sections.open_threads?.[0]?.id, action: 'parked', note: 'not this week' },
    { id: sections.next_steps?.[0]?.id, action: 'carried_on' },
  ];
  await call(client, 'close_session', { ...claude, ...session('two', { inherited }) });
  await call(client, 'add_session_element', { ...codex, kind: 'thread', title: 'Which lexer', body: '' });
  const lesson = { task_type: 'build', lesson_kind: 'gotcha' };
  const old = await call(client, 'record_lesson', {
    ...codex,
    ...lesson,
    lesson: 'Use npm 9.',
    tags: ['npm'],
  });
  const now = await call(client, 'record_lesson', { ...codex, ...lesson, lesson: 'Use npm 11.', key: 'npm' });
  await call(client, 'deprecate_lesson', {
    ...{ ...codex, lesson_id: old.id, successor_id: now.id, reason: 'Node 24 has it' },
  });
  await call(client, 'record_touchstone', {
    ...{ ...codex, type: 'win', title: 'It parsed', felt_weight: 7, fact: 'All of it.' },
    ...{ texture: 'Late.', why_it_matters: 'First time.' },
  });
  const talk = await call(client, 'create_conversation', {
    ...{ ...codex, title: 'Tables', topic: 'Which', topic_tags: ['parser'] },
  });
  for (const body of ['A hash table?', 'A sorted one.'])
    await call(client, 'add_conversation_entry', {
      ...{ ...codex, conversation_id: talk.id, entry_type: 'turn', author: 'codex', body },
    });
  const build = await call(client, 'put_build', {
    ...{ ...codex, key: 'b', title: 'Parser', status: 'active', summary: 'Anew.' },
    phases: [{ title: 'Lexer', status: 'done', slices: [{ title: 'Numbers', status: 'done' }] }],
  });
  await call(client, 'put_t4_entry', {
    ...{ ...codex, project_slug: 'parser', entry_type: 'spec', entry_id: 'S1', title: 'Spec', body: 'All.' },
  });
  return { conversation: talk.id, build: build.id };
}

/** All that agents read of it, whoever the person is. */
async function told(
  { client, audience }: { client: Client; audience: string },
  { conversation, build }: Answer,
) {
  const found = (await call(client, 'memory_search', { query: 'lexer table npm parsed' })).items as Answer[];
  const read = {
    claude: await call(client, 'get_memory_bundle', claude),
    codex: await call(client, 'get_memory_bundle', { ...codex, intent: 'npm build' }),
    parked: await call(client, 'list_session_elements', { ...claude, kind: 'thread', status: 'parked' }),
    old: await call(client, 'get_lessons', { ...codex, status: 'deprecated' }),
    marked: await call(client, 'memory_lookup', { tag: 'lexing' }),
    talk: await call(client, 'get_conversation', { conversation_id: conversation }),
    build: await call(client, 'get_build', { build_id: build }),
    entry: await call(client, 'get_t4_entry', {
      ...{ project_slug: 'parser', entry_type: 'spec', entry_id: 'S1' },
    }),
    words: await call(client, 'search_sessions', { project_id: 'parley', query: 'tables', mode: 'forms' }),
    found: found.map(({ text }) => text).sort(),
  };
  return JSON.parse(JSON.stringify(read).replaceAll(audience, 'person:own')) as Answer;
}

test('the journal of one home folder is in another after an export and an import, once, and reads there as it did', async (t) => {
  const [first, second] = [await opened(t), await opened(t)];
  const ids = await fill(first.client);
  const file = join(first.house.folder, 'memory.jsonl');
  const exported = await parley(first.house, 'memory', 'export', file);
  assert.equal(exported.code, 0, exported.err);
  const lines = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer);
  assert.deepEqual(
    [...new Set(lines.map(({ type, kind }) => `${type} ${kind}`))],
    [
      ...['session', 'decision', 'thread', 'step', 'context', 'lesson', 'touchstone', 'conversation'],
      ...['conversation_entry', 'build', 'build_phase', 'build_slice', 'project_entry'],
    ].map((kind) => `journal ${kind}`),
  );
  const { audience } = second;
  const load = () =>
    parley(...[second.house, 'memory', 'import', file, '--format', 'journal', '--audience', audience]);
  const done = await load();
  assert.deepEqual([done.code, rows(done.out)], [0, [lines.length, lines.length, 0, 0]], done.out + done.err);
  assert.deepEqual(await told(second, ids), await told(first, ids));
  const again = await load();
  assert.deepEqual([again.code, rows(again.out)], [0, [lines.length, 0, lines.length, 0]]);
  assert.deepEqual(await told(second, ids), await told(first, ids));
  const copy = join(second.house.folder, 'copy.jsonl');
  await parley(second.house, 'memory', 'export', copy);
  const asFirst = readFileSync(copy, 'utf8').replaceAll(audience, first.audience);
  assert.deepEqual(asFirst, readFileSync(file, 'utf8'));
  // and goes on from there: a close that is repeated is known, and what was forgotten does not come back
  const repeated = await call(second.client, 'add_session_element', {
    ...{ ...claude, kind: 'decision', title: 'Another', body: '' },
  });
  assert.ok(!lines.some(({ id }) => id === repeated.id));
  const [closed] = lines.filter(({ kind }) => kind === 'session');
  await call(second.client, 'forget_journal_entries', { project_id: 'parley', ids: [closed?.id] });
  const after = await load();
  const gone = lines.filter(({ id, lineageID }) => [id, lineageID].includes(closed?.id)).length;
  assert.deepEqual(rows(after.out), [lines.length, 0, lines.length - gone, gone], after.out);
});

test('lines that do not fit are named with their number, what was expected and what came, and the others are stored', async (t) => {
  const { house, client } = await opened(t);
  await call(client, 'close_session', { ...codex, ...session('one') });
  const file = join(house.folder, 'memory.jsonl');
  await parley(house, 'memory', 'export', file);
  const [header, ...elements] = readFileSync(file, 'utf8').trimEnd().split('\n') as [string, ...string[]];
  const other = await opened(t);
  const bad = [
    header.replace('"title":', '"titel":'),
    `${header.slice(0, -1)}`,
    header.replace('"kind":"session"', '"kind":"sessions"'),
    header,
    header.replace(/"id":"jnl_.{26}"/, '"id":"jnl_00000000000000000000000001"'),
    (elements[0] ?? '').replace(/"lineageID":"jnl_.{26}"/, '"lineageID":"jnl_00000000000000000000000002"'),
    (elements[1] ?? '').replace('"status":"open"', '"status":"done"'),
    ...elements,
  ];
  const broken = join(other.house.folder, 'broken.jsonl');
  writeFileSync(broken, bad.join('\n'));
  const done = await parley(other.house, 'memory', 'import', broken, '--format', 'journal', '--json');
  const report = JSON.parse(done.out) as { entries: Answer; unreadable: string[] };
  const count = { read: 11, stored: 5, known: 0, skipped: { unreadable: 6 } };
  assert.deepEqual(report.entries, count, done.out);
  assert.deepEqual(
    report.unreadable.map((words) => /line (\d+)/.exec(words)?.[1]),
    ['1', '2', '3', '5', '6'],
  );
  const said = report.unreadable.join('\n');
  for (const words of [
    /broken\.jsonl, line 1: .*title: .*expected string.*received nothing/,
    /line 2: expected a JSON object, received/,
    /line 3: kind: expected one of session, decision, .*, received "sessions"/,
    /line 5: closeKey: expected one that is new here, received "one", which another session has/,
    /line 6: lineageID: expected an entry that is there or comes before, received "jnl_0/,
  ])
    assert.match(said, words);
});

test('an import gives no entry more readers than it had: those of a room, of a space and of other agents stay as they were, or are fewer', async (t) => {
  const { house, client, audience } = await opened(t);
  const lesson = { task_type: 'build', lesson_kind: 'gotcha' };
  const { id } = await call(client, 'record_lesson', { ...codex, ...lesson, lesson: 'Only mine.' });
  await house.ask({ platform: 'telegram', chat: 'room', user: 'you' }, 'The quince is ripe.');
  const { out } = await parley(house, 'memory', 'status', '--json');
  const { places } = JSON.parse(out) as { places: { audience: string }[] };
  const room = places.map((place) => place.audience).find((each) => each.startsWith('room:')) ?? 'no room';
  const exported = async (of: string): Promise<Answer[]> =>
    (await parley(house, 'memory', 'export', '--audience', of)).out
      .split('\n')
      .map((line) => JSON.parse(line) as Answer)
      .filter(({ type }) => type === 'journal');
  const [line] = await exported(audience);
  assert.equal(line?.id, id);
  const load = async (changed: Answer, ...more: string[]): Promise<Answer & { unreadable: string[] }> => {
    const path = join(house.folder, 'changed.jsonl');
    writeFileSync(path, JSON.stringify({ ...line, ...changed }));
    const done = await parley(house, 'memory', 'import', path, '--format', 'journal', '--json', ...more);
    assert.equal(done.err, '');
    return JSON.parse(done.out) as Answer & { unreadable: string[] };
  };
  const numbered = (number: number): Answer => ({ id: `jnl_${String(number).padStart(26, '0')}` });
  const toRoom = await load(numbered(1), '--audience', room);
  assert.ok(toRoom.unreadable[0]?.includes(`audience: expected ${room}, received "${audience}"`));
  // the id is another's there, so that the owner of one journal does not write into another
  const taken = await load({}, '--audience', 'person:operator');
  assert.match(String(taken.unreadable[0]), /id: expected one that no other entry has, received "jnl_/);
  const open = { restricted: false, space: 'space:telegram:1:-100' };
  for (const [number, more, restricted] of [
    [2, [], true],
    [3, ['--public'], false],
    [4, ['--public', '--space', 'space:telegram:1:-200'], true],
  ] as const) {
    await load({ ...numbered(number), ...open }, '--audience', audience, ...more);
    const stored = (await exported(audience)).find((each) => each.id === numbered(number).id);
    assert.deepEqual([stored?.restricted, stored?.space], [restricted, open.space], String(number));
  }
  await load({ ...numbered(5), partition: 'clerk' }, '--audience', audience);
  const { items } = await call(client, 'get_lessons', { ...codex, limit: 100 });
  assert.ok(!(items as Answer[]).some((each) => each.id === numbered(5).id));
  // of another person it becomes this one's alone
  await load({ ...numbered(6), ...open, audience: 'person:per_other' }, '--audience', audience, '--public');
  const moved = (await exported(audience)).find((each) => each.id === numbered(6).id);
  assert.deepEqual([moved?.audience, moved?.restricted, moved?.space], [audience, true, undefined]);
});
