// What agents leave over MCP as their person meets it in chats, and what the person says of it as agents meet it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/found.ts';
import { openTelegramHouse, type Talk } from './house.ts';
import { type Answer, call, overHttp, refusal, session, tokenFor } from './mcp-kit.ts';

const talk: Talk = { platform: 'telegram', chat: 'dm', user: 'you' };
const idOf = (list: string, title: string): string =>
  new RegExp(`(\\w{6})\\W+${title}`).exec(list)?.[1] ?? `no ${title} in ${list}`;

test('a chat shows, filters, answers and settles what every agent of its person left in every project', async (t) => {
  const house = await openTelegramHouse(t);
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  const claude = { agent_id: 'claude', project_id: 'parley' };
  await call(client, 'close_session', { ...claude, ...session('c') });
  await call(client, 'close_session', { agent_id: 'codex', ...session('x') });
  const lesson = { task_type: 'build', lesson_kind: 'gotcha', lesson: 'The lexer needs a table.' };
  await call(client, 'record_lesson', { ...claude, ...lesson });

  const open = await house.ask(talk, '/open');
  assert.match(open, /\*{0,2}parley · claude[\s\S]*Thread of c[\s\S]*Step of c/);
  assert.match(open, /no project · codex[\s\S]*Thread of x/);
  const ofProject = await house.ask(talk, '/open parley');
  assert.match(ofProject, /Thread of c/);
  assert.doesNotMatch(ofProject, /Thread of x/);
  assert.match(await house.ask(talk, '/open agent:Codex'), /Thread of x/);
  assert.doesNotMatch(await house.ask(talk, '/open agent:Codex'), /Thread of c/);
  assert.match(await house.ask(talk, '/open parly'), /no project or agent .*parly.*parley.*claude/);
  assert.match(await house.ask(talk, '/decisions parley'), /Use a table/);
  assert.match(await house.ask(talk, '/lessons'), /The lexer needs a table/);
  assert.match(await house.ask(talk, '/recap'), /Session x[\s\S]*Thread of c[\s\S]*parley · claude/);

  const thread = idOf(open, 'Thread of c');
  assert.match(
    await house.ask(talk, `/answer ${thread} Use the table of 2024.`),
    /claude reads your answer.*Thread of c/,
  );
  await house.ask(talk, `/park ${idOf(open, 'Step of c')} not this week`);
  const { sections, left_out } = (await call(client, 'get_memory_bundle', claude)) as {
    sections: Record<string, Answer[]>;
    left_out: Answer[];
  };
  assert.match(String(sections.open_threads?.[0]?.status_note), /^.+: Use the table of 2024\.$/);
  assert.deepEqual([sections.next_steps, left_out.map(({ section }) => section)], [[], ['parked_steps']]);
  const stateIn = async (title: string) => {
    const { items } = await call(client, 'memory_search', { query: title });
    return new RegExp(`${title} \\((\\w+)(?: since)? \\d{4}-\\d\\d-\\d\\d`).exec(JSON.stringify(items))?.[1];
  };
  assert.deepEqual(
    [await stateIn('Thread of x'), await stateIn('Step of c')],
    ['open', 'parked'],
    'recall says what state it has, and since when',
  );
  // what is parked is settled as what is open
  assert.match(await house.ask(talk, `/done ${idOf(open, 'Step of c')} after all`), /Done: Step of c/);
  assert.match(await house.ask(talk, `/done ${thread} it is fast`), /Done: Thread of c/);
  assert.match(await house.ask(talk, `/done ${idOf(open, 'Thread of x')}`), /Done: Thread of x/);
  const settled = (await call(client, 'list_session_elements', { ...claude, kind: 'thread' }))
    .items as Answer[];
  assert.deepEqual([settled[0]?.status, settled[0]?.status_note], ['resolved', 'it is fast']);
  assert.match(String(settled[0]?.settled_by), /\w/);
  const found = (await call(client, 'memory_search', { query: 'Thread of c lexer slow' })).items as Answer[];
  assert.ok(
    found.some(({ text }) => /Thread of c \(resolved \d{4}-\d\d-\d\d by .*: it is fast\)/.test(String(text))),
  );
});

