// Memory as clients of the engine have it: every call inside one audience. Promises only.
import type {
  MemoryEntries,
  MemoryFindings,
  MemoryItem,
  MemoryList,
  MemoryPlaces,
  MemorySearch,
} from './memory.ts';
import type {
  MemoryAuditPage,
  MemoryAuditQuery,
  MemoryPromote,
  MemoryPromoted,
  MemoryPut,
  MemoryStored,
  MemoryWithdraw,
  MemoryWithdrawn,
} from './memory-govern.ts';

interface Of {
  audience?: MemorySearch['audience'];
}

export interface MemoryService {
  /** Searches memory inside one audience; what it shows is noted in the audit. */
  searchMemory(search: MemorySearch): Promise<MemoryFindings>;
  /** Keeps a governed record for one audience; the same words are kept there once, and what was forgotten there is not. */
  putMemory(put: MemoryPut): Promise<MemoryStored>;
  /** What one audience remembers, newest first. */
  listMemory(list: MemoryList): Promise<MemoryEntries>;
  /** One memory, and of a record all its versions. A ParleyError `memory_not_found` when the audience has none of this id. */
  showMemory(id: string, of?: Of): Promise<MemoryItem>;
  /**
   * Deletes one memory of an audience with all that was made of it (full text, vector, versions, what was derived from it), in one
   * transaction, and leaves a mark by which no import brings it back; `traces` counts words of it that still stand in a file. A
   * ParleyError `memory_not_found` when the audience has none of this id.
   */
  deleteMemory(id: string, of?: Of): Promise<{ traces: number }>;
  /** Brings a record to a wider tier, or a demoted one back, looked through for secrets once more. */
  promoteMemory(promote: MemoryPromote): Promise<MemoryPromoted>;
  /** Takes a record out of what is found. */
  demoteMemory(withdraw: MemoryWithdraw): Promise<MemoryWithdrawn>;
  /** Withdraws a record as no longer true; it stays as history. */
  retractMemory(withdraw: MemoryWithdraw): Promise<MemoryWithdrawn>;
  /** Who did what to the memories of one audience, newest first. */
  memoryAudit(query: MemoryAuditQuery): Promise<MemoryAuditPage>;
  /** Every audience that owns memories. */
  memoryPlaces(): Promise<MemoryPlaces>;
}
