// From a chat into the journal: what people say was decided or is to be done, written by the assistant where the policy allows it.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { openTelegramHouse, type Talk } from './house.ts';
import { type Answer, call, overHttp, refusal, tokenFor } from './mcp-kit.ts';
import { onWords, openModelHouse } from './model-house.ts';

const dm: Talk = { platform: 'telegram', chat: 'dm', user: 'you' };

test('what a person decides or wants to be reminded of in a chat is in the journal of every agent, and what is open is settled there', async (t) => {
  const { house, model } = await openModelHouse(t, ['telegram']);
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  onWords(model, 'we decided on blue tiles', [
    {
      name: 'add_session_element',
      args: {
        kind: 'decision',
        title: 'Blue tiles',
        body: 'For the roof.',
        tags: ['roof'],
        project: 'house',
      },
    },
    {
      name: 'add_session_element',
      args: { kind: 'step', title: 'Order the tiles', body: '', project: 'house' },
    },
    {
      name: 'record_lesson',
      args: { lesson: 'Tiles come in March.', lesson_kind: 'gotcha', task_type: 'roof' },
    },
  ]);
  await house.ask(dm, 'we decided on blue tiles');
  const builder = { agent_id: 'builder', project_id: 'house' };
  const woken = async () =>
    (await call(client, 'get_memory_bundle', { ...builder, intent: 'roof' })).sections as Record<
      string,
      Answer[]
    >;
  const sections = await woken();
  assert.deepEqual(
    [sections.decisions?.[0]?.title, sections.next_steps?.[0]?.title, sections.gotchas?.[0]?.lesson],
    ['Blue tiles', 'Order the tiles', 'Tiles come in March.'],
  );
  assert.match(await house.ask(dm, '/decisions house'), /Blue tiles: For the roof/);
  const found = (await call(client, 'memory_search', { query: 'which tiles for the roof' }))
    .items as Answer[];
  assert.ok(found.some(({ text, platform }) => platform === 'journal' && /Blue tiles/.test(String(text))));
  assert.equal(((await call(client, 'memory_lookup', { tag: 'roof' })).items as Answer[]).length, 1);

  const step = sections.next_steps?.[0]?.id;
  onWords(model, 'the tiles are here', [
    { name: 'list_journal_entries', args: { kinds: ['step'], statuses: ['pending'], project: 'House' } },
    { name: 'settle_journal_entry', args: { id: step, action: 'resolved', note: 'they came' } },
  ]);
  await house.ask(dm, 'the tiles are here');
  assert.deepEqual((await woken()).next_steps, []);
  const steps = (await call(client, 'list_session_elements', { ...builder, kind: 'step' })).items as Answer[];
  assert.deepEqual([steps[0]?.status, steps[0]?.status_note], ['resolved', 'they came']);
  const state = (await call(client, 'memory_search', { query: 'order the tiles' })).items as Answer[];
  assert.match(JSON.stringify(state), /Order the tiles \(resolved \d{4}-\d\d-\d\d.*: they came\)/);
});

test('a decision of a room is read where the room is, and not in another one; a policy takes the tool away', async (t) => {
  const { house, model } = await openModelHouse(t, ['telegram'], {
    tools: { policy: { record_lesson: 'deny', close_session: 'deny' } },
    memory: { sharing: 'room' },
  });
  const room: Talk = { platform: 'telegram', chat: 'room', user: 'you' };
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  onWords(model, 'we decided in the room', [
    { name: 'add_session_element', args: { kind: 'decision', title: 'Quince jam', body: 'On Friday.' } },
    { name: 'record_lesson', args: { lesson: 'Never.', lesson_kind: 'gotcha', task_type: 'x' } },
  ]);
  await house.ask(room, 'we decided in the room');
  assert.match(await house.ask(room, '/decisions'), /Quince jam/);
  assert.doesNotMatch(await house.ask(dm, '/decisions'), /Quince jam/);
  assert.doesNotMatch(await house.ask(room, '/lessons'), /Never/);
  // the same policy over MCP
  const session = { agent_id: 'a', key: 'k', title: 't', summary: 's' };
  assert.match(await refusal(client, 'close_session', session), /denies close_session/);
});

test('lines of a memory file of somebody else that are read over MCP are a line in the audit, one’s own are none', async (t) => {
  const house = await openTelegramHouse(t);
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  const room: Talk = { platform: 'telegram', chat: 'room', user: 'you' };
  await house.ask(room, '/memory note The quince is ripe.');
  await house.ask(dm, '/memory note The medlar is mine.');
  const file = new Database(join(house.home, 'memory.sqlite'), { readonly: true });
  t.after(() => file.close());
  const reads = () =>
    file
      .prepare<[], { audience: string; detail: string }>(
        `SELECT audience, detail FROM memory_audit WHERE action = 'read' AND detail LIKE '%memory_get%'`,
      )
      .all();
  const { items } = await call(client, 'memory_search', {
    query: 'quince ripe medlar mine',
    corpus: 'memory',
  });
  for (const item of items as { file: { path: string } }[])
    await call(client, 'memory_get', { path: item.file.path });
  assert.equal((items as Answer[]).length, 2);
  assert.deepEqual(
    reads().map(({ audience, detail }) => [audience.startsWith('room:'), (JSON.parse(detail) as Answer).how]),
    [[true, 'mcp memory_get']],
  );
});
