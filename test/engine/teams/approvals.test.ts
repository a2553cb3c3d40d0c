// Who approves that an agent is started, what an agent asks, and whose memory it reads.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createManualClock } from '../../support/manual-clock.ts';
import { ask, begin, converse, openKit, originOf, textBody, watch } from '../support/kit.ts';
import { chef, missionOf, type Script, startScripted, teamOf } from './team-kit.ts';

const edges = { orchestrator: { behavior: 'request_only' as const, canSpawn: [] } };
const request = { templateID: 'researcher', prompt: 'How long is the bridge?' };

test('an approval that comes twice, too late, or for nothing that waits says so, and nothing is started (S11)', async (t) => {
  const clock = createManualClock();
  const model = await startScripted(t, () => ({ text: 'found' }));
  const { engine } = await openKit(t, { clock, model: model.settings, team: teamOf({ edges }) });
  const waiting = await engine.spawn(request, { idempotencyKey: 'one' });
  assert.ok(!waiting.ok && waiting.code === 'spawn_requires_approval' && waiting.requiresUserApproval);
  const again = await engine.spawn(request, { idempotencyKey: 'one' });
  assert.ok(!again.ok && again.approvalID === waiting.approvalID, 'the same request waits once');
  assert.equal((await engine.spawnApprovals()).length, 1);
  assert.deepEqual(await engine.missions({}), []);
  const id = waiting.approvalID ?? '';
  const approved = await engine.approveSpawn({ approvalID: id });
  assert.ok(approved.ok && 'instanceID' in approved);
  for (const decide of [engine.approveSpawn, engine.denySpawn])
    await assert.rejects(decide({ approvalID: id }), {
      code: 'approval_settled',
      message: /was approved already/,
    });
  await assert.rejects(engine.approveSpawn({ approvalID: 'spa_none' }), { code: 'approval_not_found' });
  const late = await engine.spawn({ ...request, prompt: 'How old is it?' });
  assert.ok(!late.ok);
  await clock.advance(24 * 3600_000);
  await assert.rejects(engine.approveSpawn({ approvalID: late.approvalID ?? '' }), {
    code: 'approval_settled',
    message: /has expired/,
  });
  const refused = await engine.spawn({ ...request, prompt: 'What did it cost?' });
  assert.ok(!refused.ok);
  const approvalID = refused.approvalID ?? '';
  assert.deepEqual(await engine.denySpawn({ approvalID }), { ok: true, approvalID });
  assert.equal((await engine.missions({})).flatMap(({ instances }) => instances).length, 1);
});

test('a person approves in the chat an agent that needs it, and it is started, or not, as they answer (S7, S11)', async (t) => {
  const model = await startScripted(t, chef);
  const { engine } = await openKit(t, { model: model.settings, team: teamOf({ edges }) });
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  const seen = watch(t, engine, { sessionID: id });
  const runID = await begin(engine, id, { ...textBody('How long is the bridge?', originOf()), canAsk: true });
  const replies = ['once', 'reject', 'once'] as const;
  for (const [at, reply] of replies.entries()) {
    await seen.until(() => seen.seen.filter(({ type }) => type === 'permission.asked').length > at);
    const [open] = await engine.permissions();
    assert.equal(open?.tool, 'spawn_agent');
    assert.equal(open.runID, runID);
    await engine.replyPermission({ requestID: open.requestID, reply });
  }
  assert.equal((await engine.finished(runID)).status, 'completed');
  assert.equal((await missionOf(engine, id)).instances.length, 2);
});

const remembering: Script = ({ system, results }) => {
  if (system.includes('You are a researcher'))
    return results.length === 0
      ? { calls: [{ name: 'memory_search', args: { query: 'vault code heron' } }] }
      : { text: `Memory says: ${results[0]}` };
  if (results.length === 0)
    return {
      calls: [{ name: 'spawn_agent', args: { template: 'researcher', task: 'What is the vault code?' } }],
    };
  return results.length === 1 ? { calls: [{ name: 'wait_agents', args: {} }] } : { text: results[1] };
};

test('what an agent asks is shown in the chat with its name; where nobody can answer it is refused (S7)', async (t) => {
  const model = await startScripted(t, remembering);
  const policy = { tools: { memory_search: 'ask' as const }, channels: {} };
  const { engine } = await openKit(t, { model: model.settings, team: teamOf(), policy });
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  const seen = watch(t, engine, { sessionID: id });
  const runID = await begin(engine, id, { ...textBody('The code?', originOf()), canAsk: true });
  await seen.until(({ type }) => type === 'permission.asked');
  const [open] = await engine.permissions();
  assert.deepEqual([open?.runID, open?.sessionID, open?.requester], [runID, id, 'Researcher']);
  await engine.replyPermission({ requestID: open?.requestID ?? '', reply: 'once' });
  assert.equal((await engine.finished(runID)).status, 'completed');
  const { id: single } = await engine.createSession({});
  const run = await ask(engine, single, { ...textBody('The code?'), canAsk: false });
  assert.equal(run.status, 'completed');
  assert.deepEqual(await engine.permissions(), []);
  assert.match(run.text, /denied|refused|nobody|no one/i);
});

