// What is deleted, edited or forgotten before, while or after a conversation is flushed is in no note.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFlush, own, settings } from './support/flush-kit.ts';

test('the note of a message goes when its author deletes the message', async (t) => {
  const { engine, id, say, notes, save, summarize, runIDs } = await openFlush(t, {
    ...settings,
    threshold: 1,
  });
  await say('The boat is blue.');
  await say('Thanks.');
  const summarizing = engine.summarizeSession({ sessionID: id });
  await save('The boat is blue.', 0);
  await summarize();
  await summarizing;
  assert.deepEqual(notes(), { 'person-per-1': ['- The boat is blue.'] });
  await engine.amend({ runID: runIDs[0] ?? '', nativeID: 'm1', was: 'The boat is blue.', now: null });
  assert.deepEqual(notes(), { 'person-per-1': [] });
});

for (const how of ['a word that no cited line has', 'a line that is cited too'] as const)
  test(`a note with words of several messages goes when one of them is deleted: by ${how}`, async (t) => {
    const { engine, id, say, notes, save, summarize, flushes, runIDs } = await openFlush(t, {
      ...settings,
      threshold: 1,
    });
    await say('My heron lives near Oslo.');
    await say('My owl is called Uma.');
    await say('Thanks.');
    const isCited = how === 'a line that is cited too';
    const text = isCited ? 'Both are birds.' : 'The owl Uma knows a heron from Oslo.';
    const summarizing = engine.summarizeSession({ sessionID: id });
    const first = await flushes.next();
    first.callTool('memory_note', { text, line: 2, ...(isCited ? { also: [0] } : {}) });
    await save('The owl is called Uma.', 2);
    await summarize();
    await summarizing;
    assert.deepEqual(notes(), { 'person-per-1': [`- ${text}`, '- The owl is called Uma.'] });
    await engine.amend({
      runID: runIDs[0] ?? '',
      nativeID: 'm1',
      was: 'My heron lives near Oslo.',
      now: null,
    });
    assert.deepEqual(notes(), { 'person-per-1': ['- The owl is called Uma.'] });
  });

for (const [now, line] of [
  [null, 0],
  ['My heron lives near Bergen.', 0],
  // a model may put the words of one line into the note of another one
  ['My heron lives near Bergen.', 2],
] as const)
  test(`a message that is ${now === null ? 'deleted' : 'edited'} while the model saves what should last leaves nothing of its former words in a note of line ${line}`, async (t) => {
    const { engine, id, say, notes, save, summarize, flushes, runIDs } = await openFlush(t, {
      ...settings,
      threshold: 1,
    });
    const was = 'My heron lives near Oslo.';
    await say(was);
    await say('My owl is called Uma.');
    await say('Thanks.');
    const summarizing = engine.summarizeSession({ sessionID: id });
    const first = await flushes.next();
    assert.match(JSON.stringify(first.body.messages), /Oslo/);
    await engine.amend({ runID: runIDs[0] ?? '', nativeID: 'm1', was, now });
    first.callTool('memory_note', { text: 'The owl Uma knows a heron from Oslo.', line });
    const again = await save('The owl is called Uma.', 2);
    assert.doesNotMatch(JSON.stringify(again.body.messages), /Oslo/);
    await summarize();
    await summarizing;
    assert.deepEqual(notes(), { 'person-per-1': ['- The owl is called Uma.'] });
    assert.equal(flushes.size(), 0);
  });

test('what is forgotten is not shown to the model that saves what should last, and is not saved while it is asked', async (t) => {
  const { engine, memory, id, say, notes, summarize, flushes, runIDs } = await openFlush(t, {
    ...settings,
    threshold: 1,
  });
  const texts = [
    'My locker code is swordfish.',
    'My heron lives near Oslo.',
    'My owl is called Uma.',
    'Thanks.',
  ];
  for (const [at, text] of texts.entries()) {
    await say(text);
    await engine.delivered({ runID: runIDs[at] ?? '', deliveredAtMs: 1, nativeIDs: [`n${at}`] });
  }
  const forget = (run: string | undefined) =>
    memory.forget({ scope: own, selection: { run }, mode: 'forget', proof: 'none' });
  await forget(runIDs[0]);
  const summarizing = engine.summarizeSession({ sessionID: id });
  const first = await flushes.next();
  assert.doesNotMatch(JSON.stringify(first.body.messages), /swordfish/);
  assert.match(JSON.stringify(first.body.messages), /0 [^\n]*Oslo.*2 [^\n]*Uma/);
  first.callTool('memory_note', { text: 'The owl is called Uma.', line: 2 });
  const second = await flushes.next();
  await forget(runIDs[1]);
  second.callTool('memory_note', { text: 'The heron lives near Oslo.', line: 0 });
  const last = await flushes.next();
  last.finish();
  await summarize();
  await summarizing;
  assert.deepEqual(notes(), { 'person-per-1': ['- The owl is called Uma.'] });
});
