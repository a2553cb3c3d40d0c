// Vectors by a model in a folder of this machine: the folder's faults in words, the identity, and the real loading of a model that is made here.

import assert from 'node:assert/strict';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createLocalEmbedder, type LocalEmbeddingSettings } from '#engine/providers/local/embedder.ts';
import { exchange, mine, openMemory } from '../memory/open-memory.ts';
import { until } from '../support/found.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { localModels, tinyDimensions, writeTinyModel } from './support/tiny-model.ts';

const signal = new AbortController().signal;

function stage(t: TestContext) {
  const folder = join(tempFolder(t), 'tiny model');
  writeTinyModel(folder);
  const open = (more: Partial<LocalEmbeddingSettings> = {}) => {
    const embedder = createLocalEmbedder({
      folder,
      pooling: 'mean',
      documentPrefix: '',
      queryPrefix: '',
      ...more,
    });
    t.after(() => embedder.close?.());
    return embedder;
  };
  return { folder, open };
}

test('a folder without a model is refused with a message that does not say where it is', (t) => {
  const { folder, open } = stage(t);
  const refused = (words: RegExp) =>
    assert.throws(
      () => open(),
      (error: Error & { code?: string; hint?: string }) =>
        error.code === 'model_folder' &&
        words.test(error.message) &&
        !error.message.includes(folder) &&
        /model_quantized\.onnx/.test(error.hint ?? ''),
    );
  rmSync(join(folder, 'onnx', 'model_quantized.onnx'));
  refused(/"tiny model" has no onnx\/model_quantized\.onnx/);
  writeTinyModel(folder);
  writeFileSync(join(folder, 'config.json'), '{"model_type":"bert"}');
  refused(/does not say how many numbers/);
  assert.equal(open({ dimensions: 8 }).identity.dimensions, 8);
  writeFileSync(join(folder, 'config.json'), '{"hidden_size":"8"}');
  refused(/has a config\.json that cannot be used \(hidden_size/);
  writeFileSync(join(folder, 'tokenizer.json'), '{');
  writeTinyModel(folder);
  rmSync(join(folder, 'tokenizer.json'));
  refused(/has no tokenizer\.json/);
  rmSync(folder, { recursive: true });
  refused(/does not exist/);
});

test('vectors are kept by what is in the folder, wherever it lies: another model, pooling or prefix is another one', (t) => {
  const { folder, open } = stage(t);
  const name = (more: Partial<LocalEmbeddingSettings> = {}) => {
    const { provider, model, dimensions } = open(more).identity;
    return `${provider}/${model}/${dimensions}`;
  };
  const first = name();
  assert.match(first, /^local\/tiny model-[0-9a-f]{12}\/8$/);
  assert.notEqual(name({ pooling: 'cls' }), first);
  assert.notEqual(name({ documentPrefix: 'passage: ' }), first);
  assert.equal(name({ queryPrefix: 'query: ' }), first, 'what is asked with is no part of what is stored');
  const moved = join(tempFolder(t), basename(folder));
  renameSync(folder, moved);
  assert.equal(name({ folder: moved }), first);
  writeTinyModel(moved, 2);
  assert.notEqual(name({ folder: moved }), first, 'weights');
});

test('without the package the memory continues by words, and says what installs it (M12, M15)', async (t) => {
  const { folder, open } = stage(t);
  const embedder = open({ from: join(folder, 'config.json') });
  const memory = openMemory(t, { embedder });
  await memory.archive(exchange('My bicycle is green'));
  const asked = embedder.embed(['bike'], { purpose: 'query', signal });
  await assert.rejects(asked, (error: Error) => {
    assert.match(error.message, /not installed or does not load; npm install --no-save --ignore-scripts/);
    return !error.message.includes(folder);
  });
  const { hits } = await memory.search({ text: 'bicycle', scope: mine });
  assert.equal(hits.length, 1);
  assert.match((await memory.status()).degraded.join(), /index behind by 1/);
});

test('a memory that wants a model and has none searches by words and says so each time', async (t) => {
  const memory = openMemory(t, { embedderMissing: 'the model folder "tiny" does not exist' });
  await memory.archive(exchange('My bicycle is green'));
  const words = ['no embeddings (the model folder "tiny" does not exist)'];
  const { hits, degraded } = await memory.search({ text: 'bicycle', scope: mine });
  assert.deepEqual([hits.length, degraded], [1, words]);
  assert.deepEqual((await memory.recall({ text: 'bicycle', scope: mine })).degraded, words);
  assert.deepEqual((await memory.status()).degraded, words);
});

test('a model in a folder finds what was written in other words', { skip: localModels.skip }, async (t) => {
  const { folder, open } = stage(t);
  const embedder = open({ from: localModels.from, documentPrefix: 'passage ' });
  const long = `${'tea '.repeat(15)}${'boat '.repeat(200)}`;
  const saved = await embedder.embed(['My Bicycle', 'a ship and a boat', '', long], {
    purpose: 'document',
    signal,
  });
  assert.deepEqual(
    saved.map((vector) => vector.length),
    [tinyDimensions, tinyDimensions, tinyDimensions, tinyDimensions],
  );
  const [bike] = await embedder.embed(['bike'], { purpose: 'query', signal });
  const dot = (a: readonly number[] = [], b: readonly number[] = []): number =>
    a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
  for (const vector of [...saved, bike]) assert.ok(Math.abs(dot(vector, vector) - 1) < 1e-5, 'of length one');
  assert.ok(dot(bike, saved[0]) > 0.6 && dot(bike, saved[1]) < 0.2);
  assert.ok((saved[0]?.[3] ?? 0) > 0.5, 'what is stored has its prefix');
  assert.ok((bike?.[3] ?? 1) < 0.1, 'what is asked has not');
  assert.ok((saved[3]?.[1] ?? 1) < 0.1, 'what is longer than the model takes is cut off');

  const memory = openMemory(t, { embedder });
  for (const text of ['My bicycle is green', 'The ship was late']) await memory.archive(exchange(text));
  await until('2 vectors', async () => (await memory.status()).vectors >= 2);
  const { hits } = await memory.search({ text: 'boat', scope: mine });
  assert.match(hits[0]?.text ?? '', /The ship was late/);

  const given = new AbortController();
  const late = embedder.embed(['tea'], { purpose: 'query', signal: given.signal });
  given.abort(new Error('too late'));
  await assert.rejects(late, /too late/);

  // loaded again from a folder that is gone: nothing is fetched in its place, and where it was is not said
  const other = open({ from: localModels.from });
  rmSync(folder, { recursive: true });
  await assert.rejects(
    other.embed(['tea'], { purpose: 'query', signal }),
    (error: Error & { code?: string }) => {
      assert.match(error.message, /^the local model "tiny model-\w+" failed: .*not found locally/);
      return error.code === 'embedding_failed' && !error.message.includes(folder);
    },
  );
});
