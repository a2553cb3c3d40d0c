// An independent server that speaks the providers' APIs, and the settings that lead to it.
import type { TestContext } from 'node:test';
import { LLMock } from '@copilotkit/aimock';
import type { ModelSettings, ProviderName } from '#engine/providers/calls/settings.ts';

export async function startMock(t: TestContext): Promise<LLMock> {
  const mock = new LLMock({ port: 0, host: '127.0.0.1', logLevel: 'silent', chunkSize: 6 });
  await mock.start();
  t.after(() => mock.stop());
  return mock;
}

export const secret = 'sk-canary-0123456789abcdef';

export function settingsFor(provider: Exclude<ProviderName, 'offline'>, mock: LLMock): ModelSettings {
  const path = provider === 'google' ? '/v1beta' : '/v1';
  return { provider, model: 'test-model', baseUrl: mock.url + path, apiKey: secret };
}
