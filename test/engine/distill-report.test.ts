// What a distillation reports: how many facts there are and who found them, which were stored, there before, unimportant or refused, and what a stored one holds.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createIds } from '#base/ids.ts';
import { createSecrets } from '#base/secrets.ts';
import type { EngineOptions } from '#engine/engine.ts';
import type { MemoryDistill } from '#engine/wire/memory/memory-context.ts';
import { createMemory } from '#memory/memory.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openKit } from './support/kit.ts';
import { frame, type RawCall, startRaw } from './support/raw-provider.ts';

const padding = 'The garden needs rain and the shed needs paint. '.repeat(5);
const owner = { audiences: ['person:operator' as const], spaces: [], everyone: false };

async function stage(t: TestContext, options: Partial<EngineOptions> = {}) {
  const clock = createManualClock();
  const path = join(tempFolder(t), 'memory.sqlite');
  const memory = createMemory({ path, clock, newId: createIds(clock) });
  const { engine, logged } = await openKit(t, { clock, memory, ...options });
  const distil = (texts: readonly string[], more: Partial<MemoryDistill> = {}) =>
    engine.distillMemory({
      session_id: 'outside',
      conversation: texts.map((content) => ({ role: 'user' as const, content, speaker: 'Ann' })),
      artifact_refs: [],
      importance_threshold: 0.5,
      ...more,
    });
  const facts = async () => memory.records({ scope: owner, limit: 100 });
  return { clock, memory, distil, facts, logged };
}

const counts = ({
  distillation_id: _,
  session_id: __,
  memory_ids,
  candidate_ids,
  ...rest
}: Awaited<ReturnType<Awaited<ReturnType<typeof stage>>['distil']>>) => ({
  ...rest,
  ids: [memory_ids.length, candidate_ids.length],
});

test('a short conversation, and one in which nothing is important enough, store nothing and say so', async (t) => {
  const { distil, facts } = await stage(t);
  const none = { ok: true, facts_extracted: 0, stored_count: 0, deduped_count: 0, ids: [0, 0] };
  const report = { by: 'rules', unimportant: 0, refused: 0, facts: [] };
  const short = await distil(['I prefer trains.']);
  assert.match(short.distillation_id, /^dst_/);
  assert.equal(short.session_id, 'outside');
  assert.deepEqual(counts(short), { ...none, status: 'skipped_short_conversation', report });
  assert.deepEqual(counts(await distil([padding])), { ...none, status: 'no_important_facts', report });
  const texts = [`I prefer trains. ${padding}`, 'My bank branch is in Oslo.'];
  assert.deepEqual(counts(await distil(texts, { importance_threshold: 0.9 })), {
    ...{ ...none, status: 'no_important_facts' },
    report: { ...report, unimportant: 2 },
  });
  assert.deepEqual(await facts(), []);
});

test('facts at the threshold are stored with what they are, and found there the second time', async (t) => {
  const { distil, facts, clock } = await stage(t);
  const texts = [`I prefer trains. ${padding}`, 'My bank branch is in Oslo.', 'The roof is finished.'];
  const more = { importance_threshold: 0.7, project_id: 'p1', run_id: 'run_1', artifact_refs: ['art_1'] };
  const first = await distil(texts, more);
  assert.deepEqual(counts(first), {
    ...{ ok: true, status: 'stored', facts_extracted: 2, stored_count: 2, deduped_count: 0, ids: [2, 0] },
    report: {
      ...{ by: 'rules', unimportant: 1, refused: 0 },
      facts: [
        { id: first.memory_ids[0], status: 'stored', category: 'user_preference', importance: 0.8 },
        { id: first.memory_ids[1], status: 'stored', category: 'fact', importance: 0.7 },
      ],
    },
  });
  const [one] = (await facts()).filter(({ text }) => text.includes('trains'));
  assert.deepEqual(
    [one?.kind, one?.confidence, one?.metadata, one?.artifactRefs, one?.projectID, one?.runID, one?.at],
    ['fact', 0.8, { category: 'user_preference' }, ['art_1'], 'p1', 'run_1', clock.now()],
  );
  const again = await distil(texts, more);
  assert.deepEqual(counts(again).ids, [0, 2]);
  assert.deepEqual(
    [again.status, again.facts_extracted, again.stored_count, again.deduped_count, again.report.refused],
    ['nothing_new', 2, 0, 2, 0],
  );
  assert.deepEqual(again.candidate_ids.sort(), [...first.memory_ids].sort());
  const outcome = await distil(texts, { importance_threshold: 0.65 });
  assert.deepEqual([outcome.stored_count, outcome.deduped_count], [1, 2]);
  const [done] = (await facts()).filter(({ text }) => text.includes('roof'));
  assert.equal(done?.kind, 'solution_capsule');
});

