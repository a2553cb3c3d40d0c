// What is found by its id, by a short number, an emoji or another form of its words over MCP, and what is forgotten by where it comes from.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { createForwardClock } from '../support/forward-clock.ts';
import type { Talk } from './house.ts';
import { type Answer, call, overHttp, parley, personClient, refusal, session, tokenFor } from './mcp-kit.ts';
import { onWords, openModelHouse } from './model-house.ts';

const dm: Talk = { platform: 'telegram', chat: 'dm', user: 'you' };
const coder = { agent_id: 'coder' };

const statusOf = async (client: Client, ids: readonly unknown[]) => {
  const { items } = await call(client, 'memory_verify', { ids });
  return (items as Answer[]).map(({ status, found }) => [status, found]);
};

test('memory_verify and memory_read know every id that the journal gives, and agree on it', async (t) => {
  const client = await personClient(t);
  const { lineage_id } = await call(client, 'close_session', { ...coder, ...session('quince') });
  const whole = await call(client, 'get_session', { lineage_id });
  const elements = ['decisions', 'threads', 'steps', 'context'].map(
    (name) => (whole[name] as Answer[])[0]?.id,
  );
  const noted = await call(client, 'add_session_element', {
    ...coder,
    kind: 'decision',
    title: 'Pears',
    body: 'Ripe.',
  });
  const stone = await call(client, 'record_touchstone', {
    ...{ ...coder, type: 'win', title: 'It parsed', felt_weight: 7, fact: 'All of it.' },
  });
  const talk = await call(client, 'create_conversation', { ...coder, title: 'Tables', topic: 'Which' });
  const turn = await call(client, 'add_conversation_entry', {
    ...{ ...coder, conversation_id: talk.id, entry_type: 'turn', author: 'coder', body: 'A hash table?' },
  });
  const build = await call(client, 'put_build', {
    ...{ ...coder, key: 'b', title: 'Parser', status: 'active' },
    phases: [{ title: 'Lexer', status: 'done', slices: [{ title: 'Numbers', status: 'done' }] }],
  });
  const [phase] = build.phases as { id: string; slices: { id: string }[] }[];
  const entry = await call(client, 'put_t4_entry', {
    ...{ ...coder, project_slug: 'p', entry_type: 'spec', entry_id: 'S1', title: 'Spec', body: 'All.' },
  });
  const ids = [
    ...[lineage_id, ...elements, noted.id, stone.id, talk.id, turn.id],
    ...[build.id, phase?.id, phase?.slices[0]?.id, entry.id],
  ];
  assert.equal(new Set(ids).size, 13);
  assert.deepEqual(
    await statusOf(client, ids),
    ids.map(() => ['stored', true]),
  );
  for (const id of ids) {
    const { item } = (await call(client, 'memory_read', { id })) as { item: Answer };
    assert.equal(item.id, id);
    assert.notEqual(item.text, '');
  }
  const read = await client.readResource({ uri: `parley://memory/${String(elements[1])}` });
  assert.match(JSON.stringify(read.contents), /Thread of quince: The lexer is slow/);
  assert.match(
    await refusal(client, 'memory_update', { id: elements[1], content: 'Else.' }),
    /which is an entry of the journal/,
  );
  await call(client, 'memory_delete', { id: elements[1], reason: 'a test' });
  assert.deepEqual(await statusOf(client, [elements[1]]), [['forgotten', undefined]]);
  assert.match(await refusal(client, 'memory_read', { id: elements[1] }), /was forgotten at .*a test/);
  assert.deepEqual(await statusOf(client, ['jnl_00000000000000000000000000']), [['unknown', undefined]]);
});

