// Lessons and decisions as memories: found by key, tag, kind and pin, and forgotten by what they are and by where they come from.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createForwardClock } from '../support/forward-clock.ts';
import { until } from '../support/found.ts';
import { onlyTelegram, openHouse, openTelegramHouse, type Talk } from './house.ts';
import { type Answer, call, overHttp, parley, personClient, refusal, session, tokenFor } from './mcp-kit.ts';

const talk: Talk = { platform: 'telegram', chat: 'dm', user: 'you' };
const claude = { agent_id: 'claude', project_id: 'parley' };
const lesson = { task_type: 'build', lesson_kind: 'gotcha', lesson: 'The lexer needs a table.' };
const texts = ({ items, samples }: Answer): string[] =>
  ((items ?? samples) as Answer[]).map(({ text }) => String(text));

test('lessons and decisions are found by key, tag, kind and pin, over MCP, in a chat and on the command line', async (t) => {
  const house = await openTelegramHouse(t);
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  const old = await call(client, 'record_lesson', { ...claude, ...lesson, key: 'Lexer', tags: ['NPM'] });
  await call(client, 'record_lesson', { ...claude, ...lesson, lesson: 'Measure.', tags: ['time'] });
  const decisions = [
    { title: 'Ports are tables', body: 'All of them.', key: 'ports', tags: ['npm'], pinned: true },
    { title: 'Plain', body: '' },
  ];
  await call(client, 'close_session', { ...claude, ...session('c', { decisions }) });
  await call(client, 'memory_create', { content: 'npm is at version 11.', kind: 'fact', tags: ['npm'] });

  const lookup = async (of: Answer) => texts(await call(client, 'memory_lookup', of));
  assert.deepEqual(await lookup({ key: 'LEXER' }), ['build, gotcha: The lexer needs a table.']);
  assert.deepEqual((await lookup({ tag: 'npm' })).toSorted(), [
    'Ports are tables: All of them.',
    'build, gotcha: The lexer needs a table.',
    'npm is at version 11.',
  ]);
  assert.deepEqual(await lookup({ tag: 'npm', kind: 'decision' }), ['Ports are tables: All of them.']);
  assert.deepEqual((await lookup({ kind: 'decision' })).length, 2);
  assert.deepEqual(await lookup({ kind: 'lesson', project_id: 'elsewhere' }), []);
  assert.deepEqual(await lookup({ pinned: true }), ['Ports are tables: All of them.']);
  const woken = (await call(client, 'get_memory_bundle', claude)) as { memory: { pinned: Answer[] } };
  assert.deepEqual(texts({ items: woken.memory.pinned }), ['Ports are tables: All of them.']);
  assert.match(
    await house.ask(talk, '/memory tag npm'),
    /lexer needs a table[\s\S]*version 11|version 11[\s\S]*lexer needs a table/,
  );
  assert.match((await parley(house, 'memory', 'list', '--kind', 'decision')).out, /Ports are tables/);

  // what no longer holds is found by its words, and not as what holds
  await call(client, 'deprecate_lesson', { ...claude, lesson_id: old.id, reason: 'it has one' });
  assert.deepEqual(await lookup({ key: 'lexer' }), []);
});

