// The person says which of two contradicting memories holds: in a chat, over HTTP, through an agent, and in the form of an MCP client.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { createMcpConversation } from '#adapters/mcp/conversation.ts';
import { createIds } from '#base/ids.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { type House, openTelegramHouse, type Talk } from './house.ts';
import { type Answer, call, type Elicited, overHttp, overStdio, refusal, tokenFor } from './mcp-kit.ts';

const dm: Talk = { platform: 'telegram', chat: 'dm', user: 'you' };
const claude = { agent_id: 'claude', project_id: 'parley' };
const fact = { kind: 'fact', key: 'deploy day' };
const monday = { ...fact, content: 'Deploys are on Monday.', confidence: 0.9, source: 'the handbook' };
const sunday = { ...fact, content: 'Deploys are on Sunday.', confidence: 0.3, source: 'a stand-up' };

async function opened(t: TestContext): Promise<{ house: House; client: Client }> {
  const house = await openTelegramHouse(t);
  const { secret } = await tokenFor(house, '--person', 'Robin');
  const client = await overHttp(house.parley.url, secret);
  t.after(() => client.close());
  return { house, client };
}

/** A fact, and one that contradicts it, in a project of their own; the words `of` take the place of those above. */
async function contradicted(client: Client, project: string, of: { sure?: Answer; doubt?: Answer } = {}) {
  const where = { ...claude, project_id: project };
  const sure = await call(client, 'memory_create', { ...monday, ...where, ...of.sure });
  const doubt = await call(client, 'memory_create', { ...sunday, ...where, ...of.doubt });
  assert.ok(typeof doubt.question === 'string');
  return { sure: String(sure.id), doubt: String(doubt.id), question: doubt.question, answer: doubt };
}

const shortOf = (id: string): string => id.slice(-6);

/** What holds of the key, with all that was said of it before, oldest first. */
async function standing(client: Client, project: string): Promise<unknown[]> {
  const { items } = await call(client, 'memory_lookup', { key: fact.key, project_id: project });
  const [{ id, text, source, confidence } = {} as Answer, ...more] = items as Answer[];
  assert.deepEqual(more, []);
  const { versions } = await call(client, 'memory_read', { id });
  for (const { at } of versions as Answer[]) assert.match(String(at), /^\d{4}-\d\d-\d\dT/);
  const before = (versions as Answer[]).map((each) => [each.text, each.source, each.state]);
  return [text, source, confidence, before];
}

const sundayHolds = [
  sunday.content,
  sunday.source,
  1,
  [
    [monday.content, monday.source, 'superseded'],
    [sunday.content, sunday.source, 'active'],
  ],
];
const mondayHolds = [
  monday.content,
  monday.source,
  1,
  [
    [sunday.content, sunday.source, 'superseded'],
    [monday.content, monday.source, 'active'],
  ],
];

test('an answer in the chat that means one of the two applies it, and says what was done', async (t) => {
  const { house, client } = await opened(t);
  const day = new Date().toISOString().slice(0, 10);
  for (const [project, said, chosen] of [
    ['by-number', () => '2', sundayHolds],
    ['by-its-number', () => '1', mondayHolds],
    ['by-a-word', () => 'sunday', sundayHolds],
    ['by-the-words', () => `"${monday.content}"`, mondayHolds],
    ['by-id', (ids: { doubt: string }) => shortOf(ids.doubt), sundayHolds],
  ] as const) {
    const of = await contradicted(client, project);
    assert.match(
      await house.ask(dm, `/open ${project}`),
      /1\. Deploys are on Monday[\s\S]*2\. Deploys are on Sunday/,
    );
    const reply = await house.ask(dm, `/answer ${shortOf(of.question)} ${said(of)}`);
    const [holds, gone] = chosen === sundayHolds ? [sunday, monday] : [monday, sunday];
    assert.match(
      reply,
      new RegExp(`This holds now: ${holds.content}[\\s\\S]*${holds.source}, ${day}`),
      project,
    );
    assert.match(
      reply,
      new RegExp(`takes the place of: ${gone.content}[\\s\\S]*${gone.source}, ${day}`),
      project,
    );
    assert.deepEqual(await standing(client, project), chosen, project);
    const { items } = await call(client, 'memory_verify', { ids: [of.sure, of.doubt] });
    assert.deepEqual(
      (items as Answer[]).map(({ status }) => status),
      chosen === sundayHolds ? ['superseded', 'stored'] : ['stored', 'superseded'],
    );
    assert.match(await house.ask(dm, `/open ${project}`), /no project or agent|Nothing is open/);
    const { sections } = await call(client, 'get_memory_bundle', { ...claude, project_id: project });
    assert.deepEqual((sections as Record<string, Answer[]>).open_threads ?? [], []);
    // what was chosen is sure: less certain words are asked about again
    const again = await call(client, 'memory_create', {
      ...fact,
      content: 'Never.',
      confidence: 0.9,
      project_id: project,
    });
    assert.equal((again.contradicts as Answer).text, holds.content);
  }
});

