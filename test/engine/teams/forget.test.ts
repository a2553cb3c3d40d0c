// What agents were given and answered goes with the session, or the person, that they worked for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, openKit, originOf, textBody } from '../support/kit.ts';
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
  await engine.deleteSession(id);
  for (const each of agents) assert.equal(await engine.getSession(each), undefined);
  assert.deepEqual(await engine.missions({ sessionID: id }), []);
  for (const each of staying) assert.equal((await engine.getSession(each))?.id, each);
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
  const done = await engine.forgetSaid({ of, apply: true });
  assert.deepEqual(done.remains, []);
  assert.equal((await engine.getSession(id))?.id, id);
  for (const each of agents) assert.equal(await engine.getSession(each), undefined);
  const left = await engine.missions({ sessionID: id });
  assert.equal(left.length, 1); // of what nobody said
  assert.ok(left.every(({ instances }) => instances.every((each) => !agents.includes(each.sessionID))));
});
