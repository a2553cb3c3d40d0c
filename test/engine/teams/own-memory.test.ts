// The agents that an agent with its own memory starts: they work in that memory, and in no other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scope } from '#memory/types/scope.ts';
import { ask, converse, openKit, originOf, textBody } from '../support/kit.ts';
import { startScripted, teamOf } from './team-kit.ts';

const agents = [
  { name: 'clerk', systemPrompt: 'You are a clerk.' },
  { name: 'counsel', systemPrompt: 'You are a counsellor.', partition: 'own' as const },
];
const scribe = {
  ...{ templateID: 'scribe', displayName: 'Scribe', role: 'worker' as const },
  ...{ systemPrompt: 'You are a scribe.', skills: [], budget: {} },
};

test('an agent that an agent with its own memory starts reads and writes in that memory only', async (t) => {
  const model = await startScripted(t, ({ system, results }) => {
    if (system.includes('You are a scribe'))
      return results.length > 0
        ? { text: 'Stored.' }
        : { calls: [{ name: 'memory_store', args: { content: 'The dream was of a red staircase.' } }] };
    if (!system.includes('You are a counsellor') || results.length > 1) return { text: 'Noted.' };
    if (results.length === 1) return { calls: [{ name: 'wait_agents', args: {} }] };
    return {
      calls: [
        {
          name: 'spawn_agent',
          args: { template: 'scribe', task: 'Where is the invoice, and what was dreamt?' },
        },
      ],
    };
  });
  const { engine, memory } = await openKit(t, {
    model: model.settings,
    team: teamOf({}, { templates: [scribe] }),
    agents,
  });
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  await converse(engine, id, textBody('The invoice is in the green folder.', originOf()));
  const { id: other } = await engine.createSession({ sourceKind: 'channel' });
  const body = { ...textBody('I dream of a red staircase.', originOf()), agent: 'counsel' };
  await ask(engine, other, body);
  const asked = model.asked.filter(({ system }) => system.includes('You are a scribe'));
  assert.ok(asked.length > 0);
  for (const { system } of asked) assert.doesNotMatch(system, /green folder/);
  const read = async (partition?: string): Promise<string> => {
    const scope: Scope = { audiences: ['person:per_1'], spaces: [], everyone: false, partition };
    return (await memory.list({ scope })).map(({ text }) => text).join('\n');
  };
  assert.doesNotMatch(await read(), /staircase/);
  assert.match(await read('counsel'), /staircase/);
});
