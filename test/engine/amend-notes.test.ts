// Notes that were made for a message go with it: also those of agents, of a run that was begun again, and of linked accounts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PromptOrigin } from '#engine/wire/runs/prompt.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { Scope } from '#memory/types/scope.ts';
import { openService, type Service } from './http/service-kit.ts';
import { converse, openKit, originOf } from './support/kit.ts';
import { startScripted, teamOf } from './teams/team-kit.ts';

const heron = 'My heron lives near Oslo.';
const mine: Scope = { audiences: ['person:per_1', 'person:per_2'], spaces: [], everyone: false };
const said = (text: string, nativeID: string, changes: Partial<PromptOrigin> = {}) => ({
  parts: [{ type: 'text' as const, text, nativeID }],
  origin: originOf({ nativeIDs: [nativeID], ...changes }),
});
const remembered = async (memory: Memory): Promise<string> =>
  JSON.stringify(await memory.list({ scope: mine }));

/** The model calls this tool for the next request, and answers the one after it. */
async function noting(service: Service, tool: string, args: object): Promise<void> {
  (await service.raw.next()).callTool(tool, args);
  const last = await service.raw.next();
  last.say('Noted.');
  last.finish();
}

for (const now of [null, 'My heron lives near Bergen.'])
  test(`what the agents of an answer noted is forgotten once its message is ${now === null ? 'deleted' : 'edited'}`, async (t) => {
    const scribe = {
      ...{ templateID: 'scribe', displayName: 'Scribe', role: 'worker' as const },
      ...{ systemPrompt: 'You are a scribe.', skills: [], budget: {} },
    };
    const model = await startScripted(t, ({ system, results }) => {
      if (system.includes('You are a scribe'))
        return results.length > 0
          ? { text: 'Stored.' }
          : { calls: [{ name: 'memory_store', args: { content: heron } }] };
      if (results.length > 1) return { text: 'Noted.' };
      if (results.length === 1) return { calls: [{ name: 'wait_agents', args: {} }] };
      return { calls: [{ name: 'spawn_agent', args: { template: 'scribe', task: `Note: ${heron}` } }] };
    });
    const team = teamOf({}, { templates: [scribe] });
    const { engine, memory } = await openKit(t, { model: model.settings, team });
    const { id } = await engine.createSession({ sourceKind: 'channel' });
    const { runID } = await converse(engine, id, said(heron, 'm1'));
    assert.match(await remembered(memory), /"source":"note","text":"My heron lives near Oslo/);
    await engine.amend({ runID, nativeID: 'm1', was: heron, now });
    assert.doesNotMatch(await remembered(memory), /Oslo/);
  });

test('what a run noted before its process died is forgotten with the message that was answered later', async (t) => {
  const service = await openService(t);
  const { kit, raw } = service;
  const { id } = await kit.engine.createSession({ sourceKind: 'channel' });
  const how = { idempotencyKey: 'turn_1', retryInterrupted: true };
  await kit.engine.prompt(id, said(heron, 'm1'), how);
  (await raw.next()).callTool('memory_store', { content: heron });
  await raw.next();
  await service.restart();
  const again = await kit.engine.prompt(id, said(heron, 'm1'), how);
  assert.ok(again.status === 'started');
  const answer = await raw.next();
  answer.say('Noted.');
  answer.finish();
  await kit.engine.finished(again.runID);
  assert.match(await remembered(kit.memory), /Oslo/);
  await kit.engine.amend({ runID: again.runID, nativeID: 'm1', was: heron, now: null });
  assert.doesNotMatch(await remembered(kit.memory), /Oslo/);
});

test('a note of a linked account that a message changed is forgotten with the message', async (t) => {
  const service = await openService(t);
  const { engine, memory } = service.kit;
  const there = { audience: 'person:per_2', speaker: { person: 'per_2', name: 'guest' } };
  const { id: other } = await engine.createSession({ sourceKind: 'channel' });
  const noted = converse(engine, other, said('My heron lives somewhere.', 't1', there));
  await noting(service, 'memory_store', { content: 'The heron lives somewhere.' });
  await noted;
  const [note] = await memory.records({ scope: mine });
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  const reach = { audiences: ['person:per_2'], spaces: [] };
  const changed = converse(engine, id, said(heron, 'm1', { reach }));
  await noting(service, 'memory_update', { id: note?.id, content: 'The heron lives near Oslo.' });
  const { runID } = await changed;
  const [later] = await memory.records({ scope: mine });
  assert.deepEqual([later?.audience, later?.text], ['person:per_2', 'The heron lives near Oslo.']);
  await engine.amend({ runID, nativeID: 'm1', was: heron, now: null });
  assert.doesNotMatch(await remembered(memory), /Oslo/);
});
