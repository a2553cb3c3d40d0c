// What agents were given and answered goes with the session, or the person, that they worked for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, begin, openKit, originOf, textBody, watch } from '../support/kit.ts';
import { chef, missionOf, startScripted, teamOf } from './team-kit.ts';

test('deleting a session deletes the sessions of its agents and its missions', async (t) => {
  const model = await startScripted(t, chef);
  const { engine } = await openKit(t, { model: model.settings, team: teamOf() });
  const { id } = await engine.createSession({});
  const { id: other } = await engine.createSession({});
  await ask(engine, id, 'How long is the bridge?');
  await ask(engine, other, 'How long is the bridge?');
  const agents = (await missionOf(engine, id)).instances.map(({ sessionID }) => sessionID);
  const staying = (await missionOf(engine, other)).instances.map(({ sessionID }) => sessionID);
  assert.equal(agents.length, 3);
  await engine.deleteSession({ sessionID: id });
  for (const each of agents) assert.equal(await engine.hasSession(each), false);
  assert.deepEqual(await engine.missions({ sessionID: id }), []);
  for (const each of staying) assert.equal((await engine.getSession({ sessionID: each })).id, each);
  assert.equal((await engine.missions({ sessionID: other })).length, 1);
});

test('what a person said is forgotten with what the agents of it were given and answered', async (t) => {
  const model = await startScripted(t, chef);
  const { engine } = await openKit(t, { model: model.settings, team: teamOf() });
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  const origin = originOf();
  await ask(engine, id, textBody('How long is the bridge?', origin));
  const agents = (await missionOf(engine, id)).instances.map(({ sessionID }) => sessionID);
  await ask(engine, id, 'Said by nobody.'); // so that the session stays
  const of = { persons: [origin.speaker.person] };
  const done = await engine.forgetContent({ of, apply: true });
  assert.deepEqual(done.remains, []);
  assert.equal((await engine.getSession({ sessionID: id })).id, id);
  for (const each of agents) assert.equal(await engine.hasSession(each), false);
  const left = await engine.missions({ sessionID: id });
  assert.equal(left.length, 1); // of what nobody said
  assert.ok(left.every(({ instances }) => instances.every((each) => !agents.includes(each.sessionID))));
});

test('an agent that waits for approval is in the export of the person who asked, and is forgotten with them', async (t) => {
  const held = Promise.withResolvers<void>();
  t.after(() => held.resolve());
  const model = await startScripted(t, ({ system, prompt, results }) => {
    if (system.includes('You are a researcher')) return { text: 'late', held: held.promise };
    const task = prompt.includes('mine') ? 'Look for my heron.' : 'Look for their swan.';
    if (results.length > 0) return { calls: [{ name: 'wait_agents', args: {} }] };
    return { calls: [{ name: 'spawn_agent', args: { template: 'researcher', task } }] };
  });
  const edges = { orchestrator: { behavior: 'request_only' as const, canSpawn: [] } };
  const { engine } = await openKit(t, { model: model.settings, team: teamOf({ edges }) });
  const other = originOf({ speaker: { person: 'per_2', name: 'two' }, audience: 'person:per_2' });
  const asked = async (text: string, origin = originOf()) => {
    const { id } = await engine.createSession({ sourceKind: 'channel' });
    const seen = watch(t, engine, { sessionID: id });
    await begin(engine, id, { ...textBody(text, origin), canAsk: true });
    await seen.until(({ type }) => type === 'permission.asked');
    return { id, seen };
  };
  const mine = await asked('mine');
  await asked('theirs', other);
  // one that works already, and for which a client wants a second agent
  const [first] = await engine.spawnApprovals();
  await engine.approveSpawn({ approvalID: first?.approvalID ?? '' });
  await mine.seen.until(({ type }) => type === 'agent_team.instance.started');
  const { missionID } = await missionOf(engine, mine.id);
  const more = { templateID: 'researcher', prompt: 'Look for my second heron.', missionID };
  assert.equal((await engine.spawn(more)).ok, false);
  assert.equal((await engine.spawn({ templateID: 'researcher', prompt: 'Of no person.' })).ok, false);
  await asked('mine again');

  const tasks = async (person: string) =>
    (await engine.exportContent({ persons: [person] })).spawn_approvals.map(({ task }) => task);
  assert.deepEqual(await tasks('per_1'), ['Look for my second heron.', 'Look for my heron.']);
  assert.deepEqual(await tasks('per_2'), ['Look for their swan.']);
  const done = await engine.forgetContent({ of: { persons: ['per_1'] }, apply: true });
  assert.deepEqual(done.remains, []);
  const left = (await engine.spawnApprovals()).map(({ task }) => task);
  assert.deepEqual(left, ['Look for their swan.', 'Of no person.']);
  assert.deepEqual(await tasks('per_1'), []);
});
