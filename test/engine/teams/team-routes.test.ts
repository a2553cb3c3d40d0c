// The routes and events of teams over a real socket, field by field as Tandem's clients read them, and requests of a program.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createClient } from '#engine/client/client.ts';
import type { EngineOptions } from '#engine/engine.ts';
import { serveKit, token } from '../../conformance/engines.ts';
import { found } from '../../support/found.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { openKit, watch } from '../support/kit.ts';
import { type Script, startScripted, teamOf } from './team-kit.ts';

const source = 'orchestrator_runtime' as const;
const researcher = { templateID: 'researcher', source };

async function openTeam(t: TestContext, script: Script, changes: Partial<EngineOptions>) {
  const model = await startScripted(t, script);
  const kit = await openKit(t, { model: model.settings, ...changes });
  const { url } = await serveKit(t, { kit });
  const seen = watch(t, kit.engine);
  return {
    kit,
    seen,
    client: createClient({ baseUrl: url, token }),
    async call(path: string, body?: object, key?: string) {
      const response = await fetch(`${url}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
    /** The properties of the first event of this type. */
    async event(type: string): Promise<Record<string, unknown>> {
      await seen.until((event) => event.type === type);
      return Object(seen.seen.find((event) => event.type === type)?.properties);
    },
  };
}

const holds = (what: string, value: unknown, fields: readonly string[]): void => {
  const keys = Object.keys(Object(value));
  assert.deepEqual(
    fields.filter((field) => !keys.includes(field)),
    [],
    `${what} has ${keys.join(', ')}`,
  );
};

const limits = ['max_tokens', 'max_steps', 'max_tool_calls', 'max_duration_ms', 'max_cost_usd'];
const common = ['sessionID', 'messageID', 'runID', 'missionID', 'timestampMs', 'source'];

test('templates, instances, missions, approvals and the answers of spawn have the fields that a client of Tandem reads', async (t) => {
  const folder = tempFolder(t);
  mkdirSync(join(folder, 'sources'));
  writeFileSync(
    join(folder, 'sources', 'SKILL.md'),
    '---\nname: Sources\ndescription: How sources are named.\n---\nName each source.\n',
  );
  const skilled = {
    ...{ templateID: 'skilled', displayName: 'Skilled', role: 'worker' as const, systemPrompt: 'You look.' },
    ...{ skills: [{ id: 'sources' }], model: 'm', deniedTools: ['web_fetch'] },
    budget: { tokens: 9_000, steps: 3, toolCalls: 3, ms: 60_000, microUSD: 100_000 },
  };
  const edges = { orchestrator: { behavior: 'allow' as const, canSpawn: ['worker' as const] } };
  const request = { orchestrator: { behavior: 'request_only' as const, canSpawn: [] } };
  const team = (more: object) =>
    teamOf({ costPer1kTokensUSD: 0.01, ...more }, { skillFolders: [folder], templates: [skilled] });
  const { call, kit } = await openTeam(t, () => ({ text: 'found' }), { team: team({ edges }) });

  const { body: listed } = await call('/agent-team/templates');
  const templates = listed.templates as Record<string, unknown>[];
  assert.equal(listed.count, templates.length);
  const template = templates.find(({ templateID }) => templateID === 'skilled');
  holds('a template', template, [
    ...['templateID', 'display_name', 'role', 'system_prompt', 'default_model', 'skills', 'default_budget'],
    'capabilities',
  ]);
  assert.deepEqual(Object.keys(Object(template?.default_budget)), limits);
  assert.deepEqual(template?.skills, [{ id: 'sources' }]);
  assert.deepEqual(template?.capabilities, {
    tool_allowlist: ['*'],
    tool_denylist: ['web_fetch'],
    fs_scopes: { read: [], write: [] },
    net_scopes: { enabled: false, allow_hosts: [] },
    secrets_scopes: [],
    git_caps: { read: false, commit: false, push: false, push_requires_approval: true },
  });
  const shipped = templates.find(({ templateID }) => templateID === 'researcher');
  assert.deepEqual(Object(shipped?.capabilities).net_scopes, { enabled: true, allow_hosts: [] });

  const wanted = {
    ...{ missionID: 'mis_1', source: 'ui_action', parent_role: 'orchestrator', role: 'worker' },
    ...{ templateID: 'skilled', justification: 'An agent has to look.', prompt: 'Look.' },
    budget_override: {
      max_tokens: 5_000,
      max_steps: 2,
      max_tool_calls: 2,
      max_duration_ms: 50_000,
      max_cost_usd: 0.05,
    },
  };
  const started = await call('/agent-team/spawn', wanted, 'one');
  assert.equal(started.status, 200, JSON.stringify(started.body));
  assert.equal(started.body.ok, true);
  holds('a start', started.body, ['missionID', 'instanceID', 'sessionID', 'runID', 'status', 'skillHash']);
  assert.match(String(started.body.skillHash), /^sha256:[0-9a-f]{64}$/);
  const again = await call('/agent-team/spawn', wanted, 'one');
  assert.deepEqual([again.body.instanceID, again.body.idempotentReplay], [started.body.instanceID, true]);

  const denied = await call('/agent-team/spawn', { ...wanted, templateID: 'reviewer', role: 'reviewer' });
  assert.equal(denied.status, 403);
  assert.deepEqual(
    [denied.body.ok, denied.body.code, denied.body.requiresUserApproval],
    [false, 'spawn_denied_edge', false],
  );
  assert.match(String(denied.body.error), /\w+ .*\./);

  await kit.engine.finished(String(started.body.runID));
  const { body: missions } = await call('/agent-team/missions?missionID=mis_1');
  assert.equal(missions.count, 1);
  const [mission] = missions.missions as Record<string, unknown>[];
  holds('a mission', mission, [
    'missionID',
    'status',
    'budget',
    'usage',
    'reserved',
    'instances',
    'createdAtMs',
  ]);
  const { body: instances } = await call('/agent-team/instances?missionID=mis_1');
  assert.equal(instances.count, 1);
  const [instance] = instances.instances as Record<string, unknown>[];
  holds('an instance', instance, [
    ...['instanceID', 'missionID', 'templateID', 'role', 'status', 'sessionID', 'runID', 'justification'],
    ...['source', 'skillHash', 'budget', 'usage'],
  ]);
  assert.deepEqual(Object.keys(Object(instance?.usage)), [
    ...['tokens', 'steps', 'tool_calls', 'duration_ms', 'cost_usd'],
  ]);

  const next = await kit.restart({ team: team({ edges: request }) });
  assert.ok(next);
  const waits = await next.spawn({ ...researcher, prompt: 'Look again.' });
  assert.ok(!waits.ok && waits.requiresUserApproval && waits.code === 'spawn_requires_approval');
  const [approval] = await next.spawnApprovals();
  holds('an approval', approval, ['approvalID', 'templateID', 'role', 'task', 'requestedAtMs', 'source']);
  assert.equal(approval?.approvalID, waits.approvalID);
});

test('every event of teams has the common fields, and each kind its own', async (t) => {
  const held = Promise.withResolvers<void>();
  const { client, event } = await openTeam(
    t,
    ({ prompt, results }) => {
      if (prompt.includes('nothing')) return { text: '' };
      if (prompt.includes('for ever')) return { text: 'late', held: held.promise };
      if (prompt.includes('twice') && results.length === 0)
        return { calls: ['memory_list', 'memory_list', 'schedule'].map((name) => ({ name, args: {} })) };
      return { text: 'found', usage: { input: 100, output: 10 } };
    },
    {
      team: teamOf({
        missionBudget: { tokens: 60_000, steps: 30, toolCalls: 1, ms: 600_000 },
        ...{ childShare: 100, edges: { orchestrator: { behavior: 'allow', canSpawn: ['worker'] } } },
      }),
    },
  );
  const spawn = (prompt: string, missionID: string) =>
    client.agentTeams.spawn({ ...researcher, prompt, missionID });
  await spawn('Say nothing.', 'mis_a');
  const failed = await event('agent_team.instance.failed');
  const waiting = await spawn('Wait for ever.', 'mis_b');
  await client.agentTeams.cancel(waiting.instanceID);
  const cancelled = await event('agent_team.instance.cancelled');
  held.resolve();
  const used = await spawn('Look twice.', 'mis_c');
  const completed = await event('agent_team.instance.completed');
  await assert.rejects(spawn('And once more.', 'mis_c'), { code: 'spawn_mission_budget_exceeded' });
  const told = {
    requested: await event('agent_team.spawn.requested'),
    approved: await event('agent_team.spawn.approved'),
    denied: await event('agent_team.spawn.denied'),
    started: await event('agent_team.instance.started'),
    ...{ failed, cancelled, completed },
    usage: await event('agent_team.budget.usage'),
    exhausted: await event('agent_team.budget.exhausted'),
    'mission exhausted': await event('agent_team.mission.budget.exhausted'),
    capability: await event('agent_team.capability.denied'),
  };
  for (const [name, properties] of Object.entries(told)) {
    holds(name, properties, common);
    assert.equal(properties.source, source, name);
    assert.equal(typeof properties.timestampMs, 'number', name);
    if (!['requested', 'denied', 'mission exhausted'].includes(name)) holds(name, properties, ['instanceID']);
  }
  holds('denied', told.denied, ['requestedRole', 'code', 'error']);
  assert.deepEqual(
    [told.denied.requestedRole, told.denied.code],
    ['worker', 'spawn_mission_budget_exceeded'],
  );
  assert.deepEqual([told.capability.tool, told.capability.instanceID], ['schedule', used.instanceID]);
  assert.deepEqual(Object.keys(Object(told.usage.usage)), ['tokens', 'steps', 'tool_calls', 'duration_ms']);
});

test('a program starts an agent under its own name, gets what the policy says, and reads the answer, also over a stop and an approval', async (t) => {
  const clock = createManualClock();
  const held = Promise.withResolvers<void>();
  const edges = {
    orchestrator: { behavior: 'request_only' as const, canSpawn: [] },
    delegator: { behavior: 'allow' as const, canSpawn: ['worker' as const] },
  };
  const { client, kit } = await openTeam(
    t,
    ({ prompt }) => ({
      text: 'It is 40 m long.',
      ...(prompt.includes('slow') ? { held: held.promise } : {}),
    }),
    { clock, team: teamOf({ edges }) },
  );
  const request = { ...researcher, prompt: 'How long is the bridge?' };
  await assert.rejects(client.agentTeams.spawn({ ...request, parent_role: 'watcher' }), {
    code: 'spawn_denied_edge',
  });
  await assert.rejects(client.agentTeams.spawn(request, { idempotencyKey: 'job-7' }), {
    code: 'spawn_requires_approval',
  });
  const [waiting] = await client.agentTeams.approvals();
  assert.equal(waiting?.source, source, 'the one who approves sees that a program asks');
  const approved = await client.agentTeams.approve(waiting?.approvalID ?? '');
  assert.ok('instanceID' in approved && approved.runID !== undefined);
  await kit.engine.finished(approved.runID);
  const answers = await kit.engine.messages(approved.sessionID);
  assert.match(JSON.stringify(answers.at(-1)?.parts), /It is 40 m long\./);
  const replayed = await client.agentTeams.spawn(request, { idempotencyKey: 'job-7' });
  assert.deepEqual([replayed.instanceID, replayed.status], [approved.instanceID, 'completed']);

  const slow = await client.agentTeams.spawn({ ...request, parent_role: 'delegator', prompt: 'A slow one.' });
  const next = await kit.restart();
  held.resolve();
  const [mission] = await found('the completed mission', async () => {
    const missions = await next.missions({ missionID: slow.missionID });
    return missions[0]?.status === 'completed' ? missions : undefined;
  });
  assert.deepEqual(
    [mission?.source, mission?.instances.map((each) => [each.source, each.status])],
    [source, [[source, 'completed']]],
  );
});
