// How far the journal and contradicting facts reach: into chats on every account of their person, into prompts, and into the audit when others read them.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import type { Talk } from './house.ts';
import { type Answer, call, overHttp, session, tokenFor } from './mcp-kit.ts';
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