test('what is forgotten by kind, tag, key or agent is shown first, and nothing else goes', async (t) => {
  const house = await openTelegramHouse(t);
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  await call(client, 'record_lesson', { ...claude, ...lesson, tags: ['npm'] });
  await call(client, 'record_lesson', { agent_id: 'codex', ...lesson, lesson: 'Of codex.', tags: ['npm'] });
  await call(client, 'record_lesson', { agent_id: 'codex', ...lesson, lesson: 'Stays.' });
  const decisions = [{ title: 'Ports', body: 'Are tables.', key: 'ports' }];
  await call(client, 'close_session', { ...claude, ...session('c', { decisions }) });
  await call(client, 'memory_create', { content: 'npm is old.', tags: ['npm'] });
  const forget = (of: Answer) => call(client, 'memory_forget', of);
  for (const mode of ['preview', 'forget'])
    assert.match(
      await refusal(client, 'memory_forget', {
        from_ms: 1_795_000_000_000,
        until_ms: 1_794_000_000_000,
        mode,
      }),
      /expected a time that begins before it ends, received one from 2026-11-18T.* until 2026-11-06T/i,
    );
  const shown = await forget({ tag: 'npm', kind: 'lesson', mode: 'preview' });
  assert.deepEqual([shown.entries, shown.forgotten], [2, false]);
  assert.deepEqual(texts(shown).toSorted(), ['Of codex.', 'The lexer needs a table.']);
  const words = await forget({ words: 'tables', mode: 'preview' });
  assert.deepEqual(
    [texts(words), (words.samples as Answer[])[0]?.kind],
    [['Ports: Are tables.'], 'decision'],
  );

  assert.equal((await forget({ tag: 'npm', agent: 'Codex', mode: 'forget' })).entries, 1);
  assert.equal((await forget({ kind: 'lesson', tag: 'npm', mode: 'forget' })).entries, 1);
  assert.equal((await forget({ key: 'PORTS', mode: 'forget' })).entries, 1);
  const lookup = async (of: Answer) => texts(await call(client, 'memory_lookup', of));
  assert.deepEqual(await lookup({ kind: 'lesson' }), ['build, gotcha: Stays.']);
  assert.deepEqual(await lookup({ kind: 'decision' }), []);
  assert.deepEqual(await lookup({ tag: 'npm' }), ['npm is old.']);
  const { sections } = (await call(client, 'get_memory_bundle', claude)) as {
    sections: Record<string, Answer[]>;
  };
  assert.equal(sections.open_threads?.length, 1);

  // the same over HTTP, in the chat and on the command line
  const [note] = (await call(client, 'memory_lookup', { tag: 'npm' })).items as Answer[];
  const answer = await fetch(new URL('/memory/forget', house.parley.url), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${readFileSync(join(house.home, 'token'), 'utf8').trim()}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ audience: note?.audience, agent: 'codex' }),
  });
  const overHTTP = (await answer.json()) as { entries: number; samples: Answer[] };
  assert.deepEqual([overHTTP.entries, overHTTP.samples[0]?.content], [1, 'Stays.']);
  const { out } = await parley(house, 'memory', 'forget', '--agent', 'codex');
  assert.match(out, /^1 entry would be forgotten[\s\S]*Stays\./);
  assert.match(await house.ask(talk, '/memory forget agent codex'), /deletes 1 memory[\s\S]*Stays\./);
  assert.match(await house.ask(talk, '/memory forget since soon'), /not read .*soon.* as a date/);
  assert.match(await house.ask(talk, '/memory forget before 1999-01-01'), /Nothing like that/);
  assert.match(await house.ask(talk, '/memory forget yes agent codex'), /deleted 1 memory/);
  assert.deepEqual(await lookup({ kind: 'lesson' }), []);
});

