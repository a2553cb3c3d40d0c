// What is asked of a thread of the memory and what it answers, as it passes between the two. Shapes only.
import type { EmbeddingIdentity } from './terms/embedding.ts';
import type { ImportProgress, ImportReport, ImportRequest } from './terms/import.ts';
import type { RecallRequest, Recollection, SearchQuery, SearchResult } from './terms/recall.ts';

/** What a thread knows from its start. */
export interface ThreadData {
  path: string;
  identity: EmbeddingIdentity | undefined;
}

/** The vector of the text, where a model made one. */
export interface Vector {
  vector?: Float32Array | undefined;
}

export interface Calls {
  search: { request: SearchQuery & Vector; result: SearchResult; news: never };
  recall: { request: RecallRequest & Vector; result: Recollection; news: never };
  /** Gets to know the memory before anyone asks; how many questions were rehearsed. */
  prepare: { request: object; result: number; news: never };
  import: {
    request: Omit<ImportRequest, 'signal' | 'onFile'>;
    result: ImportReport;
    news: ImportProgress;
  };
}

type Call = { [Name in keyof Calls]: { name: Name; request: Calls[Name]['request'] } }[keyof Calls];

export type Asked = ({ id: number; kind: 'call' } & Call) | { id: number; kind: 'abort' };

export type Answer =
  | { id: number; kind: 'result'; result: unknown }
  | { id: number; kind: 'news'; news: unknown }
  | {
      id: number;
      kind: 'failure';
      code: string | undefined;
      message: string;
      cure: string | undefined;
    };
