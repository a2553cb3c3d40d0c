// How far the journal and contradicting facts reach: into chats on every account of their person, into prompts, and into the audit when others read them.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { openTelegramHouse, type Talk } from './house.ts';
import { type Answer, call, overHttp, personClient, refusal, session, tokenFor } from './mcp-kit.ts';
import { onWords, openModelHouse } from './model-house.ts';

const dm: Talk = { platform: 'telegram', chat: 'dm', user: 'you' };
const claude = { agent_id: 'claude', project_id: 'parley' };

test('in private the journal is that of all accounts of a person: what agents left is shown and settled on each platform', async (t) => {
  const { house } = await openModelHouse(t, ['telegram', 'discord']);
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  await call(client, 'close_session', { ...claude, ...session('one') });
  for (const [platform, what] of [
    ['telegram', 'Thread of one'],
    ['discord', 'Step of one'],
  ] as const) {
    const talk: Talk = { platform, chat: 'dm', user: 'you' };
    const open = await house.ask(talk, '/open');
    const [, id = ''] = new RegExp(`(\\w{6})\\W+${what}`).exec(open) ?? [];
    assert.match(await house.ask(talk, `/done ${id}`), new RegExp(`Done: ${what}`), open);
  }
  assert.match(await house.ask(dm, '/decisions'), /Use a table/);
  const { sections } = (await call(client, 'get_memory_bundle', claude)) as {
    sections: Record<string, Answer[]>;
  };
  assert.deepEqual([sections.open_threads, sections.next_steps], [[], []]);
});

test('a prompt has both of two facts that contradict each other, each with its date', async (t) => {
  const { house, model } = await openModelHouse(t, ['telegram']);
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  const fact = { kind: 'fact', key: 'deploy day' };
  const sure = { ...fact, content: 'Deploys of the greenhouse are on Monday.', confidence: 0.9 };
  const { id } = await call(client, 'memory_create', sure);
  const doubt = { content: 'Deploys of the greenhouse are on Friday.', confidence: 0.4 };
  await call(client, 'memory_update', { id, ...doubt });
  await house.ask(dm, 'On which day are the deploys of the greenhouse?');
  const prompt = JSON.stringify(model.getLastRequest()?.body);
  for (const day of ['Monday', 'Friday'])
    assert.match(
      prompt,
      new RegExp(`at=[^>]*\\d{4}-\\d\\d-\\d\\d[^>]*>[^<]*Deploys of the greenhouse are on ${day}`),
      day,
    );
});

test('each read of what belongs to a room is a line in its audit, whichever tool shows it', async (t) => {
  const { house, model } = await openModelHouse(t, ['telegram']);
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  onWords(model, 'we decided in the room', [
    { name: 'add_session_element', args: { kind: 'decision', title: 'Quince jam', body: 'On Friday.' } },
  ]);
  await house.ask({ platform: 'telegram', chat: 'room', user: 'you' }, 'we decided in the room');
  const file = new Database(join(house.home, 'memory.sqlite'), { readonly: true });
  t.after(() => file.close());
  const lines = () =>
    file
      .prepare<[], string>(
        `SELECT json_extract(detail, '$.how') FROM memory_audit
         WHERE action = 'read' AND audience LIKE 'room:%' AND detail LIKE '%mcp%' ORDER BY row`,
      )
      .pluck()
      .all();
  const { items } = await call(client, 'list_session_elements', { kind: 'decision' });
  const [decision] = items as Answer[];
  assert.equal(decision?.title, 'Quince jam');
  await call(client, 'memory_read', { id: decision?.id });
  await call(client, 'get_memory_bundle', { agent_id: decision?.agent_id });
  await call(client, 'memory_lookup', { kind: 'decision' });
  await call(client, 'memory_search', { query: 'quince jam' });
  assert.deepEqual(lines(), [
    'mcp list_session_elements',
    'mcp memory_read',
    'mcp get_memory_bundle',
    'mcp memory_lookup',
    'mcp memory_search',
  ]);
});

test('a first lesson of General is for every agent and project', async (t) => {
  const client = await personClient(t);
  const lesson = { task_type: 'build', lesson_kind: 'gotcha', lesson: 'The runner has no cache.' };
  const { id } = await call(client, 'record_lesson', { ...lesson, agent_id: 'GENERAL', project_id: 'one' });
  for (const where of [{ agent_id: 'claude' }, { agent_id: 'codex', project_id: 'two' }]) {
    const { sections } = await call(client, 'get_memory_bundle', { ...where, intent: 'look at the runner' });
    const { lessons, gotchas } = sections as Record<string, Answer[]>;
    assert.deepEqual([lessons?.map((each) => each.id), gotchas?.map((each) => each.id)], [[id], [id]]);
  }
});

