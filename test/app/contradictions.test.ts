// Facts that contradict each other: a correction that is less sure than what it corrects, the word that settles both, and the question to the person.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { openTelegramHouse, type Talk } from './house.ts';
import { type Answer, call, overHttp, parley, personClient, session, tokenFor } from './mcp-kit.ts';

const dm: Talk = { platform: 'telegram', chat: 'dm', user: 'you' };
const dated = /^\d{4}-\d\d-\d\dT/;
const fact = { kind: 'fact', key: 'deploy day' };
const monday = { ...fact, content: 'Deploys are on Monday.', confidence: 0.9 };
const friday = { content: 'Deploys are on Friday.', confidence: 0.4 };

const held = async (client: Client, args: Answer = { key: fact.key }): Promise<Answer[]> =>
  (await call(client, 'memory_lookup', args)).items as Answer[];
const textsOf = (items: readonly Answer[]): unknown[] => items.map(({ text }) => text).sort();

for (const [name, of] of Object.entries({
  'with a key': monday,
  'without a key': { ...monday, key: undefined },
}))
  test(`a correction that is less sure than the fact ${name} stands beside it, and says what it contradicts`, async (t) => {
    const client = await personClient(t);
    const sure = await call(client, 'memory_create', { ...of, tags: ['week'], sensitivity: 'sensitive' });
    const doubt = await call(client, 'memory_update', { id: sure.id, ...friday });
    assert.deepEqual([doubt.status, doubt.version, doubt.supersedes], ['stored', 1, undefined]);
    const { at, ...contradicts } = doubt.contradicts as Answer;
    assert.deepEqual(contradicts, { id: sure.id, text: monday.content, confidence: 0.9 });
    assert.match(String(at), dated);
    const both = await held(client, { tag: 'week' });
    assert.deepEqual(textsOf(both), [friday.content, monday.content]);
    for (const item of both) assert.match(String(item.at), dated);
    const { record, versions } = (await call(client, 'memory_read', { id: doubt.id })) as {
      record: Answer;
      versions: Answer[];
    };
    assert.deepEqual([record.sensitivity, record.tags, record.key], ['sensitive', ['week'], of.key]);
    assert.match(String(versions[0]?.at), dated);
    const { items } = await call(client, 'memory_verify', { ids: [sure.id, doubt.id] });
    assert.deepEqual(
      (items as Answer[]).map(({ status }) => status),
      ['stored', 'stored'],
    );
  });

test('words that are as sure settle both, and the answer names each that holds no longer', async (t) => {
  const client = await personClient(t);
  const opened = async (project_id: string) => {
    const of = { project_id };
    const sure = await call(client, 'memory_create', { ...monday, ...of });
    const doubt = await call(client, 'memory_create', { ...fact, ...friday, ...of });
    return { of, sure, doubt };
  };
  const settledBy = (answer: Answer): unknown[] => [
    answer.supersedes,
    (answer.also_supersedes as Answer[] | undefined)?.map(({ id, text, at }) => [
      id,
      text,
      dated.test(String(at)),
    ]),
    answer.contradicts,
  ];
  const { of, sure, doubt } = await opened('corrects-the-sure-one');
  const tuesday = { content: 'Deploys are on Tuesday.', confidence: 0.9 };
  const corrected = await call(client, 'memory_update', { id: sure.id, ...tuesday });
  assert.deepEqual(settledBy(corrected), [sure.id, [[doubt.id, friday.content, true]], undefined]);
  assert.deepEqual(textsOf(await held(client, { key: fact.key, ...of })), [tuesday.content]);

  const second = await opened('is-sure-of-the-doubt');
  const raised = await call(client, 'memory_update', { id: second.doubt.id, confidence: 1 });
  assert.deepEqual(settledBy(raised), [second.doubt.id, [[second.sure.id, monday.content, true]], undefined]);
  assert.deepEqual(textsOf(await held(client, { key: fact.key, ...second.of })), [friday.content]);

  const third = await opened('says-the-doubt-again');
  const said = await call(client, 'memory_create', { ...fact, content: friday.content, ...third.of });
  assert.deepEqual(settledBy(said), [third.doubt.id, [[third.sure.id, monday.content, true]], undefined]);

  const fourth = await opened('says-something-else');
  const other = await call(client, 'memory_create', { ...fact, ...tuesday, confidence: 1, ...fourth.of });
  const gone = [other.supersedes, ...(other.also_supersedes as Answer[]).map(({ id }) => id)];
  assert.deepEqual(new Set(gone), new Set([fourth.sure.id, fourth.doubt.id]));

  // a tag says nothing of which holds
  const fifth = await opened('only-a-tag');
  const tagged = await call(client, 'memory_update', { id: fifth.doubt.id, tags: ['week'] });
  assert.deepEqual([tagged.also_supersedes, tagged.contradicts], [undefined, undefined]);
  assert.equal((await held(client, { key: fact.key, ...fifth.of })).length, 2);
});