test('a project is shared: its agents settle what is open there under both names, and its lessons and those for everyone are there', async (t) => {
  const house = await openTelegramHouse(t);
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  const claude = { agent_id: 'claude', project_id: 'parley' };
  const codex = { agent_id: 'codex', project_id: 'parley' };
  await call(client, 'close_session', { ...claude, ...session('c') });
  const lesson = (text: string) => ({ task_type: 'build', lesson_kind: 'gotcha', lesson: text });
  await call(client, 'record_lesson', { agent_id: 'general', ...lesson('Everyone: measure first.') });
  await call(client, 'record_lesson', { ...claude, ...lesson('Of the project: the lexer has a table.') });
  await call(client, 'record_lesson', { agent_id: 'codex', ...lesson('Of codex elsewhere.') });
  const woken = async (who: Answer) =>
    ((await call(client, 'get_memory_bundle', who)) as { sections: Record<string, Answer[]> }).sections;
  const sections = await woken(codex);
  assert.equal(sections.latest_session?.[0]?.title, 'Session c');
  assert.deepEqual(
    sections.lessons?.map(({ lesson: text }) => text),
    ['Of the project: the lexer has a table.', 'Everyone: measure first.'],
  );
  const [thread] = sections.open_threads ?? [];
  const [step] = sections.next_steps ?? [];
  // the sweep holds over the project, whoever left it open
  const missing = await refusal(client, 'close_session', { ...codex, ...session('x') });
  assert.ok(missing.includes(String(thread?.id)) && missing.includes(String(step?.id)), missing);
  await call(client, 'update_session_element', { ...codex, element_id: thread?.id, action: 'resolved' });
  const inherited = [{ id: step?.id, action: 'carried_on', note: 'codex has it now' }];
  await call(client, 'close_session', { ...codex, ...session('x', { inherited, threads: [], steps: [] }) });
  const [resolved] = (await call(client, 'list_session_elements', { ...claude, kind: 'thread' }))
    .items as Answer[];
  const shared = await call(client, 'list_session_elements', { ...claude, kind: 'step' });
  assert.equal(resolved?.settled_by, 'codex');
  assert.match(JSON.stringify(shared), /"agent_id":"claude"/);
  assert.match(JSON.stringify(shared), /"settled_by":"codex"/);
  // a bundle of a project, by its name, as a prompt and as a resource
  const text = (resource: { contents: { text?: unknown }[] }): string => String(resource.contents[0]?.text);
  const bundle = text((await client.readResource({ uri: 'parley://bundle/parley' })) as never);
  assert.match(bundle, /Session x[\s\S]*Step of c/);
  const own = text((await client.readResource({ uri: 'parley://bundle/parley/codex' })) as never);
  assert.match(own, /"agent_id":"codex"[\s\S]*Step of c/);
  const { messages } = await client.getPrompt({ name: 'wake', arguments: { project_id: 'parley' } });
  assert.match(JSON.stringify(messages), /Step of c/);
});

test('a bundle has what its person pinned, and what memory knows of the intent, with who said it', async (t) => {
  const house = await openTelegramHouse(t);
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  const own = await overHttp(house.parley.url, (await tokenFor(house, '--agent', 'coder')).secret);
  t.after(() => own.close());
  await call(client, 'memory_create', { content: 'Answer in short sentences.', kind: 'preference' });
  await call(client, 'memory_create', { content: 'The deploy key is in the blue vault.', source: 'wiki' });
  await call(client, 'record_lesson', {
    ...{ agent_id: 'claude', task_type: 'deploy', lesson_kind: 'gotcha', lesson: 'The deploy key expires.' },
  });
  const of = async (from: typeof client, more: Answer) =>
    (await call(from, 'get_memory_bundle', { agent_id: 'coder', ...more })).memory as Record<
      string,
      Answer[]
    >;
  const intent = 'find the deploy key';
  await until('the note', async () => ((await of(client, { intent })).about_intent ?? []).length > 0);
  const memory = await of(client, { intent, project_id: 'parley' });
  assert.deepEqual(
    memory.pinned?.map(({ text, kind, source }) => [text, kind, typeof source]),
    [['Answer in short sentences.', 'preference', 'string']],
  );
  const about = memory.about_intent ?? [];
  assert.match(String(about[0]?.text), /blue vault/);
  assert.ok(about.every(({ speaker, at, platform }) => speaker && at && platform !== 'journal'));
  // nothing of the person for an agent with its own memory, and nothing pinned in a brief one
  assert.deepEqual(await of(own, { intent }), { pinned: [], about_intent: [] });
  assert.deepEqual(await of(client, { depth: 'brief' }), { pinned: [] });
});