test('over weeks lessons and decisions stay within their budget: the oldest become a summary that agents find, and what is open stays open', async (t) => {
  const clock = createForwardClock();
  const memory = { budgets: { audience: { items: { lesson: 3, decision: 3 } } } };
  const house = await openHouse(t, { config: { channels: onlyTelegram, memory }, clock });
  const { secret } = await tokenFor(house, '--person', 'Robin');
  let client = await overHttp(house.parley.url, secret);
  t.after(() => client.close());
  const items = async (tool: string, more: Answer = {}) =>
    (await call(client, tool, { ...claude, ...more })).items as Answer[];
  const ids: unknown[] = [];
  const weeks = ['medlar', 'quince', 'papaya', 'kumquat', 'loquat', 'damson'];
  for (const [week, fruit] of weeks.entries()) {
    clock.advance(7 * 24 * 60 * 60_000);
    const learned = { ...claude, ...lesson, lesson: `The ${fruit} test is slow.` };
    ids.push((await call(client, 'record_lesson', learned)).id);
    const open = [
      ...(await items('list_session_elements', { kind: 'thread', status: 'open' })),
      ...(await items('list_session_elements', { kind: 'step', status: 'open' })),
    ];
    const inherited = open.map((each) => ({ id: each.id, action: 'carried_on' }));
    const decisions = [{ title: `Buy the ${fruit}`, body: `In week ${week}.` }];
    await call(client, 'close_session', { ...claude, ...session(`w${week}`, { decisions, inherited }) });
    // budgets are looked after when the program starts, and every few seconds from then on
    await client.close();
    await house.restart();
    await house.ready('telegram');
    client = await overHttp(house.parley.url, secret);
    const count = async (tool: string, more?: Answer) => (await items(tool, more)).length;
    await until(
      'the budget',
      async () =>
        (await count('get_lessons')) <= 3 &&
        (await count('list_session_elements', { kind: 'decision' })) <= 3,
    );
  }
  assert.equal(
    (await items('list_session_elements', { kind: 'thread', status: 'open' })).length,
    weeks.length,
  );
  assert.equal((await items('list_session_elements', { kind: 'step', status: 'open' })).length, weeks.length);
  assert.match(String((await items('get_lessons'))[0]?.lesson), /damson/);
  const [found] = (await call(client, 'memory_search', { query: 'medlar test slow' })).items as Answer[];
  assert.deepEqual(
    [found?.kind, /claude: The medlar test is slow/.test(String(found?.text))],
    ['episode', true],
  );
  assert.match(
    await refusal(client, 'memory_read', { id: ids[0] }),
    /was forgotten at .*summarized in mem_\w+; \d of lesson where 3/,
  );
  assert.match((await parley(house, 'memory', 'budget')).out, /lesson +3 of +3[\s\S]*decision +3 of +3/);
  assert.match(await house.ask(talk, '/memory budget'), /3 of 3 lessons|lessons.*3.*3/);
});

test('what was forgotten and comes again is said by each tool of the journal, also of a session with its elements', async (t) => {
  const client = await personClient(t);
  const agent = { agent_id: 'claude' };
  const writes: Record<string, Answer> = {
    add_session_element: { kind: 'decision', title: 'Use a table', body: 'It is fast.' },
    record_touchstone: { type: 't', title: 'It runs', felt_weight: 3, fact: 'At last.' },
    create_conversation: { title: 'Which table', topic: 'Of the lexer' },
    put_build: { key: 'release', title: 'The release', status: 'active', summary: 'Soon.' },
    put_t4_entry: {
      project_slug: 'parley',
      entry_type: 'spec',
      entry_id: 'one',
      title: 'Spec',
      body: 'Words.',
    },
  };
  for (const [tool, args] of Object.entries(writes)) {
    const { id, was_forgotten: first } = await call(client, tool, { ...agent, ...args });
    await call(client, 'forget_journal_entries', { ids: [id] });
    const again = await call(client, tool, { ...agent, ...args });
    assert.deepEqual([first, again.was_forgotten], [undefined, true], tool);
    const { was_forgotten: third } = await call(client, tool, { ...agent, ...args });
    assert.equal(third, undefined, tool);
  }
  const { lineage_id } = await call(client, 'close_session', { ...agent, ...session('one') });
  await call(client, 'forget_journal_entries', { ids: [lineage_id] });
  const { was_forgotten, swept } = await call(client, 'close_session', {
    ...agent,
    ...session('two', { title: 'Session one' }),
    threads: [{ title: 'Thread of one', body: 'The lexer is slow.' }],
  });
  assert.deepEqual(
    [was_forgotten, swept],
    [['Session one', 'Use a table', 'Thread of one', 'Where it is'], 0],
  );
});

test('a correction to words that were forgotten changes nothing and says what to do', async (t) => {
  const client = await personClient(t);
  const { id } = await call(client, 'memory_create', { content: 'The tide is high.' });
  await call(client, 'memory_delete', { id });
  const { id: other } = await call(client, 'memory_create', { content: 'The tide is low.' });
  const answer = await call(client, 'memory_update', { id: other, content: 'The tide is high.' });
  assert.equal(answer.status, 'forgotten');
  assert.match(String(answer.hint), /memory_create and again: true/);
});
