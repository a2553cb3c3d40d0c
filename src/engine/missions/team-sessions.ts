// What is removed of missions with the session, or the messages, that they began with.
import type { TeamSessions } from '#engine/runs/instance.ts';
import type { Mission } from '#engine/teams/mission-rows.ts';
import type { TeamParts } from './team-parts.ts';

/** Over the rows of missions; `exists` knows whether a session is still there. */
export function createTeamSessions(
  { missions, instances }: Pick<TeamParts, 'missions' | 'instances'>,
  exists: (sessionID: string) => boolean,
): TeamSessions {
  const sessionsOf = (all: readonly Mission[]): string[] =>
    all.flatMap(({ id }) => instances.ofMission(id).map((each) => each.sessionID)).filter(exists);
  const ofMessages = (ids: readonly string[]): Mission[] => ids.flatMap((id) => missions.ofMessage(id) ?? []);
  return {
    sessionsOf: (sessionID) => sessionsOf(missions.page({ sessionID }, Number.MAX_SAFE_INTEGER)),
    sessionsOfMessages: (ids) => sessionsOf(ofMessages(ids)),
    forget: (sessionID) => missions.removeSession(sessionID),
    forgetMessages(ids) {
      for (const { id } of ofMessages(ids)) missions.remove(id);
    },
  };
}
