// Missions over the end of a process: nothing is orphaned, nothing runs twice, and what cannot continue is closed with a reason.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EngineService } from '#engine/wire/service.ts';
import { found } from '../../support/found.ts';
import { ask, openKit, originOf, textBody, watch } from '../support/kit.ts';
import { chef, missionOf, type Script, startScripted, teamOf } from './team-kit.ts';

const never = Promise.withResolvers<void>().promise;
const request = { templateID: 'researcher', prompt: 'How long is the bridge?' };

async function onlyMission(engine: EngineService) {
  const [mission, ...more] = await engine.missions({});
  assert.ok(mission !== undefined && more.length === 0);
  return mission;
}

test('an agent without a run above it that had used no tool runs again after a stop, once, and its mission is completed (S4)', async (t) => {
  let isHeld = true;
  const script: Script = () => ({ text: 'It is 40 m.', ...(isHeld ? { held: never } : {}) });
  const model = await startScripted(t, script);
  const { engine, restart } = await openKit(t, { model: model.settings, team: teamOf() });
  const started = await engine.spawn(request);
  assert.ok(started.ok);
  isHeld = false;
  const next = await restart();
  const mission = await found('the completed mission', async () => {
    const one = await onlyMission(next);
    return one.status === 'completed' ? one : undefined;
  });
  assert.deepEqual(
    mission.instances.map(({ instanceID, status }) => [instanceID, status]),
    [[started.instanceID, 'completed']],
  );
  assert.equal(mission.usage.steps, 2, 'the call that was broken off counts');
});

test('an agent that had used a tool goes on after a stop from the stored result, and its tool is not used again (S4)', async (t) => {
  const used = Promise.withResolvers<void>();
  let isHeld = true;
  const model = await startScripted(t, ({ results }) => {
    if (results.length === 0) return { calls: [{ name: 'todo_write', args: { todos: [] } }] };
    used.resolve();
    return isHeld ? { held: never } : { text: 'It is 40 m.' };
  });
  const { engine, restart } = await openKit(t, { model: model.settings, team: teamOf() });
  assert.ok((await engine.spawn(request)).ok);
  await used.promise;
  const calls = model.asked.length;
  isHeld = false;
  const next = await restart();
  const mission = await found('the end of the mission', async () => {
    const one = await onlyMission(next);
    return one.status === 'active' ? undefined : one;
  });
  assert.equal(mission.status, 'completed');
  assert.equal(mission.reason, 'All of its agents have ended.');
  assert.deepEqual(
    mission.instances.map(({ status }) => status),
    ['completed'],
  );
  assert.equal(model.asked.length, calls + 1, 'the model is asked on, and not from the beginning');
  assert.equal(model.asked.at(-1)?.results.length, 1);
});

test('agents that a run had started go on with the run, which does not start them again (S4, S10)', async (t) => {
  let isHeld = true;
  const working = Promise.withResolvers<void>();
  const model = await startScripted(t, async (asked) => {
    if (!asked.system.includes('You are a researcher')) return chef(asked);
    working.resolve();
    return isHeld ? { held: never } : { text: 'It is 40 m.' };
  });
  const { engine, restart } = await openKit(t, { model: model.settings, team: teamOf() });
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  const how = { idempotencyKey: 'turn', retryInterrupted: true };
  const body = textBody('How long is the bridge?', originOf());
  const seen = watch(t, engine, { sessionID: id });
  await engine.prompt(id, body, how);
  await working.promise;
  await seen.until(
    (event) => event.type === 'message.part.updated' && event.properties.part.tool === 'wait_agents',
  );
  isHeld = false;
  const next = await restart();
  const begun = await next.prompt(id, body, how);
  assert.ok(begun.status === 'started');
  assert.equal((await next.finished(begun.runID)).status, 'completed');
  const mission = await missionOf(next, id);
  assert.deepEqual(
    mission.instances.map(({ status }) => status),
    ['completed', 'completed', 'completed'],
  );
});

test('a run that is begun again finds the agents that have ended, and closes its mission with its answer (S4, S10)', async (t) => {
  let isHeld = true;
  let researched = 0;
  const model = await startScripted(t, async (asked) => {
    if (asked.system.includes('You are a researcher')) {
      researched += 1;
      return { text: 'It is 40 m.' };
    }
    const isWaiting = asked.results.length >= 2;
    return { ...(await chef(asked)), ...(isHeld && isWaiting ? { held: never } : {}) };
  });
  const { engine, restart } = await openKit(t, { model: model.settings, team: teamOf() });
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  const seen = watch(t, engine, { sessionID: id });
  const how = { idempotencyKey: 'turn', retryInterrupted: true };
  await engine.prompt(id, textBody('How long is the bridge?', originOf()), how);
  const isEnd = ({ type }: { type: string }): boolean => type === 'agent_team.instance.completed';
  await seen.until(() => seen.seen.filter(isEnd).length === 2);
  isHeld = false;
  const next = await restart();
  assert.equal((await missionOf(next, id)).status, 'interrupted');
  const begun = await next.prompt(id, textBody('How long is the bridge?', originOf()), how);
  assert.ok(begun.status === 'started');
  assert.equal((await next.finished(begun.runID)).status, 'completed');
  const mission = await missionOf(next, id);
  assert.equal(mission.status, 'completed');
  assert.equal(mission.instances.length, 3);
  assert.equal(researched, 2);
});

test('what agents were given and answered is masked with the run that began their mission', async (t) => {
  const script: Script = ({ system, results }) => {
    if (system.includes('You are a researcher')) return { text: 'found' };
    const args = { template: 'researcher', task: 'Try my password hunter2zebra there.' };
    if (results.length === 0) return { calls: [{ name: 'spawn_agent', args }] };
    return results.length === 1 ? { calls: [{ name: 'wait_agents', args: {} }] } : { text: 'done' };
  };
  const model = await startScripted(t, script);
  const mask = async (text: string): Promise<string> => text.replaceAll('hunter2zebra', '[redacted]');
  const { engine } = await openKit(t, { model: model.settings, team: teamOf(), mask });
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  const run = await ask(engine, id, textBody('Try it.', originOf()));
  assert.match((await missionOf(engine, id)).instances[0]?.task ?? '', /hunter2zebra/);
  await engine.delivered({ runID: run.runID, deliveredAtMs: 1, nativeIDs: ['n1'] });
  await found('the masking of the missions', async () => {
    const whole = JSON.stringify(await engine.missions({}));
    return whole.includes('hunter2zebra') ? undefined : whole;
  });
});
