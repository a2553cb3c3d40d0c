// What qmd adds to the memory of a prompt, which waits for it only so long; after a failure others do not wait at all for a while.
import { type Clock, momentIn, msUntil } from '#base/clock.ts';
import { codeOf, errorMessage } from '#base/errors.ts';
import type { FoundPassage, RecallRequest } from '#memory/types/recall.ts';

type Question = Pick<RecallRequest, 'text' | 'scope'>;

interface PromptRecall {
  /** Passages of files, best first; none where there is no answer in time. Never rejects. */
  recall(question: Question): Promise<FoundPassage[]>;
  /** Why the last prompt was given without it. */
  unrecalled(): string | undefined;
}

/** A prompt waits for so long at most, in milliseconds, and is offered so many passages. */
const [maxMs, limit] = [4_000, 8];
/** After a failure no prompt waits for so long, in milliseconds. */
const pauseMs = 60_000;

/** Over \`find\`, which rejects after \`ms\`, or with the code \`qmd_updating\` at once. */
export function createPromptRecall(parts: {
  clock: Clock;
  find(query: Question & { limit: number; ms: number }): Promise<FoundPassage[]>;
  ms: number;
}): PromptRecall {
  const { clock, find } = parts;
  const ms = Math.min(maxMs, parts.ms);
  let failed: { words: string; until: ReturnType<typeof momentIn> } | undefined;
  return {
    unrecalled: () => failed?.words,
    async recall({ text, scope }) {
      // the files of an audience are for agents that share their memory
      if (scope.partition !== undefined) return [];
      if (failed !== undefined && msUntil(clock, failed.until) > 0) return [];
      try {
        const found = await find({ text, scope, limit, ms });
        failed = undefined;
        return found.map(({ row, near }) => ({ row, near }));
      } catch (error) {
        const pause = codeOf(error) === 'qmd_updating' ? 0 : pauseMs;
        failed = { words: errorMessage(error), until: momentIn(clock, pause) };
        return [];
      }
    },
  };
}
