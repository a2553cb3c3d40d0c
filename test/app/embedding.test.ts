// `memory.embedding` in the config: each provider with exactly its keys, a folder next to the config, and what the doctor says of it.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { chooseEmbedder } from '#app/compose/embedder.ts';
import { loadConfig } from '#app/config/load.ts';
import { checkEmbedding } from '#app/doctor/embedding.ts';
import { writeTinyModel } from '../engine/support/tiny-model.ts';
import { tempFolder } from '../support/temp-folder.ts';

function load(t: TestContext, embedding: object, folder = tempFolder(t)) {
  writeFileSync(join(folder, 'parley.config.json'), JSON.stringify({ memory: { embedding } }));
  return loadConfig({ folder, variables: {} });
}

test('what a provider needs and what is not its own is reported', (t) => {
  const local = { provider: 'local' };
  const hosted = { provider: 'openai' };
  for (const [embedding, words] of [
    [local, /"memory\.embedding\.model": expected the name of a model of the hub, or a `folder`/],
    [{ ...local, model: 'small' }, /"memory\.embedding\.model": expected OWNER\/NAME/],
    [{ ...local, model: '../small' }, /"memory\.embedding\.model": expected OWNER\/NAME/],
    [{ ...local, model: 'o/small' }, /"memory\.embedding\.revision": expected the commit of "o\/small"/],
    [{ ...local, model: 'o/small', revision: 'main' }, /"memory\.embedding\.revision": expected a commit/],
    [
      { ...local, folder: 'm', model: 'x' },
      /"memory\.embedding\.model": a model in a folder is named by `folder`/,
    ],
    [
      { ...local, folder: 'm', baseUrl: 'http://x' },
      /"memory\.embedding\.baseUrl": a model in a folder has no/,
    ],
    [{ ...local, folders: 'm' }, /"memory\.embedding\.folders" is not a key.*nearest.*embedding\.folder"/],
    [{ ...hosted, dimensions: 8 }, /"memory\.embedding\.model": expected the name/],
    [{ ...hosted, model: 'x' }, /"memory\.embedding\.dimensions": expected how many/],
    [{ ...hosted, model: 'x', dimensions: 8, folder: 'm' }, /"memory\.embedding\.folder": it belongs to/],
    [{ ...hosted, model: 'x', dimensions: 8, pooling: 'cls' }, /"memory\.embedding\.pooling": it belongs to/],
  ] as const)
    assert.throws(() => load(t, embedding), words);
});

test('the folder of a local model is looked for next to the config, and the doctor says what is wrong with it, which stops nothing (M16)', async (t) => {
  const folder = tempFolder(t);
  const loaded = load(t, { provider: 'local', folder: 'models/tiny' }, folder);
  const words = 'the model folder "tiny" does not exist';
  assert.deepEqual(chooseEmbedder(loaded), { embedderMissing: words });
  assert.deepEqual(
    (await checkEmbedding(loaded)).map(({ level, what }) => [level, what]),
    [['warning', `Memory is searched by words only: ${words}.`]],
  );
  writeTinyModel(join(folder, 'models', 'tiny'));
  assert.match(chooseEmbedder(loaded).embedder?.identity.model ?? '', /^tiny-[0-9a-f]{12}$/);
  const [remark] = await checkEmbedding(loaded);
  assert.deepEqual(
    [remark?.level, /^Run "npm install --no-save/.test(remark?.hint ?? '')],
    ['warning', true],
  );
  assert.deepEqual(chooseEmbedder(loadConfig({ folder: tempFolder(t), variables: {} })), {});
});