test('the sweep of a project holds for a new agent however it spells its name, wherever it read its bundle', async (t) => {
  const client = await personClient(t);
  const at = { project_id: 'Parley' };
  await call(client, 'close_session', { ...at, agent_id: 'codex', ...session('one', { steps: [] }) });
  const reads: Record<string, (name: string) => Promise<unknown>> = {
    bundle: (name) => call(client, 'get_memory_bundle', { ...at, agent_id: name }),
    wake: (name) => client.getPrompt({ name: 'wake', arguments: { ...at, agent_id: name } }),
    resource: (name) => client.readResource({ uri: `parley://bundle/PARLEY/${name}` }),
  };
  for (const [how, read] of Object.entries(reads)) {
    await read(`New-${how}`.toUpperCase());
    const closing = {
      project_id: 'parley',
      agent_id: `new-${how}`,
      ...session(how, { threads: [], steps: [] }),
    };
    assert.match(await refusal(client, 'close_session', closing), /1 missing.*Thread of one/, how);
  }
});

test('the token of an agent knows its name in any case, in calls, prompts and resources', async (t) => {
  const house = await openTelegramHouse(t);
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--agent', 'coder')).secret);
  t.after(() => client.close());
  await call(client, 'close_session', { agent_id: 'CODER', ...session('one') });
  const bundle = await call(client, 'get_memory_bundle', { agent_id: 'Coder' });
  assert.equal(bundle.agent_id, 'coder');
  const { messages } = await client.getPrompt({ name: 'wake', arguments: { agent_id: 'CODER' } });
  assert.match(JSON.stringify(messages), /Thread of one/);
  assert.match(JSON.stringify(await client.readResource({ uri: 'parley://bundle/CODER' })), /Thread of one/);
  assert.match(await refusal(client, 'get_memory_bundle', { agent_id: 'coders' }), /whose token this is/);
});

test('an intent of words that say nothing finds nothing in any language, and what is sensitive comes up unasked in no bundle', async (t) => {
  const client = await personClient(t);
  const intents = [
    'with that have from',
    'с и это на',
    'что это было',
    'die',
    'das ist mit der',
    'que es con',
    'le de',
    'och det',
    'het van een',
    'com que',
    'con che il',
  ];
  for (const content of [...intents, 'The harbour opens at nine.'])
    await call(client, 'record_lesson', {
      agent_id: 'claude',
      task_type: 'x',
      lesson_kind: 'gotcha',
      lesson: `${content} 1`,
    });
  for (const content of intents) await call(client, 'memory_create', { content: `${content}.` });
  const harbour = await call(client, 'memory_create', {
    content: 'The harbour gate is green.',
    source: 'map',
  });
  const secret = { content: 'The harbour code is 4711.', sensitivity: 'sensitive', pinned: true };
  const { id } = await call(client, 'memory_create', secret);
  const of = async (intent: string) => {
    const bundle = await call(client, 'get_memory_bundle', { agent_id: 'claude', intent });
    const { memory, sections } = bundle as {
      memory: Record<string, Answer[]>;
      sections: Record<string, Answer[]>;
    };
    return { gotchas: sections.gotchas, about: memory.about_intent, pinned: memory.pinned };
  };
  for (const intent of intents) {
    const { gotchas, about } = await of(intent);
    assert.deepEqual([gotchas, about], [[], []], intent);
  }
  const { about, pinned, gotchas } = await of('open the harbour');
  assert.deepEqual(
    [about?.map((each) => [each.id, each.source]), pinned, gotchas?.length],
    [[[harbour.id, 'map']], [], 1],
  );
  const asked = (await call(client, 'memory_lookup', { pinned: true })).items as Answer[];
  assert.deepEqual(
    asked.map((each) => each.id),
    [id],
  );
});

test('what the policy of tools denies to search or look up is in no bundle either', async (t) => {
  const house = await openTelegramHouse(t, {
    tools: { policy: { memory_search: 'deny', memory_lookup: 'deny' } },
  });
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  await call(client, 'memory_create', { content: 'The harbour gate is green.', pinned: true });
  const { memory, left_out } = await call(client, 'get_memory_bundle', {
    agent_id: 'claude',
    intent: 'open the harbour gate',
  });
  assert.deepEqual([memory, left_out], [{ pinned: [] }, []]);
});

test('what is left out of the pins is counted, and read on from where the bundle stopped', async (t) => {
  const client = await personClient(t);
  const ids: unknown[] = [];
  for (let n = 0; n < 61; n += 1)
    ids.unshift((await call(client, 'memory_create', { content: `Pin number ${n}.`, pinned: true })).id);
  const of = async (depth: string) => {
    const { memory, left_out } = await call(client, 'get_memory_bundle', { agent_id: 'claude', depth });
    const [left] = left_out as { items: number; call: { tool: string; arguments: Answer } }[];
    const { pinned } = memory as { pinned: Answer[] };
    const found: unknown[] = pinned.map(({ id }) => id);
    let args: Answer | undefined = left?.call.arguments;
    while (args !== undefined) {
      const page: Answer = await call(client, left?.call.tool ?? '', args);
      found.push(...(page.items as Answer[]).map(({ id }) => id));
      args = page.next === undefined ? undefined : { ...args, cursor: page.next };
    }
    assert.deepEqual(found, ids, depth);
    return [pinned.length, left?.items];
  };
  assert.deepEqual(await of('cold_start'), [8, 53]);
  assert.deepEqual(await of('brief'), [0, 61]);
});
