// Takes the exchange of a run out of memory. Its conversation is left.
import { singleAudienceScope } from '#engine/memory-api/single-audience.ts';
import type { TeamSessions } from '#engine/runs/instance.ts';
import type { StoredRun } from '#engine/runs/tables/run-row.ts';
import type { RunTables } from '#engine/runs/tables/run-tables.ts';
import type { Memory } from '#memory/types/contract.ts';
import { notedAudiences } from './later-answers.ts';

export interface ForgetRunOptions {
  tables: Pick<RunTables, 'runs' | 'conversation'>;
  memory: Pick<Memory, 'forget'>;
  team: Pick<TeamSessions, 'sessionsOfMessages'>;
}

/** Makes the function that forgets a run's exchange, what was noted for it, and what was made of either. */
export function createForgetRun({
  tables: { runs, conversation },
  memory,
  team,
}: ForgetRunOptions): (run: StoredRun) => Promise<void> {
  /** The run with those that its process left behind before it, and those of the agents that worked for its message. */
  const workOf = ({ runID, userMessageID, idempotencyKey }: StoredRun): Set<string> => {
    const answers = idempotencyKey === undefined ? [] : runs.answersOfKey(idempotencyKey);
    const lives = answers.flatMap((id) => conversation.messages.get(id)?.runID ?? []);
    return new Set([runID, ...lives, ...team.sessionsOfMessages([userMessageID]).flatMap(runs.idsOf)]);
  };
  /** Memory without the exchange, and without what was noted for it or made of either, also where a linked account's note was changed. */
  return async (run) => {
    const { runID } = run;
    const audiences = notedAudiences(run);
    if (audiences.length === 0) return;
    for (const work of workOf(run))
      await memory.forget({
        scope: { ...singleAudienceScope(), audiences },
        selection: { run: work },
        mode: 'forget',
        by: { name: 'gateway', runID },
        proof: 'none',
      });
  };
}
