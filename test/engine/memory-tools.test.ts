// The memory tools of a model over real memory: what it notes, lists and deletes stays with the people who asked.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import type { Agent } from '#engine/context/agents.ts';
import type { PromptOrigin } from '#engine/wire/runs/prompt.ts';
import { createMemory } from '#memory/memory.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openService, type Service } from './http/service-kit.ts';
import { requestOf } from './support/asking.ts';
import { begin, originOf, textBody } from './support/kit.ts';

const room: Partial<PromptOrigin> = {
  kind: 'channel',
  chat: 'discord:channel:1:2:3:-',
  audience: 'room:discord:channel:1:2:3:-',
  space: 'discord:1:2',
  restricted: false,
};

/** One run in a chat whose model calls the tool; gives what it was told of it, and the tools that it had. */
async function call(
  service: Service,
  tool: string,
  args: unknown,
  origin: PromptOrigin | 'no chat' = originOf(),
  projectID?: string,
) {
  const { engine } = service.kit;
  const { id } = await engine.createSession({ sourceKind: 'channel', projectID });
  const runID = await begin(engine, id, textBody('please', origin === 'no chat' ? undefined : origin));
  const asked = await service.raw.next();
  const tools = (asked.body.tools as { function: { name: string } }[]).map((each) => each.function.name);
  asked.callTool(tool, args);
  const next = await service.raw.next();
  next.say('Done.');
  next.finish();
  await engine.finished(runID);
  const told = next.body.messages.findLast(({ role }) => role === 'tool')?.content;
  return { told: String(told), tools, runID, sessionID: id };
}

const idsIn = (told: string): string[] => told.match(/mem_\w+/g) ?? [];

test('a model notes for the chat that it is in, and learns whether anything was stored (T33, TAO)', async (t) => {
  const service = await openService(t);
  const { memory } = service.kit;
  const note = { content: 'The bike is green.', kind: 'fact' };
  const { told, runID, sessionID } = await call(service, 'memory_store', note);
  assert.match(told, /"stored":true/);
  const own = { audiences: ['person:per_1' as const], spaces: [], everyone: false };
  const [entry] = await memory.list({ scope: own });
  assert.deepEqual(
    [entry?.text, entry?.source, entry?.speaker, entry?.runID, entry?.sessionID],
    ['The bike is green.', 'fact', 'parley', runID, sessionID],
  );
  assert.match((await call(service, 'memory_store', note)).told, /"stored":false.*remembered already/);
  await call(service, 'memory_store', { content: 'The shed is locked.' }, originOf(room));
  assert.equal((await memory.list({ scope: own })).length, 1, 'a note of a room is not the person’s');
  const { status } = await service.ask('POST', '/memory/search', { query: 'bike' });
  assert.equal(status, 200);
  await call(service, 'memory_store', { content: 'For anyone who runs this.' }, 'no chat');
  assert.deepEqual(
    (await service.ask('GET', '/memory')).body.count,
    1,
    'without a chat it is the operator’s',
  );
});

test('a model chooses neither whose memory it writes to nor where it lies (T37, T32)', async (t) => {
  const service = await openService(t);
  for (const extra of [{ audience: 'person:per_2' }, { shared: true }, { db_path: '/tmp/x' }]) {
    const { told } = await call(service, 'memory_store', { content: 'x', ...extra });
    assert.match(told, /The arguments do not fit/);
  }
  assert.equal((await service.kit.memory.status()).chunks, 0);
});

test('without its embedding model a model still finds what was noted, and learns what could not be done (TAM)', async (t) => {
  const memory = createMemory({
    path: join(tempFolder(t), 'memory.sqlite'),
    clock: systemClock,
    newId: createIds(systemClock),
    embedderMissing: 'the model is not downloaded',
  });
  const service = await openService(t, { memory });
  await call(service, 'memory_store', { content: 'The bike is green.' });
  const { told } = await call(service, 'memory_search', { query: 'bike' });
  assert.match(told, /The bike is green.*no embeddings \(the model is not downloaded\)/s);
});

