// Messages that are changed again and again, or that were forgotten before: memory has the words that a message has now, and nothing that somebody forgot.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { Amendment } from '#engine/wire/runs/amendment.ts';
import type { PromptBody } from '#engine/wire/runs/prompt.ts';
import type { Scope } from '#memory/types/scope.ts';
import { converse, type Kit, openKit, originOf } from './support/kit.ts';
import { settingsFor, startMock } from './support/mock-provider.ts';

const mine: Scope = { audiences: ['person:per_1'], spaces: [], everyone: false };
const oslo = 'My heron lives near Oslo.';
const bergen = 'My heron lives near Bergen.';

function said(...texts: string[]): PromptBody {
  return {
    parts: texts.map((text, at) => ({ type: 'text', text, nativeID: `m${at + 1}` })),
    origin: originOf({ nativeIDs: texts.map((_, at) => `m${at + 1}`) }),
  };
}

const edited = (was: string, now: string, nativeID = 'm1'): Amendment => ({ nativeID, was, now });
const deleted = (was: string, nativeID = 'm1'): Amendment => ({ nativeID, was, now: null });

async function remembered({ memory }: Kit): Promise<string[]> {
  return (await memory.list({ scope: mine })).map(({ text }) => text);
}

/** A kit whose model answers everything with these words, in one conversation. */
async function openAnswering(t: TestContext, answer: string) {
  const mock = await startMock(t);
  mock.onMessage(/.*/, { content: answer });
  const kit = await openKit(t, { model: settingsFor('openai', mock) });
  const { id } = await kit.engine.createSession({ sourceKind: 'channel' });
  const converseThere = async (...texts: string[]): Promise<string> =>
    (await converse(kit.engine, id, said(...texts))).runID;
  return { kit, converse: converseThere };
}

test('a message that is edited forth and back is known by the words that it has now, each time', async (t) => {
  const { kit, converse: say } = await openAnswering(t, 'Oslo is cold for a heron.');
  const runID = await say(oslo);
  let [was, now] = [oslo, bergen];
  for (let round = 0; round < 5; round += 1) {
    await kit.engine.amend({ runID, ...edited(was, now) });
    const [entry = '', ...others] = await remembered(kit);
    assert.ok(entry.includes(`said: ${now}`), `round ${round}: ${entry}`);
    assert.ok(!entry.includes('is cold'), 'the answer was made of words that were taken back once');
    assert.deepEqual(others, []);
    [was, now] = [now, was];
  }
});

test('words that are put back while memory refuses them are stored once it takes them, also after a restart', async (t) => {
  const { kit, converse: say } = await openAnswering(t, 'Herons like water.');
  const runID = await say(oslo);
  await kit.engine.amend({ runID, ...edited(oslo, bergen) });
  const { archive } = kit.memory;
  kit.memory.archive = () => Promise.reject(new Error('The memory refuses it.'));
  await assert.rejects(kit.engine.amend({ runID, ...edited(bergen, oslo) }), /refuses it/);
  kit.memory.archive = archive;
  const engine = await kit.restart();
  assert.match((await remembered(kit)).join(), /said: My heron lives near Oslo\./);
  await engine.amend({ runID, ...edited(bergen, oslo) });
  assert.equal((await remembered(kit)).length, 1);
});