test('an agent recalls what the run that began the mission may recall, and nothing else (S9)', async (t) => {
  const model = await startScripted(t, async (asked) =>
    !/What is the vault code/.test(asked.prompt) && !asked.system.includes('a researcher')
      ? { text: 'ok' }
      : remembering(asked),
  );
  const { engine } = await openKit(t, { model: model.settings, team: teamOf() });
  const mine = originOf({
    audience: 'person:per_2',
    speaker: { person: 'per_2', name: 'two' },
    chat: 'discord:dm:1:-:3:-',
  });
  const { id: theirs } = await engine.createSession({ sourceKind: 'channel' });
  await converse(engine, theirs, textBody('The vault code is heron-4711.', mine));
  const { id: other } = await engine.createSession({ sourceKind: 'channel' });
  const asked = await ask(engine, other, textBody('What is the vault code?', originOf()));
  assert.doesNotMatch(
    JSON.stringify(model.asked.filter(({ prompt }) => !prompt.includes('heron'))),
    /heron-4711/,
  );
  assert.doesNotMatch(asked.text, /heron-4711/);
  const { id: again } = await engine.createSession({ sourceKind: 'channel' });
  const own = await ask(engine, again, textBody('What is the vault code?', mine));
  assert.match(own.text, /heron-4711/, 'its own person is shown it');
});

test('the files of a mission replay to the same state without drift, also after a stop (S15)', async (t) => {
  const model = await startScripted(t, chef);
  const { engine, restart } = await openKit(t, { model: model.settings, team: teamOf() });
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  const run = await ask(engine, id, textBody('How long is the bridge?', originOf()));
  const ids = [run.runID, ...(await missionOf(engine, id)).instances.flatMap(({ runID }) => runID ?? [])];
  assert.equal(ids.length, 4);
  for (const runID of ids)
    assert.equal(Object((await engine.replayRun({ runID, from_checkpoint: false })).drift).mismatch, false);
  const next = await restart();
  for (const runID of ids)
    assert.equal(
      Object((await next.replayRun({ runID: runID, from_checkpoint: false })).drift).mismatch,
      false,
    );
});

test('the files of the run that began a mission hold the tree of its agents, which replays as it is on record, and a changed one is found (S15)', async (t) => {
  const model = await startScripted(t, treeScript);
  const edges = {
    orchestrator: { behavior: 'allow' as const, canSpawn: ['worker' as const] },
    worker: { behavior: 'allow' as const, canSpawn: ['reviewer' as const] },
  };
  const templates = [{ ...lead, tools: ['spawn_agent', 'wait_agents'] }];
  const { engine, folder, restart } = await openKit(t, {
    model: model.settings,
    team: teamOf({ edges }, { templates }),
  });
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  const run = await ask(engine, id, textBody('How long is the bridge?', originOf()));
  assert.equal(run.status, 'completed', run.failure?.message);
  const { missionID, instances } = await missionOf(engine, id);
  const tree = instances.map((each) => ({
    instance_id: each.instanceID,
    mission_id: missionID,
    ...(each.parentInstanceID === undefined ? {} : { parent_id: each.parentInstanceID }),
    template_id: each.templateID,
    role: each.role,
    status: 'completed',
    session_id: each.sessionID,
    run_id: each.runID,
  }));
  assert.deepEqual(
    instances.map(({ templateID }) => templateID),
    ['lead', 'reviewer'],
  );
  assert.equal(instances[1]?.parentInstanceID, instances[0]?.instanceID);
  const next = await restart();
  for (const from of ['start', 'checkpoint'] as const) {
    const replayed = await next.replayRun({ runID: run.runID, from_checkpoint: from === 'checkpoint' });
    assert.deepEqual(Object(replayed.replay).agents, tree, from);
    assert.deepEqual(Object(replayed.persisted).agents, tree, from);
    assert.equal(Object(replayed.drift).mismatch, false, from);
  }
  const file = join(folder, 'context_runs', run.runID, 'run_state.json');
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('"template_id": "reviewer"', '"template_id": "writer"'),
  );
  assert.equal(
    Object((await next.replayRun({ runID: run.runID, from_checkpoint: false })).drift).agents_mismatch,
    true,
  );
});

const lead = {
  ...{ templateID: 'lead', displayName: 'Lead', role: 'worker' as const, systemPrompt: 'You are a lead.' },
  ...{ skills: [], budget: {} },
};

/** The run starts a lead, which starts a reviewer. */
const treeScript: Script = ({ system, results }) => {
  if (system.includes('You are a reviewer')) return { text: 'sound' };
  const isLead = system.includes('You are a lead');
  const args = isLead ? { template: 'reviewer', task: 'Check it.' } : { template: 'lead', task: 'Find it.' };
  if (results.length === 0) return { calls: [{ name: 'spawn_agent', args }] };
  return results.length === 1 ? { calls: [{ name: 'wait_agents', args: {} }] } : { text: 'done' };
};
