// Missions: agents that an agent starts, bounded together. Puts the parts of this folder into one service.
import { errorMessage, ParleyError } from '#base/errors.ts';
import type { Secrets } from '#base/secrets.ts';
import type { Permissions } from '#engine/permissions/permissions.ts';
import type { Requests } from '#engine/permissions/requests.ts';
import type { TeamSessions } from '#engine/runs/instance.ts';
import type { RunTables } from '#engine/runs/run-tables.ts';
import type { Runs } from '#engine/runs/runs.ts';
import { type Instance, isOpen } from '#engine/teams/instance-rows.ts';
import type { Mission } from '#engine/teams/mission-rows.ts';
import type { PolicySource } from '#engine/teams/policy-source.ts';
import { allTemplates } from '#engine/teams/shipped-templates.ts';
import type { AnyTool } from '#engine/tools/registry.ts';
import type { TeamService } from '#engine/wire/team.ts';
import type { TeamSettings } from '#engine/wire/team-policy.ts';
import type { TeamStanding } from '#engine/wire/team-standing.ts';
import { createAfterEnd } from './after-end.ts';
import { createApprovals, inputOf } from './approvals.ts';
import { createCancelTree } from './cancel-tree.ts';
import { createInstanceRuns, type InstanceRuns, runKeyOf } from './instance-runs.ts';
import { createCostOf, createPrepare, type PrepareParts } from './prepare.ts';
import { reopen } from './reopen.ts';
import { createSpawner } from './spawn.ts';
import type { TeamParts } from './team-parts.ts';
import { createTeamSessions } from './team-sessions.ts';
import { createTeamTools } from './team-tools.ts';
import { wireInstanceOf, wireMissionOf, wireTemplateOf } from './wire-missions.ts';

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

export interface MissionsOptions extends TeamParts, Omit<PrepareParts, 'instances' | 'newKey'> {
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

/** How often an instance without a run to ask for it is begun again. */
const maxLives = 6;
const shownMissions = 100;

/** The missions over their rows. */
export function createMissions(options: MissionsOptions): Missions {
  const { missions, instances, events, clock, log, settings, policy } = options;
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
  const wire = (mission: Mission) => wireMissionOf(mission, instances.ofMission(mission.id));
  const existing = (missionID: string): Mission => {
    const mission = missions.get(missionID);
    if (mission !== undefined) return mission;
    throw new ParleyError('mission_not_found', `There is no mission ${JSON.stringify(missionID)}.`);
  };

  /** Of a mission that no run began: nobody else asks for its instances again. */
  const revive = (): Instance[] =>
    events.commit(() => {
      const again: Instance[] = [];
      for (const mission of missions.active()) {
        const { runID } = mission;
        if (runID !== undefined) {
          if (tables().runs.get(runID)?.status !== 'running')
            missions.end(mission.id, {
              status: 'interrupted',
              reason: 'The program was stopped.',
              at: clock.now(),
            });
          continue;
        }
        const left = instances.ofMission(mission.id);
        for (const instance of left.filter(
          ({ status, parentID }) => status === 'interrupted' && parentID === undefined,
        )) {
          const lives = tables().runs.answersOfKey(runKeyOf(instance.id)).length;
          const queued = lives < maxLives ? reopen(options, instance, undefined) : undefined;
          if (queued !== undefined) again.push(queued);
        }
        if (!instances.ofMission(mission.id).some(isOpen))
          missions.end(mission.id, {
            status: 'interrupted',
            reason: 'The program was stopped.',
            at: clock.now(),
          });
      }
      return again;
    });

  const service: TeamService = {
    missions: async (filter) => missions.page(filter, shownMissions).map(wire),
    async cancelMission(missionID, { reason = 'It was cancelled.' } = {}) {
      const mission = existing(missionID);
      events.commit((record) => {
        missions.end(missionID, { status: 'cancelled', reason, at: clock.now() });
        cancelTree(instances.ofMission(missionID).filter(isOpen), { reason, record });
      });
      // the run that began it waits for what no longer comes
      if (mission.runID !== undefined) await cancelRun(mission.runID);
      return wire(existing(missionID));
    },
    async teamTemplates() {
      const own = settings()?.templates ?? [];
      return allTemplates(own).map((template) => wireTemplateOf(template, own.includes(template)));
    },
    async spawn(request, { idempotencyKey } = {}) {
      const outcome = await spawner.spawn(inputOf(request, idempotencyKey));
      if (outcome.ok || !outcome.requiresUserApproval) return outcome;
      const masked = options.secrets.maskAll(request);
      return { ...outcome, approvalID: approvals.wait(masked, idempotencyKey).id };
    },
    async cancelInstance(instanceID, { reason = 'It was cancelled.' } = {}) {
      const instance = instances.get(instanceID);
      if (instance === undefined)
        throw new ParleyError('instance_not_found', `There is no agent ${JSON.stringify(instanceID)}.`);
      events.commit((record) => cancelTree([instance], { reason, record }));
      if (instance.runID !== undefined) await cancelRun(instance.runID);
      return wireInstanceOf(instances.get(instanceID) ?? instance);
    },
    spawnApprovals: async () => approvals.pending(),
    decideSpawn: (approvalID, decision) => approvals.decide(approvalID, decision),
  };

  return {
    service,
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
    async resume() {
      events.commit(() => {
        for (const { id } of instances.open())
          instances.end(id, {
            status: 'interrupted',
            discarded: false,
            error: 'The program was stopped.',
            at: clock.now(),
          });
      });
      for (const instance of revive())
        spawner
          .start(instance)
          .catch((error: unknown) =>
            log.error(
              { instance: instance.id, error: errorMessage(error) },
              'an agent could not be begun again',
            ),
          );
    },
    team: createTeamSessions(options, {
      exists: (id) => tables().conversation.sessions.get(id) !== undefined,
      waitingOf: approvals.pendingOf,
    }),
  };
}
