// Budgets of memory: what is over them is merged, summarized, loses its vectors, or is evicted, in this order and no more than needed.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createIds } from '#base/ids.ts';
import { createMemory } from '#memory/memory.ts';
import type { BudgetSettings } from '#memory/types/budget.ts';
import type { AskDreamModel } from '#memory/types/dreaming.ts';
import { clockOf } from '../support/clock-of.ts';
import { until } from '../support/found.ts';
import { testEmbedder } from './embedder.ts';
import { by, note } from './facts.ts';
import { exchange, found, freshPath, mine, openMemory, start } from './open-memory.ts';

const long = (text: string): string =>
  `${text} ${'We talked about it at length, with many words that nobody needs later. '.repeat(5)}`;

async function open(t: TestContext, budgets: BudgetSettings, more: object = {}) {
  const memory = openMemory(t, { budgets, ...more });
  const put = async (text: string, of: Parameters<typeof note>[1] = {}): Promise<string> => {
    const saved = await memory.put(note(text, of));
    assert.ok('id' in saved, saved.status);
    return saved.id;
  };
  const say = async (text: string, of: Parameters<typeof exchange>[1] = {}): Promise<string> => {
    const saved = await memory.archive(exchange(text, of));
    return 'chunkIDs' in saved ? (saved.chunkIDs[0] ?? '') : '';
  };
  const isWithin = async (): Promise<boolean> =>
    (await memory.budgets()).every(({ uses }) => uses.every(({ used, limit }) => used <= limit));
  return { memory, put, say, isWithin };
}

const items = (kind: 'note' | 'fact', limit: number): BudgetSettings => ({
  audience: { items: { [kind]: limit } },
});

test('over budget by one, the least useful goes, with a line in the audit and a tombstone without its words (P16, P20)', async (t) => {
  const { memory, put, isWithin } = await open(t, items('fact', 3));
  const sure = await put('Ann plays the cello', { confidence: 0.9 });
  const unsure = await put('Bo may like zucchini', { confidence: 0.2 });
  const pinned = await put('Answer in French', { pinned: true, confidence: 0.1 });
  await put('The gate is green', { confidence: 0.8 });
  const [report] = await memory.budgets();
  assert.deepEqual([report?.uses[0]?.used, report?.next?.step, report?.next?.ids], [4, 'evict', [unsure]]);
  assert.deepEqual(
    (await memory.consolidate()).map(({ step, ids }) => [step, ids]),
    [['evict', [unsure]]],
  );
  assert.ok(await isWithin());
  assert.deepEqual(await memory.consolidate(), [], 'nothing is taken away within the budget');
  for (const id of [sure, pinned]) assert.ok(await memory.show({ id, scope: mine }));
  const gone = await memory.forgotten({ id: unsure, of: 'person:per_1' });
  assert.deepEqual([gone?.at, gone?.by], [start, 'budget']);
  assert.match(gone?.reason ?? '', /^evicted; 4 of fact where 3 are allowed$/);
  assert.doesNotMatch(JSON.stringify([gone, await memory.audit({ of: 'person:per_1' })]), /zucchini/);
  assert.deepEqual(await found(memory, 'zucchini'), []);
  const [line] = await memory.audit({ of: 'person:per_1', action: 'evict' });
  assert.deepEqual(
    [line?.ids, line?.detail.bound, line?.detail.used, line?.detail.limit],
    [[unsure], 'items.fact', 4, 3],
  );
  assert.equal((await memory.put(note('Bo may like zucchini'))).status, 'stored', 'it may be said again');
});

