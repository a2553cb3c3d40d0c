// Embedding models over real HTTP with the real provider clients, against an independent server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LLMock } from '@copilotkit/aimock';
import { createEmbedder, type EmbeddingSettings } from '#engine/providers/embedding.ts';
import { secret, startMock } from './support/mock-provider.ts';

const signal = new AbortController().signal;
const settings = (mock: LLMock, more: Partial<EmbeddingSettings>): EmbeddingSettings => ({
  provider: 'openai',
  model: 'text-embedding-3-small',
  dimensions: 64,
  baseUrl: `${mock.url}/${more.provider === 'google' ? 'v1beta' : 'v1'}`,
  apiKey: secret,
  documentPrefix: '',
  queryPrefix: '',
  ...more,
});

const kinds: Record<string, Partial<EmbeddingSettings>> = {
  openai: {},
  google: { provider: 'google', model: 'gemini-embedding-001' },
  'openai-compatible': { provider: 'openai-compatible', model: 'nomic-embed-text' },
};

for (const [kind, more] of Object.entries(kinds)) {
  test(`${kind} gives a vector for each text, in order, and equal ones for equal texts`, async (t) => {
    const mock = await startMock(t);
    const embedder = createEmbedder(settings(mock, more));
    const texts = ['The harbour was closed', 'My bicycle is green', 'The harbour was closed'];
    // the server knows Google's call for one text only
    const calls = kind === 'google' ? texts.map((text) => [text]) : [texts];
    const answers = calls.map((call) => embedder.embed(call, { purpose: 'document', signal }));
    const vectors = (await Promise.all(answers)).flat();
    assert.equal(vectors.length, 3);
    assert.deepEqual(vectors[0], vectors[2]);
    assert.notDeepEqual(vectors[0], vectors[1]);
    if (kind !== 'openai-compatible') assert.equal(vectors[0]?.length, 64);
  });
}

test('a refused call is reported without key or address, and tried once', async (t) => {
  const mock = await startMock(t);
  mock.onEmbedding(/.*/, { error: { message: `Incorrect API key provided: ${secret}` }, status: 401 });
  const embedder = createEmbedder(settings(mock, {}));
  await assert.rejects(embedder.embed(['x'], { purpose: 'query', signal }), (error: Error) => {
    assert.equal(error.message.includes(secret) || error.message.includes(mock.url), false);
    assert.match(error.message, /refused the key/);
    return true;
  });
  assert.equal(mock.getRequests().length, 1);
});

test('a missing key is reported before anything is called, and other words before a text are another model', async (t) => {
  const mock = await startMock(t);
  assert.throws(() => createEmbedder(settings(mock, { apiKey: undefined })), { code: 'model_settings' });
  const plain = createEmbedder(settings(mock, {}));
  const prefixed = createEmbedder(settings(mock, { documentPrefix: 'passage: ' }));
  assert.notDeepEqual(plain.identity, prefixed.identity);
});
