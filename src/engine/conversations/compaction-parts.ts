// The parts that hold a conversation's prompt short, put together: summaries, those of silent conversations, and what a prompt holds.

import { createIdleCompaction, type IdleCompaction } from '#engine/distillation/idle-compaction.ts';
import { createSummaries, type Summaries } from '#engine/distillation/summaries.ts';
import { createSectionsOfRun, createSessionContext, type SectionsOfRun } from './session-context.ts';

type CompactionOptions = Parameters<typeof createSummaries>[0] &
  Parameters<typeof createSessionContext>[0] & {
    limits: {
      /** Milliseconds of silence after which a long conversation is summarized; never when absent. */
      compactAfterMs?: number | undefined;
    };
  };

interface CompactionParts {
  summaries: Summaries;
  idleCompaction: IdleCompaction;
  sessionContext: ReturnType<typeof createSessionContext>;
  sectionsOfRun: SectionsOfRun;
}

/** The parts; none of them has begun to work. */
export function createCompactionParts(options: CompactionOptions): CompactionParts {
  const summaries = createSummaries(options);
  const { tables, clock, log, limits } = options;
  const sectionsOfRun = createSectionsOfRun(options);
  return {
    summaries,
    idleCompaction: createIdleCompaction({ tables, summaries, afterMs: limits.compactAfterMs, clock, log }),
    sessionContext: createSessionContext(options, sectionsOfRun),
    sectionsOfRun,
  };
}
