// What was written while the program was down in chats that it did not know: the session of the earlier process is resumed for it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DiscordSandbox } from '#sandbox/discord/server.ts';
import { until } from '../../support/found.ts';
import { type Connected, connect, memorySink, openSandbox } from './harness.ts';

const callsOf = (sandbox: DiscordSandbox, name: string): number =>
  sandbox.calls().filter((call) => call.name === name).length;

/** Connects once, so that the next connection with the same sink is that of a later process. */
async function afterOne(sandbox: DiscordSandbox, during?: (connected: Connected) => Promise<void>) {
  const sink = memorySink();
  await using first = await connect({ sandbox, sink });
  await during?.(first);
  await until('the session is noted', () => sink.cursors.has('session:0'));
  return sink;
}

describe('a Discord session of an earlier process', { concurrency: 4 }, () => {
  test('brings the first direct messages of a person, sent while Parley was down, once and in order (A2, A4)', async () => {
    await using opened = await openSandbox();
    const { sandbox } = opened;
    const sink = await afterOne(sandbox);
    for (const text of ['1', '2']) await sandbox.say({ chat: 'dm', user: 'guest', text });
    await using _ = await connect({ sandbox, sink });
    await sandbox.say({ chat: 'dm', user: 'guest', text: '3' });
    await until('all came', () => sink.texts().length === 3);
    assert.deepEqual(sink.texts(), ['1', '2', '3']);
    assert.equal(callsOf(sandbox, 'GATEWAY RESUME'), 1);
    assert.equal(callsOf(sandbox, 'GATEWAY IDENTIFY'), 2);
  });

  test('brings a first mention in a room where nobody spoke before, as what was missed', async () => {
    await using opened = await openSandbox();
    const { sandbox } = opened;
    const sink = await afterOne(sandbox);
    await sandbox.say({ chat: 'room', user: 'you', text: 'anyone?', mention: true });
    await using _ = await connect({ sandbox, sink });
    await until('the mention came', () => sink.texts().includes('anyone?'));
    assert.deepEqual(
      sink.messages().map(({ addressed, room }) => [addressed, room?.restricted]),
      [['mention', true]],
    );
  });

  test('brings nothing again that was taken in before', async () => {
    await using opened = await openSandbox();
    const { sandbox } = opened;
    const sink = await afterOne(sandbox, async ({ sink: at }) => {
      await until('the session is noted', () => at.cursors.has('session:0'));
      await sandbox.say({ chat: 'room', user: 'guest', text: 'chatter' });
      await sandbox.say({ chat: 'dm', user: 'you', text: 'hi' });
      await until('both came', () => at.events.length === 2);
    });
    const { accept } = sink;
    const again: string[] = [];
    sink.accept = async (event, cursor) => {
      if (event.type === 'message') again.push(event.text);
      return accept(event, cursor);
    };
    await using _ = await connect({ sandbox, sink });
    await sandbox.say({ chat: 'dm', user: 'you', text: 'next' });
    await until('the next came', () => again.includes('next'));
    // also the look at the history may bring it, which begins when the session is there
    assert.deepEqual([...new Set(again)], ['next']);
  });

  test('is given up where Discord knows it no more, and a new one begins once', async () => {
    await using opened = await openSandbox();
    const { sandbox } = opened;
    const sink = await afterOne(sandbox);
    sandbox.inject({ kind: 'invalid_session' });
    await sandbox.say({ chat: 'dm', user: 'guest', text: 'missed' });
    await using _ = await connect({ sandbox, sink });
    await sandbox.say({ chat: 'dm', user: 'you', text: 'after' });
    await until('the message came', () => sink.texts().includes('after'));
    assert.equal(callsOf(sandbox, 'GATEWAY IDENTIFY'), 2);
    assert.deepEqual(sink.texts(), ['after'], 'Discord lists no direct messages to a bot');
  });

  test('is not waited for where Discord does not answer, and a note that is none is passed over', async () => {
    await using opened = await openSandbox();
    const { sandbox } = opened;
    const sink = await afterOne(sandbox);
    const note = JSON.parse(sink.cursors.get('session:0') ?? ''); // written by the channel
    sink.cursors.set('session:0', JSON.stringify({ ...note, url: 'ws://127.0.0.1:9' }));
    await using first = await connect({ sandbox, sink });
    await first.stop();
    sink.cursors.set('session:0', 'another form');
    await using _ = await connect({ sandbox, sink });
    await sandbox.say({ chat: 'dm', user: 'you', text: 'hi' });
    await until('the message came', () => sink.texts().includes('hi'));
  });
});
