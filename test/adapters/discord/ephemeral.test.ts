// Who sees the answer to a slash command in a server: only the asker, or everyone; the real gateway and discord.js against the sandbox.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAccess } from '#adapters/gateway/terms/access-types.ts';
import { systemClock } from '#base/clock.ts';
import { until } from '../../support/found.ts';
import { callback, channelSet, edited, type Stage, sent } from './slash-stage.ts';

const deleted = 'DELETE /webhooks/:id/:token/messages/@original';
const followed = 'POST /webhooks/:id/:token';

const room = { chat: 'room', user: 'you' } as const;
const newWords = 'This is a new conversation. I still remember the earlier ones.';
const lostWords = /could not show my answer to a command/;

test('what is for the asker is seen by nobody else, beginning with the sign', async (t) => {
  const its = await channelSet(t);
  const go = its.hold();
  its.sandbox.slash({ ...room, name: 'status' });
  await until('the sign stands', () => its.roomTexts().includes('(thinking…)'));
  assert.deepEqual(its.roomTexts('guest'), []);
  go();
  await until('the answer exists', () =>
    its.roomTexts().some((text) => /^\([\s\S]*Parley test: everything works/.test(text)),
  );
  assert.deepEqual(its.roomTexts('guest'), []);
  assert.deepEqual([its.statuses(callback), its.statuses(edited), its.statuses(sent)], [[204], [200], []]);
});

test('what others must know is seen by all of them', async (t) => {
  const its = await channelSet(t);
  its.sandbox.slash({ ...room, name: 'new' });
  await until('the answer exists', () => its.roomTexts('guest').includes(newWords));
  assert.deepEqual(its.roomTexts(), [newWords]);
});

test('a refusal of a command that others would see is for the asker alone, and its sign goes', async (t) => {
  const its = await channelSet(t);
  its.sandbox.slash({ ...room, name: 'rename' });
  await until('the refusal stands', () =>
    its.roomTexts().some((text) => /^\(What should this conversation be called/.test(text)),
  );
  assert.deepEqual(its.roomTexts('guest'), []);
  assert.equal(its.roomTexts().length, 1);
  assert.deepEqual([its.statuses(deleted), its.statuses(followed)], [[204], [200]]);
});

test('a command in a room where the bot may not answer is refused to its sender alone, each time', async (t) => {
  const open = openAccess('guest');
  const its = await channelSet(t, systemClock, { ...open, rooms: { ...open.rooms, include: [] } });
  const words = '(I do not answer here. Ask the person who runs me to allow it.)';
  for (const [count, name] of ['status', 'new', 'status'].entries()) {
    its.sandbox.slash({ ...room, name });
    await until('the sentence', () => its.roomTexts().filter((text) => text.includes(words)).length > count);
  }
  assert.ok(
    its.roomTexts().every((text) => text.startsWith('(') && !text.includes('thinking')),
    its.roomTexts().join(),
  );
  assert.deepEqual(its.roomTexts('guest'), []);
  // what is written there is passed over as before, and in private everything is as it was
  await its.sandbox.say({ ...room, text: 'hello', mention: true });
  its.sandbox.slash({ chat: 'dm', user: 'you', name: 'new' });
  await until('an answer in private', () => its.texts().includes(newWords));
  assert.equal(its.roomTexts().length, 3);
  assert.equal(its.engine.runs.length, 0);
});

test('an answer of several messages is for the asker as a whole', async (t) => {
  const its = await channelSet(t);
  longNames(its);
  its.sandbox.slash({ ...room, name: 'tools' });
  await until('the answer exists', () => its.roomTexts().some((text) => /Page 1 of 2/.test(text)));
  assert.ok(its.roomTexts().length >= 2);
  assert.ok(its.roomTexts().every((text) => text.startsWith('(')));
  assert.deepEqual(its.roomTexts('guest'), []);
});

test('what was for the asker only is shown to nobody once the token has expired: the room reads that they should ask again', async (t) => {
  const its = await channelSet(t);
  const go = its.hold();
  its.sandbox.slash({ ...room, name: 'status' });
  await until('the sign stands', () => its.roomTexts().includes('(thinking…)'));
  its.later(15 * 60_000);
  go();
  await until('the words stand', () => its.roomTexts('guest').some((text) => lostWords.test(text)));
  await its.restart();
  assert.equal(its.roomTexts('guest').length, 1);
  assert.ok(!its.roomTexts().some((text) => /ready/.test(text)));
});

test('a restart between the sign and the answer shows it only to the asker, once', async (t) => {
  const its = await channelSet(t);
  const go = its.hold();
  its.sandbox.slash({ ...room, name: 'status' });
  await until('the sign stands', () => its.roomTexts().includes('(thinking…)'));
  const restarted = its.restart();
  go();
  await restarted;
  await until('the answer exists', () =>
    its.roomTexts().some((text) => /^\([\s\S]*Parley test: everything works/.test(text)),
  );
  assert.equal(its.roomTexts().length, 1);
  assert.deepEqual(its.roomTexts('guest'), []);
});

test('a message whose answer was lost says that it may be a repeat, to the asker alone', async (t) => {
  const its = await channelSet(t);
  its.sandbox.inject({ kind: 'lost_response', target: 'send', times: 1 });
  its.sandbox.slash({ ...room, name: 'rename' });
  await until('it is there again', () => its.roomTexts().length === 2);
  assert.match(its.roomTexts()[0] ?? '', /^\(What should this conversation be called\?[^(]*\)$/);
  assert.match(
    its.roomTexts()[1] ?? '',
    /^\(What should this conversation be called[\s\S]*This may be a repeat/,
  );
  longNames(its);
  its.sandbox.inject({ kind: 'lost_response', target: 'send', times: 1 });
  its.sandbox.slash({ ...room, name: 'tools' });
  await until(
    'the second part is there again',
    () => its.roomTexts().filter((text) => /Page 1 of 2/.test(text)).length === 2,
  );
  assert.match(its.roomTexts().at(-1) ?? '', /This may be a repeat/);
  assert.deepEqual(its.roomTexts('guest'), []);
});

/** So that a page of tools takes more than one message. */
function longNames({ engine }: Stage): void {
  const { abilities } = engine;
  engine.abilities = async (place) => {
    const all = await abilities(place);
    return { ...all, tools: all.tools.map((tool) => ({ ...tool, name: `${tool.name}_${'x'.repeat(250)}` })) };
  };
}
