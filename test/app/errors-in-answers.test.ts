// Answers that speak of errors, on each platform: they are answers, and nothing takes them for a failure.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LLMock } from '@copilotkit/aimock';
import { openHouse } from './house.ts';

const platforms = ['discord', 'telegram', 'slack'] as const;
/** What Tandem once hid, and what providers say of a refused key. */
const answer =
  'ENGINE_ERROR means that the engine failed. With AUTHENTICATION_ERROR or "Incorrect API key provided" (401) look at the key; "invalid x-api-key" says the same.';

test('an answer that names an error reaches the chat as it was written, also after a run that failed with it (T13)', async (t) => {
  const model = new LLMock({ port: 0 });
  await model.start();
  t.after(() => model.stop());
  model.addFixture({
    match: { userMessage: /fail/ },
    response: { error: { message: 'Incorrect API key provided', type: 'authentication_error' }, status: 401 },
  });
  model.addFixture({ match: { userMessage: /explain/ }, response: { content: answer } });
  const house = await openHouse(t, {
    config: { model: { name: 'any' } },
    variables: { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'k'.repeat(20) },
  });
  await house.ready(...platforms);
  for (const platform of platforms) {
    const chat = { platform, chat: 'dm', user: 'you' } as const;
    const failed = await house.ask(chat, 'fail');
    assert.match(failed, /\(reference ref_\w+\)/, platform);
    assert.doesNotMatch(failed, /Incorrect API key|AUTHENTICATION_ERROR|ENGINE_ERROR/, platform);
    assert.equal((await house.ask(chat, 'explain')).trim(), answer, platform);
  }
});
