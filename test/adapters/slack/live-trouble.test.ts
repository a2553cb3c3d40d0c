// What stands in a stream's way: a workspace that has none, lost answers, streams that were left, a person who stops it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStreams } from '#adapters/slack/outgoing/live.ts';
import { createOpenStreams } from '#adapters/slack/outgoing/open-streams.ts';
import { systemClock } from '#base/clock.ts';
import { until } from '../../support/found.ts';
import { aside, minute, room, stage } from './live-stage.ts';

for (const word of [
  'method_not_supported_for_channel_type',
  'channel_type_not_supported',
  'team_access_not_granted',
  'access_denied',
  'unknown_method',
  'missing_scope',
]) {
  test(`a workspace that answers ${word} gets one request for a stream, and nothing is shown`, async (t) => {
    const { open, texts, streamed, channel, address } = await stage(t, {
      sandbox: { refusals: { 'chat.startStream': word } },
    });
    const { live } = open();
    assert.equal(await live.update('one'), 'refused');
    await live.finish?.('');
    const next = aside(channel, { address });
    assert.equal(next, undefined);
    assert.deepEqual([texts(), streamed()], [[], ['start']]);
  });
}

test('when Slack refuses to stream to one person, the others still get a stream', async (t) => {
  const { open, channel, address } = await stage(t);
  const stranger = aside(channel, { address, actor: 'T0ELSE/U0ELSE' });
  assert.equal(await stranger?.update('one'), 'refused');
  assert.equal(await open().live.update('one'), 'shown');
});

test('a rate limit is thrown with its time, and the stream continues after it', async (t) => {
  const { open, texts, sandbox, channel } = await stage(t);
  const { live } = open();
  await live.update('one');
  sandbox.inject({ kind: 'rate_limit', target: 'edit', times: 1, retryAfterMs: 9_000 });
  const failure = await live.update('one two').then(() => assert.fail('it worked'), channel.explain);
  assert.partialDeepStrictEqual(failure, { kind: 'rate_limit', retryAfterMs: 9_000, maybeDelivered: false });
  assert.equal(await live.update('one two'), 'shown');
  assert.deepEqual(texts(), ['one two']);
});

test('a stream whose start has no known outcome is found, ended and edited (C1)', async (t) => {
  const { open, texts, streamed, sandbox, channel, address } = await stage(t);
  const { live, posted } = open();
  sandbox.inject({ kind: 'lost_response', target: 'send', times: 1 });
  const failure = await live.update('half').then(() => assert.fail('it worked'), channel.explain);
  assert.partialDeepStrictEqual(failure, { kind: 'transient', maybeDelivered: true });
  await live.finish?.('');
  assert.deepEqual(posted, []);
  assert.equal(await channel.find?.(address, 'f1k0', 'part'), undefined, 'no posted part');
  const found = (await channel.find?.(address, 'a1k0', 'preview')) ?? assert.fail('it was not found');
  assert.deepEqual(streamed(), ['start', 'stop']);
  const [part] = channel.render('whole');
  assert.ok(part);
  await channel.edit(address, found.nativeID, part);
  assert.deepEqual(texts(), ['whole']);
  assert.deepEqual(await channel.find?.(address, 'a1k0', 'preview'), found);
  assert.equal(await channel.find?.(address, 'a2k0', 'preview'), undefined, 'it is claimed once');
});

test('a stream that expired before anyone looked is found all the same (C1)', async (t) => {
  const { open, texts, clock, sandbox, channel, address } = await stage(t);
  sandbox.inject({ kind: 'lost_response', target: 'send', times: 1 });
  await assert.rejects(open().live.update('half'));
  await clock.advance(10 * minute);
  const found = (await channel.find?.(address, 'a1k0', 'preview')) ?? assert.fail('it was not found');
  const [part] = channel.render('whole');
  assert.ok(part);
  await channel.edit(address, found.nativeID, part);
  assert.deepEqual(texts(), ['whole']);
});

test('a stream that this process writes is nobody else’s', async (t) => {
  const { open, channel, address } = await stage(t);
  await open().live.update('being written');
  assert.equal(await channel.find?.(address, 'other', 'preview'), undefined);
});

test('what another process left streaming is ended before it is edited or removed', async (t) => {
  const { open, texts, channel, address } = await stage(t);
  const edited = open();
  await edited.live.update('half');
  const removed = open();
  await removed.live.update('surplus');
  const [part] = channel.render('whole');
  assert.ok(part);
  await channel.edit(address, edited.posted[0] ?? '', part);
  await channel.remove(address, removed.posted[0] ?? '');
  assert.deepEqual(texts(), ['whole']);
});

test('a person who stops the stream is noticed with the next piece (D10)', async (t) => {
  const { open, sandbox, streamed } = await stage(t);
  const { live, posted } = open();
  await live.update('one');
  sandbox.stopStream(posted[0] ?? '', 'you');
  assert.equal(await live.update('one two'), 'stopped by user');
  assert.equal(await live.update('one two three'), 'stopped by user');
  await live.finish?.('');
  assert.deepEqual(streamed(), ['start', 'append']);
});

test('with Socket Mode the stop is noticed at once, in this thread alone (D10)', async (t) => {
  const { open, sandbox, start, channel, texts } = await stage(t, { app: 'agent' });
  await start();
  const other = await sandbox.say({ chat: 'room', user: 'you', text: 'again', mention: true });
  const stopped = open();
  await stopped.live.update('one');
  let stops = 0;
  const somewhereElse = aside(channel, {
    address: { ...room, thread: other.id },
    stopped: () => {
      stops += 1;
    },
  });
  await somewhereElse?.update('two');
  sandbox.stopStream(stopped.posted[0] ?? '', 'you');
  await until('the stop', () => stopped.stops === 1);
  assert.equal(await stopped.live.update('one more'), 'stopped by user');
  assert.equal(await somewhereElse?.update('two more'), 'shown');
  assert.equal(stops, 0);
  assert.deepEqual(texts().sort(), ['one', 'two more']);
});

test('a stream that is closed without a call hears no stop any more, and is not held for open', async () => {
  const streams = createOpenStreams();
  const calls: string[] = [];
  const call = async (method: string) => {
    calls.push(method);
    return { ts: '1.5' };
  };
  let stops = 0;
  const live = createStreams({ open: streams, clock: systemClock, call })({
    address: { ...room, thread: '1.0' },
    actor: 'T0/U0',
    key: 'k',
    messages: { intend: async () => 'k', posted: async () => {} },
    stopped: () => {
      stops += 1;
    },
  });
  await live?.update('one');
  assert.equal(streams.has(room.chat, '1.5'), true);
  live?.close?.();
  streams.stop({ channel: room.chat, ts: '1.0' });
  assert.deepEqual([stops, calls, streams.has(room.chat, '1.5')], [0, ['chat.startStream'], false]);
});