test('what has expired is not read, verified as expired, and not corrected; its version that holds still is', async (t) => {
  const clock = createForwardClock();
  const { house } = await openModelHouse(t, ['telegram'], {}, {}, {}, clock);
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  const { id } = await call(client, 'memory_create', {
    ...{ content: 'The medlar sale is on.', kind: 'fact', key: 'sale', confidence: 1 },
    expires_at_ms: Math.round(clock.now()) + 60_000,
  });
  assert.deepEqual(await statusOf(client, [id]), [['stored', true]]);
  clock.advance(120_000);
  assert.deepEqual(await statusOf(client, [id]), [['expired', false]]);
  const { items } = await call(client, 'memory_verify', { ids: [id] });
  assert.match(String((items as Answer[])[0]?.expired_at), /^\d{4}-\d\d-\d\dT/);
  assert.match(await refusal(client, 'memory_read', { id }), /^id: the memory mem_\w+ expired at \d{4}-/);
  assert.match(
    await refusal(client, 'memory_update', { id, content: 'On again.' }),
    /expired at .*memory_create/,
  );
  // what ended contradicts nobody
  const less = { content: 'The medlar sale is over.', kind: 'fact', key: 'sale', confidence: 0.4 };
  const next = await call(client, 'memory_create', less);
  assert.deepEqual([next.status, next.contradicts], ['stored', undefined]);
  assert.deepEqual(await statusOf(client, [next.id]), [['stored', true]]);
  const { versions } = (await call(client, 'memory_read', { id: next.id })) as { versions: Answer[] };
  assert.deepEqual(
    versions.map(({ text }) => text),
    [less.content],
  );
});

test('a search finds a version by the numbers that it begins with, and an emoji', async (t) => {
  const client = await personClient(t);
  const { id } = await call(client, 'memory_create', { content: 'We ship v1.2.3 of the parser 🚀' });
  await call(client, 'memory_create', { content: 'The kettle has 4.5 litres 🫖' });
  const { lineage_id } = await call(client, 'close_session', {
    ...{ ...coder, ...session('one', { summary: 'Tagged v2.7.1 👩‍🚀', decisions: [], context: [] }) },
  });
  const found = async (query: string) =>
    ((await call(client, 'memory_search', { query })).items as Answer[]).map((item) => item.id);
  for (const query of ['1.2', '1.2.3', 'v1.2', 'v1.2.3', '🚀', 'which version is v1.2.3?'])
    assert.deepEqual(await found(query), [id], query);
  for (const query of ['2.7', 'v2.7.1', '👩‍🚀']) assert.deepEqual(await found(query), [lineage_id], query);
  assert.deepEqual(await found('🦀'), []);
  // next to words an emoji asks for nothing more
  assert.deepEqual(await found('parser 🎉'), [id]);
  assert.equal((await call(client, 'memory_forget', { words: '🚀', mode: 'preview' })).entries, 1);
});

test('irregular plurals of every language find their word: in an intent, a search of the journal and one of memory', async (t) => {
  const client = await personClient(t);
  const said: readonly (readonly [said: string, sought: string])[] = [
    ['As migrações foram concluídas.', 'migração'],
    ['Os jornais do servidor estão cheios.', 'jornal'],
    ['Os papéis foram trocados.', 'papel'],
    ['As imagens foram apagadas.', 'imagem'],
    ['Les travaux sont terminés.', 'travail'],
    ['Les jeux de tests sont cassés.', 'jeu'],
    ['Las voces se repiten.', 'voz'],
    ['Die Themen sind geklärt.', 'Thema'],
    ['Gli uomini sono arrivati.', 'uomo'],
    ['De huizen werden geverfd.', 'huis'],
    ['De brieven werden verstuurd.', 'brief'],
    ['Nycklarna är borta.', 'nyckel'],
    ['Böckerna är lästa.', 'bok'],
    ['Сборка без ошибок прошла.', 'ошибка'],
    ['Новые уровни добавлены.', 'уровень'],
    ['The indices were rebuilt.', 'index'],
  ];
  for (const [index, [text]] of said.entries()) {
    const only = { summary: text, decisions: [], context: [], threads: [], steps: [] };
    await call(client, 'close_session', { ...coder, ...session(`s${index}`, only) });
    await call(client, 'record_lesson', { ...coder, task_type: 'work', lesson_kind: 'gotcha', lesson: text });
  }
  for (const [text, sought] of said) {
    const { sections } = await call(client, 'get_memory_bundle', {
      ...coder,
      intent: sought,
      depth: 'brief',
    });
    assert.deepEqual(
      (sections as Record<string, Answer[]>).gotchas?.map(({ lesson }) => lesson),
      [text],
      `the intent ${sought}`,
    );
    const { items } = await call(client, 'search_sessions', { query: sought, mode: 'forms' });
    assert.deepEqual(
      (items as Answer[]).map(({ summary }) => summary),
      [text],
      `the journal: ${sought}`,
    );
    const found = (await call(client, 'memory_search', { query: sought })).items as Answer[];
    assert.ok(
      found.some((item) => String(item.text).includes(text)),
      `memory: ${sought}`,
    );
  }
});