test('the person finds the question in the chat, and its answer is in the next bundle of the agent that asked', async (t) => {
  const house = await openTelegramHouse(t);
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  const claude = { agent_id: 'claude', project_id: 'parley' };
  await call(client, 'close_session', { ...claude, ...session('one', { threads: [], steps: [] }) });
  const sure = await call(client, 'memory_create', { ...monday, project_id: 'parley' });
  assert.equal(sure.question, undefined);
  const doubt = await call(client, 'memory_update', { id: sure.id, agent_id: 'claude', ...friday });
  const openThreads = async () =>
    ((await call(client, 'get_memory_bundle', claude)).sections as Record<string, Answer[]>).open_threads ??
    [];
  assert.deepEqual(
    (await openThreads()).map(({ id, title }) => [id, title]),
    [[doubt.question, 'Which holds of "deploy day"?']],
  );
  // another doubt is asked in its place
  const sunday = { ...fact, ...claude, content: 'Deploys are on Sunday.', confidence: 0.3 };
  const again = await call(client, 'memory_create', sunday);
  assert.deepEqual(
    (await openThreads()).map(({ id }) => id),
    [again.question],
  );
  const open = await house.ask(dm, '/open');
  assert.match(
    open,
    /parley · claude[\s\S]*Which holds of "deploy day"\?.*Deploys are on Monday\. \(90 % sure, of \d{4}/,
  );
  const [, id = ''] = /(\w{6})\W+Which holds/.exec(open) ?? [];
  assert.match(await house.ask(dm, `/answer ${id} It is Sunday.`), /claude reads your answer/);
  const [thread] = await openThreads();
  assert.match(String(thread?.status_note), /: It is Sunday\.$/);
  // what settles it answers the question
  const settled = await call(client, 'memory_create', { ...sunday, confidence: 1 });
  assert.equal((settled.also_supersedes as Answer[]).length, 2);
  assert.deepEqual(await openThreads(), []);
});

test('a question of nobody in particular, and of an agent with its own token, is there too; the audit names who wrote', async (t) => {
  const house = await openTelegramHouse(t);
  const own = await overHttp(house.parley.url, (await tokenFor(house, '--agent', 'coder')).secret);
  const person = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => Promise.all([own.close(), person.close()]));
  for (const [client, agent_id] of [
    [own, 'coder'],
    [person, 'memory'],
  ] as const) {
    const sure = await call(client, 'memory_create', monday);
    const { question } = await call(client, 'memory_update', { id: sure.id, ...friday });
    const { items } = await call(client, 'list_session_elements', {
      agent_id,
      kind: 'thread',
      status: 'open',
    });
    assert.deepEqual(
      (items as Answer[]).map(({ id }) => id),
      [question],
    );
  }
  const token = readFileSync(join(house.home, 'token'), 'utf8').trim();
  const response = await fetch(new URL('/memory/audit?audience=person:agent:coder', house.parley.url), {
    headers: { authorization: `Bearer ${token}` },
  });
  const { events } = (await response.json()) as { events: { action: string; actor: string }[] };
  assert.deepEqual(
    new Set(events.filter(({ action }) => action === 'put').map(({ actor }) => actor)),
    new Set(['agent:coder']),
  );
  const { out } = await parley(house, 'people', 'list', '--json');
  const [account] = /per_[0-9a-z]{26}/.exec(out) ?? [];
  const { events: ofPerson } = (await (
    await fetch(new URL(`/memory/audit?audience=person:${account}`, house.parley.url), {
      headers: { authorization: `Bearer ${token}` },
    })
  ).json()) as { events: { action: string; actor: string }[] };
  assert.deepEqual(
    new Set(ofPerson.filter(({ action }) => action === 'put').map(({ actor }) => actor)),
    new Set([account]),
  );
});

const [first, second] = ['The launch needs marmalade.', 'The launch needs bergamot.'];
const asked = async (client: Client, more: Answer = { key: 'k9' }) => {
  const sure = await call(client, 'memory_create', {
    kind: 'fact',
    content: first,
    confidence: 0.9,
    ...more,
  });
  const doubt = await call(client, 'memory_update', {
    id: sure.id,
    content: second,
    confidence: 0.3,
    agent_id: 'claude',
  });
  assert.ok(doubt.question !== undefined);
  return { sure, doubt };
};
const openThreads = async (client: Client): Promise<Answer[]> =>
  ((await call(client, 'get_memory_bundle', { agent_id: 'claude' })).sections as Record<string, Answer[]>)
    .open_threads ?? [];

