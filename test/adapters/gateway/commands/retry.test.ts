// /retry where several people talk in one conversation: whose message is answered again, and what is taken back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAccess } from '#adapters/gateway/terms/access-types.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import { room } from '../scripted-channel.ts';
import { type CommandChat, commandChat } from './kit.ts';

const inRoom = (id: string): Partial<MessageEvent> => ({
  address: room,
  actor: { id, name: id, isBot: false },
  addressed: 'mention',
});

/** What the session holds after these runs, as the engine says it. */
function hold(chat: CommandChat, runs: number): void {
  const info = { sessionID: 'ses_1', time: { created: 0 } };
  const said = Array.from({ length: runs }, (_, at) => [
    { info: { ...info, id: `msg_${at}_user`, role: 'user' as const }, parts: [] },
    {
      info: { ...info, id: `msg_${at}_answer`, role: 'assistant' as const, runID: `run_${at + 1}` },
      parts: [],
    },
  ]);
  chat.engine.said.set('ses_1', said.flat());
}

test('/retry in a room answers the last message of anyone who asks, and takes back nothing that others said since', async (t) => {
  const chat = await commandChat(t, { access: openAccess('guest') });
  await chat.say('what is the tallest hill?', inRoom('ann'));
  await chat.say('who was Ada?', inRoom('ben'));
  hold(chat, 2);
  assert.match(await chat.say('/retry', inRoom('ann')), /I am answering that again/);
  await chat.seen('the third answer', () => (chat.engine.runs.length === 3 ? true : undefined));
  const asked = chat.engine.prompts().map((texts) => texts.join());
  assert.match(asked[2] ?? '', /tallest hill/);
  assert.doesNotMatch(asked[2] ?? '', /Ada/);
  assert.deepEqual(chat.engine.reverts, [], 'the newest exchange is another one');
  assert.deepEqual(
    chat.engine.runs.map(({ run }) => run.sessionID),
    ['ses_1', 'ses_1', 'ses_1'],
  );
});

test('/retry in a room takes the newest exchange back only for the person who asked', async (t) => {
  const chat = await commandChat(t, { access: openAccess('guest') });
  await chat.say('what is the tallest hill?', inRoom('ann'));
  await chat.say('who was Ada?', inRoom('ben'));
  hold(chat, 2);
  assert.match(await chat.say('/retry', inRoom('ben')), /I am answering that again/);
  await chat.seen('the third answer', () => (chat.engine.runs.length === 3 ? true : undefined));
  assert.deepEqual(chat.engine.reverts, ['ses_1 msg_1_user']);
  assert.match(chat.engine.prompts()[2]?.join() ?? '', /Ada/);
});

test('/retry in a room is refused for someone who was not answered there', async (t) => {
  const chat = await commandChat(t, { access: openAccess('guest') });
  await chat.say('what is the tallest hill?', inRoom('ann'));
  await chat.say('hello in private', { actor: { id: 'cleo', name: 'cleo', isBot: false } });
  assert.match(await chat.say('/retry', inRoom('cleo')), /sent no message here/);
  assert.equal(chat.engine.runs.length, 2);
});