test('an answer that means none of the two, or might mean both, changes nothing and says how to choose', async (t) => {
  const { house, client } = await opened(t);
  const of = await contradicted(client, 'unclear');
  for (const said of ['not on Sunday', 'Ask the team.', 'deploys are', 'neither']) {
    const reply = await house.ask(dm, `/answer ${shortOf(of.question)} ${said}`);
    assert.match(
      reply,
      /claude reads your answer[\s\S]*Both memories stand[\s\S]*\/answer \w+ 1[\s\S]*1\. Deploys are on Monday/,
    );
  }
  const { items } = await call(client, 'memory_lookup', { key: fact.key, project_id: 'unclear' });
  assert.equal((items as Answer[]).length, 2);
  const second = await contradicted(client, 'numbers', {
    sure: { content: 'The limit is 2.' },
    doubt: { content: 'The limit is 1.' },
  });
  // the second one, or the first, which says 2
  assert.match(await house.ask(dm, `/answer ${shortOf(second.question)} 2`), /Both memories stand/);
  assert.match(
    await house.ask(dm, `/answer ${shortOf(second.question)} limit is 2`),
    /holds now: The limit is 2/,
  );
});

test('the call that an answer names, with what holds, settles a question over MCP, also of facts without a key', async (t) => {
  const { house, client } = await opened(t);
  const of = await contradicted(client, 'agents');
  const { tool, arguments: args } = of.answer.answer_with as { tool: string; arguments: Answer };
  assert.deepEqual(
    [tool, args],
    [
      'update_session_element',
      { ...claude, project_id: 'agents', element_id: of.question, action: 'resolved' },
    ],
  );
  assert.match(
    await refusal(client, tool, { ...args, holds: 'mem_none' }),
    new RegExp(`holds: expected ${of.sure} or ${of.doubt}, received "mem_none"`),
  );
  const done = await call(client, tool, { ...args, holds: of.doubt, note: 'Robin said so.' });
  assert.deepEqual(
    [
      done.status,
      (done.holds as Answer).id,
      (done.superseded as Answer[]).map(({ id, source }) => [id, source]),
    ],
    ['resolved', of.doubt, [[of.sure, monday.source]]],
  );
  assert.match(String(done.status_note), /Robin said so\./);
  assert.deepEqual(await standing(client, 'agents'), sundayHolds);
  assert.match(await refusal(client, tool, { ...args, holds: of.sure }), /is resolved|expected status/);

  const thread = await call(client, 'add_session_element', { ...claude, kind: 'thread', title: 'Another' });
  const plain = { ...claude, element_id: thread.id, action: 'resolved', holds: of.doubt };
  assert.match(
    await refusal(client, tool, plain),
    /holds: expected nothing, since jnl_\w+ asks about no memories/,
  );

  const unkeyed = { key: undefined };
  const sure = await call(client, 'memory_create', {
    ...monday,
    ...unkeyed,
    content: 'The launch needs tea.',
    ...claude,
  });
  const doubt = await call(client, 'memory_update', {
    id: sure.id,
    content: 'The launch needs rum.',
    confidence: 0.2,
    agent_id: 'claude',
  });
  const { arguments: how } = doubt.answer_with as { arguments: Answer };
  const chosen = await call(client, tool, { ...how, holds: sure.id });
  assert.deepEqual(
    (chosen.superseded as Answer[]).map(({ id }) => id),
    [doubt.id],
  );
  const { items } = await call(client, 'memory_search', { query: 'launch needs' });
  assert.deepEqual(
    (items as Answer[]).map(({ text }) => text),
    ['The launch needs tea.'],
  );

  const token = readFileSync(join(house.home, 'token'), 'utf8').trim();
  const audience = ((await call(client, 'memory_read', { id: sure.id })) as { item: Answer }).item.audience;
  const { events } = (await (
    await fetch(new URL(`/memory/audit?audience=${audience}`, house.parley.url), {
      headers: { authorization: `Bearer ${token}` },
    })
  ).json()) as { events: { action: string; memory_ids: string[]; detail: Answer }[] };
  const line = events.find(({ detail }) => detail.chosen === true);
  assert.deepEqual([line?.action, line?.memory_ids, line?.detail.settled], ['put', [sure.id], doubt.id]);
});

