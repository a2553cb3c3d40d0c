// The memory's promises, as the storeys above see them. The implementation is made by `#memory/memory.ts`.
import type { ArchiveResult, Exchange } from './exchange.ts';
import type { Recollection, SearchQuery, SearchResult } from './recall.ts';
import type { Scope } from './scope.ts';

export interface Memory {
  /** Stores a completed exchange once (by `key`, and by content inside one audience); commits before it returns. */
  archive(exchange: Exchange): Promise<ArchiveResult>;
  /** Explicit search: relevant chunks inside the scope. Never writes; throws `missing_scope` without a scope. */
  search(query: SearchQuery): Promise<SearchResult>;
  /** Material for a prompt: stricter than search; nothing relevant gives an empty block. */
  recall(request: {
    text: string;
    scope: Scope;
    currentSession?: string | undefined;
    budgetChars?: number | undefined;
  }): Promise<Recollection>;
  status(): Promise<{ chunks: number; vectors: number; embedding: string; degraded: string[] }>;
  close(): Promise<void>;
}
