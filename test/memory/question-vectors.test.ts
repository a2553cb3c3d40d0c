// A model that failed is left alone for a while, by the clock that nobody sets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createQuestionVectors } from '#memory/question-vectors.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { testEmbedder } from './embedder.ts';

test('a model that failed is asked again after half a minute, not sooner, when the clock is set back or on', async () => {
  for (const ms of [-3_600_000, 3_600_000]) {
    const clock = createManualClock();
    const embedder = testEmbedder();
    const embeddings = {
      any: () => true,
      question: (vector: readonly number[]) => Float32Array.from(vector),
    };
    const vectors = createQuestionVectors({ embedder, embeddings: embeddings as never, clock }); // all that questions ask for
    embedder.fault = { error: new Error('503 from the model') };
    assert.match((await vectors.of('ship')).degraded.join(), /503/);
    embedder.fault = undefined;
    clock.jump(ms);
    await clock.advance(29_000);
    assert.match((await vectors.of('ship')).degraded.join(), /503/);
    await clock.advance(1_000);
    assert.deepEqual((await vectors.of('ship')).degraded, []);
  }
});