test('an operator answers a question over HTTP, and what it did is in the response', async (t) => {
  const { house, client } = await opened(t);
  const of = await contradicted(client, 'operator');
  const { audience } = ((await call(client, 'memory_read', { id: of.sure })) as { item: Answer }).item;
  const token = readFileSync(join(house.home, 'token'), 'utf8').trim();
  const settle = async (body: Answer) =>
    (await (
      await fetch(new URL(`/memory/journal/${of.question}`, house.parley.url), {
        method: 'PATCH',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ audience, ...body }),
      })
    ).json()) as Answer;
  const unclear = await settle({ action: 'answered', note: 'Who knows.' });
  assert.deepEqual(
    [unclear.status, (unclear.choices as Answer[]).map(({ id }) => id)],
    ['open', [of.sure, of.doubt]],
  );
  const done = await settle({ action: 'answered', note: '2' });
  assert.deepEqual(
    [done.status, (done.holds as Answer).id, (done.superseded as Answer[]).length],
    ['resolved', of.doubt, 1],
  );
  assert.deepEqual(await standing(client, 'operator'), sundayHolds);
});

test('what tools.policy denies to correct is not chosen over MCP either', async (t) => {
  const house = await openTelegramHouse(t, { tools: { policy: { memory_update: 'deny' } } });
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  const of = await contradicted(client, 'policy');
  const { tool, arguments: args } = of.answer.answer_with as { tool: string; arguments: Answer };
  assert.match(await refusal(client, tool, { ...args, holds: of.doubt }), /denies memory_update/);
  assert.match(await house.ask(dm, `/answer ${shortOf(of.question)} 2`), /holds now/);
});

const accept = (holds: string): ElicitResult => ({ action: 'accept', content: { holds } });

for (const runs of [true, false])
  test(`a client of \`parley mcp\` that can ask its person is asked at once${runs ? '' : ', also where no Parley runs'}`, async (t) => {
    const { house, client } = await opened(t);
    // while no Parley runs no platform says who a person is
    const whose = runs ? ['--person', 'Robin'] : ['--agent', 'claude'];
    const { secret } = await tokenFor(house, ...whose);
    if (!runs) await house.parley.close();
    const seen: Parameters<Elicited>[0][] = [];
    let next: ElicitResult = accept('2');
    const person = await overStdio(house, secret, undefined, (params) => {
      seen.push(params);
      return next;
    });
    const silent = await overStdio(house, secret);
    t.after(() => Promise.all([person.close(), silent.close()]));
    const create = async (by: Client, project_id: string) => {
      await call(by, 'memory_create', { ...monday, ...claude, project_id });
      return call(by, 'memory_create', { ...sunday, ...claude, project_id });
    };
    const done = await create(person, 'accepted');
    assert.match(
      seen[0]?.message ?? '',
      /Which of them holds\?\n1\. Deploys are on Monday\. \(the handbook, \d{4}-\d\d-\d\d, 90 % sure\)\n2\. Deploys are on Sunday\./,
    );
    const { holds } = Object(seen[0]?.requestedSchema.properties);
    assert.deepEqual(holds.enum, ['1', '2']);
    const { holds: chosen, superseded } = done.answered as { holds: Answer; superseded: Answer[] };
    assert.deepEqual(
      [chosen.id, superseded.map(({ text }) => text), done.question, done.answer_with],
      [done.id, [monday.content], undefined, undefined],
    );
    assert.deepEqual(await standing(person, 'accepted'), sundayHolds);

    for (const action of ['decline', 'cancel'] as const) {
      next = { action };
      const open = await create(person, action);
      assert.ok(open.question !== undefined && open.answered === undefined);
    }
    assert.equal(seen.length, 3);
    const unasked = await create(silent, 'unasked');
    assert.ok(unasked.question !== undefined && unasked.answered === undefined);
    assert.equal(seen.length, 3);
    if (runs) assert.ok((await create(client, 'http')).question !== undefined);
  });

