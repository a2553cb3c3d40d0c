// What agents read of the journal over MCP: small answers, calls that work as printed, lessons that fit, names in any case, what is parked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { type Answer, call, personClient, refusal, session } from './mcp-kit.ts';

const agent = { agent_id: 'coder' };

const gotcha = (lesson: string, more: Answer = {}) => ({
  ...{ ...agent, task_type: 'work', lesson_kind: 'gotcha', lesson },
  ...more,
});

test('the list of tools has less than 25 kB, says what overwrites, and an answer has its text once, with dates', async (t) => {
  const client = await personClient(t);
  const { tools } = await client.listTools();
  assert.ok(JSON.stringify(tools).length < 25_000, String(JSON.stringify(tools).length));
  const hints = (name: string) => tools.find((tool) => tool.name === name)?.annotations;
  for (const name of ['put_build', 'put_t4_entry', 'forget_journal_entries', 'memory_delete'])
    assert.equal(hints(name)?.destructiveHint, true, name);
  assert.deepEqual(
    [hints('memory_update')?.destructiveHint, hints('memory_update')?.idempotentHint],
    [false, false],
  );
  await call(client, 'close_session', { ...agent, project_id: 'parley', ...session('one') });
  const bundle = await call(client, 'get_memory_bundle', { ...agent, project_id: 'parley' });
  const shared = bundle.shared as Answer;
  const [latest] = (bundle.sections as Record<string, Answer[]>).latest_session ?? [];
  // what was written in one moment shares it too
  assert.match(String(latest?.created_at ?? shared.created_at), /^\d{4}-\d\d-\d\dT.*Z$/);
  assert.deepEqual([shared.agent_id, shared.project_id], ['coder', 'parley']);
  const text = JSON.stringify(bundle);
  assert.equal(text.split('written_by').length, 2);
  assert.ok(text.split('"audience"').length <= 2);
});

test('each call that a bundle leaves for reading on works as printed and shows what follows', async (t) => {
  const client = await personClient(t);
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ title: `T${index}`, body: 'x'.repeat(500) }));
  const stone = { type: 'm', felt_weight: 5, fact: 'y'.repeat(500) };
  for (const place of [agent, { ...agent, project_id: 'parley' }]) {
    for (let index = 0; index < 2; index += 1)
      await call(client, 'close_session', {
        ...place,
        ...session(`s${index}`, {
          decisions: many(30),
          context: many(30),
          threads: many(60),
          steps: many(60),
        }),
        ...(index > 0 && { inherited: await inheritedOf(client, place) }),
      });
    for (let index = 0; index < 14; index += 1) {
      await call(client, 'record_touchstone', { ...place, ...stone, title: `Stone ${index}` });
      await call(client, 'create_conversation', { ...place, title: `Talk ${index}`, topic: 'z'.repeat(500) });
      await call(client, 'put_build', {
        ...place,
        key: `b${index}`,
        title: `Build ${index}`,
        status: 'active',
      });
    }
    for (let index = 0; index < 40; index += 1)
      await call(client, 'record_lesson', {
        ...place,
        ...gotcha(`Lesson ${index} of the parser. ${'w'.repeat(500)}`),
        ...place,
      });
    for (let index = 0; index < 10; index += 1)
      await call(client, 'memory_create', { content: `Fact ${index} of all.`, pinned: true });
    const bundle = await call(client, 'get_memory_bundle', { ...place, intent: 'the parser' });
    const left = bundle.left_out as {
      section: string;
      items: number;
      call: { tool: string; arguments: Answer };
    }[];
    const sections = bundle.sections as Record<string, Answer[]>;
    assert.deepEqual(left.map(({ section }) => section).sort(), [
      'builds',
      'context',
      'conversations',
      'decisions',
      'gotchas',
      'latest_session',
      'lessons',
      'next_steps',
      'open_threads',
      'parked_steps',
      'parked_threads',
      'pinned',
      'touchstones',
    ]);
    for (const { section, items, call: next } of left) {
      await call(client, next.tool, next.arguments);
      const read = await call(client, next.tool, {
        ...next.arguments,
        limit: section === 'pinned' ? 50 : 100,
      });
      const found = (read.items as Answer[]).map(({ id }) => id);
      const seen = new Set((sections[section] ?? []).map(({ id }) => id));
      if (section === 'pinned') assert.equal(found.length, items);
      else if (section !== 'gotchas') {
        assert.ok(
          found.every((id) => !seen.has(String(id))),
          `${section} shows what was shown`,
        );
        assert.equal(found.length, Math.min(items, 100), section);
      } else assert.ok(found.length > 0);
    }
  }
  const other = { agent_id: 'Other', project_id: 'parley' };
  const { left_out } = await call(client, 'get_memory_bundle', other);
  const builds = (left_out as { section: string; call: { tool: string; arguments: Answer } }[]).find(
    ({ section }) => section === 'builds',
  );
  const read = await call(client, builds?.call.tool ?? '', builds?.call.arguments ?? {});
  assert.equal((read.items as Answer[]).length, 9, 'builds of a project are those of all its agents');
});

