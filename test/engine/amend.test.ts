// What happens to a message that a run answered: changed words and deletions, in the session, in memory and in what was made of them.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { deletedNote } from '#engine/wire/channels/notes.ts';
import type { Amendment } from '#engine/wire/runs/amendment.ts';
import type { PromptBody } from '#engine/wire/runs/prompt.ts';
import type { Scope } from '#memory/types/scope.ts';
import { ask, converse, openKit, originOf } from './support/kit.ts';
import { settingsFor, startMock } from './support/mock-provider.ts';

const mine: Scope = { audiences: ['person:per_1'], spaces: [], everyone: false };

/** Two messages that are answered together. */
function said(...texts: string[]): PromptBody {
  return {
    parts: texts.map((text, at) => ({ type: 'text', text, nativeID: `m${at + 1}` })),
    origin: originOf({ nativeIDs: texts.map((_, at) => `m${at + 1}`) }),
  };
}

const deleted = (nativeID: string, was: string): Amendment => ({ nativeID, was, now: null });

async function withExchange(t: TestContext, ...texts: string[]) {
  const kit = await openKit(t);
  const { id } = await kit.engine.createSession({ sourceKind: 'channel' });
  const run = await converse(kit.engine, id, said(...texts));
  const remembered = async (): Promise<string[]> =>
    (await kit.memory.list({ scope: mine })).map(({ text }) => text);
  const inSession = async (): Promise<string> => JSON.stringify(await kit.engine.messages(id));
  return { ...kit, id, runID: run.runID, remembered, inSession };
}

test('a deleted message is forgotten with its exchange, and its session says only that it was deleted', async (t) => {
  const { engine, runID, remembered, inSession } = await withExchange(t, 'My heron lives near Oslo.');
  assert.equal((await remembered()).length, 1);
  await engine.amend({ runID, ...deleted('m1', 'My heron lives near Oslo.') });
  assert.deepEqual(await remembered(), []);
  const [user] = JSON.parse(await inSession());
  assert.deepEqual(
    user.parts.map(({ text }: { text: string }) => text),
    ['[deleted by its author]'],
  );
});

test('a message whose deletion its run was begun with takes nothing of the others along', async (t) => {
  const { engine, runID, remembered } = await withExchange(t, 'My owl lives near Rome.', deletedNote);
  assert.equal((await remembered()).length, 1);
  await engine.amend({ runID, ...deleted('m2', 'My heron lives near Oslo.') });
  assert.match((await remembered()).join(), /owl lives near Rome/);
});

test('a deletion before the answer is in the chat keeps the exchange out of memory', async (t) => {
  const { engine, memory } = await openKit(t);
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  const run = await ask(engine, id, said('My heron lives near Oslo.'));
  await engine.amend({ runID: run.runID, ...deleted('m1', 'My heron lives near Oslo.') });
  await engine.delivered({ runID: run.runID, deliveredAtMs: 1, nativeIDs: ['n1'] });
  assert.deepEqual(await memory.list({ scope: mine }), []);
});

for (const now of [null, 'My heron lives near Bergen.'])
  test(`an answer that is delivered while its message is ${now === null ? 'deleted' : 'edited'} leaves nothing of the former words`, async (t) => {
    const { engine, memory } = await openKit(t);
    const { id } = await engine.createSession({ sourceKind: 'channel' });
    const was = 'My heron lives near Oslo.';
    const run = await ask(engine, id, said(was));
    const forgotten = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const { forget } = memory;
    memory.forget = async (request) => {
      const result = await forget(request);
      forgotten.resolve();
      await gate.promise;
      return result;
    };
    const amended = engine.amend({ runID: run.runID, nativeID: 'm1', was, now });
    await forgotten.promise;
    const delivered = engine.delivered({ runID: run.runID, deliveredAtMs: 1, nativeIDs: ['n1'] });
    await new Promise(setImmediate);
    gate.resolve();
    await Promise.all([amended, delivered]);
    const texts = (await memory.list({ scope: mine })).map(({ text }) => text);
    assert.equal(texts.length, now === null ? 0 : 1);
    assert.doesNotMatch(texts.join(), /Oslo/);
  });