test('duplicates are merged before anything is evicted, and what each knew is in the one that stays (P16)', async (t) => {
  const { memory, put, isWithin } = await open(t, items('fact', 2));
  const first = await put('The shop opens at nine', { confidence: 0.4, tags: ['shop'], pinned: true });
  await put('The shop, opens at NINE!', { confidence: 0.9, tags: ['hours'] });
  await put('Ann has a dog');
  const steps = await memory.consolidate();
  assert.deepEqual(
    steps.map(({ step }) => step),
    ['merge'],
  );
  assert.ok(await isWithin());
  const [left] = await memory.records({ scope: mine, text: 'shop' });
  assert.deepEqual(
    [left?.id, left?.confidence, left?.tags, left?.pinned],
    [first, 0.9, ['shop', 'hours'], true],
  );
  const [id = ''] = steps[0]?.ids ?? [];
  assert.match(
    (await memory.forgotten({ id, of: 'person:per_1' }))?.reason ?? '',
    new RegExp(`merged into ${first}`),
  );
});

test('exchanges over their budget are summarized, stay found by their telling words, and are answered with their summary (P16)', async (t) => {
  const { memory, say, isWithin } = await open(t, { audience: { exchanges: 5 } });
  const ids: string[] = [];
  for (const name of ['kayak', 'cello', 'printer', 'orchid', 'stove', 'ladder', 'lantern'])
    ids.push(await say(long(`My ${name} is in box ${name.length}.`), { at: start + ids.length }));
  const steps = await memory.consolidate();
  assert.deepEqual(
    steps.map(({ step, ids: gone }) => [step, gone]),
    [['summarize', ids.slice(0, 2)]],
  );
  assert.ok(await isWithin());
  assert.match((await found(memory, 'Where is the kayak?'))[0] ?? '', /My kayak is in box 5\./);
  const gone = await memory.forgotten({ id: ids[0] ?? '', of: 'person:per_1' });
  assert.match(gone?.reason ?? '', new RegExp(`^summarized in ${steps[0]?.into}; 7 of exchanges where 5`));
  const again = await memory.archive(exchange(long('My kayak is in box 5.'), { at: start }));
  assert.deepEqual(again, { status: 'duplicate', chunkIDs: [steps[0]?.into] }, 'a client that retries');
});

test('characters over budget: duplicates, then summaries, then eviction, and never over budget at the end (P16)', async (t) => {
  const { memory, put, say, isWithin } = await open(t, { audience: { characters: 1_500 } });
  for (let n = 0; n < 8; n += 1) await say(long(`Plan number ${n} is with the notary.`), { at: start + n });
  await put('The cat is gray');
  await put('the cat is GRAY!');
  const steps = (await memory.consolidate()).map(({ step }) => step);
  assert.deepEqual([...new Set(steps)], ['merge', 'summarize']);
  assert.ok(await isWithin());
  for (let n = 0; n < 60; n += 1) await put(`Entry ${n} of the list has its words and nothing else in it`);
  const later = (await memory.consolidate()).map(({ step }) => step);
  assert.deepEqual([...new Set(later)], ['evict']);
  assert.ok(await isWithin());
});

test('over budget by ten thousand, with nothing left to merge, it ends within the budget (P16)', async (t) => {
  const { memory, isWithin } = await open(t, { audience: { items: { turn: 50 } } });
  const lines = Array.from({ length: 10_050 }, (_, n) =>
    JSON.stringify({ id: `m${n}`, speaker: 'Ann', text: `Turn ${n} about subject ${n * 7}`, at: start + n }),
  );
  const { writeFileSync } = await import('node:fs');
  const path = `${memory.path}.jsonl`;
  writeFileSync(path, lines.join('\n'));
  const where = { audience: 'person:per_1' as const, restricted: true };
  const { chunks } = await memory.importPath({ path, format: 'transcript', where });
  assert.equal(chunks.stored, 10_050);
  const steps = await memory.consolidate();
  assert.ok(steps.every(({ step }) => step === 'evict'));
  assert.equal(steps.flatMap(({ ids }) => ids).length, 10_000);
  assert.ok(await isWithin());
  assert.deepEqual((await memory.verify()).problems, []);
});

