// The memory flush: what is saved of a conversation before it is shortened, where, and that nobody in the chat sees it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/found.ts';
import { openFlush, room, settings } from './support/flush-kit.ts';
import { ask } from './support/kit.ts';
import type { RawCall } from './support/raw-provider.ts';

test('a conversation that the next prompt fills is flushed once, by what is about to be sent, and nobody in the chat sees it (N12, N15)', async (t) => {
  const { engine, id, say, notes, save } = await openFlush(t);
  await say('The boat is laid up until May.');
  await say('Thanks.');
  const third = await say('And the key?');
  assert.equal(third.body.messages.length, 6, 'system, two exchanges, the question');
  const flush = await save('Guest: the boat is laid up until May.', 0);
  assert.deepEqual(toolsOf(flush), ['memory_note']);
  const prompt = JSON.stringify(flush.body.messages);
  assert.match(prompt, /The boat is laid up until May\./);
  assert.doesNotMatch(prompt, /And the key/, 'what stays in view is not flushed');
  assert.deepEqual(notes(), { 'person-per-1': ['- Guest: the boat is laid up until May.'] });
  assert.doesNotMatch(
    JSON.stringify(await engine.sessionMessages({ sessionID: id, reverted: true })),
    /NO_REPLY|memory_note|about to leave/,
  );
  const fourth = await say('Good.');
  assert.doesNotMatch(JSON.stringify(fourth.body.messages.slice(1)), /memory_note|NO_REPLY/);
  const [usage] = await engine.usage({ by: 'session', limit: 1 });
  assert.equal(usage?.runs, 4, 'a flush is no run of the chat');
});

function toolsOf({ body }: RawCall): string[] {
  return (body.tools as { function: { name: string } }[]).map(({ function: { name } }) => name);
}

test('every path that shortens a conversation flushes it first, once before each summary (N11)', async (t) => {
  const { engine, id, say, notes, save, summarize, flushes } = await openFlush(t, {
    ...settings,
    threshold: 1,
  });
  await say('The spare key is with Ida.');
  await say('Thanks.');
  const asked = engine.summarizeSession({ sessionID: id });
  await save('The spare key is with Ida.', 0);
  await summarize();
  await asked;
  assert.equal(flushes.size(), 0);
  await say('Ida moved to Bergen.');
  for (const text of ['two', 'three']) await say(text);
  // seven stored messages and the question: the next summary is automatic
  await say('four');
  const flush = await save('Ida moved to Bergen.', 2);
  assert.match(JSON.stringify(flush.body.messages), /Ida moved to Bergen/);
  assert.doesNotMatch(JSON.stringify(flush.body.messages), /spare key is with/, 'no line is flushed twice');
  for (const text of ['five', 'six']) await say(text);
  await summarize();
  await say('seven');
  assert.equal(flushes.size(), 0, 'once before each summary');
  assert.deepEqual(notes(), { 'person-per-1': ['- The spare key is with Ida.', '- Ida moved to Bergen.'] });
});

test('a flush that fails or never answers neither delays nor fails the answer or the summary (N15)', async (t) => {
  const { engine, id, say, summarize, flushes, kit } = await openFlush(t, {
    ...settings,
    timeoutMs: 300,
  });
  for (const text of ['one', 'two', 'three']) await say(text);
  await flushes.next();
  await say('four');
  await until('the line of the log', () => kit.logged.some((line) => line.includes('could not be flushed')));
  await say('five');
  const summarizing = engine.summarizeSession({ sessionID: id });
  await summarize();
  assert.equal((await summarizing).text, 'The notes.');
  assert.equal(flushes.size(), 0, 'one attempt before each summary');
});

test('a line goes into the note of the audience that it was written for, and no model sees two audiences at once (N16)', async (t) => {
  const { engine, id, say, notes, save, summarize, flushes } = await openFlush(t, {
    ...settings,
    threshold: 1,
  });
  await say('My locker code is swordfish.');
  await say('The team meets on Thursdays.', room);
  await say('Thanks.', room);
  const summarizing = engine.summarizeSession({ sessionID: id });
  const own = await save('The locker code is swordfish.', 0);
  assert.doesNotMatch(JSON.stringify(own.body.messages), /Thursdays/);
  const shared = await save('The team meets on Thursdays.', 0);
  assert.doesNotMatch(JSON.stringify(shared.body.messages), /swordfish/);
  await summarize();
  await summarizing;
  assert.equal(flushes.size(), 0);
  assert.deepEqual(notes(), {
    'person-per-1': ['- The locker code is swordfish.'],
    'room-discord-1-c1': ['- The team meets on Thursdays.'],
  });
});

test('a line that no person said is refused, and a line that the note has is not written twice (N13)', async (t) => {
  const { engine, id, say, notes, summarize, flushes } = await openFlush(t, { ...settings, threshold: 1 });
  await say('The boat is blue.');
  await say('Thanks.');
  const summarizing = engine.summarizeSession({ sessionID: id });
  (await flushes.next()).callTool('memory_note', { text: 'The assistant said so.', line: 1 });
  const refused = await flushes.next();
  assert.match(JSON.stringify(refused.body.messages), /Expected the number of a line of a person, got 1/);
  refused.callTool('memory_note', { text: 'The boat is blue.', line: 0 });
  (await flushes.next()).callTool('memory_note', { text: 'The boat is blue.', line: 0 });
  (await flushes.next()).callTool('memory_note', { words: 'The boat' });
  const last = await flushes.next();
  assert.match(JSON.stringify(last.body.messages), /The arguments do not fit/);
  last.finish();
  await summarize();
  await summarizing;
  assert.deepEqual(notes(), { 'person-per-1': ['- The boat is blue.'] });
});

test('what people wrote to an agent that stores nothing is in no note, also when another agent answers there later', async (t) => {
  const { engine, id, say, notes, save, summarize, flushes } = await openFlush(
    t,
    { ...settings, threshold: 1 },
    {
      agents: [
        { name: 'clerk', systemPrompt: 'You are a clerk.' },
        { name: 'ear', systemPrompt: 'You only listen.', memory: 'off' },
      ],
    },
  );
  await say('My locker code is swordfish.', {}, 'ear');
  await say('The spare key is with Ida.');
  await say('Thanks.');
  const summarizing = engine.summarizeSession({ sessionID: id });
  const flush = await save('The spare key is with Ida.', 0);
  assert.doesNotMatch(JSON.stringify(flush.body.messages), /swordfish/);
  await summarize();
  await summarizing;
  assert.equal(flushes.size(), 0);
  assert.deepEqual(notes(), { 'person-per-1': ['- The spare key is with Ida.'] });
});

test('sessions of no chat are never flushed', async (t) => {
  const { engine, summarize, flushes, answers } = await openFlush(t);
  const { id } = await engine.createSession({});
  for (const text of ['one', 'two', 'three', 'four', 'five', 'six']) {
    const said = ask(engine, id, text);
    const request = await answers.next();
    request.say('Yes.');
    request.finish();
    await said;
  }
  await summarize();
  assert.equal(flushes.size(), 0);
});
