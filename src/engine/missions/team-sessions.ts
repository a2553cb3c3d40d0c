// What belongs to the session, or the messages, that missions began with: it is shown and removed with them.
import type { TeamSessions } from '#engine/runs/instance.ts';
import type { Mission } from '#engine/teams/mission-rows.ts';
import type { Approvals } from './approvals.ts';
import type { TeamParts } from './team-parts.ts';

/** Over the rows of missions; `exists` knows whether a session is still there. */
export function createTeamSessions(
  { missions, instances, approvals }: Pick<TeamParts, 'missions' | 'instances' | 'approvals'>,
  { exists, waitingOf }: { exists: (sessionID: string) => boolean; waitingOf: Approvals['pendingOf'] },
): TeamSessions {
  const sessionsOf = (all: readonly Mission[]): string[] =>
    all.flatMap(({ id }) => instances.ofMission(id).map((each) => each.sessionID)).filter(exists);
  const ofMessages = (ids: readonly string[]): Mission[] => ids.flatMap((id) => missions.ofMessage(id) ?? []);
  return {
    sessionsOf: (sessionID) => sessionsOf(missions.page({ sessionID }, Number.MAX_SAFE_INTEGER)),
    sessionsOfMessages: (ids) => sessionsOf(ofMessages(ids)),
    waitingOf,
    forget(sessionID) {
      for (const { id } of missions.page({ sessionID }, Number.MAX_SAFE_INTEGER)) approvals.removeOf(id);
      missions.removeSession(sessionID);
    },
    forgetMessages(ids) {
      for (const { id } of ofMessages(ids)) {
        approvals.removeOf(id);
        missions.remove(id);
      }
    },
  };
}