async function inheritedOf(client: Client, place: Answer): Promise<Answer[]> {
  const all: Answer[] = [];
  for (const [kind, status] of [
    ['thread', 'open'],
    ['step', 'pending'],
  ] as const)
    all.push(
      ...((await call(client, 'list_session_elements', { ...place, kind, status, limit: 100 }))
        .items as Answer[]),
    );
  return all.map(({ id }) => ({ id, action: 'parked', note: 'later' }));
}

test('an intent finds its gotchas by short names, tags, other forms and other scripts, the best first, and stop words find none', async (t) => {
  const client = await personClient(t);
  const lessons: Record<string, Answer> = {
    npm: gotcha('npm ci ignores the cache of the runner.'),
    lfs: gotcha('Pointer files break the build.', { tags: ['git lfs'] }),
    chinese: gotcha('数据库迁移会锁表。'),
    german: gotcha('Die Datenbanken sperren sich bei der Migration.'),
    general: gotcha('That is what they have with those from there.'),
  };
  const ids = new Map<unknown, string>();
  for (const [name, lesson] of Object.entries(lessons))
    ids.set((await call(client, 'record_lesson', lesson)).id, name);
  const found = async (intent: string) => {
    const { sections } = await call(client, 'get_memory_bundle', { ...agent, intent, depth: 'brief' });
    return ((sections as Record<string, Answer[]>).gotchas ?? []).map(({ id }) => ids.get(id));
  };
  assert.deepEqual(await found('npm'), ['npm']);
  assert.deepEqual(await found('fix CI'), ['npm']);
  assert.deepEqual(await found('set up git lfs'), ['lfs']);
  assert.deepEqual(await found('数据库迁移'), ['chinese']);
  assert.deepEqual(await found('eine Datenbank umziehen'), ['german']);
  assert.deepEqual(await found('with that have from'), []);
  assert.deepEqual((await found('npm cache and git'))[0], 'npm');
});

test('the gotchas of an intent come in the order in which a search of memory has them', async (t) => {
  const client = await personClient(t);
  for (const lesson of [
    'The release build needs a clean tree, and the build of the docs another one; each build is slow.',
    'Sign the release.',
    'The build writes into dist.',
    'A release build without the tag breaks the release.',
  ])
    await call(client, 'record_lesson', gotcha(lesson));
  const intent = 'build the release';
  const { items } = await call(client, 'memory_search', { query: intent });
  const { sections } = await call(client, 'get_memory_bundle', { ...agent, intent });
  const gotchas = ((sections as Record<string, Answer[]>).gotchas ?? []).map(({ id }) => id);
  assert.equal(gotchas.length, 4);
  assert.deepEqual(
    gotchas,
    (items as Answer[]).map(({ id }) => id),
  );
});

