import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '#adapters/gateway/terms/address.ts';
import { emojiName } from '#adapters/slack/codecs/emoji.ts';
import { fixture } from '../fixture.ts';

const account = 'T0SANDBOX/U0PARLEY0';
const dm: Address = { platform: 'slack', account, chat: 'D0YOU0000', kind: 'dm' };
const room: Address = { platform: 'slack', account, space: 'T0SANDBOX', chat: 'C0ROOM000', kind: 'channel' };

async function failureOf(
  channel: { explain(error: unknown): unknown },
  work: Promise<unknown>,
): Promise<unknown> {
  return await work.then(
    () => assert.fail('it worked'),
    (error: unknown) => channel.explain(error),
  );
}

test('a part that is not for Slack is refused before anything is sent', async (t) => {
  const { channel, sandbox } = await fixture(t);
  await assert.rejects(
    channel.send(dm, { text: 'x', body: { content: 'x' } }, { key: 'k' }),
    /text and blocks/,
  );
  assert.deepEqual(sandbox.calls(), []);
});

test('an aborted send posts nothing', async (t) => {
  const { channel, sandbox } = await fixture(t);
  const [part] = channel.render('hello');
  assert.ok(part);
  await assert.rejects(channel.send(dm, part, { key: 'k', signal: AbortSignal.abort() }));
  assert.deepEqual(sandbox.calls(), []);
});

test('what is rendered is shown as its author meant it, and edits replace it (E7)', async (t) => {
  const { channel, sandbox } = await fixture(t);
  const [part, edited] = [channel.render('**bold** & <plain>')[0], channel.render('edited')[0]];
  assert.ok(part && edited);
  const { nativeID } = await channel.send(dm, part, { key: 'k', signal: new AbortController().signal });
  assert.equal(sandbox.shown('dm', 'you')[0]?.text, 'bold & <plain>');
  await channel.edit(dm, nativeID, edited);
  await channel.edit(dm, nativeID, edited);
  assert.equal(sandbox.shown('dm', 'you')[0]?.text, 'edited');
  assert.equal(sandbox.shown('dm', 'you')[0]?.edited, true);
  await channel.remove(dm, nativeID);
  assert.deepEqual(sandbox.shown('dm', 'you'), []);
});

test('a text longer than one message is sent in parts that Slack takes, edits included (E8)', async (t) => {
  const { channel, sandbox } = await fixture(t);
  const parts = channel.render('All work and no play makes a dull sentence. '.repeat(800));
  assert.ok(parts.length > 1);
  for (const [index, part] of parts.entries()) {
    const { nativeID } = await channel.send(dm, part, { key: `k${index}` });
    await channel.edit(dm, nativeID, part);
  }
  assert.equal(sandbox.shown('dm', 'you').length, parts.length);
});

test('a broadcast in an answer is inert (J1)', async (t) => {
  const { channel, sandbox } = await fixture(t);
  const [part] = channel.render('hello <!channel> and <@U0GUEST00>');
  assert.ok(part);
  await channel.send(room, part, { key: 'k' });
  const runs = sandbox
    .shown('room', 'you')
    .flatMap((one) => one.blocks.flatMap((block) => ('runs' in block ? block.runs : [])));
  assert.ok(runs.every((run) => !run.styles.includes('mention')));
  assert.doesNotMatch(JSON.stringify(part.body), /<!channel>/);
});

test('a post whose answer was lost is found by its key, at the top and in a thread, and no other is (C1)', async (t) => {
  const { channel, sandbox } = await fixture(t);
  const { id } = await sandbox.say({ chat: 'room', user: 'you', text: 'hello', mention: true });
  for (const address of [dm, { ...room, thread: id }]) {
    const [part] = channel.render('the answer');
    assert.ok(part);
    sandbox.inject({ kind: 'lost_response', target: 'send', times: 1 });
    const failure = await failureOf(channel, channel.send(address, part, { key: 'lost' }));
    assert.partialDeepStrictEqual(failure, { kind: 'transient', maybeDelivered: true });
    const found = await channel.find?.(address, 'lost', 'part');
    assert.ok(found !== undefined);
    assert.equal(await channel.find?.(address, 'other', 'part'), undefined);
    const edited = channel.render('the answer, edited')[0];
    assert.ok(edited);
    await channel.edit(address, found.nativeID, edited);
    assert.deepEqual(await channel.find?.(address, 'lost', 'part'), found);
  }
  assert.equal(sandbox.calls().filter((call) => call.name === 'chat.postMessage').length, 2);
});

