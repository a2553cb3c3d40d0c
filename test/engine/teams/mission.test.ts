// A mission from the person's question to the answer: agents that are started, waited for and reviewed, in one engine over real sockets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EngineEvent } from '#engine/wire/events/event.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { ask, begin, openKit, originOf, textBody, watch } from '../support/kit.ts';
import { chef, missionOf, startScripted, teamOf } from './team-kit.ts';

test('a question that needs two look-ups and a review is answered by three agents, whose tree is on record', async (t) => {
  const model = await startScripted(t, chef);
  const { engine } = await openKit(t, { model: model.settings, team: teamOf() });
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  const seen = watch(t, engine, { sessionID: id });
  const run = await ask(engine, id, textBody('How long is the bridge?', originOf()));
  assert.equal(run.status, 'completed', run.failure?.message);
  assert.match(run.text, /40 m long, and that was checked/);
  const mission = await missionOf(engine, id);
  assert.equal(mission.status, 'completed');
  assert.deepEqual(
    mission.instances.map(({ templateID, role, status }) => [templateID, role, status]),
    [
      ['researcher', 'worker', 'completed'],
      ['researcher', 'worker', 'completed'],
      ['reviewer', 'reviewer', 'completed'],
    ],
  );
  assert.ok(mission.usage.tokens > 0 && mission.usage.steps === 3);
  assert.deepEqual(mission.reserved, { tokens: 0, steps: 0, tool_calls: 0, duration_ms: 0 });
  const types = seen.seen.flatMap(({ type }) => (type.startsWith('agent_team.') ? [type] : []));
  const count = (type: string): number => types.filter((each) => each === type).length;
  assert.equal(count('agent_team.spawn.requested'), 3);
  assert.equal(count('agent_team.spawn.approved'), 3);
  assert.equal(count('agent_team.instance.started'), 3);
  assert.equal(count('agent_team.instance.completed'), 3);
});

test('what happened in a mission is read again from the log after a restart, each event once and in its order', async (t) => {
  const model = await startScripted(t, chef);
  const { engine, restart } = await openKit(t, { model: model.settings, team: teamOf() });
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  const live = watch(t, engine);
  const ofTeam = (events: readonly EngineEvent[]): string[] =>
    events.filter(({ type }) => type.startsWith('agent_team.')).map((event) => JSON.stringify(event));
  await ask(engine, id, textBody('How long is the bridge?', originOf()));
  const before = ofTeam(live.seen);
  assert.ok(before.length >= 12, before.join('\n'));
  const next = await restart({ team: teamOf() });
  const again: EngineEvent[] = [];
  const stop = new AbortController();
  for await (const event of next.events({ afterSeq: 0 }, stop.signal)) {
    again.push(event);
    if (ofTeam(again).length === before.length) stop.abort();
  }
  assert.deepEqual(ofTeam(again), before);
});

test('teams that are off offer no tool, and an agent that was started cannot start others without an edge of its role (S1)', async (t) => {
  const model = await startScripted(t, chef);
  const { engine, restart } = await openKit(t, { model: model.settings, team: teamOf({ enabled: false }) });
  const { id } = await engine.createSession({});
  await ask(engine, id, 'How long is it?').catch(() => undefined);
  assert.ok(!model.asked.some(({ tools }) => tools.includes('spawn_agent')));
  const next = await restart({ team: teamOf() });
  const { id: other } = await next.createSession({});
  model.asked.length = 0;
  await ask(next, other, 'How long is it?');
  const [first, ...rest] = model.asked;
  assert.ok(first?.tools.includes('spawn_agent'));
  const ofAgents = rest.filter(({ system }) => /You are a re(searcher|viewer)/.test(system));
  assert.equal(ofAgents.length, 3);
  for (const { tools } of ofAgents) assert.ok(!tools.includes('spawn_agent'));
});

test('two requests for the same work start one agent (S10)', async (t) => {
  const model = await startScripted(t, ({ system, results }) => {
    if (system.includes('You are a researcher')) return { text: 'found' };
    const args = { template: 'researcher', task: 'Look it up.' };
    if (results.length === 0)
      return {
        calls: [
          { name: 'spawn_agent', args },
          { name: 'spawn_agent', args },
        ],
      };
    return results.length === 2 ? { calls: [{ name: 'wait_agents', args: {} }] } : { text: 'done' };
  });
  const { engine } = await openKit(t, { model: model.settings, team: teamOf() });
  const { id } = await engine.createSession({});
  const run = await ask(engine, id, 'Look it up.');
  assert.equal(run.text, 'done');
  assert.equal((await missionOf(engine, id)).instances.length, 1);
  const request = { templateID: 'researcher', prompt: 'Look it up.' };
  const [one, two] = [
    await engine.spawn(request, { idempotencyKey: 'k' }),
    await engine.spawn(request, { idempotencyKey: 'k' }),
  ];
  assert.ok(one.ok && two.ok);
  assert.equal(one.instanceID, two.instanceID);
  assert.equal(two.idempotentReplay, true);
  await assert.rejects(engine.spawn({ ...request, prompt: 'Another.' }, { idempotencyKey: 'k' }), {
    code: 'idempotency_key_reused',
  });
});

