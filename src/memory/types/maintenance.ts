// What an operator asks of the memory: reading it as it stands, forgetting, and proof that it is forgotten. Shapes only.

import type { ExportedFile } from './files.ts';
import type { JournalExportLine, JournalKind } from './journal.ts';
import type { KnowledgeItem } from './knowledge.ts';
import type { NoteKind } from './note.ts';
import type { Progress } from './progress.ts';
import type { Hit } from './recall.ts';
import type { AuditActor, GovernedRecord } from './record.ts';
import type { Audience, Scope } from './scope.ts';

/** One remembered chunk as it is stored, without a question that it answers. */
export type Entry = Omit<Hit, 'score' | 'scoreParts' | 'why'>;

export interface ListQuery {
  scope: Scope;
  /** Only what belongs to this project; with `besideProject` also what is for every project, as in a `SearchQuery`. */
  projectID?: string | undefined;
  besideProject?: boolean | undefined;
  /** 1 to 1000, 50 when absent. */
  limit?: number | undefined;
  /** Only entries said before this time, in milliseconds since the epoch: the next page. */
  before?: number | undefined;
  /** Only entries that hold all of these words. */
  words?: string | undefined;
  /** Only what was written in this session. */
  session?: string | undefined;
  /** Only what these said, or what belongs to their own audience; as in a `Selection`. */
  person?: Selection['person'];
  /** Only what came from this place, or from all places of its kind. */
  within?: { kind: OriginKind; name?: string | undefined } | undefined;
  /** So many of the newest are passed over, 0 when absent. */
  offset?: number | undefined;
  /** The `next` of the page before, so that what is passed over is not read again. */
  after?: string | undefined;
}

/** A page of entries. */
export interface EntryPage {
  entries: Entry[];
  /** Where the next page begins; undefined on the last one. */
  next: string | undefined;
}

/** Which entries of the scope are meant; every field that is given narrows it, and at least one must be. Of several values any one fits. */
export interface Selection {
  ids?: readonly string[] | undefined;
  /** Who said it, or whose own audience it belongs to: `per_...`, or `platform:ID` for an imported history. */
  person?: string | readonly string[] | undefined;
  /** Canonical address of the chat. That of a room means also what belongs to the room. */
  chat?: string | readonly string[] | undefined;
  session?: string | readonly string[] | undefined;
  /** The run that answered it or noted it. */
  run?: string | undefined;
  project?: string | undefined;
  /** The agent that wrote it, in any case, or that has it for itself. */
  agent?: string | undefined;
  /** Records or entries of the journal of this kind; records, lessons and decisions with exactly this key, with this tag. */
  kind?: NoteKind | JournalKind | undefined;
  key?: string | undefined;
  tag?: string | undefined;
  /** Path of the imported file, or of a folder above it; what a record says that it comes from, in any case. */
  source?: string | undefined;
  /** Said at or after, and said before, in milliseconds since the epoch. */
  from?: number | undefined;
  until?: number | undefined;
  /** Entries that hold all of these words. */
  words?: string | undefined;
}

export interface ForgetRequest {
  scope: Scope;
  selection: Selection;
  /** `preview` counts and shows, and changes nothing. */
  mode: 'preview' | 'forget';
  /** `all` shows every entry that has a text of its own; the newest ten when absent. */
  samples?: 'all' | undefined;
  /** For the audit; the operator when absent. */
  by?: AuditActor | undefined;
  /**
   * `none` for what a chat takes back: nobody waits for a proof, and the files are tidied as SQLite tidies them. When absent, the files are
   * emptied of every byte of it and searched for what is left.
   */
  proof?: 'none' | undefined;
  /**
   * `none` for words that nobody takes back, which go with others and are stored again without these. When absent, what is forgotten is never
   * stored again.
   */
  marks?: 'none' | undefined;
  /** Why: stored with the ids of what is forgotten, and in the audit, without secrets. */
  reason?: string | undefined;
}

/** An entry that was forgotten: what is left of it. */
export interface Forgotten {
  id: string;
  audience: Audience;
  /** In milliseconds since the epoch. */
  at: number;
  by: string;
  reason: string | undefined;
}

export interface ForgetResult {
  /** How many entries are, or were, meant. */
  entries: number;
  /** The first of them, newest first. */
  samples: Entry[];
  /** How many of them are records that are, or were, pinned to every prompt. */
  pinned: number;
  /** False for a preview. */
  forgotten: boolean;
  /** What of it was still found afterwards, as text; empty when all of it no longer exists. Always empty for a preview. */
  remains: string[];
}

export interface ScanRequest {
  /** `look` changes nothing. */
  mode: 'look' | 'fix';
  onProgress?: ((at: Progress) => void) | undefined;
}

/** A memory with secrets in it: where, and of which kinds; never what they are. */
export interface FoundSecret {
  id: string;
  audience: Audience;
  kinds: readonly string[];
}

export interface Scan {
  /** Chunks that were looked through. */
  looked: number;
  found: FoundSecret[];
  fixed: boolean;
}

/** How many cached answers and waiting vectors went. */
export interface DroppedCaches {
  responses: number;
  embeddings: number;
}

/** One line of an export. */
export type ExportLine =
  | ({ type: 'file' } & ExportedFile)
  | ({ type: 'entry' } & Entry)
  | JournalExportLine
  | ({ type: 'record' } & GovernedRecord)
  | ({ type: 'knowledge' } & Omit<KnowledgeItem, 'record'>);

/** What a look through the whole memory found; empty lists mean that all is well. */
export interface Verification {
  /** What does not fit together, as text. */
  problems: string[];
  /** Of the words asked about, those whose bytes are in a file of the memory. */
  traces: { word: string; file: string }[];
}

/** Where memories come from: what was written in a session or by a person, noted by an agent, or read from a file. */
export type OriginKind = 'session' | 'user' | 'agent' | 'resource';

/** A place that memories came from, with how many they are and from when until when. */
export interface AudienceNode {
  kind: OriginKind;
  name: string;
  from: number;
  until: number;
  entries: number;
}

/** A place that owns memories, with how many. */
export interface AudienceCount {
  audience: Audience;
  entries: number;
}