test('vectors over budget are dropped, and what they were of stays and is found by its words', async (t) => {
  const embedder = testEmbedder();
  const { memory, put, isWithin } = await open(t, { audience: { vectors: 2 } }, { embedder });
  for (const word of ['kayak', 'cello', 'orchid', 'stove']) await put(`The ${word} is upstairs`);
  await until('4 vectors', async () => (await memory.status()).vectors >= 4);
  const steps = await memory.consolidate();
  assert.deepEqual(
    steps.map(({ step, ids }) => [step, ids.length]),
    [['drop_vectors', 2]],
  );
  assert.ok(await isWithin());
  assert.deepEqual((await memory.verify()).problems, []);
  assert.equal((await memory.records({ scope: mine })).length, 4);
  for (const word of ['kayak', 'stove']) assert.match((await found(memory, word))[0] ?? '', new RegExp(word));
});

test('nothing is forgotten because time passes (P17)', async (t) => {
  let now = start;
  const path = freshPath(t);
  const clock = clockOf(() => now);
  const settings = { audience: { items: { fact: 5 }, exchanges: 5, characters: 10_000 } };
  const memory = createMemory({ path, clock, newId: createIds(clock), budgets: settings });
  t.after(() => memory.close());
  await memory.put(note('The deed is in the safe'));
  await memory.archive(exchange('My key is under the mat'));
  now += 10 * 365 * 24 * 3_600_000;
  assert.deepEqual(await memory.consolidate(), []);
  assert.equal((await memory.list({ scope: mine })).length, 2);
});

test('two consolidations at once, in two processes, leave every memory once, in its old or its new form (P18)', async (t) => {
  const settings = { audience: { exchanges: 10 } };
  const { memory, say, isWithin } = await open(t, settings);
  for (let n = 0; n < 60; n += 1)
    await say(long(`Crate ${n} holds item number ${n * 3}.`), { at: start + n });
  const other = openMemory(t, { path: memory.path, budgets: settings });
  const model: AskDreamModel = async () => {
    await new Promise((done) => setTimeout(done, 5));
    return { text: 'no summary', tokens: 1 };
  };
  await Promise.all([memory.consolidate({ model }), other.consolidate(), memory.consolidate()]);
  assert.ok(await isWithin());
  const texts = (await memory.list({ scope: mine, limit: 1_000 })).map(({ text }) => text).join('\n');
  for (let n = 0; n < 60; n += 1)
    assert.equal(texts.match(new RegExp(`Crate ${n} holds`, 'g'))?.length, 1, `crate ${n}`);
  assert.deepEqual((await memory.verify()).problems, []);
});

test('a summary goes with its evidence, or is made again without it (P21)', async (t) => {
  const { memory, say } = await open(t, { audience: { exchanges: 1 } });
  const said = async (name: string, n: number) =>
    say(long(`The ${name} is in box ${n}.`), { at: start + n, runID: `run_${n}`, messageIDs: [`${n}`] });
  const ids = [
    await said('kayak', 1),
    await said('cello', 2),
    await said('orchid', 3),
    await said('stove', 4),
  ];
  await memory.consolidate();
  const text = async () =>
    (await memory.records({ scope: mine, kind: 'episode' })).map((record) => record.text).join('\n');
  assert.match(await text(), /kayak[\s\S]*cello[\s\S]*orchid/);
  const forget = (selection: object) => memory.forget({ scope: mine, selection, mode: 'forget' });
  const one = await forget({ ids: [ids[1]] });
  assert.deepEqual([one.entries, one.remains], [1, []]);
  assert.match(await text(), /kayak[\s\S]*orchid/);
  assert.doesNotMatch(JSON.stringify([await text(), await found(memory, 'cello')]), /cello/);
  assert.deepEqual((await memory.verify(['cello'])).traces, []);
  assert.equal((await forget({ run: 'run_3' })).entries, 1, 'by the run that answered it');
  assert.doesNotMatch(await text(), /orchid/);
  assert.equal((await forget({ words: 'kayak box' })).entries, 1, 'by its words');
  assert.equal(await text(), '', 'nothing is left of it');
  const back = await memory.archive(exchange(long('The cello is in box 2.'), { at: start + 2 }));
  assert.equal(back.status, 'nothing to store', 'what was forgotten is not stored again');
});

