// How a question is looked for: with its vector where there is a model, here while the memory is small, in a thread when it is large.
import { codeOf } from '#base/errors.ts';
import type { QuestionVectors } from './question-vectors.ts';
import type { Memory } from './types/contract.ts';
import type { RecallInput, RecallResult, SearchQuery, SearchResult } from './types/recall.ts';
import type { Scope } from './types/scope.ts';
import type { MemoryWorker } from './worker-client.ts';
import type { Vector } from './worker-protocol.ts';

interface Here {
  search(query: SearchQuery & Vector): Promise<SearchResult>;
  recall(request: RecallInput & Vector): Promise<RecallResult>;
}

export interface Ask extends Pick<Memory, 'search'> {
  recall(request: RecallInput): Promise<RecallResult>;
}

/** The reading half of a memory. A question whose thread died is asked once more in a new one, then here, and the answer says so. */
export function createAsk(parts: {
  here: Here;
  thread: MemoryWorker;
  isLarge(): Promise<boolean>;
  questions: { of(text: string, scope: Scope): ReturnType<QuestionVectors['of']> } | undefined;
}): Ask {
  const { here, thread, isLarge, questions } = parts;
  async function asked<T extends { degraded: string[] }>(
    { text, scope }: { text: string; scope: Scope },
    ways: { inThread: (more: Vector) => Promise<T>; here: (more: Vector) => Promise<T> },
  ): Promise<T> {
    const large = await isLarge();
    const { vector, degraded = [] } = (await questions?.of(text, scope)) ?? {};
    const failed: string[] = [];
    for (let attempt = 1; large && attempt <= 2; attempt += 1) {
      try {
        const found = await ways.inThread({ vector });
        return { ...found, degraded: [...found.degraded, ...degraded] };
      } catch (error) {
        if (codeOf(error) !== 'thread_ended') throw error;
        if (attempt === 2) failed.push('search thread failed');
      }
    }
    const found = await ways.here({ vector });
    return { ...found, degraded: [...found.degraded, ...degraded, ...failed] };
  }
  return {
    search: (query) =>
      asked(query, {
        inThread: (more) => thread.call('search', { ...query, ...more }),
        here: (more) => here.search({ ...query, ...more }),
      }),
    recall: (request) =>
      asked(request, {
        inThread: (more) => thread.call('recall', { ...request, ...more }),
        here: (more) => here.recall({ ...request, ...more }),
      }),
  };
}