test('a list is what this chat may be reminded of, newest first, escaped, and not archived again (T31)', async (t) => {
  const service = await openService(t);
  await call(service, 'memory_store', { content: 'One <b>thing</b>.' });
  await call(service, 'memory_store', { content: 'The next thing.' });
  await call(
    service,
    'memory_store',
    { content: 'Of someone else.' },
    originOf({ audience: 'person:per_2', speaker: { person: 'per_2', name: 'other' } }),
  );
  const { told } = await call(service, 'memory_list', {});
  assert.match(told, /The next thing\..*One &lt;b&gt;thing/s);
  assert.doesNotMatch(told, /someone else/);
  assert.match((await call(service, 'memory_list', { limit: 1, offset: 1 })).told, /One &lt;b/);
  const { told: inRoom } = await call(service, 'memory_list', {}, originOf(room));
  assert.doesNotMatch(inRoom, /thing/);
});

test('a model deletes only where the policy grants it, and only what belongs to the chat (T38)', async (t) => {
  const service = await openService(t);
  const { told } = await call(service, 'memory_store', { content: 'The bike is green.' });
  const [id = ''] = idsIn(told);
  const refused = await call(service, 'memory_delete', { id });
  assert.ok(!refused.tools.includes('memory_delete'), 'it is not even offered');
  assert.match(refused.told, /may not be used here/);
  await service.restart({ policy: { tools: { memory_delete: 'allow' } } });
  const inRoom = await call(service, 'memory_store', { content: 'Rehearsal is on Friday.' }, originOf(room));
  const [roomID = ''] = idsIn(inRoom.told);
  const reach = { audiences: [], spaces: ['discord:1:2'] };
  const readable = await call(service, 'memory_list', {}, originOf({ reach }));
  assert.match(readable.told, /Rehearsal/, 'it may be read in private');
  const foreign = await call(service, 'memory_delete', { id: roomID }, originOf({ reach }));
  assert.match(foreign.told, /"deleted":false/);
  assert.match((await call(service, 'memory_delete', { id })).told, /"deleted":true/);
  assert.match((await call(service, 'memory_delete', { id })).told, /"deleted":false/);
  assert.deepEqual(await service.kit.memory.places(), [{ audience: room.audience, entries: 1 }]);
});

test('an agent that only recalls has no tool that writes, and one without memory has none of them', async (t) => {
  const service = await openService(t);
  const toolsOf = async (memory: Agent['memory']) => {
    await service.restart({ agent: { name: 'a', systemPrompt: 'x', memory } });
    return (await call(service, 'todo_read', {})).tools.filter((name) => name.startsWith('memory_')).sort();
  };
  assert.deepEqual(await toolsOf('full'), [
    'memory_create',
    'memory_edit',
    'memory_get',
    'memory_list',
    'memory_lookup',
    'memory_note',
    'memory_preflight',
    'memory_read',
    'memory_report',
    'memory_search',
    'memory_store',
    'memory_update',
  ]);
  assert.deepEqual(await toolsOf('recall'), [
    'memory_get',
    'memory_list',
    'memory_lookup',
    'memory_preflight',
    'memory_read',
    'memory_search',
  ]);
  assert.deepEqual(await toolsOf('off'), []);
});

