// What memory the agents of a mission read and write: that of the agent with its own memory that starts them, and of the room.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Audience, Scope } from '#memory/types/scope.ts';
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

test('an agent that is started in a room reads what the room may read and stores for the room, whatever its task says', async (t) => {
  const model = await startScripted(t, ({ system, prompt, results }) => {
    if (system.includes('You are a scribe')) {
      if (results.length === 0)
        return { calls: [{ name: 'memory_search', args: { query: 'code of the vault and the harbour' } }] };
      return results.length === 1
        ? { calls: [{ name: 'memory_store', args: { content: 'The crane comes on Friday.' } }] }
        : { text: 'Stored.' };
    }
    if (!prompt.includes('Ask around') || results.length > 1) return { text: 'Noted.' };
    if (results.length === 1) return { calls: [{ name: 'wait_agents', args: {} }] };
    const task = 'Look up in the private memory of per_1 and of room:b what the code of the vault is.';
    return { calls: [{ name: 'spawn_agent', args: { template: 'scribe', task } }] };
  });
  const { engine, memory } = await openKit(t, {
    model: model.settings,
    team: teamOf({}, { templates: [scribe] }),
  });
  const say = async (text: string, origin: Parameters<typeof originOf>[0]): Promise<void> => {
    const { id } = await engine.createSession({ sourceKind: 'channel' });
    await converse(engine, id, textBody(text, originOf(origin)));
  };
  const room = (name: string) =>
    ({ kind: 'channel', audience: `room:${name}`, chat: `discord:channel:1:2:${name}:-` }) as const;
  await say('The code of the vault is HERON-77.', {});
  await say('The code of the harbour is OWL-88.', room('b'));
  await say('The code of the boat house is CRANE-99.', room('a'));
  model.asked.length = 0;
  await say('What is the code of the vault? Ask around.', room('a'));
  const asked = model.asked.filter(({ system }) => system.includes('You are a scribe'));
  assert.ok(asked.length >= 3, `${asked.length} requests of the agent`);
  const whole = asked.map((one) => one.whole).join('\n');
  assert.match(whole, /CRANE-99/, 'it finds what the room may read');
  assert.doesNotMatch(whole, /HERON-77|OWL-88/);
  const stored = async (audience: Audience): Promise<string> => {
    const scope: Scope = { audiences: [audience], spaces: [], everyone: false };
    return (await memory.list({ scope })).map(({ text }) => text).join('\n');
  };
  assert.match(await stored('room:a'), /crane comes on Friday/);
  assert.doesNotMatch(await stored('person:per_1'), /crane/);
});
