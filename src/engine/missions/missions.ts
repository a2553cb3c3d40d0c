// Missions: agents that an agent starts, bounded together. Puts the parts of this folder into one service.
import type { Secrets } from '#base/secrets.ts';
import type { Permissions } from '#engine/permissions/permissions.ts';
import type { Requests } from '#engine/permissions/requests.ts';
import type { TeamSessions } from '#engine/runs/instance.ts';
import type { Runs } from '#engine/runs/runs.ts';
import type { RunTables } from '#engine/runs/tables/run-tables.ts';
import type { PolicySource } from '#engine/teams/policy-source.ts';
import type { AnyTool } from '#engine/tools/definition/registry.ts';
import type { TeamService } from '#engine/wire/teams/team-operations.ts';
import type { TeamSettings } from '#engine/wire/teams/team-policy.ts';
import type { TeamStanding } from '#engine/wire/teams/team-standing.ts';
import { createAfterEnd } from './after-end.ts';
import { createApprovals } from './approvals.ts';
import { createCancelTree } from './cancel-tree.ts';
import { createInstanceRuns, type InstanceRuns } from './instance-runs.ts';
import { createCostOf, createPrepare, type PrepareParts } from './prepare.ts';
import { createResume } from './resume.ts';
import { createSpawner } from './spawn.ts';
import type { TeamParts } from './team-parts.ts';
import { createTeamService } from './team-service.ts';
import { createTeamSessions } from './team-sessions.ts';
import { createTeamTools } from './team-tools.ts';

export interface Missions {
  service: TeamService;
  instances: InstanceRuns['instances'];
  observer: InstanceRuns['observer'];
  /** The tools of teams; none while they are off. */
  tools: () => readonly AnyTool[];
  /** What an earlier process left behind: begun again where no run will, else ended with a reason. */
  resume(): Promise<void>;
  standing(): Promise<TeamStanding | undefined>;
  /** Reads the policy, so that it is known whether teams are on. */
  ready(): Promise<void>;
  /** What is removed with the sessions and messages that missions began with. */
  team: TeamSessions;
}

interface MissionsOptions extends TeamParts, Omit<PrepareParts, 'instances' | 'newKey'> {
  /** Known once everything is put together. */
  runs: () => Runs;
  tables: () => RunTables;
  policy: PolicySource;
  settings: () => TeamSettings | undefined;
  requests: Pick<Requests, 'pending'>;
  permissions: Permissions;
  approvalMs: () => number;
  secrets: Pick<Secrets, 'maskAll'>;
}

/** The missions over their rows. */
export function createMissions(options: MissionsOptions): Missions {
  const { missions, instances, log, settings, policy } = options;
  const tables = (): RunTables => options.tables();
  const cancelRun = (runID: string): Promise<boolean> => options.runs().cancelRun(runID);
  const afterEnd = createAfterEnd(options);
  const cancelTree = createCancelTree({ ...options, cancelRun, afterEnd });
  const instanceRuns = createInstanceRuns({
    ...options,
    runs: () => tables().runs,
    costOf: createCostOf(options),
    cancelTree,
    afterEnd,
    cancelRun,
    start: (instance) => spawner.start(instance),
  });
  const spawner = createSpawner({
    ...options,
    afterEnd,
    sessions: {
      insert: (session) => tables().conversation.sessions.insert(session),
      get: (id) => tables().conversation.sessions.get(id),
    },
    prompt: (...prompt) => options.runs().prompt(...prompt),
    prepare: createPrepare({ ...options, newKey: () => options.newId('key') }),
  });
  const approvals = createApprovals({ ...options, spawner, waitMs: options.approvalMs });
  const tools = createTeamTools({
    ...options,
    runs: () => tables().runs,
    spawner,
    cancelTree,
    nextEnd: afterEnd.nextEnd,
  });
  return {
    service: createTeamService({ ...options, spawner, approvals, cancelTree, cancelRun }),
    instances: instanceRuns.instances,
    observer: instanceRuns.observer,
    tools() {
      void policy.now(); // a file that has changed holds for the next run
      const state = policy.last();
      return state.status === 'usable' && state.policy.enabled ? tools : [];
    },
    async standing() {
      const state = await policy.now();
      const unusable = state.status === 'missing' ? state.why : null;
      const isOn =
        settings() !== undefined &&
        (unusable !== null || (state.status === 'usable' && state.policy.enabled));
      const active = missions.active().length;
      const open = instances.open();
      const waiting = approvals.pending().length;
      if (!isOn && active + open.length + waiting === 0) return undefined;
      return {
        missions: active,
        running: open.filter(({ status }) => status === 'running').length,
        queued: open.filter(({ status }) => status === 'queued').length,
        approvals: waiting,
        unusable: settings() === undefined ? null : unusable,
      };
    },
    async ready() {
      const state = await policy.now();
      if (state.status === 'missing' && settings() !== undefined)
        log.warn({ why: state.why }, 'no agent is started');
    },
    resume: createResume({ ...options, runs: () => tables().runs, start: spawner.start }),
    team: createTeamSessions(options, {
      exists: (id) => tables().conversation.sessions.get(id) !== undefined,
      waitingOf: approvals.pendingOf,
    }),
  };
}
