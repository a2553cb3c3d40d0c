// What agents may use: reserved before, settled after, in every dimension; exhausted once, with what they had.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nothingSpent } from '#engine/teams/budget.ts';
import { createMeter } from '#engine/teams/meter.ts';
import type { Budget } from '#engine/wire/teams/team-policy.ts';
import { ask, openKit, watch } from '../support/kit.ts';
import { missionOf, type Script, startScripted, teamOf } from './team-kit.ts';

const costOf = ({ inputTokens, outputTokens }: { inputTokens: number; outputTokens: number }): number =>
  inputTokens + 2 * outputTokens;
function meterOf(granted: Budget) {
  const exhausted: string[] = [];
  const meter = createMeter({
    ...{ granted, before: nothingSpent, costOf },
    exhausted: (dimension) => void exhausted.push(dimension),
  });
  return { meter, exhausted };
}

test('a call of a model is bounded by what is left of tokens and cost, and refused where no answer fits (S2)', () => {
  const { meter, exhausted } = meterOf({ tokens: 300 });
  assert.deepEqual(meter.beforeCall(300), { mustAnswer: false, maxTokens: 200 });
  meter.afterCall({ inputTokens: 90, outputTokens: 150 }, 0);
  assert.throws(() => meter.beforeCall(300), { code: 'BUDGET_EXHAUSTED', message: /budget of tokens/ });
  assert.throws(() => meter.beforeCall(300), { code: 'BUDGET_EXHAUSTED' });
  assert.deepEqual(exhausted, ['tokens'], 'reported once');
  const priced = meterOf({ microUSD: 300 });
  assert.deepEqual(priced.meter.beforeCall(300), { mustAnswer: false, maxTokens: 100 });
  priced.meter.afterCall(undefined, 300);
  assert.equal(priced.meter.spent(0).microUSD, 300, 'what a provider does not report is estimated');
  assert.throws(() => priced.meter.beforeCall(3), { message: /budget of cost/ });
});

test('the last step has to be an answer, tools are counted, and a call that was broken off counts with its prompt (S2, S14)', () => {
  const { meter, exhausted } = meterOf({ steps: 2, toolCalls: 1, ms: 1_000 });
  assert.equal(meter.beforeCall(30).mustAnswer, false);
  meter.afterCall({ inputTokens: 10, outputTokens: 1 }, 3);
  assert.equal(meter.beforeTool(), undefined);
  assert.match(meter.beforeTool() ?? '', /budget of tool calls is used up/);
  assert.equal(meter.beforeCall(30).mustAnswer, true);
  const spent = meter.spent(12.2);
  assert.deepEqual(spent, { tokens: 21, steps: 2, toolCalls: 1, ms: 13, microUSD: 22 });
  assert.equal(meter.ms(), 1_000);
  assert.match(meter.timeOver().message, /working time/);
  assert.deepEqual(exhausted, ['toolCalls'], 'the first dimension only');
});

/** One agent with this budget, whose model answers as the script says; what its parent's model is given of it. */
async function oneAgent(
  t: Parameters<typeof startScripted>[0] & Parameters<typeof openKit>[0],
  budget: object,
  script: Script,
) {
  const model = await startScripted(t, (asked) => {
    if (asked.system.includes('You are a researcher')) return script(asked);
    if (asked.results.length === 0)
      return { calls: [{ name: 'spawn_agent', args: { template: 'researcher', task: 'Look.', budget } }] };
    return asked.results.length === 1 ? { calls: [{ name: 'wait_agents', args: {} }] } : { text: 'done' };
  });
  const { engine } = await openKit(t, { model: model.settings, team: teamOf({ costPer1kTokensUSD: 0.01 }) });
  const { id } = await engine.createSession({});
  const seen = watch(t, engine, { sessionID: id });
  assert.equal((await ask(engine, id, 'Go.')).text, 'done');
  const waited =
    model.asked.find(({ system, results }) => !system.includes('a researcher') && results.length === 2)
      ?.results[1] ?? '';
  const events = seen.seen.map(({ type }) => type).filter((type) => type === 'agent_team.budget.exhausted');
  return { mission: await missionOf(engine, id), waited, events };
}

test('an agent without a tool call left answers with what it has, its parent gets what it had as partial, and that is reported once (S14)', async (t) => {
  const { mission, waited, events } = await oneAgent(
    t,
    { max_tokens: 20_000, max_tool_calls: 1 },
    ({ results }) =>
      results.length === 0
        ? {
            text: 'Half of it.',
            calls: [
              { name: 'memory_list', args: {} },
              { name: 'memory_list', args: {} },
            ],
          }
        : { text: 'And no more.' },
  );
  const [agent] = mission.instances;
  assert.equal(agent?.usage.tool_calls, 1);
  assert.equal(agent.exhausted, 'tool calls');
  assert.deepEqual(events, ['agent_team.budget.exhausted']);
  assert.match(waited, /"partial":"Its budget of tool calls was used up; this is what it had\."/);
  assert.match(waited, /And no more\./);
});

test('a mission whose cost has a bound and whose model has no price says so when it is made (S3)', async (t) => {
  const model = await startScripted(t, () => ({ text: 'found' }));
  const { engine } = await openKit(t, { model: model.settings, team: teamOf() });
  const made = await engine.spawn({ templateID: 'researcher', prompt: 'Look.' });
  assert.ok(made.ok);
  assert.match(made.warnings.join(), /price of .* is not known, so the budget of cost cannot be guaranteed/);
  const [mission] = await engine.missions({ missionID: made.missionID });
  assert.deepEqual(mission?.warnings, made.warnings);
});

test('requests that come at once take no more than the mission has, and what is not used is free again (S2)', async (t) => {
  const held = Promise.withResolvers<void>();
  const model = await startScripted(t, () => ({ text: 'found', held: held.promise }));
  const missionBudget = { tokens: 30_000, steps: 100, toolCalls: 100, ms: 600_000 };
  const { engine } = await openKit(t, {
    model: model.settings,
    team: teamOf({ missionBudget, childShare: 100, maxConcurrent: 20, maxChildren: 20 }),
  });
  const spawn = (n: number) =>
    engine.spawn({
      templateID: 'reviewer',
      prompt: `Check ${n}.`,
      missionID: 'mis_one',
      budget_override: { max_tokens: 10_000 },
    });
  const made = await Promise.all(Array.from({ length: 8 }, (_, n) => spawn(n)));
  assert.equal(made.filter(({ ok }) => ok).length, 3);
  for (const one of made) if (!one.ok) assert.equal(one.code, 'spawn_mission_budget_exceeded');
  held.resolve();
  for (const one of made) if (one.ok && one.runID !== undefined) await engine.finished(one.runID);
  assert.ok((await spawn(9)).ok);
});
