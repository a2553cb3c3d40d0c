// Conversations distilled automatically: when they are silent, once, after a restart too, and never from what was forgotten.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createIds } from '#base/ids.ts';
import type { EngineOptions } from '#engine/engine.ts';
import { createMemory } from '#memory/memory.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { converse, openKit, originOf, textBody } from './support/kit.ts';

const minute = 60_000;
const silent: Partial<EngineOptions> = { memorySettings: { autoDistill: { silentMs: 30 * minute } } };
const padding = 'The garden needs rain and the shed needs paint. '.repeat(4);
const mine = { audiences: ['person:per_1' as const], spaces: [], everyone: false };

async function stage(t: TestContext, changes: Partial<EngineOptions> = silent) {
  const clock = createManualClock();
  const path = join(tempFolder(t), 'memory.sqlite');
  const memory = createMemory({ path, clock, newId: createIds(clock) });
  const kit = await openKit(t, { clock, memory, ...changes });
  const { id } = await kit.engine.createSession({ sourceKind: 'channel' });
  const say = (text: string) => converse(kit.engine, id, textBody(`${text} ${padding}`, originOf()));
  const facts = async () =>
    (await memory.records({ scope: mine, limit: 100 })).map(({ text }) => text).sort();
  return { kit, id, clock, memory, say, facts };
}

test('unless it is configured nothing is distilled automatically', async (t) => {
  const { say, clock, facts } = await stage(t, {});
  await say('My favourite tea is oolong.');
  await clock.advance(120 * minute);
  assert.deepEqual(await facts(), []);
});

test('a conversation is distilled once it was silent, with its evidence, and again only for what was written since (M34, M40)', async (t) => {
  const { say, clock, facts, memory, kit } = await stage(t);
  await say('My favourite tea is oolong.');
  await clock.advance(20 * minute);
  await say('I prefer trains.');
  await clock.advance(20 * minute);
  assert.deepEqual(await facts(), [], 'it was not silent for so long');
  await clock.advance(15 * minute);
  assert.deepEqual(await facts(), ['guest: I prefer trains.', 'guest: My favourite tea is oolong.']);
  const [record] = await memory.records({ scope: mine, text: 'oolong' });
  assert.equal(record?.evidence.length, 1);
  const writes = async () => (await memory.audit({ of: 'person:per_1', action: 'put' })).length;
  const before = await writes();
  await clock.advance(120 * minute);
  assert.equal(await writes(), before, 'nothing was written since');
  await say('My favourite tea is sencha.');
  await kit.restart();
  await clock.advance(40 * minute);
  assert.deepEqual(await facts(), ['guest: I prefer trains.', 'guest: My favourite tea is sencha.']);
  assert.equal(await writes(), before + 1);
});

test('what was summarized before the conversation was silent is distilled as well', async (t) => {
  const { kit, id, say, clock, facts } = await stage(t);
  await say('My favourite tea is oolong.');
  await say('I prefer trains.');
  await kit.engine.summarizeSession({ sessionID: id });
  await clock.advance(40 * minute);
  assert.deepEqual(await facts(), ['guest: I prefer trains.', 'guest: My favourite tea is oolong.']);
});

test('what was forgotten is not found again in the conversation (M31)', async (t) => {
  const { say, clock, facts, memory } = await stage(t);
  await say('My favourite tea is oolong.');
  await say('I prefer trains.');
  await memory.forget({ scope: mine, selection: { words: 'oolong' }, mode: 'forget' });
  await clock.advance(40 * minute);
  assert.deepEqual(await facts(), ['guest: I prefer trains.']);
  assert.deepEqual((await memory.verify(['oolong'])).traces, []);
});

test('what could not be stored waits and is distilled when it can be', async (t) => {
  const { kit, say, clock, facts, memory } = await stage(t);
  const broken = { ...memory, put: () => Promise.reject(new Error('not now')) };
  await kit.restart({ memory: broken });
  await say('My favourite tea is oolong.');
  await clock.advance(40 * minute);
  assert.deepEqual(await facts(), []);
  assert.ok(kit.logged.some((line) => line.includes('waits to be distilled')));
  await kit.restart();
  await clock.advance(2 * minute);
  assert.deepEqual(await facts(), ['guest: My favourite tea is oolong.']);
});

test('what the disk refuses is tried for one conversation in a minute, and any other failure stops no conversation', async (t) => {
  const { kit, say, clock, memory } = await stage(t);
  await say('My favourite tea is oolong.');
  const { id } = await kit.engine.createSession({ sourceKind: 'channel' });
  await converse(kit.engine, id, textBody(`I prefer trains. ${padding}`, originOf()));
  await clock.advance(29 * minute);
  for (const [code, tried] of [
    ['SQLITE_FULL', 1],
    ['REFUSED', 2],
  ] as const) {
    const put = () => Promise.reject(Object.assign(new Error('not now'), { code }));
    await kit.restart({ memory: { ...memory, put } });
    const before = kit.logged.length;
    await clock.advance(minute);
    const waiting = kit.logged.slice(before).filter((line) => line.includes('waits to be distilled'));
    assert.equal(waiting.length, tried, code);
  }
});

test('what was written more than a week ago is left alone', async (t) => {
  const { kit, say, clock, facts } = await stage(t, {});
  await say('My favourite tea is oolong.');
  await clock.advance(8 * 24 * 60 * minute);
  await kit.restart(silent);
  await clock.advance(5 * minute);
  assert.deepEqual(await facts(), []);
});
