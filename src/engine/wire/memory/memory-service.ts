// Memory as clients of the engine have it: every call inside one audience. Promises only.

import type {
  MemoryAudiences,
  MemoryBudgets,
  MemoryEntries,
  MemoryFindings,
  MemoryForget,
  MemoryForgotten,
  MemoryItem,
  MemoryList,
  MemorySearch,
} from './memory.ts';
import type {
  MemoryDistill,
  MemoryDistilled,
  MemoryImport,
  MemoryImported,
  MemoryLayers,
  MemoryNode,
  MemoryTree,
} from './memory-context.ts';
import type {
  MemoryArtifactList,
  MemoryDreams,
  MemoryFileLines,
  MemoryFileList,
  MemoryFileNote,
  MemoryFileNoted,
  MemoryFileRead,
  MemoryFileReplace,
  MemoryFileReplaced,
  MemoryFilesQuery,
  MemoryFileWhole,
  MemoryFileWholeQuery,
} from './memory-files.ts';
import type {
  MemoryAuditPage,
  MemoryAuditQuery,
  MemoryCorrect,
  MemoryCorrected,
  MemoryPin,
  MemoryPinned,
  MemoryPromote,
  MemoryPromoted,
  MemoryPut,
  MemorySignal,
  MemorySignalled,
  MemoryStored,
  MemoryWithdraw,
  MemoryWithdrawn,
} from './memory-govern.ts';
import type { MemoryJournal, MemoryJournalQuery } from './memory-journal.ts';
import type {
  KnowledgeList,
  KnowledgePage,
  KnowledgePromote,
  KnowledgePromoted,
  KnowledgeWithdraw,
  KnowledgeWithdrawn,
  MemoryPreflight,
  MemoryPreflighted,
} from './memory-knowledge.ts';

interface Of {
  audience?: MemorySearch['audience'];
}

