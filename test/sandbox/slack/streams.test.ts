// Streams in the Slack sandbox: what Slack takes, refuses, closes by itself and reports when a person stops one.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { AgentSessionStoppedEvent } from '@slack/web-api';
import { until } from '../../support/found.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { type Body, client } from './client.ts';

const room = 'C0ROOM000';
const recipient = { recipient_team_id: 'T0SANDBOX', recipient_user_id: 'U0YOU0000' };
const specs = join(import.meta.dirname, '..', '..', '..', '..', 'shared', 'platform-specs', 'slack', 'api');

async function thread(t: TestContext, options: Parameters<typeof client>[1] = {}) {
  const made = await client(t, options);
  const { id: thread_ts } = await made.sandbox.say({ chat: 'room', user: 'you', text: 'hi', mention: true });
  const start = (args: Record<string, string> = {}) =>
    made.call('chat.startStream', {
      channel: room,
      thread_ts,
      markdown_text: 'one ',
      ...recipient,
      ...args,
    });
  const on = (method: string, ts: unknown, args: Record<string, string> = {}) =>
    made.call(`chat.${method}`, { channel: room, ts: String(ts), ...args });
  const shown = () => made.sandbox.shown('room', 'you').filter(({ author }) => author === 'bot');
  return { ...made, thread_ts, start, on, shown };
}

test('a stream grows in its thread, ends once, and is an ordinary message then', async (t) => {
  const { start, on, shown, call, thread_ts } = await thread(t);
  const { ts } = await start();
  assert.equal((await on('appendStream', ts, { markdown_text: '**two**' })).ok, true);
  assert.deepEqual(
    shown().map(({ text, thread: where }) => [text, where]),
    [['one two', thread_ts]],
  );
  assert.equal((await on('update', ts, { text: 'x' })).error, 'streaming_state_conflict');
  assert.equal((await on('delete', ts)).error, 'cant_delete_message');
  const metadata = JSON.stringify({ event_type: 'kept', event_payload: { key: 'k' } });
  assert.equal((await on('stopStream', ts, { markdown_text: ' three', metadata })).ok, true);
  assert.equal(shown()[0]?.text, 'one two three');
  assert.equal(
    (await on('appendStream', ts, { markdown_text: 'x' })).error,
    'message_not_in_streaming_state',
  );
  assert.equal((await on('stopStream', ts)).error, 'message_not_in_streaming_state');
  const page = await call('conversations.replies', {
    channel: room,
    ts: thread_ts,
    include_all_metadata: 'true',
  });
  const [, reply] = page.messages as Body[];
  assert.equal(reply?.streaming_state, 'completed');
  assert.deepEqual(reply?.metadata, JSON.parse(metadata));
  assert.equal((await on('update', ts, { text: 'whole' })).ok, true);
  assert.equal((await on('delete', ts)).ok, true);
});

test('Slack closes a stream five minutes after its start, however much is appended (D6)', async (t) => {
  const clock = createManualClock();
  const { start, on, call, thread_ts } = await thread(t, { clock, pingMs: 0 });
  const { ts } = await start();
  await clock.advance(299_000);
  assert.equal((await on('appendStream', ts, { markdown_text: 'still' })).ok, true);
  await clock.advance(1_000);
  assert.equal(
    (await on('appendStream', ts, { markdown_text: 'x' })).error,
    'message_not_in_streaming_state',
  );
  const page = await call('conversations.replies', { channel: room, ts: thread_ts });
  assert.equal((page.messages as Body[])[1]?.streaming_state, 'errored');
  assert.equal((await on('update', ts, { text: 'repaired' })).ok, true);
});