test('a fact that was forgotten is refused, and counted as that', async (t) => {
  const { distil, memory } = await stage(t);
  const texts = [`I prefer trains. ${padding}`];
  const { memory_ids: ids } = await distil(texts);
  await memory.forget({ scope: owner, selection: { ids }, mode: 'forget' });
  const again = await distil(texts);
  assert.deepEqual(
    [again.status, again.facts_extracted, again.stored_count, again.deduped_count, again.report.refused],
    ['nothing_new', 1, 0, 0, 1],
  );
  assert.deepEqual(again.report.facts[0]?.status, 'forgotten');
});

/** The model answers with these facts. */
function answer(call: RawCall, facts: readonly object[]): void {
  call.say(JSON.stringify(facts));
  call.write(`${frame({}, 'stop')}data: [DONE]\n\n`);
  call.end();
}

const fact = (text: string, more: object = {}) => ({
  text,
  category: 'fact',
  importance: 0.8,
  lines: [0],
  ...more,
});

test('facts of a model are stored once where they share at least 85 of 100 words, and one about the same takes the place of the last', async (t) => {
  const raw = await startRaw(t);
  const secret = 'sk-distilled-0123456789';
  const { distil, facts } = await stage(t, { model: raw.settings, secrets: createSecrets([secret]) });
  const ask = async (...made: object[]) => {
    const asked = distil([padding]);
    const call = await raw.next();
    assert.equal(call.body.tools, undefined);
    answer(call, made);
    return asked;
  };
  const six = 'Ann rows seven green boats there';
  const first = await ask(fact(six));
  assert.deepEqual([first.report.by, first.stored_count], ['model', 1]);
  const seven = await ask(fact(`${six} now`));
  assert.deepEqual([seven.stored_count, seven.deduped_count], [0, 1], 'six of seven words are the same');
  assert.deepEqual(seven.candidate_ids, first.memory_ids);
  const other = await ask(fact('Ann rows seven green boats'));
  assert.deepEqual([other.stored_count, other.deduped_count], [1, 0], 'five of six are not enough');
  const case_ = await ask(fact(`${six.toUpperCase()}!`));
  assert.equal(case_.deduped_count, 1, 'whatever the case and the punctuation');
  const code = await ask(fact('The gate code is 1111', { key: 'gate code' }));
  const later = await ask(fact('The gate code is 2222 since Friday', { key: 'gate code' }));
  assert.deepEqual([code.stored_count, later.stored_count], [1, 1]);
  const gate = (await facts()).filter(({ metadata }) => metadata.key === 'gate code');
  assert.deepEqual(
    gate.map(({ text, version }) => [text, version]),
    [['The gate code is 2222 since Friday', 2]],
  );
  await ask(fact(`The key is ${secret}.`));
  assert.ok(!JSON.stringify(await facts()).includes(secret));
});

test('an answer that is no list is left to the rules, which is logged, and so is a model that fails', async (t) => {
  const raw = await startRaw(t);
  const { distil, logged } = await stage(t, { model: raw.settings });
  const texts = [`I prefer trains. ${padding}`];
  const asked = distil(texts);
  const call = await raw.next();
  call.say('I cannot.');
  call.finish();
  const first = await asked;
  assert.deepEqual([first.report.by, first.stored_count], ['rules', 1]);
  const failing = distil(texts);
  (await raw.next()).refuse(400, { error: { message: 'no' } });
  assert.deepEqual([(await failing).report.by, (await failing).deduped_count], ['rules', 1]);
  assert.equal(logged.filter((line) => line.includes('the model distilled nothing')).length, 1);
});
