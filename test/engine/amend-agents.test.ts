// What the agents of an answer were given and answered goes with the message that they worked for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, begin, openKit, originOf } from './support/kit.ts';
import { chef, missionOf, startScripted, teamOf } from './teams/team-kit.ts';

const was = 'How long is the bridge?';
const said = { parts: [{ type: 'text' as const, text: was, nativeID: 'm1' }], origin: originOf() };

for (const now of [null, 'How long is the tunnel?'])
  test(`the sessions of agents go with a message that is ${now === null ? 'deleted' : 'edited'}, and those of another message stay`, async (t) => {
    const model = await startScripted(t, chef);
    const { engine } = await openKit(t, { model: model.settings, team: teamOf() });
    const { id } = await engine.createSession({ sourceKind: 'channel' });
    const { id: other } = await engine.createSession({ sourceKind: 'channel' });
    const { runID } = await ask(engine, id, said);
    await ask(engine, other, said);
    const [agents, staying] = await Promise.all(
      [id, other].map(async (each) =>
        (await missionOf(engine, each)).instances.map(({ sessionID }) => sessionID),
      ),
    );
    assert.equal(agents?.length, 3);
    await engine.amend({ runID, nativeID: 'm1', was, now });
    for (const each of agents ?? []) assert.equal(await engine.hasSession(each), false);
    for (const each of staying ?? []) assert.equal((await engine.getSession({ sessionID: each })).id, each);
    assert.deepEqual(await engine.missions({ sessionID: id }), []);
    assert.equal((await engine.missions({ sessionID: other })).length, 1);
  });

test('the sessions of agents of a message that is deleted while it is answered go when the answer ends', async (t) => {
  const held = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  t.after(() => held.resolve());
  const model = await startScripted(t, (request) => {
    if (!request.system.includes('You are a researcher')) return chef(request);
    begun.resolve();
    return { text: 'It is long.', held: held.promise };
  });
  const { engine } = await openKit(t, { model: model.settings, team: teamOf() });
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  const runID = await begin(engine, id, said);
  await begun.promise;
  const agents = (await missionOf(engine, id)).instances.map(({ sessionID }) => sessionID);
  assert.ok(agents.length > 0);
  await engine.amend({ runID, nativeID: 'm1', was, now: null });
  held.resolve();
  await engine.finished(runID);
  while ((await engine.missions({ sessionID: id })).length > 0) await new Promise(setImmediate);
  for (const each of agents) assert.equal(await engine.hasSession(each), false);
});