test('in each of the nine languages that have stems, another form of a word finds a session and a gotcha', async (t) => {
  const client = await personClient(t);
  const said: Record<string, readonly [said: string, sought: string]> = {
    en: ['The servers were restarted.', 'server restarting'],
    de: ['Die Datenbanken wurden umgezogen.', 'Datenbank'],
    fr: ['Les déploiements ont échoué.', 'déploiement'],
    es: ['Las migraciones terminaron.', 'migración'],
    pt: ['As tabelas foram copiadas.', 'tabela'],
    it: ['Le chiavi sono scadute.', 'chiave'],
    nl: ['De gebouwen werden geverfd.', 'gebouw'],
    sv: ['Nycklarna är borta.', 'nycklar'],
    ru: ['Мы обновили библиотеки.', 'библиотека'],
  };
  for (const [language, [text]] of Object.entries(said)) {
    await call(client, 'close_session', {
      ...agent,
      ...session(language, { summary: text, decisions: [], context: [], threads: [], steps: [] }),
    });
    await call(client, 'record_lesson', gotcha(text));
  }
  for (const [language, [text, sought]] of Object.entries(said)) {
    const { items } = await call(client, 'search_sessions', { query: sought, mode: 'forms' });
    assert.deepEqual(
      (items as Answer[]).map(({ title }) => title),
      [`Session ${language}`],
    );
    const { sections } = await call(client, 'get_memory_bundle', {
      ...agent,
      intent: sought,
      depth: 'brief',
    });
    assert.deepEqual(
      (sections as Record<string, Answer[]>).gotchas?.map(({ lesson }) => lesson),
      [text],
    );
  }
});

test('an agent is the same in any case, an unknown one is told who is known, and projects and agents are listed', async (t) => {
  const client = await personClient(t);
  await call(client, 'close_session', { agent_id: 'Coder', ...session('one') });
  await call(client, 'record_lesson', { ...gotcha('Measure.'), project_id: 'parley' });
  const { sections } = await call(client, 'get_memory_bundle', agent);
  assert.equal((sections as Record<string, Answer[]>).open_threads?.length, 1);
  assert.match(await refusal(client, 'close_session', { ...agent, ...session('two') }), /2 missing/);
  assert.match(
    String((await call(client, 'get_memory_bundle', { agent_id: 'codr' })).hint),
    /codr is not known here\. Did you mean Coder\?/,
  );
  assert.match(
    String((await call(client, 'get_memory_bundle', { ...agent, project_id: 'other' })).hint),
    /Coder has nothing in other\. It has entries in: (parley, no project|no project, parley)/,
  );
  const projects = (await call(client, 'list_projects')).items as Answer[];
  assert.deepEqual(
    projects.map(({ project_id, agent_id, sessions }) => [project_id, agent_id, sessions]).sort(),
    [
      [null, 'Coder', 1],
      ['parley', 'Coder', 0],
    ],
  );
  assert.equal(((await call(client, 'list_agents')).items as Answer[]).length, 2);
  const inProject = (await call(client, 'list_agents', { project_id: 'PARLEY' })).items as Answer[];
  assert.deepEqual(
    inProject.map(({ project_id, agent_id }) => [project_id, agent_id]),
    [['parley', 'Coder']],
  );
  assert.equal(((await call(client, 'list_sessions', agent)).items as Answer[]).length, 1);
  await call(client, 'record_lesson', gotcha('Sweep the floor.', { agent_id: 'general' }));
  assert.match(
    String((await call(client, 'get_memory_bundle', { agent_id: 'codr' })).hint),
    /Did you mean Coder\?/,
    'what is taught to every agent is no sign of this one',
  );
});