test('a person who is forgotten goes from the summaries of a room, and the others stay (P21)', async (t) => {
  const { memory, say } = await open(t, { audience: { exchanges: 1 } });
  const room = 'room:discord:channel:1:2:3:-' as const;
  const where = { audience: room, restricted: false, space: 'discord:1:2' };
  for (const [n, person] of ['per_1', 'per_2', 'per_1', 'per_2'].entries())
    await say(long(`Bench ${n} is ${person}'s.`), {
      ...{ where, at: start + n, chat: room.slice(5), speaker: { person, name: person } },
    });
  await memory.consolidate();
  const scope = { audiences: [room], spaces: [], everyone: false };
  const { entries } = await memory.forget({ scope, selection: { person: 'per_2' }, mode: 'forget' });
  assert.equal(entries, 2);
  const texts = (await memory.list({ scope })).map(({ text }) => text).join('\n');
  assert.match(texts, /Bench 0[\s\S]*Bench 2/);
  assert.doesNotMatch(texts, /per_2/);
});

test('a model writes the summary, and one that does not fit is replaced by the extract', async (t) => {
  const { memory, say } = await open(t, { audience: { exchanges: 1 } });
  for (let n = 0; n < 3; n += 1) await say(long(`Fact ${n} counts.`), { at: start + n });
  const model: AskDreamModel = async ({ prompt }) => {
    assert.match(prompt, /^\[1\] [\d-]+ ".*Fact 0/m);
    return { text: '[{"line": "Two facts count; the password is hunter2xyz", "of": [1, 2]}]', tokens: 9 };
  };
  await memory.consolidate({ model });
  const [episode] = await memory.records({ scope: mine, kind: 'episode' });
  assert.match(episode?.text ?? '', /^Two facts count/);
  assert.doesNotMatch(episode?.text ?? '', /hunter2xyz/);
  await say(long('Fact 3 counts.'), { at: start + 3 });
  await memory.consolidate({ model: async () => ({ text: '[{"line": "x", "of": [7]}]', tokens: 1 }) });
  const texts = (await memory.records({ scope: mine, kind: 'episode' })).map(({ text }) => text);
  assert.ok(texts.some((text) => /Fact 2 counts/.test(text)));
});

test('an agent with its own memory has its own budget, and what agents share another', async (t) => {
  const { memory, put } = await open(t, { agent: { items: { fact: 1 } } });
  const where = { audience: 'person:per_1' as const, restricted: true, partition: 'counsel' };
  await put('Shared one', { confidence: 0.1 });
  await put('Shared two');
  await put('Of counsel one', { where });
  assert.deepEqual(
    (await memory.budgets()).map(({ owner, uses }) => [owner, uses[0]?.used]),
    [
      [{ type: 'agent', agent: undefined }, 2],
      [{ type: 'agent', agent: 'counsel' }, 1],
    ],
  );
  await memory.consolidate();
  const own = await memory.records({ scope: { ...mine, partition: 'counsel' } });
  assert.deepEqual(
    own.map(({ text }) => text),
    ['Of counsel one'],
  );
  assert.deepEqual(
    (await memory.records({ scope: mine })).map(({ text }) => text),
    ['Shared two'],
  );
});

test('a procedure that is used, sure or pinned outlives one that fails', async (t) => {
  const { memory, put } = await open(t, { audience: { items: { procedure: 2 } } });
  const kind = 'procedure' as const;
  const failing = await put('Kick the printer', { kind });
  await put('Switch the printer off and on', { kind });
  await put('Clean the printer head', { kind });
  for (const runID of ['a', 'b', 'c'])
    await memory.signal({ id: failing, scope: mine, by: { ...by, runID }, outcome: 'failure' });
  assert.deepEqual(
    (await memory.consolidate()).flatMap(({ ids }) => ids),
    [failing],
  );
});
