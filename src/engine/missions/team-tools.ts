// The tools with which a model works with other agents: start them, wait for them, read what they found, stop them.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { codeOf, ParleyError } from '#base/errors.ts';
import { withTimeout } from '#base/waiting/async.ts';
import type { Permissions } from '#engine/permissions/permissions.ts';
import type { RequestingCall } from '#engine/permissions/request-rows.ts';
import type { StoredRun } from '#engine/runs/tables/run-row.ts';
import type { RunRows } from '#engine/runs/tables/run-rows.ts';
import { type Instance, isOpen } from '#engine/teams/instance-rows.ts';
import { type AnyTool, defineTool } from '#engine/tools/definition/registry.ts';
import { budgetLimit, type SpawnOutcome, toBudget } from '#engine/wire/teams/team.ts';
import type { AfterEnd } from './after-end.ts';
import { type CancelTree, childrenOf } from './cancel-tree.ts';
import type { SpawnInput } from './prepare.ts';
import { resultPage, summaryOf } from './results.ts';
import type { Spawner } from './spawn.ts';
import type { TeamParts } from './team-parts.ts';

interface TeamToolParts extends TeamParts {
  runs: () => Pick<RunRows, 'get' | 'recalledIn'>;
  spawner: Spawner;
  permissions: Pick<Permissions, 'authorize'>;
  cancelTree: CancelTree;
  nextEnd: AfterEnd['nextEnd'];
}

/** Longest one call waits, in seconds; the model may call again. */
const maxWait = 600;

const agentID = z.string().min(1).max(100).describe('Its id, as spawn_agent gave it.');

/** The tools over the missions; they are offered only while teams are enabled. */
export function createTeamTools(parts: TeamToolParts): AnyTool[] {
  return [spawnTool(parts), waitTool(parts), resultTool(parts), cancelTool(parts), skillTool(parts)];
}

function spawnTool(parts: TeamToolParts): AnyTool {
  return defineTool({
    name: 'spawn_agent',
    idempotent: true,
    description:
      'Starts another agent on a separate task and returns at once: start several, then call wait_agents. Templates: researcher, writer, reviewer, and those of this installation. The agent sees only the task, so write all that it needs into it.',
    input: z.strictObject({
      template: z.string().min(1).max(100),
      task: z.string().min(1).max(50_000),
      justification: z.string().max(2_000).optional().describe('Why an agent is needed for this.'),
      budget: budgetLimit.optional().describe('Tighter bounds than its template has.'),
    }),
    waits: true,
    async run({ template, task, justification, budget }, { asking, signal }) {
      const run = runOf(parts, asking);
      const input: SpawnInput = {
        source: 'tool_call',
        templateID: template,
        task,
        justification,
        budget: budget && toBudget(budget),
        parentInstanceID: parts.instances.ofSession(asking.sessionID)?.id,
        run,
      };
      const first = await parts.spawner.spawn(input);
      if (first.ok || !first.requiresUserApproval) return { result: forModel(first) };
      const how = { verdict: 'ask' as const, canAsk: run.canAsk, signal };
      const leave = await parts.permissions.authorize(asking, how);
      if (leave.status === 'denied')
        return { result: { started: false, code: first.code, error: leave.error } };
      return { result: forModel(await parts.spawner.spawn({ ...input, approved: true })) };
    },
  });
}

/** What the model is shown of the decision. */
function forModel(outcome: SpawnOutcome): Record<string, unknown> {
  if (!outcome.ok) return { started: false, code: outcome.code, error: outcome.error };
  const { instanceID, status, budget, warnings } = outcome;
  return { started: true, agent: instanceID, status, budget, ...(warnings.length > 0 ? { warnings } : {}) };
}

function waitTool(parts: TeamToolParts): AnyTool {
  return defineTool({
    name: 'wait_agents',
    idempotent: true,
    description:
      'Waits until the agents that you started have ended, and gives a summary of each result. Without `agents` it waits for all of them.',
    input: z.strictObject({
      agents: z.array(agentID).min(1).max(100).optional(),
      timeout_seconds: z.int().min(1).max(maxWait).default(maxWait),
    }),
    waits: true,
    async run({ agents, timeout_seconds }, { asking, signal }) {
      const mine = (): Instance[] => {
        const all = ownOf(parts, asking);
        return agents === undefined ? all : agents.map((id) => named(all, id));
      };
      if (mine().length === 0) return { result: { agents: [], note: 'You have started no agent.' } };
      const limit = { clock: parts.clock, ms: timeout_seconds * 1_000, what: 'Waiting for agents', signal };
      const isOver = await withTimeout(limit, async (within) => {
        while (mine().some(isOpen)) await parts.nextEnd(within);
        return true;
      }).catch((error: unknown) => {
        if (signal.aborted || codeOf(error) !== 'timeout') throw error;
        return false;
      });
      const ended = mine();
      return {
        result: {
          agents: ended.map((instance) => summaryOf(instance, textOf(parts, instance))),
          ...(isOver ? {} : { note: `After ${timeout_seconds} seconds some are still running.` }),
        },
        recalled: recalledBy(parts, ended),
      };
    },
  });
}

