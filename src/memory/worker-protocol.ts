// What a thread of the memory is given and what it answers, as it passes between the two. Shapes only.
import type { BudgetSettings } from './types/budget.ts';
import type { EmbeddingIdentity } from './types/embedding.ts';
import type { ImportProgress, ImportReport, ImportRequest } from './types/import.ts';
import type { RecallInput, RecallResult, RetrievalWays, SearchQuery, SearchResult } from './types/recall.ts';

/** What a thread knows from its start. */
export interface ThreadData {
  path: string;
  identity: EmbeddingIdentity | undefined;
  ways?: RetrievalWays | undefined;
  budgets?: BudgetSettings | undefined;
}

/** The vector of the text, where a model made one. */
export interface Vector {
  vector?: Float32Array | undefined;
}

export type MemoryCalls = {
  search: { request: SearchQuery & Vector; result: SearchResult; news: never };
  recall: { request: RecallInput & Vector; result: RecallResult; news: never };
  import: {
    request: Omit<ImportRequest, 'signal' | 'onFile'>;
    result: ImportReport;
    news: ImportProgress;
  };
};