test('a chat finds what an agent has in a project whichever is named first, offers near names, and has the lessons of every agent', async (t) => {
  const house = await openTelegramHouse(t);
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  const claude = { agent_id: 'claude', project_id: 'parley' };
  await call(client, 'close_session', { ...claude, ...session('a', { steps: [] }) });
  await call(client, 'close_session', { ...claude, project_id: 'other', ...session('b', { steps: [] }) });
  for (const filter of [
    'agent:claude parley',
    'parley agent:claude',
    'project:parley claude',
    'agent:Claude project:PARLEY',
  ]) {
    const shown = await house.ask(talk, `/open ${filter}`);
    assert.match(shown, /Thread of a/, filter);
    assert.doesNotMatch(shown, /Thread of b/, filter);
  }
  assert.match(await house.ask(talk, '/open agent:clade'), /agent:clade.*Did you mean `?claude/);
  assert.match(await house.ask(talk, '/open agent:clade parley'), /Did you mean `?claude/);
  const lesson = { task_type: 'build', lesson_kind: 'gotcha' };
  await call(client, 'record_lesson', { ...lesson, agent_id: 'general', lesson: 'Look at the cache.' });
  await call(client, 'record_lesson', { ...lesson, agent_id: 'codex', lesson: 'Look at the moon.' });
  const lessons = await house.ask(talk, '/lessons agent:claude');
  assert.match(lessons, /Look at the cache/);
  assert.doesNotMatch(lessons, /moon/);
});

test('an answer has the name of its person once, wherever it is shown', async (t) => {
  const house = await openTelegramHouse(t);
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  const claude = { agent_id: 'claude' };
  const thread = { ...claude, kind: 'thread', title: 'How many gooseberries', body: '' };
  const { id } = await call(client, 'add_session_element', thread);
  const short = String(id).slice(-6);
  const answered = await house.ask(talk, `/answer ${short} You: it is 80`);
  assert.match(answered, /claude reads your answer/);
  await house.ask(talk, `/answer ${short} it is 81`);
  await house.ask(talk, `/done ${short}`);
  const { items } = await call(client, 'list_session_elements', { ...claude, kind: 'thread' });
  const [of] = items as Answer[];
  const by = String(of?.settled_by);
  const { item } = (await call(client, 'memory_read', { id })) as { item: Answer };
  const { items: found } = await call(client, 'memory_search', { query: 'gooseberries' });
  const all = JSON.stringify([of, item, found]);
  assert.match(all, /it is 81/);
  assert.ok(!all.includes(`${by}: ${by}:`), all);
  assert.doesNotMatch(JSON.stringify(found), new RegExp(`by ${by}: ${by}`));
});

test('an id of another project, and an agent of which nothing is open, are told where they are; a preview speaks of no writing', async (t) => {
  const house = await openTelegramHouse(t);
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  const iris = { agent_id: 'iris', project_id: 'intents' };
  const { id: thread } = await call(client, 'add_session_element', { ...iris, kind: 'thread', title: 'T' });
  const { lineage_id } = await call(client, 'close_session', {
    ...iris,
    ...session('one', { threads: [], steps: [] }),
    inherited: [{ id: thread, action: 'carried_on' }],
  });
  const reads: [string, Answer][] = [
    ['get_session', { lineage_id }],
    ['update_session_element', { agent_id: 'iris', element_id: thread, action: 'resolved' }],
  ];
  for (const [tool, args] of reads)
    for (const where of [{}, { project_id: 'elsewhere' }])
      assert.match(
        await refusal(client, tool, { ...args, ...where }),
        /one of project "intents"\. Call with project_id: "intents"/,
        tool,
      );
  const free = await call(client, 'add_session_element', { agent_id: 'iris', kind: 'thread', title: 'Free' });
  assert.match(
    await refusal(client, 'update_session_element', { ...iris, element_id: free.id, action: 'resolved' }),
    /one of no project\. Call without a project/,
  );
  const ida = { agent_id: 'ida', project_id: 'intents-two' };
  await call(client, 'add_session_element', { ...ida, kind: 'decision', title: 'D' });
  const hint = String((await call(client, 'get_memory_bundle', { ...ida, depth: 'brief' })).hint);
  assert.equal(hint, 'What ida has in intents-two is settled, or not shown at depth brief.');
  assert.doesNotMatch(await refusal(client, 'memory_forget', { mode: 'preview' }), /written/);
  assert.match(await refusal(client, 'memory_forget', { mode: 'forget' }), /written/);
});
