// Two bots of one platform, which may be in the same room: what the platform counts for each, and what the gateway notes of each, is apart.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { RateLimitHeaders } from '#adapters/gateway/terms/channel.ts';
import { type Harness, startHarness } from './harness.ts';
import {
  createScriptedChannel,
  message,
  room,
  type ScriptedChannel,
  ScriptedFailure,
} from './scripted-channel.ts';
import { createScriptedEngine } from './scripted-engine.ts';

const here: Address = { ...room, account: 'bot2' };
const inRoom = (address: Address) => ({ address, addressed: 'mention' as const });

async function startTwo(t: TestContext): Promise<
  Harness & {
    second: ScriptedChannel;
    spend(bot: 'main' | 'second', budget: Omit<RateLimitHeaders, 'place'>): void;
  }
> {
  const listeners: Record<'main' | 'second', (budget: RateLimitHeaders) => void> = {
    main: () => assert.fail('nobody listens'),
    second: () => assert.fail('nobody listens'),
  };
  const bot = (name: 'main' | 'second'): ScriptedChannel =>
    Object.assign(createScriptedChannel(), {
      budgets(listener: (budget: RateLimitHeaders) => void) {
        listeners[name] = listener;
        return () => undefined;
      },
    });
  const second = Object.assign(bot('second'), { accountName: 'second' });
  const engine = createScriptedEngine(() => 'ok');
  const h = await startHarness(t, { engine, channel: bot('main'), others: [second] });
  return Object.assign(h, {
    second,
    spend: (name: 'main' | 'second', budget: Omit<RateLimitHeaders, 'place'>) =>
      listeners[name]({ ...budget, place: room.chat }),
  });
}

test('what one bot has left in a room is not what another bot has left there', async (t) => {
  const { channel, second, pass, spend } = await startTwo(t);
  await second.sink.accept(message('1', 'hi', inRoom(here)));
  await pass();
  const answers = (): number => second.messages.length;
  assert.equal(answers(), 1);
  spend('main', { act: 'send', limit: 5, remaining: 0, resetAfterMs: 60_000 });
  await second.sink.accept(message('2', 'and now?', inRoom(here)));
  await pass();
  assert.equal(answers(), 2, 'the second bot waits for nothing that the first one spent');
  await channel.sink.accept(message('3', 'and you?', inRoom(room)));
  await pass();
  assert.equal(channel.messages.length, 0, 'the first one waits for its own');
  spend('second', { act: 'send', limit: 5, remaining: 5, resetAfterMs: 60_000 });
  await pass();
  assert.equal(channel.messages.length, 0, 'what the second one has left frees nothing');
  await pass(60_000);
  assert.equal(channel.messages.length, 1);
});

test('how far the messages of one bot were read says nothing of those of another', async (t) => {
  const h = await startTwo(t);
  const { channel, second } = h;
  await channel.sink.accept(message('1', 'hi'), { name: 'updates', value: '900000001' });
  assert.equal(await second.sink.cursor('updates'), undefined);
  await second.sink.accept(message('2', 'hi', { address: here, addressed: 'mention' }), {
    name: 'updates',
    value: '17',
  });
  await h.pass();
  await h.restart();
  assert.equal(await second.sink.cursor('updates'), '17');
  assert.equal(await channel.sink.cursor('updates'), '900000001');
  await second.sink.advance({ name: 'updates', value: '18' });
  assert.equal(await second.sink.cursor('updates'), '18');
});

test('the status says of each bot when it was written to and wrote, what waits for it and what was refused', async (t) => {
  const h = await startTwo(t);
  const { second, clock } = h;
  const of = (name: string) => h.gateway.status().find((each) => each.name === name);
  await second.sink.accept(message('1', 'hi', inRoom(here)));
  assert.deepEqual([of('discord')?.inboxBacklog, of('discord/second')?.inboxBacklog], [0, 1]);
  await h.pass();
  assert.equal(second.messages.length, 1);
  assert.deepEqual([of('discord')?.lastInboundMs, of('discord')?.lastOutboundMs], [undefined, undefined]);
  const { lastInboundMs = 0, lastOutboundMs = 0 } = of('discord/second') ?? {};
  assert.ok(lastInboundMs > 0 && lastOutboundMs >= lastInboundMs && lastOutboundMs <= clock.now());
  await h.restart();
  assert.equal(of('discord')?.lastInboundMs, undefined);
  assert.equal(of('discord/second')?.lastInboundMs, lastInboundMs);
  second.failing.send.push(new ScriptedFailure({ kind: 'permission', words: 'no room for you' }));
  await second.sink.accept(message('2', 'hi again', inRoom(here)));
  await h.pass();
  assert.deepEqual(of('discord')?.refused, []);
  assert.equal(of('discord/second')?.refused.length, 1);
});