test('what a person answers to a client is not lost where somebody was faster, or forgot one of the two', async (t) => {
  const { house, client } = await opened(t);
  const { secret } = await tokenFor(house, '--person', 'Robin');
  let meanwhile: (ids: string[]) => Promise<unknown> = async () => undefined;
  const person = await overStdio(house, secret, undefined, async () => {
    const { items } = await call(client, 'memory_lookup', { key: fact.key });
    await meanwhile((items as Answer[]).map(({ id }) => String(id)));
    return accept('2');
  });
  t.after(() => person.close());
  const create = async () => {
    await call(person, 'memory_create', { ...monday, agent_id: 'claude' });
    return call(person, 'memory_create', { ...sunday, agent_id: 'claude' });
  };
  meanwhile = async () => {
    const { sections } = await call(client, 'get_memory_bundle', { agent_id: 'claude' });
    const [{ id } = {} as Answer] = (sections as { open_threads: Answer[] }).open_threads;
    assert.match(await house.ask(dm, `/answer ${shortOf(String(id))} 1`), /holds now/);
  };
  const late = await create();
  assert.deepEqual((late.answered as Answer).chosen, late.id);
  assert.match(String((late.answered as Answer).not_applied), /received one that is resolved/);

  meanwhile = async (ids) => {
    for (const id of ids) await call(client, 'memory_delete', { id });
  };
  const gone = await call(person, 'memory_create', {
    ...sunday,
    content: 'Deploys are on Friday.',
    agent_id: 'claude',
  });
  assert.deepEqual((gone.answered as Answer).chosen, gone.id);
  assert.match(String((gone.answered as Answer).not_applied), /asks about no memories/);
});

test('a person who answers after the call was answered has answered all the same, and a client that goes leaves nobody waiting', async () => {
  const clock = createManualClock();
  const sent: Answer[] = [];
  const asked: Answer[] = [];
  const ended = new AbortController();
  const text = (value: Answer) => ({ result: { content: [{ type: 'text', text: JSON.stringify(value) }] } });
  const answers: Record<string, Answer> = {
    memory_create: {
      id: 'mem_2',
      question: 'jnl_1',
      contradicts: { id: 'mem_1' },
      answer_with: { tool: 'update_session_element', arguments: { element_id: 'jnl_1' } },
    },
    memory_read: {
      item: { text: 'It.', at: '2026-01-01T00:00:00Z' },
      record: { source: 's', confidence: 1 },
    },
    update_session_element: { holds: { id: 'mem_1' }, superseded: [] },
  };
  const conversation = createMcpConversation({
    async answer(body) {
      const { id, params = {} } = JSON.parse(body) as { id: unknown; params?: Answer };
      asked.push(params);
      return JSON.stringify({ jsonrpc: '2.0', id, ...text(answers[String(params.name)] ?? {}) });
    },
    send: (line) => void sent.push(JSON.parse(line) as Answer),
    ...{ newId: createIds(clock), clock, signal: ended.signal },
  });
  const say = (message: Answer) => conversation.receive(JSON.stringify({ jsonrpc: '2.0', ...message }));
  await say({ id: 1, method: 'initialize', params: { capabilities: { elicitation: {} } } });
  const create = (id: number) => say({ id, method: 'tools/call', params: { name: 'memory_create' } });
  const calling = create(2);
  await settled();
  const question = sent.at(-1);
  assert.equal(question?.method, 'elicitation/create');
  await clock.advance(45_000);
  await calling;
  assert.match(JSON.stringify(sent.at(-1)), /jnl_1/);
  await say({ id: question?.id, result: accept('1') });
  await settled();
  assert.deepEqual(asked.at(-1), {
    name: 'update_session_element',
    arguments: { element_id: 'jnl_1', holds: 'mem_1' },
  });
  const left = create(3);
  await settled();
  ended.abort();
  await left;
  assert.equal(sent.at(-1)?.id, 3);

  async function settled(): Promise<void> {
    for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  }
});
