// Where an answer for a Discord thread goes: into it, opened if need be, and never out of one that is gone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDiscordChannel } from '#adapters/discord/channel.ts';
import type { Address } from '#adapters/gateway/address.ts';
import { createDiscordSandbox } from '#adapters/sandbox/discord/server.ts';
import { systemClock } from '#base/clock.ts';
import { quietLog } from '../../support/quiet-log.ts';

test('F1, TQ: a thread is opened once at its message, and what was for one that is gone goes nowhere else', async (t) => {
  const clock = systemClock;
  const sandbox = await createDiscordSandbox({ clock });
  t.after(() => sandbox.close());
  const channel = createDiscordChannel({
    token: sandbox.tokens.bot,
    apiUrl: sandbox.url,
    clock,
    log: quietLog().log,
  });
  const chat = sandbox.channelID('room', 'you');
  const { id } = await sandbox.say({ chat: 'room', user: 'you', text: 'a <@1> question\nof two lines' });
  const address: Address = {
    platform: 'discord',
    account: sandbox.botID,
    space: sandbox.guildID,
    chat,
    thread: id,
    kind: 'channel',
  };
  const [part] = channel.render('inside');
  assert.ok(part);
  await channel.presence(address, 'typing');
  await channel.react(address, id, '👀');
  const { nativeID } = await channel.send(address, part, { key: 'k1', replyTo: id });
  await channel.edit(address, nativeID, part);
  const shown = sandbox.shown('room', 'you');
  assert.deepEqual(
    shown.map(({ text, thread, reactions }) => [text.split('\n')[0], thread, reactions]),
    [
      ['a <@1> question', undefined, ['👀']],
      ['inside', id, []],
    ],
  );
  assert.equal(sandbox.calls().filter(({ name }) => name.endsWith('/threads')).length, 1);
  const lost = { ...address, thread: sandbox.guildID };
  const error: unknown = await channel.send(lost, part, { key: 'k2' }).catch((reason) => reason);
  assert.deepEqual([channel.explain(error).kind, channel.explain(error).maybeDelivered], ['gone', false]);
  assert.equal(sandbox.shown('room', 'you').length, 2);
});
