// Who may be started with which budget: every reason against it, and that no tree of requests takes more than its mission has.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toolsFor } from '#engine/missions/rights.ts';
import { type Counted, decideSpawn, heldOf, type SpawnCase } from '#engine/teams/decide.ts';
import { readPolicyFile } from '#engine/teams/policy-file.ts';
import type { DenyCode } from '#engine/wire/teams/team.ts';
import { type Budget, dimensions, teamRoles } from '#engine/wire/teams/team-policy.ts';
import { openPolicy } from './team-kit.ts';

const usable = (changes: object = {}): SpawnCase['policy'] => ({
  status: 'usable',
  policy: { ...openPolicy, ...changes },
});
const spent = { tokens: 0, steps: 0, toolCalls: 0, ms: 0, microUSD: 0 };
const running = (id: string, more: Partial<Counted> = {}): Counted => ({
  ...{ id, depth: 1, isOpen: true, granted: { tokens: 10 }, spent },
  ...more,
});
const spawn = (changes: Partial<SpawnCase> = {}): SpawnCase => ({
  policy: usable(),
  template: { role: 'worker', budget: {} },
  skills: { status: 'usable', skills: [], skillHash: undefined },
  parentRole: 'orchestrator',
  justification: 'needed',
  wanted: {},
  approved: false,
  missionBudget: { tokens: 1_000 },
  instances: [],
  parentID: undefined,
  ...changes,
});
const skillCase = (code: DenyCode): Partial<SpawnCase> => ({
  skills: { status: 'denied', code, error: 'x' },
});

const asks = { worker: { behavior: 'request_only', canSpawn: [] } };
const denials: [DenyCode, Partial<SpawnCase>][] = [
  ['spawn_policy_missing', { policy: { status: 'missing', why: 'none' } }],
  ['spawn_policy_disabled', { policy: usable({ enabled: false }) }],
  ['spawn_denied_edge', { parentRole: 'worker' }],
  ['spawn_justification_required', { policy: usable({ requireJustification: true }), justification: ' ' }],
  ['spawn_required_skill_missing', skillCase('spawn_required_skill_missing')],
  ['spawn_skill_source_denied', skillCase('spawn_skill_source_denied')],
  ['spawn_skill_hash_mismatch', skillCase('spawn_skill_hash_mismatch')],
  ['spawn_mission_budget_exceeded', { wanted: { tokens: 1_001 } }],
  [
    'spawn_max_agents_exceeded',
    { policy: usable({ maxAgents: 1 }), instances: [running('a', { isOpen: false })] },
  ],
  [
    'spawn_max_agents_exceeded',
    {
      policy: usable({ maxDepth: 1, edges: asks }),
      parentRole: 'worker',
      parentID: 'a',
      instances: [running('a', { granted: { tokens: 100 } })],
    },
  ],
  ['spawn_max_agents_exceeded', { policy: usable({ maxChildren: 1 }), instances: [running('a')] }],
  ['spawn_max_concurrent_exceeded', { policy: usable({ maxConcurrent: 1 }), instances: [running('a')] }],
  ['spawn_requires_approval', { policy: usable({ edges: asks }), parentRole: 'worker' }],
];

test('a request beyond the budget is told the field that it sent, in the unit of the field', () => {
  const missionBudget = { tokens: 1_000, microUSD: 2_000_000 };
  const said = (wanted: SpawnCase['wanted']): string => {
    const verdict = decideSpawn(spawn({ missionBudget, wanted }));
    return verdict.status === 'denied' ? verdict.error : verdict.status;
  };
  assert.match(said({ microUSD: 999_000_000 }), /^max_cost_usd: expected at most 2, .* got 999\.$/);
  assert.match(said({ tokens: 1_001 }), /^max_tokens: expected at most 1000, .* got 1001\.$/);
});

test('each reason against an agent has its code, and depth, width and number are bounded before it starts (S1)', () => {
  assert.equal(decideSpawn(spawn()).status, 'granted');
  for (const [code, changes] of denials) {
    const verdict = decideSpawn(spawn(changes));
    assert.equal(verdict.status === 'denied' ? verdict.code : 'granted', code, JSON.stringify(changes));
  }
  const approved = spawn({ policy: usable({ edges: asks }), parentRole: 'worker', approved: true });
  assert.equal(decideSpawn(approved).status, 'granted');
});