test('a run that is cancelled takes its agents with it, and what one still says is discarded (S4, S5)', async (t) => {
  const held = Promise.withResolvers<void>();
  const model = await startScripted(t, (asked) =>
    asked.system.includes('You are a researcher') ? { text: 'late', held: held.promise } : chef(asked),
  );
  const { engine } = await openKit(t, { model: model.settings, team: teamOf() });
  const { id } = await engine.createSession({});
  const seen = watch(t, engine, { sessionID: id });
  const runID = await begin(engine, id, textBody('How long is the bridge?'));
  await seen.until(({ type }) => type === 'agent_team.instance.started');
  assert.equal(await engine.cancelRun(runID), true);
  held.resolve();
  const instances = async () => (await missionOf(engine, id)).instances;
  await seen.until(({ type }) => type === 'agent_team.instance.cancelled');
  while ((await instances()).some(({ status }) => status === 'running')) await new Promise(setImmediate);
  assert.ok((await instances()).every(({ status, discarded }) => status === 'cancelled' || discarded));
  assert.equal((await missionOf(engine, id)).status, 'cancelled');
});

test('an answer of 200 KB is given to its parent as a summary with a handle, and read page by page (S6)', async (t) => {
  const long = `${'0123456789'.repeat(10_000)}END`;
  let agent = '';
  const pages: string[] = [];
  const model = await startScripted(t, ({ system, results }) => {
    if (system.includes('You are a researcher')) return { text: long };
    if (results.length === 0)
      return { calls: [{ name: 'spawn_agent', args: { template: 'researcher', task: 'All of it.' } }] };
    agent ||= (JSON.parse(results[0] ?? '{}') as { agent: string }).agent;
    if (results.length === 1) return { calls: [{ name: 'wait_agents', args: {} }] };
    if (results.length === 2)
      return { calls: [{ name: 'agent_result', args: { agent, from: long.length - 3 } }] };
    pages.push(...results.slice(1));
    return { text: 'read' };
  });
  const { engine } = await openKit(t, { model: model.settings, team: teamOf() });
  const { id } = await engine.createSession({});
  assert.equal((await ask(engine, id, 'All.')).text, 'read');
  const [summary = '', page = ''] = pages;
  assert.ok(summary.length < 6_000, `expected a summary, got ${summary.length} characters`);
  assert.match(summary, /"characters":100003.*agent_result/s);
  assert.match(page, /"text":"END"/);
});

test('one of several that fails is named, and the results of the others stay (S13)', async (t) => {
  const model = await startScripted(t, (asked) => {
    if (!asked.system.includes('You are a researcher')) return chef(asked);
    return asked.prompt.includes('old') ? { text: '' } : { text: 'It is 40 m.' };
  });
  const { engine } = await openKit(t, { model: model.settings, team: teamOf() });
  const { id } = await engine.createSession({});
  assert.equal((await ask(engine, id, 'How long?')).status, 'completed');
  const waited = model.asked.find(({ results }) => results.length === 3)?.results[2] ?? '';
  assert.match(waited, /"status":"completed","result":"It is 40 m\."/);
  assert.match(waited, /"status":"failed","error":"The model ended without saying anything\."/);
});

test('a result wakes the agent that waits for it: the others still run, and no time has passed', async (t) => {
  const clock = createManualClock();
  const held = Promise.withResolvers<void>();
  const ended: string[] = [];
  const model = await startScripted(t, ({ system, prompt, results }) => {
    if (system.includes('You are a researcher'))
      return prompt.includes('slow') ? { text: 'late', held: held.promise } : { text: 'It is 40 m.' };
    const agents = results.slice(0, 2).map((result) => (JSON.parse(result) as { agent: string }).agent);
    if (results.length === 0)
      return {
        calls: ['slow', 'quick'].map((task) => ({
          name: 'spawn_agent',
          args: { template: 'researcher', task },
        })),
      };
    if (results.length === 2) return { calls: [{ name: 'wait_agents', args: { agents: [agents[1]] } }] };
    if (results.length === 3) {
      ended.push(results[2] ?? '');
      held.resolve();
      return { calls: [{ name: 'wait_agents', args: {} }] };
    }
    ended.push(results[3] ?? '');
    return { text: 'done' };
  });
  const { engine } = await openKit(t, { clock, model: model.settings, team: teamOf() });
  const { id } = await engine.createSession({});
  const begun = clock.now();
  assert.equal((await ask(engine, id, 'How long?')).text, 'done');
  assert.equal(clock.now(), begun, 'nobody looks again after a while: the end itself wakes it');
  assert.match(ended[0] ?? '', /"status":"completed","result":"It is 40 m\."/);
  assert.doesNotMatch(ended[0] ?? '', /"late"/);
  assert.match(ended[1] ?? '', /"result":"late"/);
});
