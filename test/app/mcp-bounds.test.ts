// Bad input over MCP, long results in pages, and secrets.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { openTelegramHouse } from './house.ts';
import { type Answer, call, overHttp, refusal, session, tokenFor } from './mcp-kit.ts';

const agent = { agent_id: 'coder' };

test('wrong arguments name the field, what was expected and what came, and nothing is written (P11)', async (t) => {
  const house = await openTelegramHouse(t);
  const { secret } = await tokenFor(house, '--person', 'Robin');
  const client = await overHttp(house.parley.url, secret);
  t.after(() => client.close());
  const megabyte = 'x'.repeat(1_000_000);
  const lesson = { ...agent, task_type: 't', lesson_kind: 'pattern' };
  const wrong: [string, Answer, RegExp][] = [
    ['record_lesson', { ...lesson, lesson: 7 }, /lesson: .*expected string.*received 7/],
    [
      'record_lesson',
      { ...lesson, lesson: megabyte },
      /lesson: .*20000.*received a text of 1000000 characters/,
    ],
    ['record_lesson', { ...lesson, lesson: 'x', extra: 1 }, /extra/],
    ['get_session', {}, /lineage_id: .*expected string.*received nothing/],
    ['get_memory_bundle', { ...agent, depth: 'deepest' }, /depth: .*cold_start.*received "deepest"/],
    ['get_session', { lineage_id: 'jnl_none' }, /jnl_none/],
    ['get_lessons', { ...agent, cursor: 'page two' }, /cursor: .*received "page two"/],
    ['memory_search', { query: '' }, /query: .*received ""/],
    ['memory_read', { id: 'mem_none' }, /id: .*mem_none/],
    [
      'close_session',
      { ...agent, ...session('one', { inherited: [{ id: 'jnl_none', action: 'resolved' }] }) },
      /jnl_none/,
    ],
  ];
  for (const [tool, args, expected] of wrong) assert.match(await refusal(client, tool, args), expected, tool);
  await assert.rejects(client.callTool({ name: 'no_such_tool', arguments: {} }), /no_such_tool/);
  await assert.rejects(client.readResource({ uri: 'parley://other/1' }), /uri: expected/);
  const own = await overHttp(house.parley.url, (await tokenFor(house, '--agent', 'tester')).secret);
  t.after(() => own.close());
  assert.match(
    await refusal(own, 'get_lessons', { agent_id: 'coder' }),
    /agent_id: expected "tester".*received "coder"/,
  );
  const file = new Database(join(house.home, 'memory.sqlite'), { readonly: true });
  t.after(() => file.close());
  for (const table of ['lessons', 'session_headers', 'memory_records'])
    assert.equal(file.prepare(`SELECT count(*) AS count FROM ${table}`).pluck().get(), 0, table);
});

test("a lineage that is another agent's is refused with both names, and nothing is written (P11)", async (t) => {
  const house = await openTelegramHouse(t);
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  const other = { agent_id: 'tester' };
  const { lineage_id: lineage } = await call(client, 'close_session', { ...agent, ...session('one') });
  const first = await call(client, 'get_memory_bundle', agent);
  const [thread] = (first.sections as { open_threads: { id: string }[] }).open_threads;
  const stone = { type: 't', title: 't', felt_weight: 1, fact: 'f' };
  const { id: touchstone } = await call(client, 'record_touchstone', { ...other, ...stone });
  const lesson = { task_type: 't', lesson_kind: 'pattern', lesson: 'Measure first.' };
  const { id: lessonID } = await call(client, 'record_lesson', { ...agent, ...lesson });
  const bundle = await call(client, 'get_memory_bundle', agent);
  const wrong: [string, Answer][] = [
    ['link_touchstone', { ...other, touchstone_id: touchstone, session_lineage: lineage }],
    ['update_session_element', { ...other, element_id: thread?.id, action: 'resolved' }],
    ['deprecate_lesson', { ...other, lesson_id: lessonID }],
    [
      'close_session',
      { ...other, ...session('two', { inherited: [{ id: thread?.id, action: 'resolved' }] }) },
    ],
  ];
  for (const [tool, args] of wrong)
    assert.match(
      await refusal(client, tool, args),
      /agent_id: expected "coder", which wrote jnl_\w+, received "tester"/,
      tool,
    );
  assert.deepEqual(await call(client, 'get_memory_bundle', agent), bundle);
  const { sections } = await call(client, 'get_memory_bundle', other);
  assert.doesNotMatch(JSON.stringify(sections), /Session two|lineage/);
});

test('a result of more than a megabyte comes in pages that read on (P10)', async (t) => {
  const house = await openTelegramHouse(t);
  const { secret } = await tokenFor(house, '--agent', 'coder');
  const client = await overHttp(house.parley.url, secret);
  t.after(() => client.close());
  const items = Array.from({ length: 70 }, (_, index) => ({ title: `T${index}`, body: 'x'.repeat(19_000) }));
  await call(client, 'close_session', session('long', { decisions: items }));
  let cursor: unknown;
  let read = 0;
  do {
    const args = { kind: 'decision', limit: 100, ...(cursor !== undefined && { cursor }) };
    const page = await call(client, 'list_session_elements', args);
    assert.ok(JSON.stringify(page).length < 100_000);
    read += (page.items as Answer[]).length;
    cursor = page.next;
  } while (cursor !== undefined);
  assert.equal(read, 70);
});

test('a secret in a lesson, a decision, a touchstone or a memory is masked over MCP (P13)', async (t) => {
  const house = await openTelegramHouse(t);
  const { secret } = await tokenFor(house, '--agent', 'coder');
  const client = await overHttp(house.parley.url, secret);
  t.after(() => client.close());
  const key = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
  const text = `The key is ${key}.`;
  const answers = [
    await call(client, 'record_lesson', { task_type: 't', lesson_kind: 'pattern', lesson: text }),
    await call(client, 'record_touchstone', { type: 't', title: 't', felt_weight: 1, fact: text }),
    await call(client, 'close_session', session('one', { decisions: [{ title: 'Key', body: text }] })),
    await call(client, 'memory_create', { content: text }),
    await call(client, 'get_memory_bundle'),
    await call(client, 'memory_search', { query: 'what is the key' }),
  ];
  assert.ok(!JSON.stringify(answers).includes(key));
});