test('a model creates, reads, corrects and reports on memories of a kind, each for its own chat', async (t) => {
  const service = await openService(t);
  const told = async (tool: string, args: unknown, origin = originOf()) =>
    (await call(service, tool, args, origin)).told;
  const fact = { kind: 'fact', key: 'shirt size', tags: ['clothes'], source: 'a label' };
  const [id = ''] = idsIn(await told('memory_create', { content: 'M', ...fact, confidence: 0.7 }));
  const [newer = ''] = idsIn(await told('memory_create', { content: 'L', ...fact, confidence: 0.8 }));
  const looked = await told('memory_lookup', { key: 'Shirt Size' });
  assert.match(looked, /"text":"L".*"confidence":0.8.*"source":"a label".*"key":"shirt size"/);
  assert.match(await told('memory_read', { id }), /"state":"superseded".*"state":"active"/);
  const doubtful = await told('memory_create', { content: 'S', ...fact, confidence: 0.2 });
  assert.match(
    doubtful,
    /"contradicts":\{[^}]*"text":"L".*"ask":"Both stand\. Ask the person.*"question":"jnl_/,
  );
  const open = await told('list_journal_entries', { kinds: ['thread'], statuses: ['open'] });
  assert.match(open, /Which holds of &quot;shirt size&quot;\?.*1\. L \(80 % sure/);
  assert.match(
    await told('memory_lookup', { key: 'shirt size' }),
    /"text":"S".*"text":"L"|"text":"L".*"text":"S"/,
  );
  assert.match(looked, /"at":"\d{4}-\d\d-\d\dT/);
  const corrected = await told('memory_update', { id: newer, content: 'XS', confidence: 0.3 });
  assert.match(corrected, /"contradicts":\{[^}]*"text":"L".*"ask":"Both stand/);
  const [, question] = /"question":"(jnl_\w+)/.exec(corrected) ?? [];
  const [, xs] = /"id":"(mem_\w+)/.exec(corrected) ?? [];
  const answered = await told('settle_journal_entry', { id: question, action: 'answered', note: 'Hm.' });
  assert.match(answered, /"status":"open".*"both_stand":\[\{[^\]]*"text":"L"[^\]]*"text":"XS"/);
  const settled = await told('memory_update', { id: newer, tags: ['shop'], confidence: 1 });
  assert.match(await told('memory_read', { id: xs }), /"state":"superseded"/);
  assert.match(settled, /"stored":true.*"also_supersedes":\[\{[^\]]*"text":"XS"/);
  assert.match(await told('memory_lookup', { tag: 'shop' }), /"text":"L".*"confidence":1/);
  const stranger = originOf(room);
  for (const args of [{ key: 'shirt size' }, { kind: 'fact' }, { tag: 'shop' }])
    assert.match(await told('memory_lookup', args, stranger), /"items":\[\]/);
  assert.match(
    await told('memory_read', { id: newer }, stranger),
    /expected the id of a memory of this chat/,
  );
  assert.match(await told('memory_update', { id: newer, content: 'XL' }, stranger), /Nothing was written/);
  assert.match(await told('memory_update', { id: newer }), /expected at least one of/);
  const stale = await told('memory_update', { id: newer, expected_version: 1, content: 'XL' });
  assert.match(stale, /expected 3, the version that holds now, received 1.*says .*L/);
  const way = { content: 'Boil the eggs for ten minutes', kind: 'procedure' };
  const [procedure = ''] = idsIn(await told('memory_create', way));
  const report = { id: procedure, outcome: 'failure', note: 'still soft' };
  assert.match(await told('memory_report', report), /"successes":0,"failures":1/);
  assert.match(await told('memory_read', { id: procedure }), /"failures":1.*still soft/);
  assert.match(await told('memory_report', { ...report, id: newer }), /expected the id of a procedure/);
  const secret = { content: 'x', key: 'the password is hunter2xyz', tags: ['my password is hunter2xyz'] };
  await told('memory_create', secret);
  const lines = JSON.stringify(await service.kit.memory.records({ scope: ownScope, limit: 100 }));
  assert.doesNotMatch(lines, /hunter2xyz/);
});

const ownScope = { audiences: ['person:per_1' as const], spaces: [], everyone: false };

test('the documented arguments of the memory tools narrow what is read, and say for how much a note is', async (t) => {
  const service = await openService(t, { policy: { tools: { memory_delete: 'allow' } } });
  const told = async (tool: string, args: unknown, projectID?: string) =>
    (await call(service, tool, args, originOf(), projectID)).told;
  const stored = await told('memory_store', { content: 'The boat is moored at pier four.' }, 'boats');
  assert.match(stored, /"tier":"project"/, 'in a project a note is for the project');
  await told('memory_store', { content: 'The boat is blue.', tier: 'global', source: 'handover' }, 'boats');
  const narrow = { content: 'The boat leaks today.', allow_global: false, metadata: { seen: 'at noon' } };
  assert.match(await told('memory_store', narrow), /"tier":"session"/);
  const own = { audiences: ['person:per_1' as const], spaces: [], everyone: false };
  const records = await service.kit.memory.records({ scope: own });
  assert.deepEqual(
    records.map(({ text, tier, projectID, metadata }) => [text, tier, projectID, metadata]).sort(),
    [
      ['The boat is blue.', 'global', 'boats', { source: 'handover' }],
      ['The boat is moored at pier four.', 'project', 'boats', { source: 'agent_note' }],
      ['The boat leaks today.', 'session', undefined, { seen: 'at noon', source: 'agent_note' }],
    ],
  );
  const boat = { query: 'boat' };
  const all = await told('memory_search', { ...boat, project_id: 'boats', allow_global: true }, 'boats');
  assert.match(all, /pier four/);
  assert.match(all, /is blue/);
  assert.doesNotMatch(all, /leaks/, 'another conversation keeps its session tier to itself');
  const global = await told('memory_search', { ...boat, tier: 'global' }, 'boats');
  assert.match(global, /is blue/);
  assert.doesNotMatch(global, /pier four/);
  assert.doesNotMatch(await told('memory_list', { tier: 'project' }, 'boats'), /is blue/);
  assert.match(await told('memory_list', { tier: 'all' }, 'boats'), /is blue.*pier four|pier four.*is blue/s);
  assert.doesNotMatch(await told('memory_list', { allow_global: false }, 'boats'), /is blue/);
  const [id = ''] = idsIn(global);
  assert.match(await told('memory_delete', { chunk_id: id, tier: 'project' }, 'boats'), /"deleted":false/);
  assert.match(await told('memory_delete', { chunk_id: id, tier: 'global' }, 'boats'), /"deleted":true/);
});

test('an argument of a memory tool that asks for more than the conversation may have is refused with a message', async (t) => {
  const service = await openService(t);
  const told = async (tool: string, args: unknown, projectID?: string) =>
    (await call(service, tool, args, originOf(), projectID)).told;
  await told('memory_store', { content: 'The boat is moored at pier four.' }, 'boats');
  const boat = { query: 'boat' };
  assert.match(await told('memory_search', { ...boat, session_id: 'ses_other' }), /not this conversation/);
  assert.match(await told('memory_search', { ...boat, project_id: 'boats' }), /which has none/);
  assert.match(await told('memory_search', { ...boat, project_id: 'boats' }, 'cars'), /not the project of/);
  assert.match(await told('memory_list', { tier: 'project' }), /belongs to no project/);
  const note = { content: 'The car is red.' };
  assert.match(await told('memory_store', { ...note, tier: 'project' }), /belongs to no project/);
  assert.match(await told('memory_store', { ...note, project_id: 'boats' }, 'cars'), /not the project of/);
  assert.match(
    await told('memory_store', { ...note, tier: 'global', allow_global: false }),
    /Leave out one of them/,
  );
  assert.equal((await service.kit.memory.status()).chunks, 1, 'nothing was written');
});

test('the model is told to search before it answers of earlier work, and to read a file where exact lines matter', async (t) => {
  const service = await openService(t);
  await service.prompt(await service.session(), 'What did we decide?').then(({ call: asked }) => {
    const tools = asked.body.tools as { function: { name: string; description: string } }[]; // as OpenAI has it
    const saidOf = (tool: string) => tools.find((each) => each.function.name === tool)?.function.description;
    assert.match(
      saidOf('memory_search') ?? '',
      /before you answer a question about earlier work, decisions, dates, people/,
    );
    assert.match(saidOf('memory_get') ?? '', /when exact lines matter/);
    asked.say('Done.');
    asked.finish();
  });
});

for (const [kind, origin, reads] of [
  ['private', originOf({ reach: { audiences: [room.audience ?? ''], spaces: [] } }), ['own heron']],
  ['a room', originOf({ ...room, audience: 'room:discord:channel:1:2:4:-' }), []],
] as const)
  test(`a run in ${kind} that has waited for more than five minutes reads only what is its own: nobody knows who may read more now`, async (t) => {
    const service = await openService(t, {
      policy: { tools: { memory_search: 'ask' }, channels: {} },
      limits: { permissionMs: 3_600_000 },
    });
    const { engine } = service.kit;
    await call(service, 'memory_store', { content: 'The own heron is grey.' });
    await call(service, 'memory_store', { content: 'The heron of the room is white.' }, originOf(room));
    const search = async (waitMs: number): Promise<string> => {
      const { id } = await engine.createSession({ sourceKind: 'channel' });
      const runID = await begin(engine, id, { ...textBody('please', origin), canAsk: true });
      (await service.raw.next()).callTool('memory_search', { query: 'heron' });
      const request = await requestOf(service, runID);
      await service.clock.advance(waitMs);
      await service.ask('POST', `/permission/${request.requestID}/reply`, { reply: 'once' });
      const next = await service.raw.next();
      next.say('Done.');
      next.finish();
      await engine.finished(runID);
      return String(next.body.messages.findLast(({ role }) => role === 'tool')?.content);
    };
    assert.match(await search(1_000), /heron of the room/);
    const late = await search(6 * 60_000);
    assert.doesNotMatch(late, /heron of the room/);
    for (const words of reads) assert.match(late, new RegExp(words));
  });