test('what comes from this chat is forgotten in the chat; a session of the journal by its own id; a source on the command line of a clone', async (t) => {
  const { house, model } = await openModelHouse(t, ['telegram']);
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  onWords(model, 'we decided on blue tiles', [
    { name: 'add_session_element', args: { kind: 'decision', title: 'Blue tiles', body: 'For the roof.' } },
  ]);
  await house.ask(dm, 'we decided on blue tiles');
  const { lineage_id } = await call(client, 'close_session', { ...coder, ...session('one') });
  await call(client, 'memory_create', { content: 'Uptime is 12.', kind: 'fact', source: 'Audit 2026' });
  assert.match(await house.ask(dm, '/memory forget'), /memory forget chat here/);
  assert.match(await house.ask(dm, '/memory forget chat here'), /deletes 2 memories[\s\S]*Blue tiles/);
  assert.match(await house.ask(dm, '/memory forget yes chat here'), /deleted 2 memories/);
  assert.match(await house.ask(dm, '/memory forget chat here'), /Nothing like that/);
  assert.equal(((await call(client, 'memory_lookup', { kind: 'fact' })).items as Answer[]).length, 1);
  const preview = await call(client, 'memory_forget', { session_id: lineage_id, mode: 'preview' });
  assert.equal(preview.entries, 5, 'with its elements');
  for (const part of ['Session one', 'Thread of one'])
    assert.ok(JSON.stringify(preview.samples).includes(part), part);
  assert.match((await parley(house, 'memory', 'forget', '--session', String(lineage_id))).out, /^5 entries/);
  const ids = (preview.samples as Answer[]).map(({ id }) => id);
  await call(client, 'memory_forget', { session_id: lineage_id, mode: 'forget' });
  assert.deepEqual(
    await statusOf(client, ids),
    ids.map(() => ['forgotten', undefined]),
  );
  assert.match(await refusal(client, 'get_session', { lineage_id }), /Expected the id of a session/);
  assert.deepEqual(
    ((await call(client, 'list_session_elements', { ...coder, kind: 'thread' })).items as Answer[]).length,
    0,
  );
});

test('a time far in the future is refused with what it may mean, and else with the latest one', async (t) => {
  const client = await personClient(t);
  const at = Date.now() + 86_400_000;
  const words = (expires_at_ms: number) =>
    refusal(client, 'memory_create', { content: 'A quince.', expires_at_ms });
  assert.match(await words(at * 1_000_000), /not nanoseconds; did you mean 1\d{12}/);
  for (const never of [Number.MAX_SAFE_INTEGER, 1e300, -1])
    assert.match(
      await words(never),
      /0 or from 100000000000 to 253402300799999 \(the end of the year 9999\); leave it out/,
    );
  await call(client, 'memory_create', { content: 'A quince.', expires_at_ms: 253_402_300_799_999 });
});
