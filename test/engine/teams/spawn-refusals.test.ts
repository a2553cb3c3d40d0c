// Each reason against a start of an agent, as a program meets it over HTTP.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { DenyCode } from '#engine/wire/teams/team.ts';
import type { SpawnPolicy, TeamSettings } from '#engine/wire/teams/team-policy.ts';
import { serveKit, token } from '../../conformance/engines.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { openKit } from '../support/kit.ts';
import { startScripted, teamOf } from './team-kit.ts';

interface Refusal {
  policy?: Partial<SpawnPolicy>;
  team?: Partial<TeamSettings>;
  /** Fields of the request that is refused. */
  wanted?: object;
  /** An agent of the mission runs already. */
  after?: true;
}

const refusals: Record<DenyCode, Refusal> = {
  spawn_policy_missing: { team: { policyFile: '/nowhere/spawn-policy.yaml' } },
  spawn_policy_disabled: { policy: { enabled: false } },
  spawn_denied_edge: { wanted: { parent_role: 'watcher' } },
  spawn_justification_required: { policy: { requireJustification: true } },
  spawn_max_agents_exceeded: { policy: { maxAgents: 1 }, after: true },
  spawn_max_concurrent_exceeded: { policy: { maxConcurrent: 1 }, after: true },
  spawn_mission_budget_exceeded: { wanted: { budget_override: { max_tokens: 999_999_999 } } },
  spawn_requires_approval: {
    policy: { edges: { orchestrator: { behavior: 'request_only', canSpawn: ['worker'] } } },
  },
  spawn_required_skill_missing: { policy: { requiredSkills: { worker: [{ id: 'charts' }] } } },
  spawn_skill_source_denied: {
    policy: {
      skillSources: { mode: 'project_only', allowlistIDs: [], allowlistPaths: [], pinnedHashes: {} },
    },
    wanted: { templateID: 'skilled' },
  },
  spawn_skill_hash_mismatch: {
    policy: {
      skillSources: {
        ...{ mode: 'any', allowlistIDs: [], allowlistPaths: [] },
        pinnedHashes: { 'id:sources': `sha256:${'0'.repeat(64)}` },
      },
    },
    wanted: { templateID: 'skilled' },
  },
};

for (const [code, { policy = {}, team = {}, wanted = {}, after }] of Object.entries(refusals))
  test(`a start of an agent that is refused is 403 with its code and a sentence: ${code}`, async (t) => {
    const folder = tempFolder(t);
    mkdirSync(join(folder, 'sources'));
    writeFileSync(
      join(folder, 'sources', 'SKILL.md'),
      '---\nname: Sources\ndescription: How sources are named.\n---\nName each source.\n',
    );
    const held = Promise.withResolvers<void>();
    t.after(() => held.resolve());
    const model = await startScripted(t, () => ({ text: 'found', held: held.promise }));
    const skilled = {
      ...{
        templateID: 'skilled',
        displayName: 'Skilled',
        role: 'worker' as const,
        systemPrompt: 'You look.',
      },
      ...{ skills: [{ id: 'sources' }], model: 'm', deniedTools: [], budget: {} },
    };
    const kit = await openKit(t, {
      model: model.settings,
      team: teamOf(policy, {
        ...{ skillFolders: [folder], projectFolder: tempFolder(t), templates: [skilled] },
        ...team,
      }),
    });
    const { url } = await serveKit(t, { kit });
    const spawn = async (more: object) => {
      const response = await fetch(`${url}/agent-team/spawn`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{
            missionID: 'mis_1',
            source: 'orchestrator_runtime',
            templateID: 'researcher',
            prompt: 'Look.',
          },
          ...more,
        }),
      });
      return { status: response.status, body: Object(await response.json()) };
    };
    if (after) assert.equal((await spawn({})).status, 200);
    const { status, body } = await spawn(wanted);
    assert.deepEqual(
      [status, body.ok, body.code, body.requiresUserApproval],
      [403, false, code, code === 'spawn_requires_approval'],
      JSON.stringify(body),
    );
    assert.match(body.error, /\w+ .*\./);
  });