const amount = fc.integer({ min: 0, max: 1_000 });
const budgets = fc.record(Object.fromEntries(dimensions.map((dimension) => [dimension, amount])), {
  requiredKeys: [],
}) as fc.Arbitrary<Budget>;

test('for any tree, policy and budget what is granted never exceeds what the mission has (S2)', () => {
  const step = fc.record({
    wanted: budgets,
    template: budgets,
    parent: fc.nat(),
    end: fc.option(fc.nat(), { nil: undefined }),
    used: fc.integer({ min: 0, max: 100 }),
    role: fc.constantFrom(...teamRoles),
  });
  fc.assert(
    fc.property(
      budgets,
      fc.integer({ min: 1, max: 100 }),
      fc.array(step, { maxLength: 40 }),
      (missionBudget, childShare, steps) => {
        const edge = { behavior: 'allow' as const, canSpawn: [...teamRoles] };
        const edges = Object.fromEntries(teamRoles.map((role) => [role, edge]));
        const bounds = { maxAgents: 100, maxConcurrent: 100, maxDepth: 10, maxChildren: 100 };
        const policy = usable({ ...bounds, childShare, edges });
        const instances: Counted[] = [];
        for (const [index, { wanted, template, parent, end, used, role }] of steps.entries()) {
          const open = instances.filter(({ isOpen }) => isOpen);
          const above = open[parent % (open.length + 1)];
          const changes = { policy, missionBudget, instances, wanted, parentID: above?.id };
          const verdict = decideSpawn(spawn({ ...changes, template: { role, budget: template } }));
          if (verdict.status === 'granted')
            instances.push(
              running(String(index), {
                parentID: above?.id,
                depth: (above?.depth ?? 0) + 1,
                granted: verdict.budget,
              }),
            );
          const ended = end === undefined ? undefined : instances[end % Math.max(1, instances.length)];
          if (ended?.isOpen === true) {
            ended.isOpen = false;
            ended.spent = { ...spent };
            for (const dimension of dimensions)
              ended.spent[dimension] = Math.floor(((ended.granted[dimension] ?? 0) * used) / 100);
          }
          const held = heldOf(instances);
          for (const dimension of dimensions)
            assert.ok(held[dimension] <= (missionBudget[dimension] ?? Number.POSITIVE_INFINITY));
        }
      },
    ),
  );
});

test('no agent of any tree has a tool that its parent lacks (S8)', () => {
  const tools = ['memory_search', 'web_fetch', 'artifact', 'spawn_agent', 'wait_agents', 'mcp_a_b'];
  const patterns = fc.array(fc.constantFrom(...tools, '*', 'mcp_*', 'memory_*'));
  const template = fc.record({ role: fc.constantFrom(...teamRoles), tools: patterns, deniedTools: patterns });
  fc.assert(
    fc.property(fc.subarray(tools), fc.array(template, { maxLength: 6 }), (first, chain) => {
      let parent = first;
      for (const each of chain) {
        const edges = { delegator: { behavior: 'allow' as const, canSpawn: ['worker' as const] } };
        const child = toolsFor({ ...each, skills: [] }, { tools: parent, memory: 'full' }, edges);
        assert.ok(child.every((tool) => parent.includes(tool)));
        if (each.role !== 'delegator') assert.ok(!child.includes('spawn_agent'));
        parent = child;
      }
    }),
  );
});

test('a policy file with unknown keys, circles or wrong values is refused with what is wrong', () => {
  const refused = (text: string, why: RegExp): void =>
    assert.throws(
      () => readPolicyFile(text, 'spawn-policy.yaml'),
      (error: Error & { code?: string }) => {
        assert.equal(error.code, 'policy_invalid');
        assert.match(error.message, why);
        return true;
      },
    );
  refused('max_agent: 3', /"max_agent" is not a key of a spawn policy. The nearest is "max_agents"/);
  refused('enabled: maybe', /enabled: Invalid input/);
  refused('enabled: [', /cannot be used/);
  refused(
    'spawn_edges: {worker: {behavior: allow, can_spawn: [tester]}, tester: {behavior: allow, can_spawn: [worker]}}',
    /in a circle: worker -> tester -> worker/,
  );
  const policy = readPolicyFile('max_agents: 2\nmission_total_budget: {max_cost_usd: 1.5}', 'x');
  assert.deepEqual(policy, { maxAgents: 2, missionBudget: { microUSD: 1_500_000 } });
});
