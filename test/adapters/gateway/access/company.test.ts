// Threads in which others talk: the bot answers there when it is called, and does not interrupt.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RoomTrigger } from '#adapters/gateway/terms/access-types.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import { type Harness, startHarness } from '../harness.ts';
import { createScriptedChannel, message, room } from '../scripted-channel.ts';
import { createScriptedEngine } from '../scripted-engine.ts';
import { pairing, rooms } from './stranger-kit.ts';

const ok = () => createScriptedEngine(() => 'Done.');
const thread = { ...room, thread: 'T1' };
const person = (id: string) => ({ id, name: id, isBot: false });

/** Says things in the thread, each under an id of its own. */
function speaking({ channel }: Pick<Harness, 'channel'>) {
  let last = 0;
  return (
    who: string,
    addressed: 'none' | 'mention' | 'reply' = 'none',
    over: Partial<MessageEvent> = {},
  ) => {
    last += 1;
    return channel.sink.accept(
      message(`${last}`, 'so', { address: thread, addressed, actor: person(who), ...over }),
    );
  };
}

test('a thread is answered whole as long as it is between the bot and one person; from a second person on, by name alone', async (t) => {
  const h = await startHarness(t, { engine: ok() });
  const say = speaking(h);
  assert.equal(await say('ann', 'mention'), 'accepted');
  assert.equal(await say('ann'), 'accepted');
  assert.equal(await say('bob'), 'ignored');
  assert.equal(await say('ann'), 'ignored', 'they talk to each other');
  assert.equal(await say('bob', 'mention'), 'accepted');
  assert.equal(await say('ann', 'reply'), 'accepted');
  assert.equal(await say('bob'), 'ignored');
  await h.pass(2_000);
});

test('that others talk in a thread outlasts a restart, and so does that they do not', async (t) => {
  const h = await startHarness(t, { engine: ok() });
  const say = speaking(h);
  assert.equal(await say('ann', 'mention'), 'accepted');
  await h.restart();
  assert.equal(await say('ann'), 'accepted');
  assert.equal(await say('bob'), 'ignored');
  await h.restart();
  assert.equal(await say('ann'), 'ignored');
});

test('a message that calls or answers someone else is not for the bot, nor is what follows it', async (t) => {
  const h = await startHarness(t, { engine: ok() });
  const say = speaking(h);
  assert.equal(await say('ann', 'mention'), 'accepted');
  assert.equal(await say('ann', 'none', { toOthers: true }), 'ignored');
  assert.equal(await say('ann'), 'ignored');
  assert.equal(await say('ann', 'mention'), 'accepted');
});

test('who spoke in a thread before the bot was called counts, seen or read in its history; other bots do not', async (t) => {
  const h = await startHarness(t, { engine: ok() });
  const say = speaking(h);
  assert.equal(await say('bob'), 'ignored');
  assert.equal(await say('ann', 'mention'), 'accepted');
  assert.equal(await say('ann'), 'ignored');
  await h.seen('the first answer', () => h.channel.messages[0]);
  const other = { ...room, thread: 'T2' };
  h.channel.history.push([
    { nativeID: 'T2', author: 'bob', fromBot: false, text: 'look at this', at: h.clock.now() },
  ]);
  assert.equal(await say('ann', 'mention', { address: other }), 'accepted');
  await h.seen('the answer', () => h.channel.messages[1]);
  assert.equal(await say('ann', 'none', { address: other }), 'ignored');
  const third = { ...room, thread: 'T3' };
  assert.equal(await say('ann', 'mention', { address: third }), 'accepted');
  await say('grafana', 'none', { address: third, actor: { ...person('grafana'), isBot: true } });
  assert.equal(await say('ann', 'none', { address: third }), 'accepted');
});

test('a thread below a message of the bot’s is the first one’s who answers there, until others do', async (t) => {
  const h = await startHarness(t, { engine: ok() });
  const say = speaking(h);
  const below = { underBot: true } as const;
  assert.equal(await say('ann', 'reply', below), 'accepted');
  assert.equal(await say('ann', 'reply', below), 'accepted');
  assert.equal(await say('bob', 'reply', below), 'ignored');
  assert.equal(await say('ann', 'reply', below), 'ignored');
  assert.equal(await say('bob', 'mention'), 'accepted');
});

test('what the bot asks in a thread with others is answered there without its name', async (t) => {
  const h = await startHarness(t);
  const say = speaking(h);
  assert.equal(await say('ann', 'mention'), 'accepted');
  assert.equal(await say('bob'), 'ignored');
  await h.seen('the run', () => h.engine.runs[0]);
  h.engine.askLeave('run_1', 'req_1');
  await h.seen('the question', () => h.channel.messages[0]);
  assert.equal(await say('bob', 'none', { text: '1' }), 'accepted');
  await h.seen('the reply', () => h.engine.replies[0]);
});

test('each word of rooms.respondTo has its behaviour', async (t) => {
  const answered = async (answers: RoomTrigger): Promise<string> => {
    const access = { ...pairing, rooms: { ...rooms, respondTo: answers } };
    const h = await startHarness(t, { engine: ok(), access, channel: createScriptedChannel() });
    const say = speaking(h);
    const received = [
      await say('ann', 'none', { address: room }),
      await say('ann', 'mention'),
      await say('ann'),
      await say('bob'),
      await say('bob', 'mention'),
    ];
    return received.map((one) => (one === 'accepted' ? 'x' : '-')).join('');
  };
  assert.equal(await answered('mentions'), '-x--x');
  assert.equal(await answered('addressed'), '-xx-x');
  assert.equal(await answered('threads'), '-xxxx');
  assert.equal(await answered('everything'), 'xxxxx');
});
