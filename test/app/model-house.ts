// The whole house with a model server next to it that answers everything alike and remembers what it was asked. Not a test.
import type { TestContext } from 'node:test';
import { LLMock } from '@copilotkit/aimock';
import type { SandboxFaults } from '#app/compose/sandbox.ts';
import type { Clock } from '#base/clock.ts';
import type { SandboxPlatform } from '#sandbox/contract.ts';
import { frame, type RawCall, startRaw } from '../engine/support/raw-provider.ts';
import { type House, openHouse } from './house.ts';

/** Resolves once the platforms are connected. */
export async function openModelHouse(
  t: TestContext,
  platforms: readonly SandboxPlatform[],
  config: object = {},
  differing: SandboxFaults = {},
  variables: NodeJS.ProcessEnv = {},
  clock?: Clock,
): Promise<{ house: House; model: LLMock }> {
  const model = new LLMock({ port: 0 });
  await model.start();
  t.after(() => model.stop());
  model.addFixture({ match: { userMessage: /.*/ }, response: { content: 'Seen.' } });
  const house = await openHouse(t, {
    config: { model: { name: 'any' }, ...config },
    platforms: differing,
    variables: { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'k'.repeat(20), ...variables },
    ...(clock === undefined ? {} : { clock }),
  });
  await house.ready(...platforms);
  return { house, model };
}

/** The model calls these tools, one after another, when it reads these words. */
export function onWords(model: LLMock, userMessage: string, calls: { name: string; args: object }[]): void {
  for (const [sequenceIndex, { name, args }] of calls.entries())
    model.prependFixture({
      match: { userMessage, sequenceIndex },
      response: { toolCalls: [{ name, arguments: JSON.stringify(args) }] },
    });
}

/** The same with a server that does what `answer` says with each request, and the bodies of all requests. */
export async function openScriptedHouse(
  t: TestContext,
  answer: (call: RawCall, index: number) => void,
  {
    config = {},
    platforms = ['discord', 'telegram', 'slack'],
    clock,
  }: {
    config?: { model?: object; [key: string]: unknown };
    platforms?: readonly SandboxPlatform[];
    clock?: Clock;
  } = {},
): Promise<{ house: House; requests: RawCall['body'][] }> {
  const requests: RawCall['body'][] = [];
  const { settings } = await startRaw(t, (call, index) => {
    requests.push(call.body);
    answer(call, index);
  });
  const house = await openHouse(t, {
    config: { ...config, model: { name: 'm', ...config.model } },
    variables: { OPENAI_BASE_URL: settings.baseUrl, OPENAI_API_KEY: 'k'.repeat(20) },
    ...(clock === undefined ? {} : { clock }),
  });
  await house.ready(...platforms);
  return { house, requests };
}

/** Whether a request has a picture. */
export const hasPicture = (body: object): boolean => JSON.stringify(body).includes('"image_url"');

/** What a request holds, as text. */
export const sent = (body: object | undefined): string => JSON.stringify(body ?? {});

/** Calls a tool with these arguments, unchanged. */
export function callWith(call: RawCall, name: string, args: string): void {
  const asked = { index: 0, id: 't1', type: 'function', function: { name, arguments: args } };
  call.write(frame({ tool_calls: [asked] }));
  call.finish('tool_calls');
}

/** A whole answer, as a server sends it that does not stream. */
export const whole = (message: object, finish = 'stop'): object => ({
  id: 'c1',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
});