function resultTool(parts: TeamToolParts): AnyTool {
  return defineTool({
    name: 'agent_result',
    idempotent: true,
    description: 'Reads the whole result of an agent that you started, page by page.',
    input: z.strictObject({ agent: agentID, from: z.int().min(0).default(0) }),
    async run({ agent, from }, { asking }) {
      const instance = named(ownOf(parts, asking), agent);
      const { result: _, ...status } = summaryOf(instance, '');
      return {
        result: { ...status, ...resultPage(textOf(parts, instance), from) },
        recalled: recalledBy(parts, [instance]),
      };
    },
  });
}

function cancelTool(parts: TeamToolParts): AnyTool {
  return defineTool({
    name: 'cancel_agent',
    idempotent: true,
    description: 'Stops an agent that you started, with all that it has started.',
    input: z.strictObject({ agent: agentID, reason: z.string().max(500).default('No longer needed.') }),
    async run({ agent, reason }, { asking }) {
      const instance = named(ownOf(parts, asking), agent);
      parts.events.commit((record) => parts.cancelTree([instance], { reason, record }));
      return { result: { agent, cancelled: isOpen(instance) } };
    },
  });
}

function skillTool({ instances }: TeamToolParts): AnyTool {
  return defineTool({
    name: 'skill_file',
    idempotent: true,
    description: 'Reads a file of one of your skills, as text.',
    input: z.strictObject({ skill: z.string().min(1).max(100), file: z.string().min(1).max(300) }),
    async run({ skill, file }, { asking }) {
      const skills = instances.ofSession(asking.sessionID)?.profile.skills ?? [];
      const found = skills.find(({ id }) => id === skill);
      // only what was listed and hashed when the agent was started: a path leads nowhere else
      if (found === undefined || !found.files.includes(file))
        throw new ParleyError(
          'skill_file_not_found',
          `There is no file ${JSON.stringify(file)} in your skill ${JSON.stringify(skill)}.`,
        );
      return { result: { skill, file, text: await readFile(join(found.folder, file), 'utf8') } };
    },
  });
}

function runOf({ runs }: TeamToolParts, { runID }: RequestingCall): StoredRun {
  const run = runs().get(runID);
  if (run === undefined) throw new Error(`the run ${runID} is missing`);
  return run;
}

/** What the caller has started in its mission. */
function ownOf(parts: TeamToolParts, asking: RequestingCall): Instance[] {
  const self = parts.instances.ofSession(asking.sessionID);
  const mission = self === undefined ? parts.missions.ofMessage(asking.userMessageID) : undefined;
  const missionID = self?.missionID ?? mission?.id;
  if (missionID === undefined) return [];
  const all = parts.instances.ofMission(missionID);
  return self === undefined ? all.filter(({ parentID }) => parentID === undefined) : childrenOf(all, self.id);
}

function named(own: readonly Instance[], id: string): Instance {
  const found = own.find((each) => each.id === id);
  if (found !== undefined) return found;
  const ids = own.map((each) => each.id).join(', ');
  throw new ParleyError(
    'instance_not_found',
    `You have started no agent ${JSON.stringify(id)}; there are: ${ids}.`,
  );
}

function textOf({ runs }: TeamToolParts, { runID, discarded }: Instance): string {
  return runID === undefined || discarded ? '' : (runs().get(runID)?.text ?? '');
}

/** What these were shown of memory may be in their results: it is not remembered as if it were new. */
function recalledBy({ runs }: TeamToolParts, instances: readonly Instance[]): string[] {
  const ids = instances.flatMap(({ runID }) => (runID === undefined ? [] : (runs().get(runID) ?? [])));
  return runs().recalledIn(ids.flatMap(({ runID, seenRuns }) => [runID, ...seenRuns]));
}