test('an edited message is known only by its new words, in its session, its title and memory', async (t) => {
  const { engine, id, runID, remembered, inSession } = await withExchange(t, 'My heron lives near Oslo.');
  assert.match((await engine.getSession({ sessionID: id })).title ?? '', /Oslo/);
  await engine.amend({
    runID,
    nativeID: 'm1',
    was: 'My heron lives near Oslo.',
    now: 'My heron lives near Bergen.',
  });
  const [entry = '', ...others] = await remembered();
  assert.match(entry, /said: My heron lives near Bergen\./);
  assert.deepEqual(others, []);
  assert.doesNotMatch(entry, /assistant answered/, 'it was made of the former words');
  const [user] = JSON.parse(await inSession());
  assert.match(JSON.stringify(user), /Bergen/);
  assert.doesNotMatch(JSON.stringify(user), /Oslo/);
  assert.match((await engine.getSession({ sessionID: id })).title ?? '', /Bergen/);
});

test('of a burst only the message that changed gets other words, and one that was deleted takes nothing of the others along', async (t) => {
  const texts = ['My heron lives near Oslo.', 'My owl lives near Rome.'];
  const { engine, runID, remembered, inSession } = await withExchange(t, ...texts);
  await engine.amend({ runID, nativeID: 'm2', was: texts[1] ?? '', now: 'My owl lives near Paris.' });
  assert.match((await remembered()).join(), /Oslo[\s\S]*Paris/);
  await engine.amend({ runID, ...deleted('m1', texts[0] ?? '') });
  assert.match((await remembered()).join(), /Paris/);
  assert.doesNotMatch((await remembered()).join(), /Oslo|Rome/);
  const [user] = JSON.parse(await inSession());
  assert.doesNotMatch(JSON.stringify(user), /Oslo/);
  assert.match(JSON.stringify(user), /Paris/);
});

test('the answer to two messages stays in memory with the one that is left, unless it tells of the one that was deleted', async (t) => {
  for (const [answer, stays] of [
    ['Owls like old towers.', true],
    ['Oslo is cold for a heron.', false],
  ] as const) {
    const mock = await startMock(t);
    mock.onMessage(/.*/, { content: answer });
    const kit = await openKit(t, { model: settingsFor('openai', mock) });
    const { id } = await kit.engine.createSession({ sourceKind: 'channel' });
    const texts = ['My heron lives near Oslo.', 'My owl lives near Rome.'];
    const { runID } = await converse(kit.engine, id, said(...texts));
    await kit.engine.amend({ runID, ...deleted('m1', texts[0] ?? '') });
    const [entry = ''] = (await kit.memory.list({ scope: mine })).map(({ text }) => text);
    assert.match(entry, /owl lives near Rome/);
    assert.equal(entry.includes(answer), stays, answer);
    await kit.engine.amend({ runID, ...deleted('m2', texts[1] ?? '') });
    assert.deepEqual(await kit.memory.list({ scope: mine }), [], 'nothing is left');
  }
});

test('an amendment that comes twice, also after a restart, changes nothing more', async (t) => {
  const kit = await withExchange(t, 'My heron lives near Oslo.');
  const change = { nativeID: 'm1', was: 'My heron lives near Oslo.', now: 'My heron lives near Bergen.' };
  await kit.engine.amend({ runID: kit.runID, ...change });
  const before = await kit.memory.list({ scope: mine });
  const engine = await kit.restart();
  await engine.amend({ runID: kit.runID, ...change });
  assert.deepEqual(await kit.memory.list({ scope: mine }), before);
  const gone = engine.amend({ runID: 'run_of_a_deleted_session', ...change });
  await assert.rejects(gone, { code: 'run_not_found' });
});

test('what was noted in the run of a deleted message, and what was made of its exchange, goes as well', async (t) => {
  const { engine, memory, id, runID } = await withExchange(t, 'My heron lives near Oslo.');
  const [exchange] = await memory.list({ scope: mine });
  const place = {
    where: { audience: 'person:per_1', restricted: true },
    platform: 'discord',
    chat: 'c',
  } as const;
  const note = {
    ...place,
    kind: 'fact',
    at: 1,
    speaker: { person: 'per_1', name: 'x' },
    sessionID: id,
  } as const;
  await memory.put({ ...note, text: 'The heron is in Oslo', runID, messageIDs: [] });
  await memory.put({
    ...note,
    text: 'Herons are in Norway',
    runID: '',
    messageIDs: [],
    evidence: [exchange?.id ?? ''],
  });
  await memory.put({ ...note, text: 'Owls are in Rome', runID: 'run_other', messageIDs: [] });
  await engine.amend({ runID, ...deleted('m1', 'My heron lives near Oslo.') });
  assert.deepEqual(
    (await memory.records({ scope: mine })).map(({ text }) => text),
    ['Owls are in Rome'],
  );
});