test('what is parked is counted in the bundle, and comes back: carried on, resolved or dropped, with the reason', async (t) => {
  const client = await personClient(t);
  const threads = ['a', 'b', 'c'].map((title) => ({ title, body: '' }));
  await call(client, 'close_session', { ...agent, ...session('one', { threads, steps: [] }) });
  const open = async () =>
    ((await call(client, 'get_memory_bundle', agent)).sections as Record<string, Answer[]>).open_threads ??
    [];
  const settle = (of: Answer | undefined, action: string, note: string) =>
    call(client, 'update_session_element', { ...agent, element_id: of?.id, action, note });
  const all = await open();
  for (const each of all) await settle(each, 'parked', 'not now');
  const { left_out } = await call(client, 'get_memory_bundle', agent);
  assert.deepEqual(
    (left_out as Answer[]).map(({ section, items }) => [section, items]),
    [['parked_threads', 3]],
  );
  const back = await settle(all[0], 'carried_on', 'now it is');
  assert.deepEqual([back.status, back.status_note], ['open', 'now it is']);
  assert.deepEqual(
    (await open()).map(({ id }) => id),
    [all[0]?.id],
  );
  assert.equal((await settle(all[1], 'resolved', 'done elsewhere')).status, 'resolved');
  const inherited = [{ id: all[2]?.id, action: 'dropped', note: 'no need' }];
  await call(client, 'close_session', { ...agent, ...session('two', { inherited, threads: [], steps: [] }) });
  assert.match(
    await refusal(client, 'update_session_element', { ...agent, element_id: all[2]?.id, action: 'resolved' }),
    /is dropped/,
  );
});

test('a refusal names the field that was meant, the choices that there are, and a list that came as text, each thing once; a read speaks of no writing', async (t) => {
  const client = await personClient(t);
  const close = { ...agent, ...session('one') };
  const { threads, ...rest } = close as Answer;
  assert.match(
    await refusal(client, 'close_session', { ...rest, open_threads: threads }),
    /open_threads is not known; did you mean threads\. .*Nothing was written\.$/,
  );
  assert.match(
    await refusal(client, 'get_lessons', { ...agent, lesson_knd: 'gotcha' }),
    /lesson_knd is not known; did you mean lesson_kind/,
  );
  assert.match(
    await refusal(client, 'update_session_element', { ...agent, id: 'jnl_1', action: 'resolved' }),
    /; id is not known; did you mean element_id\./,
  );
  assert.match(
    await refusal(client, 'list_projects', { colour: 'red' }),
    /^The call of list_projects does not fit: colour is not known; expected no field\./,
  );
  assert.equal(
    await refusal(client, 'memory_verify', { ids: `mem_${'1'.repeat(26)}` }),
    `The call of memory_verify does not fit: ids: expected array, received "mem_${'1'.repeat(26)}"; send an array, also of a single one. Change the named fields, and call again.`,
  );
  await assert.rejects(call(client, 'wake', agent), /received "wake"; it is a prompt/);
  assert.match(
    await refusal(client, 'close_session', { ...close, decisions: JSON.stringify([{ title: 'T' }]) }),
    /decisions: .*expected array.*send the array itself, not its text/,
  );
  for (const [tool, args] of [
    ['get_memory_bundle', { ...agent, depth: 'deepest' }],
    ['get_session', { lineage_id: 'jnl_none' }],
    ['memory_read', { id: 'mem_none' }],
    ['get_lessons', { ...agent, colour: 'red' }],
  ] as const)
    assert.doesNotMatch(await refusal(client, tool, args), /written/, tool);
  assert.match(
    await refusal(client, 'list_session_elements', { ...agent, kind: 'idea' }),
    /"decision"\|"thread"\|"step"\|"context"/,
  );
  const pitfall = { ...agent, task_type: 't', lesson_kind: 'pitfall', lesson: 'Look.' };
  assert.match(
    await refusal(client, 'record_lesson', pitfall),
    /lesson_kind: .*"pattern"\|"gotcha".*received "pitfall"/,
  );
  assert.ok(
    (await call(client, 'list_session_elements', { ...agent, kind: 'Thread', status: 'OPEN' })).items,
  );
  const { id } = await call(client, 'record_lesson', {
    ...agent,
    task_type: 't',
    lesson_kind: 'Gotcha',
    lesson: 'Look.',
  });
  assert.deepEqual(
    ((await call(client, 'get_lessons', { ...agent, lesson_kind: 'GOTCHA' })).items as Answer[]).map(
      (each) => each.id,
    ),
    [id],
  );
});
