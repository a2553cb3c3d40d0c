// The memory's promises, as the layer above see them. The implementation is made by `#memory/memory.ts`.
import type { BudgetCalls } from './budget.ts';
import type { DreamingCalls, DreamingStatus } from './dreaming.ts';
import type { ArchiveResult, Exchange, TellingWord } from './exchange.ts';
import type { FileCalls, MemoryFilesStatus } from './files.ts';
import type { ImportReport, ImportRequest } from './import.ts';
import type { Journal, JournalLine, JournalQuery } from './journal.ts';
import type {
  KnowledgeItem,
  KnowledgePromotion,
  KnowledgeQuery,
  Preflight,
  PreflightQuery,
  PromotingKnowledge,
  WithdrawingKnowledge,
} from './knowledge.ts';
import type {
  AudienceCount,
  AudienceNode,
  DroppedCaches,
  Entry,
  EntryPage,
  ExportLine,
  ForgetRequest,
  ForgetResult,
  Forgotten,
  ListQuery,
  Scan,
  ScanRequest,
  Verification,
} from './maintenance.ts';
import type { Note, NoteResult } from './note.ts';
import type { Progress } from './progress.ts';
import type { RecallRequest, RecallResult, SearchQuery, SearchResult } from './recall.ts';
import type {
  AuditActor,
  AuditEntry,
  AuditQuery,
  FoundRecord,
  GovernedRecord,
  MarkedEntry,
  MarkedQuery,
  PinInput,
  PromoteRecordInput,
  Promotion,
  RecordChange,
  RecordQuery,
  SignalInput,
  SignalSummary,
} from './record.ts';
import type { CachedResponse, ResponseQuery, ResponseSelection } from './response.ts';
import type { Audience, RoomState, Scope } from './scope.ts';

/** What an operator does with the memory, beyond what the engine needs. */
export interface MemoryMaintenance {
  /** Looks for secrets in what was stored before they were looked for, and masks them. Every audience: for the owner of the file. */
  scan(request: ScanRequest): Promise<Scan>;
  /** Makes the indexes of every chunk again; the number of chunks. */
  reindex(onProgress?: (at: Progress) => void): Promise<number>;
  /** Every memory of the scope, one by one. */
  export(query: { scope: Scope; projectID?: string | undefined }): AsyncIterable<ExportLine>;
  /** Throws away what is made again when needed: cached answers, and vectors that wait for an import. */
  dropCaches(): Promise<DroppedCaches>;
  /** Looks through every index, and for the bytes of the words in the files. */
  verify(words?: readonly string[]): Promise<Verification>;
}

export interface MemoryStatus {
  chunks: number;
  /** Entries with a vector of the embedding model; 0 without one. */
  vectors: number;
  /** The embedding model, or that there is none, as text. */
  embedding: string;
  /** Entries that wait for their vector. */
  waiting: number;
  /** Entries that have no vector because the model refused their text, by its reason. */
  refused: { words: string; texts: number }[];
  /** Answers that are stored. */
  responses: number;
  /** Imported files, and how many of them have no passage that is stored; absent where nothing was, and where nobody asked for it. */
  imported?: { files: number; withoutPassages: number } | undefined;
  /** Memory as files; absent where there are none. */
  files?: MemoryFilesStatus | undefined;
  /** Short-term memory; absent where there are no files. */
  dreaming?: DreamingStatus | undefined;
  /** What works in part or slower than it could, as text. */
  degraded: string[];
}

