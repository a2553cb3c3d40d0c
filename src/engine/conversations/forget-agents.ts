// What the agents of a run were given and answered goes with the message that they worked for.
import { errorMessage } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import type { TeamSessions } from '#engine/runs/instance.ts';
import type { StoredRun } from '#engine/runs/tables/run-row.ts';
import type { RunTables } from '#engine/runs/tables/run-tables.ts';
import type { Branches } from './branches.ts';

interface ForgetAgentsOptions {
  tables: Pick<RunTables, 'conversation' | 'events' | 'runs'>;
  team: Pick<TeamSessions, 'sessionsOfMessages' | 'forgetMessages'>;
  branches: Pick<Branches, 'deleteSession'>;
  /** Resolves when the run has ended. */
  finished(runID: string): Promise<unknown>;
  log: Log;
}

/** Removes the sessions of the agents that worked for the message of a run, with their missions: of a run at work once it has ended, as it may start more. */
export function createForgetAgents({ tables, team, branches, finished, log }: ForgetAgentsOptions) {
  const { conversation, events, runs } = tables;
  const remove = async (messageIDs: readonly string[]): Promise<void> => {
    for (const id of team.sessionsOfMessages(messageIDs))
      if (conversation.sessions.get(id) !== undefined) await branches.deleteSession({ sessionID: id });
    events.commit(() => team.forgetMessages(messageIDs));
  };
  return async ({ runID, userMessageID }: StoredRun): Promise<void> => {
    if (runs.get(runID)?.status !== 'running') return remove([userMessageID]);
    finished(runID)
      .then(() => remove([userMessageID]))
      .catch((error: unknown) =>
        log.warn(
          { runID, error: errorMessage(error) },
          'what agents did for an amended message is still there',
        ),
      );
  };
}