for (const [how, ends] of Object.entries<
  (
    client: Client,
    of: { sure: Answer; doubt: Answer },
    say: (text: string) => Promise<unknown>,
  ) => Promise<unknown>
>({
  'one is deleted': (client, { sure }) => call(client, 'memory_delete', { id: sure.id }),
  'both are deleted': async (client, { sure, doubt }) => {
    await call(client, 'memory_delete', { id: doubt.id });
    await call(client, 'memory_delete', { id: sure.id });
  },
  'the key is forgotten in a chat': (_, __, say) => say('/memory forget yes key k9'),
  'their source is forgotten': (client) =>
    call(client, 'memory_forget', { source: 'audit report', mode: 'forget' }),
  'one is corrected': (client, { sure }) =>
    call(client, 'memory_update', { id: sure.id, content: 'The launch needs neither.', confidence: 1 }),
}))
  test(`a question about two facts keeps no word of them once ${how}`, async (t) => {
    const house = await openTelegramHouse(t);
    const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
    t.after(() => client.close());
    const of = await asked(client, { key: 'k9', source: 'audit report' });
    assert.match(await house.ask(dm, '/open'), /k9[\s\S]*marmalade[\s\S]*/);
    await call(client, 'update_session_element', {
      agent_id: 'claude',
      element_id: of.doubt.question,
      action: 'carried_on',
      note: 'marmalade it may be',
    });
    await ends(client, of, (text) => house.ask(dm, text));
    assert.deepEqual(await openThreads(client), []);
    assert.doesNotMatch(await house.ask(dm, '/open'), /\bk9\b|marmalade|bergamot/);
    const { items } = await call(client, 'list_session_elements', { agent_id: 'claude', kind: 'thread' });
    const words = how === 'one is corrected' ? /\bk9\b|bergamot/ : /\bk9\b|marmalade|bergamot/;
    assert.doesNotMatch(JSON.stringify(items), words);
    assert.equal((items as Answer[]).length, 1);
    for (const query of ['marmalade', 'bergamot']) {
      const found = (await call(client, 'memory_search', { query })).items as Answer[];
      assert.deepEqual(
        found.filter(({ id }) => id === of.doubt.question),
        [],
        query,
      );
    }
  });

test('words that come again less surely contradict nothing, and more surely answer the question', async (t) => {
  const client = await personClient(t);
  const sure = await call(client, 'memory_create', { ...monday, agent_id: 'claude' });
  const same = await call(client, 'memory_create', { ...monday, confidence: 0.2, agent_id: 'claude' });
  assert.deepEqual(
    [same.status, same.id, same.contradicts, same.question],
    ['duplicate', sure.id, undefined, undefined],
  );
  const less = await call(client, 'memory_update', { id: sure.id, confidence: 0.5, agent_id: 'claude' });
  assert.deepEqual([less.contradicts, less.question], [undefined, undefined]);
  assert.deepEqual(await openThreads(client), []);
  for (const more of [{}, { key: 'k9' }]) {
    const { doubt } = await asked(client, more);
    assert.equal((await openThreads(client)).length, 1);
    const settled = await call(client, 'memory_create', {
      kind: 'fact',
      content: second,
      ...more,
      agent_id: 'claude',
    });
    assert.deepEqual(
      [settled.supersedes, (settled.also_supersedes as Answer[]).map(({ text }) => text)],
      [doubt.id, [first]],
    );
    assert.deepEqual(await openThreads(client), []);
  }
});

test('an export has the two memories, and not the question about them', async (t) => {
  const house = await openTelegramHouse(t);
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  await asked(client);
  await call(client, 'add_session_element', { agent_id: 'claude', kind: 'thread', title: 'Another' });
  const file = join(house.folder, 'memory.jsonl');
  await parley(house, 'memory', 'export', file);
  const lines = readFileSync(file, 'utf8');
  assert.equal(lines.split('marmalade').length, 2);
  assert.match(lines, /Another/);
});

test('a change that leaves the words leaves the question, which later goes with them', async (t) => {
  const client = await personClient(t);
  const { doubt } = await asked(client);
  const tagged = await call(client, 'memory_update', { id: doubt.id, tags: ['week'] });
  assert.deepEqual(
    (await openThreads(client)).map(({ id }) => id),
    [doubt.question],
  );
  await call(client, 'memory_delete', { id: tagged.id });
  assert.deepEqual(await openThreads(client), []);
});