test('trap 1: a rate limit in one chat is thrown at once, holds that method only and delays no other chat (D4)', async (t) => {
  const { channel, sandbox } = await fixture(t);
  const [part] = channel.render('hello');
  assert.ok(part);
  sandbox.inject({ kind: 'rate_limit', target: 'send', times: 1, retryAfterMs: 30_000 });
  const limited = failureOf(channel, channel.send(room, part, { key: 'a' }));
  assert.partialDeepStrictEqual(await limited, {
    kind: 'rate_limit',
    retryAfterMs: 30_000,
    sameActOnly: true,
    maybeDelivered: false,
  });
  // with a paused queue this would outlast the test
  await channel.send(dm, part, { key: 'b' });
  assert.deepEqual(
    sandbox.calls().map((call) => call.status),
    [429, 200],
  );
});

test('a server error is one attempt, and may have been delivered', async (t) => {
  const { channel, sandbox } = await fixture(t);
  const [part] = channel.render('hello');
  assert.ok(part);
  sandbox.inject({ kind: 'server_error', target: 'send', times: 1 });
  const failure = await failureOf(channel, channel.send(dm, part, { key: 'a' }));
  assert.partialDeepStrictEqual(failure, { kind: 'transient', maybeDelivered: true });
  assert.equal(sandbox.calls().length, 1);
});

test('what Slack refuses is reported with its code, and with the hint where there is one', async (t) => {
  const { channel } = await fixture(t, { sandbox: { scopes: ['chat:write'] } });
  const [part] = channel.render('hello');
  assert.ok(part);
  const gone = await failureOf(channel, channel.send({ ...dm, chat: 'D9' }, part, { key: 'a' }));
  assert.partialDeepStrictEqual(gone, { kind: 'gone', maybeDelivered: false });
  const scope = await failureOf(channel, channel.react(dm, '1.0', '👀'));
  assert.partialDeepStrictEqual(scope, { kind: 'permission' });
  assert.match(JSON.stringify(scope), /reactions:write/);
  const long = { type: 'markdown', text: 'x'.repeat(12_001) };
  const tooLong = await failureOf(
    channel,
    channel.send(dm, { text: 'x', body: { text: 'x', blocks: [long] } }, { key: 'a' }),
  );
  assert.partialDeepStrictEqual(tooLong, { kind: 'too_long' });
  const block = { type: 'markdown', text: 'x'.repeat(7000) };
  const sum = await failureOf(
    channel,
    channel.send(dm, { text: 'x', body: { text: 'x', blocks: [block, block] } }, { key: 'a' }),
  );
  assert.partialDeepStrictEqual(sum, { kind: 'too_long' });
});

test('thinking is shown in the thread it belongs to and cleared by idle or by a post (I2)', async (t) => {
  const { channel, sandbox } = await fixture(t);
  const { id } = await sandbox.say({ chat: 'room', user: 'you', text: 'hello', mention: true });
  const thread = { ...room, thread: id };
  await channel.presence(thread, 'typing');
  assert.equal(sandbox.typing('room', 'you'), true);
  await channel.presence(thread, 'idle');
  assert.equal(sandbox.typing('room', 'you'), false);
  await channel.presence(thread, 'typing');
  const [part] = channel.render('hello');
  assert.ok(part);
  await channel.send(thread, part, { key: 'k' });
  assert.equal(sandbox.typing('room', 'you'), false);
  await channel.presence(dm, 'typing');
  assert.equal(sandbox.calls().filter((call) => call.name === 'assistant.threads.setStatus').length, 3);
});

test('a reaction is given once, whether named or drawn', async (t) => {
  const { channel, sandbox } = await fixture(t);
  const { id } = await sandbox.say({ chat: 'dm', user: 'you', text: 'hello' });
  await channel.react(dm, id, '👀');
  await channel.react(dm, id, ':eyes:');
  assert.deepEqual(sandbox.shown('dm', 'you')[0]?.reactions, ['eyes']);
  assert.throws(() => emojiName('🦑'), /name of an emoji/);
});