test('whatever becomes of the messages of a burst, memory has the words that they have now and no others', async (t) => {
  const places = ['Oslo', 'Bergen', 'Rome', 'Paris'] as const;
  const change = fc.record({ at: fc.nat(1), place: fc.constantFrom(...places), isDeleted: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 6 }), async (changes) => {
      const { kit, converse: say } = await openAnswering(t, 'Noted.');
      const words: (string | undefined)[] = ['The heron is in Oslo.', 'The owl is in Rome.'];
      const runID = await say(...words.flatMap((text) => text ?? []));
      for (const { at, place, isDeleted } of changes) {
        const was = words[at];
        if (was === undefined) continue;
        const now = isDeleted ? undefined : was.replace(/\w+\.$/, `${place}.`);
        const nativeID = `m${at + 1}`;
        await kit.engine.amend({
          runID,
          ...(now === undefined ? deleted(was, nativeID) : edited(was, now, nativeID)),
        });
        words[at] = now;
      }
      const stored = (await remembered(kit)).join('\n');
      for (const text of words) if (text !== undefined) assert.ok(stored.includes(text), stored);
      for (const animal of ['heron', 'owl'])
        for (const place of places) {
          const text = `The ${animal} is in ${place}.`;
          assert.equal(stored.includes(text), words.includes(text), `${text}: ${stored}`);
        }
    }),
    { numRuns: 12 },
  );
});

test('an edit that adds to its former words is made once, however often it comes', async (t) => {
  const { kit, converse: say } = await openAnswering(t, 'Noted.');
  const runID = await say('The heron is near Oslo');
  for (let time = 0; time < 3; time += 1)
    await kit.engine.amend({
      runID,
      ...edited('The heron is near Oslo', 'The heron is near Oslo and Bergen'),
    });
  assert.match((await remembered(kit)).join(), /said: The heron is near Oslo and Bergen$/m);
});

test('what a person forgot is not brought back by the deletion of a message that was answered with it', async (t) => {
  const { kit, converse: say } = await openAnswering(t, 'Noted.');
  const runID = await say(oslo, 'The owl is in Rome.');
  await kit.memory.forget({ scope: mine, selection: { words: 'owl' }, mode: 'forget' });
  assert.deepEqual(await remembered(kit), []);
  await kit.engine.amend({ runID, ...deleted(oslo) });
  assert.deepEqual(await remembered(kit), []);
});

test('what a person forgot is not brought back by an answer to it that repeats words which another message took back', async (t) => {
  const { kit, converse: say } = await openAnswering(t, 'The heron is near Oslo.');
  const first = await say(oslo);
  await say('Is the owl in Rome, and where is that other one?');
  await kit.memory.forget({ scope: mine, selection: { words: 'owl' }, mode: 'forget' });
  await kit.engine.amend({ runID: first, ...edited(oslo, bergen) });
  const texts = await remembered(kit);
  assert.equal(texts.length, 1);
  assert.doesNotMatch(texts.join(), /owl|Oslo/);
});

const beds = Array.from({ length: 900 }, (_, bed) => `Bed ${bed + 1} of the garden grows kale and dill.`);
for (const [what, now] of [
  ['its beginning', 'The heron is near Bergen.'],
  ['nothing of it but its end', 'The heron is near Oslo.'],
] as const)
  test(`a message of many pieces is remembered whole after an edit of ${what}`, async (t) => {
    const { kit, converse: say } = await openAnswering(t, 'Noted.');
    const was = ['The heron is near Oslo.', ...beds, 'It ends here.'].join(' ');
    const becomes = [now, ...beds, 'It ends there.'].join(' ');
    const runID = await say(was);
    const before = await remembered(kit);
    assert.ok(before.length > 12, `${before.length} pieces`);
    await kit.engine.amend({ runID, ...edited(was, becomes) });
    const after = (await remembered(kit)).join('\n');
    assert.deepEqual(
      [now, ...beds, 'It ends there.'].filter((sentence) => !after.includes(sentence)),
      [],
    );
    assert.doesNotMatch(after, /It ends here/);
  });

test('a message of many pieces stays as a whole when its answer repeats words which another message took back', async (t) => {
  const { kit, converse: say } = await openAnswering(t, 'That other one is near Oslo.');
  const first = await say(oslo);
  const long = [...beds, 'And where is that other one?'];
  await say(long.join(' '));
  await kit.engine.amend({ runID: first, ...edited(oslo, bergen) });
  const after = (await remembered(kit)).join('\n');
  assert.deepEqual(
    long.filter((sentence) => !after.includes(sentence)),
    [],
  );
  assert.doesNotMatch(after, /Oslo/);
});
