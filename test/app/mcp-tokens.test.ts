// Tokens of persons and agents: made, shown once, listed, revoked, and refused.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { createForwardClock } from '../support/forward-clock.ts';
import { onlyTelegram, openHouse, openTelegramHouse } from './house.ts';
import { call, overHttp, parley, refusal, tokenFor } from './mcp-kit.ts';

test('a token of one person sees nothing of another, one that is revoked, expired or wrong is refused, and one to read writes nothing (P14)', async (t) => {
  const house = await openTelegramHouse(t);
  const made = await parley(house, 'token', 'create', '--person', 'Robin');
  const [secret = ''] = made.out.split('\n');
  assert.match(secret, /^parley_[\w-]{43}$/);
  for (const line of made.out.split('\n')) assert.ok(line.length <= 80, line);
  const file = new Database(join(house.home, 'gateway.sqlite'), { readonly: true });
  t.after(() => file.close());
  assert.ok(!JSON.stringify(file.prepare('SELECT * FROM access_tokens').all()).includes(secret.slice(8)));
  const reading = await tokenFor(house, '--person', 'Robin', '--read-only', '--expires', '1');
  const client = await overHttp(house.parley.url, reading.secret);
  t.after(() => client.close());
  const { tools } = await client.listTools();
  assert.ok(tools.length > 10 && tools.every(({ annotations }) => annotations?.readOnlyHint === true));
  assert.match(await refusal(client, 'memory_create', { content: 'x' }), /only reads/);
  const listed = await parley(house, 'token', 'list');
  assert.match(
    listed.out,
    new RegExp(`^${reading.id}  person Robin  read-only, expires [-\\d]+\\s+\\d\\d:\\d\\d, used `, 'm'),
  );
  for (const line of listed.out.split('\n')) assert.ok(line.length <= 80, line);
  assert.equal((await parley(house, 'token', 'revoke', reading.id)).code, 0);
  await assert.rejects(client.listTools(), /revoked on/);
  await assert.rejects(overHttp(house.parley.url, 'parley_wrong'), /not known here/);
  const bare = await fetch(new URL('/mcp', house.parley.url), { method: 'POST', body: '{}' });
  assert.deepEqual([bare.status, bare.headers.get('www-authenticate')], [401, 'Bearer']);
  assert.equal((await fetch(new URL('/mcp', house.parley.url))).status, 405);
  const wrong: [string[], RegExp][] = [
    [['create'], /either a person or an agent/],
    [['create', '--person', 'Nobody'], /nobody of the name "Nobody"/],
    [['create', '--agent', 'a/b'], /name of an agent/],
    [['create', '--agent', 'a', '--expires', 'soon'], /--expires/],
    [['revoke', 'tok_none'], /no token "tok_none"/],
    [['dance'], /not an action/],
  ];
  for (const [words, expected] of wrong) {
    const { code, err } = await parley(house, 'token', ...words);
    assert.ok(code > 0, words.join(' '));
    assert.match(err, expected);
  }
});

test('when a token was used last is true within a minute', async (t) => {
  const clock = createForwardClock();
  const house = await openHouse(t, { config: { channels: onlyTelegram }, clock });
  const { id, secret } = await tokenFor(house, '--agent', 'coder');
  const client = await overHttp(house.parley.url, secret);
  t.after(() => client.close());
  const file = new Database(join(house.home, 'gateway.sqlite'), { readonly: true });
  t.after(() => file.close());
  const used = file.prepare<[string], number>('SELECT used_at_ms FROM access_tokens WHERE id = ?').pluck();
  for (const ms of [0, 30_000, 31_000, 59_000, 3_600_000]) {
    clock.advance(ms);
    await call(client, 'list_agents');
    const late = clock.now() - Number(used.get(id));
    assert.ok(late >= 0 && late <= 60_000, `${late} ms after ${ms} ms`);
  }
});
