// Takes the exchange of a run out of memory. Its conversation is left.
import { singleAudienceScope } from '#engine/memory-api/single-audience.ts';
import type { TeamSessions } from '#engine/runs/instance.ts';
import type { StoredRun } from '#engine/runs/tables/run-row.ts';
import type { RunTables } from '#engine/runs/tables/run-tables.ts';
import { parsePassage } from '#memory/types/block.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { Entry, ForgetRequest } from '#memory/types/maintenance.ts';
import type { Audience } from '#memory/types/scope.ts';

export interface ForgetRunOptions {
  tables: Pick<RunTables, 'runs' | 'conversation'>;
  memory: Pick<Memory, 'forget'>;
  team: Pick<TeamSessions, 'sessionsOfMessages'>;
}

/** The audiences in which what a run noted may be. */
export function notedAudiences({ origin }: StoredRun): Audience[] {
  if (origin === undefined) return [];
  const linked = origin.kind === 'dm' ? origin.reach.audiences : [];
  const all = [origin.audience, ...linked.filter((each) => each.startsWith('person:'))];
  return all as Audience[]; // the form that the prompt's schema checks
}

/**
 * Makes the function that forgets a run's exchange, what was noted for it, and what was made of either. What a person said of it and is not
 * `isTold` may be stored again. It resolves with whether memory had anything of it.
 */
export function createForgetRun({
  tables: { runs, conversation },
  memory,
  team,
}: ForgetRunOptions): (run: StoredRun, isTold: (text: string) => boolean) => Promise<boolean> {
  /** The run with those that its process left behind before it, and those of the agents that worked for its message. */
  const workOf = ({ runID, userMessageID, idempotencyKey }: StoredRun): Set<string> => {
    const answers = idempotencyKey === undefined ? [] : runs.answersOfKey(idempotencyKey);
    const lives = answers.flatMap((id) => conversation.messages.get(id)?.runID ?? []);
    return new Set([runID, ...lives, ...team.sessionsOfMessages([userMessageID]).flatMap(runs.idsOf)]);
  };
  /** Memory without the exchange, and without what was noted for it or made of either, also where a linked account's note was changed. */
  return async (run, isTold) => {
    const { runID } = run;
    const audiences = notedAudiences(run);
    let had = false;
    if (audiences.length === 0) return had;
    for (const work of workOf(run)) {
      const of = {
        scope: { ...singleAudienceScope(), audiences },
        selection: { run: work },
        by: { name: 'gateway', runID },
      };
      const { samples, entries } = await memory.forget({ ...of, mode: 'preview', samples: 'all' });
      had ||= entries > 0;
      await forgetOwnWords(memory, { samples, ...of }, isTold);
      await memory.forget({ ...of, mode: 'forget', proof: 'none' });
    }
    return had;
  };
}

/**
 * Forgets pieces of an exchange that hold only what a person said, and nothing that is told. They go with the exchange, which is archived
 * again as a whole, and so may be stored again.
 */
export async function forgetOwnWords(
  memory: Pick<Memory, 'forget'>,
  { samples, scope, by }: Pick<ForgetRequest, 'scope' | 'by'> & { samples: readonly Entry[] },
  isTold: (text: string) => boolean,
): Promise<void> {
  const ids = samples.flatMap(({ id, source, text, speaker }) => {
    const { userText, answered } = parsePassage(text, speaker);
    return source === 'exchange' && answered === '' && !isTold(userText) ? [id] : [];
  });
  if (ids.length > 0)
    await memory.forget({ scope, by, selection: { ids }, mode: 'forget', proof: 'none', marks: 'none' });
}
