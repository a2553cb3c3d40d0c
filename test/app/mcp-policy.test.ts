// The policy of tools over MCP and HTTP, and what calls leave in the audit.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { found } from '../support/found.ts';
import { openTelegramHouse } from './house.ts';
import { type Answer, call, overHttp, overStdio, refusal, session, tokenFor } from './mcp-kit.ts';

test('what tools.policy denies, or asks for, is refused over MCP and HTTP, and what removes goes by the policy of deleting', async (t) => {
  const tools = { policy: { memory_delete: 'deny', memory_update: 'ask' } };
  const house = await openTelegramHouse(t, { tools });
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  const { id } = await call(client, 'memory_create', { content: 'A medlar.' });
  assert.match(await refusal(client, 'memory_delete', { id }), /denies memory_delete.*tools\.policy/);
  assert.match(
    await refusal(client, 'memory_forget', { words: 'medlar', mode: 'forget' }),
    /denies memory_delete/,
  );
  assert.match(await refusal(client, 'forget_journal_entries', { ids: ['jnl_1'] }), /denies memory_delete/);
  assert.match(await refusal(client, 'memory_update', { id, content: 'B' }), /asks before memory_update/);
  const audience = 'person:per_1';
  const reader = { platform: 'mcp', chat: 'mcp', kind: 'dm', audience, restricted: true };
  const body = {
    operation: 'memoryDelete',
    reader: {
      ...reader,
      speaker: { person: 'per_1', name: 'x' },
      outsiders: true,
      reach: { audiences: [], spaces: [] },
    },
    input: { id },
  };
  const refused = await fetch(new URL('/memory/reader', house.parley.url), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${readFileSync(join(house.home, 'token'), 'utf8').trim()}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  assert.equal(refused.status, 403);
  assert.equal(((await refused.json()) as Answer).code, 'TOOL_DENIED');
});

test('the policy of tools holds over MCP where no Parley runs, too', async (t) => {
  const tools = { policy: { 'memory_*': 'deny', memory_create: 'allow' } };
  const house = await openTelegramHouse(t, { tools });
  const { secret } = await tokenFor(house, '--agent', 'coder');
  await house.parley.close();
  const client = await overStdio(house, secret);
  t.after(() => client.close());
  const { id } = await call(client, 'memory_create', { content: 'A medlar.' });
  assert.match(await refusal(client, 'memory_delete', { id }), /denies memory_delete.*tools\.policy/);
  assert.match(await refusal(client, 'forget_journal_entries', { ids: ['jnl_1'] }), /denies memory_delete/);
  assert.match(await refusal(client, 'memory_search', { query: 'medlar' }), /denies memory_search/);
});

test('each write to the journal leaves a line in the audit, a repeated one none, and reading what is one’s own none', async (t) => {
  const house = await openTelegramHouse(t);
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--agent', 'coder')).secret);
  t.after(() => client.close());
  const file = new Database(join(house.home, 'memory.sqlite'), { readonly: true });
  t.after(() => file.close());
  const lines = () =>
    file.prepare<[], string>('SELECT detail FROM memory_audit ORDER BY rowid').pluck().all();
  await call(client, 'close_session', session('one', { threads: [], steps: [] }));
  await call(client, 'close_session', session('one', { threads: [], steps: [] }));
  const lesson = await call(client, 'record_lesson', {
    task_type: 't',
    lesson_kind: 'gotcha',
    lesson: 'Look.',
  });
  await call(client, 'deprecate_lesson', { lesson_id: lesson.id });
  await call(client, 'put_build', { key: 'b', title: 'B', status: 'active' });
  await call(client, 'get_memory_bundle');
  assert.deepEqual(
    lines().map((line) => (JSON.parse(line) as Answer).journal),
    ['closeSession', 'recordLesson', 'deprecateLesson', 'putBuild'],
  );
});

test('memory is forgotten by where it comes from, and a preview shows samples, also of the journal', async (t) => {
  const house = await openTelegramHouse(t);
  const client = await overHttp(house.parley.url, (await tokenFor(house, '--person', 'Robin')).secret);
  t.after(() => client.close());
  await house.ask({ platform: 'telegram', chat: 'dm', user: 'you' }, 'The rambutan key is under the mat.');
  const entry = await foundIn(client);
  const { items } = await call(client, 'memory_search', { query: 'rambutan key' });
  assert.equal((items as Answer[])[0]?.id, entry);
  const memories = new Database(join(house.home, 'memory.sqlite'), { readonly: true });
  t.after(() => memories.close());
  const { chat, session_id, run_id } = memories
    .prepare<[unknown], { chat: string; session_id: string; run_id: string }>(
      'SELECT chat, session_id, run_id FROM global_memory_chunks WHERE id = ?',
    )
    .get(entry) as { chat: string; session_id: string; run_id: string };
  await call(client, 'record_lesson', {
    agent_id: 'coder',
    task_type: 't',
    lesson_kind: 'gotcha',
    lesson: 'Rambutan first.',
  });
  const words = await call(client, 'memory_forget', { words: 'rambutan', mode: 'preview' });
  assert.match(JSON.stringify(words.samples), /Rambutan first/);
  for (const where of [{ chat }, { session_id }, { run_id }]) {
    const preview = await call(client, 'memory_forget', { ...where, mode: 'preview' });
    assert.deepEqual(
      [preview.entries, (preview.samples as Answer[])[0]?.id],
      [1, entry],
      JSON.stringify(where),
    );
    const none = Object.fromEntries(Object.keys(where).map((name) => [name, 'another']));
    assert.equal((await call(client, 'memory_forget', { ...none, mode: 'preview' })).entries, 0);
  }
  const done = await call(client, 'memory_forget', { run_id, mode: 'forget' });
  assert.deepEqual([done.forgotten, done.entries], [true, 1]);
});

async function foundIn(client: Parameters<typeof call>[0]): Promise<unknown> {
  return found(
    'the key',
    async () => ((await call(client, 'memory_search', { query: 'rambutan key' })).items as Answer[])[0]?.id,
  );
}