test('a summary that holds a deleted message does not stand for the conversation any more', async (t) => {
  const { engine, id, runID } = await withExchange(t, 'My heron lives near Oslo.');
  await converse(engine, id, said('And my owl lives near Rome.'));
  assert.match((await engine.summarizeSession({ sessionID: id })).text, /Oslo/);
  await engine.amend({ runID, ...deleted('m1', 'My heron lives near Oslo.') });
  assert.doesNotMatch((await engine.summarizeSession({ sessionID: id })).text, /Oslo/);
});

test('a deletion of another message changes nothing', async (t) => {
  const { engine, runID, remembered } = await withExchange(t, 'My heron lives near Oslo.');
  await engine.amend({ runID, ...deleted('m9', 'My heron lives near Oslo.') });
  assert.equal((await remembered()).length, 1);
});

test('a message that gets its first words is known by them, and words that are taken away leave a note in their place', async (t) => {
  const { engine, runID, inSession } = await withExchange(t, 'My heron lives near Oslo.', 'See this.');
  const userText = async (): Promise<string> => JSON.stringify(JSON.parse(await inSession())[0]);
  await engine.amend({ runID, nativeID: 'm1', was: '', now: 'A heron near Bergen.' });
  assert.match(await userText(), /"A heron near Bergen\."/);
  assert.doesNotMatch(await userText(), /Oslo/);
  await engine.amend({ runID, nativeID: 'm1', was: 'A heron near Bergen.', now: '' });
  assert.match(await userText(), /\[deleted by its author\]/);
  assert.match(await userText(), /See this\./);
});

test('a file of a deleted message goes with it, one of another message stays, and an edit takes no file away', async (t) => {
  const { engine } = await openKit(t);
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  const file = (name: string, nativeID: string) =>
    ({ type: 'file', mime: 'text/plain', filename: name, url: 'data:text/plain,words', nativeID }) as const;
  const body = said('See this heron.', 'And this owl.');
  const run = await converse(engine, id, {
    ...body,
    parts: [...body.parts, file('heron.txt', 'm1'), file('owl.txt', 'm2')],
  });
  const files = async () =>
    (await engine.messages(id))[0]?.parts.flatMap((part) => (part.type === 'file' ? [part.filename] : []));
  await engine.amend({ runID: run.runID, nativeID: 'm1', was: 'See this heron.', now: 'See that heron.' });
  assert.deepEqual(await files(), ['heron.txt', 'owl.txt']);
  await engine.amend({ runID: run.runID, ...deleted('m1', 'See that heron.') });
  assert.deepEqual(await files(), ['owl.txt']);
});

test('words that were changed already do not change again, and only the words that changed are put in their place', async (t) => {
  const { engine, runID, inSession } = await withExchange(t, 'Oslo is cold. My heron lives near Oslo.');
  const userText = async (): Promise<string> => JSON.parse(await inSession())[0].parts[0].text;
  await engine.amend({ runID, nativeID: 'm1', was: 'near Oslo', now: 'near Bergen' });
  assert.equal(await userText(), 'Oslo is cold. My heron lives near Bergen.');
  await engine.amend({ runID, nativeID: 'm1', was: 'near Rome', now: 'near Bergen' });
  assert.equal(await userText(), 'Oslo is cold. My heron lives near Bergen.', 'it says so already');
  await engine.amend({ runID, nativeID: 'm1', was: 'near Rome', now: 'My heron flew away.' });
  assert.equal(await userText(), 'My heron flew away.', 'what it said is not there: it says this now');
  await engine.amend({ runID, ...deleted('m1', 'My heron flew away.') });
  await engine.amend({ runID, nativeID: 'm1', was: 'My heron flew away.', now: 'My heron is back.' });
  assert.equal(await userText(), '[deleted by its author]', 'what was deleted does not come back');
});

test('a note is forgotten by its id, in the audience that owns it only, and one that is not there is no error', async (t) => {
  const { engine, memory } = await withExchange(t, 'My heron lives near Oslo.');
  const place = {
    where: { audience: 'person:per_1', restricted: true },
    platform: 'discord',
    chat: 'c',
  } as const;
  const speaker = { person: 'per_1', name: 'x' };
  const saved = await memory.put({
    ...{ ...place, kind: 'note', at: 1, speaker, sessionID: 's', runID: '', messageIDs: [] },
    text: 'The heron is in Oslo',
  });
  const memoryID = 'id' in saved ? saved.id : '';
  const notes = async () => (await memory.records({ scope: mine })).length;
  await engine.forgetNote({ memoryID, audience: 'person:per_2' });
  assert.equal(await notes(), 1);
  await engine.forgetNote({ memoryID, audience: 'person:per_1' });
  assert.equal(await notes(), 0);
  await engine.forgetNote({ memoryID, audience: 'person:per_1' });
});
