// The whole house with a model server next to it that answers everything alike and remembers what it was asked. Not a test.
import type { TestContext } from 'node:test';
import { LLMock } from '@copilotkit/aimock';
import type { SandboxFaults } from '#app/compose/sandbox.ts';
import type { SandboxPlatform } from '#sandbox/contract.ts';
import { type House, openHouse } from './house.ts';

/** Resolves once the platforms are connected. */
export async function openModelHouse(
  t: TestContext,
  platforms: readonly SandboxPlatform[],
  config: object = {},
  differing: SandboxFaults = {},
): Promise<{ house: House; model: LLMock }> {
  const model = new LLMock({ port: 0 });
  await model.start();
  t.after(() => model.stop());
  model.addFixture({ match: { userMessage: /.*/ }, response: { content: 'Seen.' } });
  const house = await openHouse(t, {
    config: { model: { name: 'any' }, ...config },
    platforms: differing,
    variables: { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'k'.repeat(20) },
  });
  await house.ready(...platforms);
  return { house, model };
}