export interface Memory extends FileCalls, DreamingCalls, BudgetCalls {
  /** The work journal of agents. */
  journal: Journal;
  /** What agents wrote into the journal, newest first, of every agent and project that the scope holds. */
  journalEntries(query: JournalQuery): Promise<JournalLine[]>;
  /** Stores a completed exchange once (by `key`, and by content inside one audience); commits before it returns. */
  archive(exchange: Exchange): Promise<ArchiveResult>;
  /** The words by which a text that repeats this one is known, each once: without those that say nothing of their own. Reads nothing. */
  tellingWords(text: string): readonly TellingWord[];
  /** True for a text that only greets, thanks or takes leave. */
  isGreeting(text: string): boolean;
  /** Sets which rooms are open and which are closed; commits before it returns. Only the audience of a closed room reads what was written in it. */
  setRooms(rooms: readonly RoomState[]): Promise<void>;
  /** Forgets imported messages that were changed or deleted on their platform, by its own ids; how many. */
  forgetTurns(turns: { audience: Audience; messageIDs: readonly string[] }): Promise<number>;
  /** Forgets what is in the session tier of this session, which ends; how many entries. */
  endSession(sessionID: string): Promise<number>;
  /** Stores a note as a governed record, once (by content inside one audience and tier), unless it was forgotten or retracted there; commits before it returns. */
  put(note: Note): Promise<NoteResult>;
  /** What the scope holds, newest first. */
  list(query: ListQuery): Promise<Entry[]>;
  /** The same, with the place where the next page begins: what was passed over is not read again. */
  page(query: ListQuery): Promise<EntryPage>;
  /** Imports a file or a folder; what is wrong with a single file is in the report. */
  importPath(request: ImportRequest): Promise<ImportReport>;
  /** One entry, or undefined when the scope holds none of this id. */
  show(query: { id: string; scope: Scope }): Promise<Entry | undefined>;
  /** What is known of an entry that was forgotten; undefined when none of this id was, or it was not of that audience. */
  forgotten(query: { id: string; of: AuditQuery['of'] }): Promise<Forgotten | undefined>;
  /** Where the memories of the scope came from. */
  nodes(query: { scope: Scope }): Promise<AudienceNode[]>;
  /** Every audience with how much it owns: for the owner of the file. */
  places(limit?: number): Promise<AudienceCount[]>;
  /** Shows what a selection means, or forgets it permanently. */
  forget(request: ForgetRequest): Promise<ForgetResult>;
  /** Explicit search: relevant chunks inside the scope. Never writes; throws `missing_scope` without a scope. */
  search(query: SearchQuery): Promise<SearchResult>;
  /** Material for a prompt: stricter than search; nothing relevant gives an empty block. */
  recall(request: RecallRequest): Promise<RecallResult>;
  /** Governed records by their words and tags, or by their ids with all their versions. Never writes. */
  records(query: RecordQuery): Promise<FoundRecord[]>;
  /** What has a key, a tag, a kind or a pin: records that hold now, and lessons and decisions of the journal, changed last first. Never writes. */
  marked(query: MarkedQuery): Promise<MarkedEntry[]>;
  promote(request: PromoteRecordInput): Promise<Promotion>;
  demote(request: RecordChange): Promise<{ record: GovernedRecord; auditID: string }>;
  retract(request: RecordChange): Promise<{ record: GovernedRecord; auditID: string }>;
  /** Stores how a procedure went: those that fail are found below those that work. Of one run the last report counts. */
  signal(request: SignalInput): Promise<{ record: GovernedRecord; auditID: string }>;
  /** How a procedure went, by the id of any of its versions. */
  signals(of: Pick<RecordChange, 'id' | 'scope'>): Promise<SignalSummary>;
  /** Pins a record to every prompt of its audience, or takes the pin away. */
  pin(request: PinInput): Promise<{ record: GovernedRecord; auditID: string }>;
  /** Makes a record knowledge: found by what it covers before work is begun. */
  promoteKnowledge(request: PromotingKnowledge): Promise<KnowledgePromotion>;
  /** Takes knowledge back; the records themselves stay. */
  withdrawKnowledge(request: WithdrawingKnowledge): Promise<{ items: number; auditIDs: string[] }>;
  /** What the scope holds of it, promoted last first. */
  knowledge(query: KnowledgeQuery): Promise<KnowledgeItem[]>;
  /** Whether the scope holds knowledge that covers the work that is about to be done, and whether it still holds. Never writes. */
  preflight(query: PreflightQuery): Promise<Preflight>;
  /**
   * Notes in the audit that these memories were shown to someone; resolves with the ids of its lines, none for nothing shown. `configure`:
   * that someone changed what they stand for.
   */
  noteRead(read: {
    by: AuditActor;
    how: string;
    shown: readonly Pick<Entry, 'id' | 'audience'>[];
    action?: 'read' | 'configure' | undefined;
  }): Promise<string[]>;
  audit(query: AuditQuery): Promise<AuditEntry[]>;
  /** Removes lines of the audit from before this time, but those of what was forgotten or masked; resolves with how many. */
  pruneAudit(before: number, signal: AbortSignal): Promise<number>;
  countAudit(): Promise<number>;
  /** An answer that was stored for just this, where it was asked. Never writes. */
  response(query: ResponseQuery): Promise<string | undefined>;
  /** Stores an answer until something is forgotten or it is dropped; false for one with a secret in it. */
  keepResponse(response: CachedResponse): Promise<boolean>;
  /** Drops cached answers; how many. */
  dropResponses(which: ResponseSelection): Promise<number>;
  /** `imported`: also what was imported, for which each file is looked at. */
  status(of?: { imported: boolean }): Promise<MemoryStatus>;
  close(): Promise<void>;
}
