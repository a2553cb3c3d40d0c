// Agents that use up each kind of their budget, missions whose agents all failed, and what is counted where the process dies.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { until } from '../../support/found.ts';
import { openService } from '../http/service-kit.ts';
import { type Script, startScripted, teamOf } from './team-kit.ts';

type Test = Parameters<typeof startScripted>[0] & Parameters<typeof openService>[0];

/** An agent over HTTP with this budget; its mission once it has ended, and the types of its events. */
async function agentWith(t: Test, budget: object, script: Script) {
  const model = await startScripted(t, script);
  const team = teamOf({ costPer1kTokensUSD: 0.01 });
  const service = await openService(t, { model: model.settings, team });
  const spawned = await service.ask('POST', '/agent-team/spawn', {
    ...{ templateID: 'researcher', prompt: 'Look.', budget_override: budget },
  });
  assert.equal(spawned.status, 200, JSON.stringify(spawned.body));
  const { missionID, runID } = spawned.body;
  return { service, model, missionID, runID };
}

async function ended({ service, missionID, runID }: Awaited<ReturnType<typeof agentWith>>) {
  await service.kit.engine.finished(runID);
  const { body } = await service.ask('GET', `/agent-team/missions?missionID=${missionID}`);
  const events: { type: string; properties: Record<string, unknown> }[] = (
    await service.ask('GET', `/runs/${runID}/events`)
  ).body;
  return { mission: body.missions[0], agent: body.missions[0].instances[0], events };
}

/** It says something and calls a tool, each time it is asked. */
const works: Script = ({ results }) => ({
  text: `Found ${results.length}. `,
  calls: [{ name: 'memory_list', args: {} }],
  usage: { input: 5_000, output: 100 },
});

const kinds: readonly (readonly [kind: string, budget: object])[] = [
  ['tokens', { max_tokens: 9_000 }],
  ['steps', { max_steps: 2 }],
  ['tool calls', { max_tool_calls: 1 }],
  ['cost', { max_cost_usd: 0.09 }],
];
for (const [kind, budget] of kinds)
  test(`an agent whose budget of ${kind} is used up ends with what it had, as partial, and that is reported once`, async (t) => {
    const { mission, agent, events } = await ended(await agentWith(t, budget, works));
    assert.deepEqual([agent.status, agent.partial, agent.exhausted], ['completed', true, kind]);
    const exhausted = events.filter(({ type }) => type === 'agent_team.budget.exhausted');
    assert.deepEqual(
      exhausted.map(({ properties }) => properties.limit),
      [kind],
    );
    const end = events.find(({ type }) => type === 'agent_team.instance.completed');
    assert.equal(end?.properties.partial, true);
    assert.equal(mission.status, 'completed');
  });

test('an agent whose working time is used up ends with what it had, as partial', async (t) => {
  const held = Promise.withResolvers<void>();
  t.after(() => held.resolve());
  const going = await agentWith(t, { max_duration_ms: 5_000 }, ({ results }) =>
    results.length === 0
      ? { text: 'Found it. ', calls: [{ name: 'memory_list', args: {} }] }
      : { held: held.promise },
  );
  await until('the second call', () => going.model.asked.length === 2);
  await going.service.clock.advance(5_000);
  const { agent, events } = await ended(going);
  assert.deepEqual([agent.status, agent.partial, agent.exhausted], ['completed', true, 'working time']);
  assert.equal(events.filter(({ type }) => type === 'agent_team.budget.exhausted').length, 1);
});

test('an answer that is cut at the bound of its budget is partial', async (t) => {
  const { service, runID, missionID, model } = await agentWith(t, { max_tokens: 9_000 }, ({ maxTokens }) => ({
    ...{ text: 'It is long and', finish: 'length' },
    usage: { input: 1_000, output: maxTokens ?? 0 },
  }));
  const { agent } = await ended({ service, runID, missionID, model });
  assert.deepEqual([agent.status, agent.partial, agent.exhausted], ['completed', true, 'tokens']);
});

test('an agent that had nothing when its budget was used up has failed, and so has a mission whose agents all failed', async (t) => {
  const { mission, agent } = await ended(await agentWith(t, { max_tokens: 10 }, works));
  assert.deepEqual([agent.status, agent.partial, agent.exhausted], ['failed', true, 'tokens']);
  assert.match(agent.error, /budget of this agent is used up/);
  assert.deepEqual([mission.status, mission.reason], ['failed', 'All of its agents failed.']);
});

test('a mission that a run began has failed where all of its agents failed, though the run has answered', async (t) => {
  const model = await startScripted(t, ({ system, results }) => {
    if (system.includes('You are a researcher')) return { text: '' };
    if (results.length === 0)
      return {
        calls: [
          {
            name: 'spawn_agent',
            args: { template: 'researcher', task: 'Look.', budget: { max_tokens: 10 } },
          },
        ],
      };
    return results.length === 1 ? { calls: [{ name: 'wait_agents', args: {} }] } : { text: 'Nothing.' };
  });
  const service = await openService(t, { model: model.settings, team: teamOf() });
  const id = await service.session();
  const told = () => JSON.stringify(model.asked.at(-1));
  const { body } = await service.ask('POST', `/session/${id}/prompt_async?return=run`, {
    parts: [{ type: 'text', text: 'Go.' }],
  });
  assert.equal((await service.kit.engine.finished(body.runID)).text, 'Nothing.');
  assert.match(told(), /budget of tokens was used up; it had nothing to give yet/);
  const [mission] = (await service.ask('GET', '/agent-team/missions')).body.missions;
  assert.deepEqual([mission.status, mission.reason], ['failed', 'All of its agents failed.']);
});

test('a call that a process dies in is counted: the model with its prompt, and the tool', async (t) => {
  const held = Promise.withResolvers<void>();
  t.after(() => held.resolve());
  const { service, model } = await agentWith(t, { max_tokens: 90_000 }, ({ results }) =>
    results.length === 0
      ? { text: 'Found it. ', calls: [{ name: 'memory_list', args: {} }], usage: { input: 900, output: 100 } }
      : { held: held.promise },
  );
  await until('the second call', () => model.asked.length === 2);
  const database = new Database(join(service.kit.folder, 'engine.sqlite'), { readonly: true });
  const spent = JSON.parse(String(database.prepare('SELECT spent FROM team_instances').pluck().get()));
  database.close();
  assert.deepEqual([spent.steps, spent.toolCalls, spent.tokens > 1_000], [2, 1, true]);
});