export interface MemoryService {
  /** Searches memory inside one audience; what it shows is noted in the audit. */
  searchMemory(search: MemorySearch): Promise<MemoryFindings>;
  /** Stores a governed record for one audience; the same words are stored there once, and what was forgotten there is not. */
  putMemory(put: MemoryPut): Promise<MemoryStored>;
  /** What one audience remembers, newest first. */
  listMemory(list: MemoryList): Promise<MemoryEntries>;
  /**
   * One memory, and of a record all its versions. A ParleyError `memory_forgotten` for one that was forgotten, which says when, by which person and
   * why; `memory_not_found` when the audience has none of this id.
   */
  showMemory(id: string, of?: Of): Promise<MemoryItem>;
  /**
   * Deletes one memory of an audience with all that was made of it (full text, vector, versions, what was derived from it), in one
   * transaction, and leaves a mark by which no import brings it back; `traces` counts words of it that are still in a file. A
   * ParleyError `memory_not_found` when the audience has none of this id.
   */
  deleteMemory(id: string, of?: Of & { reason?: string | undefined }): Promise<{ traces: number }>;
  /**
   * Counts, or forgets permanently, the records of one audience that have this kind, key and tag now, each with all its versions and all that
   * was made of it, in one transaction; nothing brings them back.
   */
  forgetMemory(request: MemoryForget): Promise<MemoryForgotten>;
  /** How much of each budget is used, or of that of one audience, and what would go next. */
  memoryBudgets(of?: Of): Promise<MemoryBudgets>;
  /** What agents wrote into the work journal of one audience, newest first. */
  memoryJournal(query: MemoryJournalQuery): Promise<MemoryJournal>;
  /** What the next sweep of dreaming would promote in one audience, and why the rest waits; nothing is written. */
  memoryDreams(of?: Of): Promise<MemoryDreams>;
  /**
   * Writes a new version of a record; the former ones stay readable. A ParleyError `memory_not_found`, `not_correctable` for what is no
   * record, or `stale_version`.
   */
  correctMemory(id: string, correction: MemoryCorrect): Promise<MemoryCorrected>;
  /** Stores how a procedure went. A ParleyError `not_a_procedure` or `memory_not_found`. */
  signalMemory(report: MemorySignal): Promise<MemorySignalled>;
  /** Pins a record to every prompt of its audience, or takes the pin away. A ParleyError `memory_not_found`. */
  pinMemory(pin: MemoryPin): Promise<MemoryPinned>;
  /** Brings a record to a wider tier, or a demoted one back, looked through for secrets once more. */
  promoteMemory(promote: MemoryPromote): Promise<MemoryPromoted>;
  /** Takes a record out of what is found. */
  demoteMemory(withdraw: MemoryWithdraw): Promise<MemoryWithdrawn>;
  /** Withdraws a record as no longer true; it stays as history. */
  retractMemory(withdraw: MemoryWithdraw): Promise<MemoryWithdrawn>;
  /** Whether knowledge covers work that is about to be done; what it shows is noted in the audit. */
  preflightMemory(preflight: MemoryPreflight): Promise<MemoryPreflighted>;
  /** Makes a record knowledge of what it covers, looked through for secrets once more. */
  promoteKnowledge(promote: KnowledgePromote): Promise<KnowledgePromoted>;
  /** Takes knowledge back; its record stays. A ParleyError `memory_not_found`. */
  withdrawKnowledge(withdraw: KnowledgeWithdraw): Promise<KnowledgeWithdrawn>;
  /** The knowledge of one audience. */
  listKnowledge(list: KnowledgeList): Promise<KnowledgePage>;
  /** Who did what to the memories of one audience, newest first. */
  memoryAudit(query: MemoryAuditQuery): Promise<MemoryAuditPage>;
  /** Makes files of this machine into memory, as the command line does; `signal` stops it between two of them. */
  importMemory(request: MemoryImport, signal?: AbortSignal): Promise<MemoryImported>;
  /**
   * Stores what a conversation holds of lasting worth as facts, each with its evidence: of a session for which person it was written to. By the
   * session's model, or by rules where there is none.
   */
  distillMemory(request: MemoryDistill): Promise<MemoryDistilled>;
  /** The place at a URI (`tandem://session/ID`). A ParleyError `context_not_found`. */
  resolveContext(of: Of & { uri: string }): Promise<{ node: MemoryNode }>;
  /** The places below a URI, all of them without one. */
  contextTree(of: Of & { uri?: string | undefined; maxDepth: number }): Promise<{ tree: MemoryTree[] }>;
  /** What a place holds, in three lengths, made of what is there now. */
  generateLayers(of: Of & { nodeID: string }): Promise<MemoryLayers>;
  /** The memory files of one audience. */
  listMemoryFiles(of: MemoryFilesQuery): Promise<MemoryFileList>;
  /** Long-term memory, notes, reports of dreams and journals of events of one audience, for programs that follow them. */
  listMemoryArtifacts(of: MemoryFilesQuery): Promise<MemoryArtifactList>;
  /** Lines of one of them. A ParleyError `file_not_found` or `file_refused`. */
  readMemoryFile(read: MemoryFileRead): Promise<MemoryFileLines>;
  /** One of them whole, for an editor. Errors as `readMemoryFile`. */
  readWholeMemoryFile(read: MemoryFileWholeQuery): Promise<MemoryFileWhole>;
  /** Replaces one that is still as its tag says; a ParleyError `file_changed` when it is not, `file_refused` for one that may not be written. */
  replaceMemoryFile(replace: MemoryFileReplace): Promise<MemoryFileReplaced>;
  /** Appends to the note of today, unless the note has the text already. */
  noteMemoryFile(note: MemoryFileNote): Promise<MemoryFileNoted>;
  /** The audiences that own memories, the largest first, at most so many. */
  memoryPlaces(query: { limit: number }): Promise<MemoryAudiences>;
}