test('what Slack does not stream is refused in its words, and nothing is shown', async (t) => {
  const { start, on, shown, call, thread_ts, sandbox } = await thread(t);
  assert.equal((await start({ channel: 'C404' })).error, 'channel_not_found');
  assert.equal((await start({ thread_ts: '1.2' })).error, 'thread_not_found');
  assert.equal((await start({ thread_ts: '' })).error, 'invalid_arguments');
  assert.equal((await start({ recipient_team_id: '' })).error, 'missing_recipient_team_id');
  assert.equal((await start({ recipient_user_id: '' })).error, 'missing_recipient_user_id');
  assert.equal((await start({ recipient_user_id: 'U404' })).error, 'user_not_found');
  assert.equal((await start({ markdown_text: 'x'.repeat(12_001) })).error, 'msg_too_long');
  assert.equal(
    (await call('chat.startStream', { channel: room, thread_ts }, 'xoxb-else')).error,
    'invalid_auth',
  );
  assert.equal((await on('appendStream', thread_ts, { markdown_text: 'x' })).error, 'message_not_found');
  assert.deepEqual(shown(), []);
  const { ts } = await start();
  assert.equal((await on('appendStream', ts)).error, 'no_text');
  assert.equal((await on('appendStream', ts, { markdown_text: 'x'.repeat(11_997) })).error, 'msg_too_long');
  assert.equal(shown()[0]?.text.trim(), 'one');
  const { id } = await sandbox.say({ chat: 'dm', user: 'you', text: 'hi' });
  const single = { recipient_team_id: '', recipient_user_id: '' };
  assert.equal((await start({ channel: 'D0YOU0000', thread_ts: id, ...single })).ok, true);
});

test('a workspace that refuses streams says so, and posts all the same', async (t) => {
  const refusals = { 'chat.startStream': 'method_not_supported_for_channel_type' };
  const { start, call } = await thread(t, { refusals });
  assert.equal((await start()).error, 'method_not_supported_for_channel_type');
  assert.equal((await call('chat.postMessage', { channel: room, text: 'x' })).ok, true);
});

test('the stop button ends the stream, and the app is told the message and the thread (D10)', async (t) => {
  const { start, on, sandbox, connect, thread_ts } = await thread(t);
  const { frames } = await connect(() => true);
  const { ts } = await start();
  sandbox.stopStream(String(ts), 'you');
  assert.equal((await on('appendStream', ts, { markdown_text: 'x' })).error, 'stopped_by_user');
  assert.throws(() => sandbox.stopStream(String(ts), 'you'), /not one that the bot streams now/);
  await until('the event', () => frames.length >= 3);
  const { event } = (frames.at(-1) as { payload: { event: AgentSessionStoppedEvent } }).payload;
  const { event_ts, ...rest } = event;
  assert.ok(Number(event_ts) > Number(ts));
  assert.deepEqual(rest, {
    type: 'agent_session_stopped',
    channel: room,
    user: 'U0YOU0000',
    thread_ts,
    streaming_message_ts: [String(ts)],
  } satisfies Omit<AgentSessionStoppedEvent, 'event_ts'>);
});

test('streams answer as their samples do, also when they refuse', async (t) => {
  const { start, on } = await thread(t);
  const started = await start();
  const answers: Record<string, Body[]> = {
    startStream: [started, await start({ channel: 'C404' })],
    appendStream: [
      await on('appendStream', started.ts, { markdown_text: 'x' }),
      await on('appendStream', started.ts),
    ],
    stopStream: [await on('stopStream', started.ts), await on('stopStream', started.ts)],
  };
  for (const [method, sent] of Object.entries(answers)) {
    assert.deepEqual(
      sent.map(({ ok }) => ok),
      [true, false],
      method,
    );
    const path = join(specs, `chat.${method}.json`);
    if (!existsSync(path)) return t.skip(`the samples are missing: ${path}`);
    const sample: Body = JSON.parse(readFileSync(path, 'utf8'));
    for (const [key, value] of sent.flatMap((answer) => Object.entries(answer)))
      assert.equal(typeof value, typeof sample[key], `${method}.${key}`);
  }
});
