// How often the Slack sandbox lets an app write, as Slack documents it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../../support/manual-clock.ts';
import { client } from './client.ts';

test('the fifty-first chat.update of a minute is refused in every channel with 429 and Retry-After, and posting continues', async (t) => {
  const clock = createManualClock();
  const { sandbox, call } = await client(t, { clock, pingMs: 0 });
  const post = async (channel: string) =>
    String((await call('chat.postMessage', { channel, text: 'one' })).ts);
  const room = await post('C0ROOM000');
  const other = await post('C0PRIVATE');
  for (let at = 0; at < 50; at += 1) {
    const answer = await call('chat.update', { channel: 'C0ROOM000', ts: room, text: `two ${at}` });
    assert.equal(answer.ok, true);
    await clock.advance(200);
  }
  const refused = await fetch(`${sandbox.url}chat.update`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${sandbox.tokens.bot}` },
    body: new URLSearchParams({ channel: 'C0PRIVATE', ts: other, text: 'two' }),
  });
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '50']);
  assert.deepEqual(await refused.json(), { ok: false, error: 'ratelimited' });
  assert.equal((await call('chat.postMessage', { channel: 'C0ROOM000', text: 'three' })).ok, true);
  await clock.advance(50_000);
  assert.equal((await call('chat.update', { channel: 'C0PRIVATE', ts: other, text: 'two' })).ok, true);
});

test('a channel takes sixty posts a minute, and others go on', async (t) => {
  const clock = createManualClock();
  const { call } = await client(t, { clock, pingMs: 0 });
  for (let at = 0; at < 60; at += 1)
    assert.equal((await call('chat.postMessage', { channel: 'C0ROOM000', text: 'one' })).ok, true);
  const refused = await call('chat.postMessage', { channel: 'C0ROOM000', text: 'one' });
  assert.deepEqual(refused, { ok: false, error: 'ratelimited' });
  assert.equal((await call('chat.postMessage', { channel: 'C0PRIVATE', text: 'one' })).ok, true);
});
