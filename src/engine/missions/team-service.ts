// What clients ask about missions, and do to them: listed, cancelled, spawned, approved.
import { ParleyError } from '#base/errors.ts';
import type { Secrets } from '#base/secrets.ts';
import { isOpen } from '#engine/teams/instance-rows.ts';
import type { Mission } from '#engine/teams/mission-rows.ts';
import { allTemplates } from '#engine/teams/shipped-templates.ts';
import type { TeamService } from '#engine/wire/teams/team-operations.ts';
import type { TeamSettings } from '#engine/wire/teams/team-policy.ts';
import { type Approvals, inputOf } from './approvals.ts';
import type { CancelTree } from './cancel-tree.ts';
import type { Spawner } from './spawn.ts';
import type { TeamParts } from './team-parts.ts';
import { wireInstanceOf, wireMissionOf, wireTemplateOf } from './wire-missions.ts';

interface TeamServiceParts extends Pick<TeamParts, 'missions' | 'instances' | 'events' | 'clock'> {
  settings: () => TeamSettings | undefined;
  secrets: Pick<Secrets, 'maskAll'>;
  spawner: Spawner;
  approvals: Approvals;
  cancelTree: CancelTree;
  cancelRun(runID: string): Promise<boolean>;
}

const shownMissions = 100;

/** The service over the parts; throws a ParleyError `mission_not_found` or `instance_not_found`. */
export function createTeamService(parts: TeamServiceParts): TeamService {
  const { missions, instances, events, clock, settings, spawner, approvals, cancelTree, cancelRun } = parts;
  const wire = (mission: Mission) => wireMissionOf(mission, instances.ofMission(mission.id));
  const existing = (missionID: string): Mission => {
    const mission = missions.get(missionID);
    if (mission !== undefined) return mission;
    throw new ParleyError('mission_not_found', `There is no mission ${JSON.stringify(missionID)}.`);
  };

  return {
    missions: async (filter) => missions.page(filter, shownMissions).map(wire),
    instances: async ({ missionID, parentInstanceID, status }) =>
      missions
        .page({ missionID }, shownMissions)
        .flatMap((mission) => wire(mission).instances)
        .filter((each) => parentInstanceID === undefined || each.parentInstanceID === parentInstanceID)
        .filter((each) => status === undefined || each.status === status),
    async cancelMission({ missionID, reason = 'It was cancelled.' }) {
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
      const masked = parts.secrets.maskAll(request);
      return { ...outcome, approvalID: approvals.wait(masked, idempotencyKey).id };
    },
    async cancelInstance({ instanceID, reason = 'It was cancelled.' }) {
      const instance = instances.get(instanceID);
      if (instance === undefined)
        throw new ParleyError('instance_not_found', `There is no agent ${JSON.stringify(instanceID)}.`);
      events.commit((record) => cancelTree([instance], { reason, record }));
      if (instance.runID !== undefined) await cancelRun(instance.runID);
      return wireInstanceOf(instances.get(instanceID) ?? instance);
    },
    spawnApprovals: async () => approvals.pending(),
    approveSpawn: approvals.approveSpawn,
    denySpawn: approvals.denySpawn,
  };
}
