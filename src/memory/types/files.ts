// Memory as files that people read and edit: whose they are, what is read of them, what an index run did. Shapes only.
import type { Progress } from './progress.ts';
import type { Audience, Scope } from './scope.ts';

/** Who may read the files of a folder: a person, a room, everyone in a space, or everyone. */
export type FileAudience = Audience | `space:${string}` | 'everyone';

/** A folder that is indexed and never written. */
export interface ExtraFolder {
  path: string;
  audience: FileAudience;
  /** The corpus whose pages it holds, as `wiki`; without one its files are memory files. */
  corpus?: string | undefined;
}

/** How much of the files goes into a prompt, in characters. */
export interface FileCharacters {
  /** Of one file. */
  file: number;
  /** Of all of them. */
  total: number;
}

export interface MemoryFilesOptions {
  /** The folder that holds one folder for each audience. */
  root: string;
  extra?: readonly ExtraFolder[] | undefined;
  characters?: FileCharacters | undefined;
  /** The zone that decides which day a note is of, as `Europe/Berlin`; UTC when absent. */
  timeZone?: string | undefined;
  /** A larger file is refused; 4 MiB when absent. */
  maxBytes?: number | undefined;
  /** A search waits so long for changed files, then answers without them and says so, in milliseconds; 200 when absent. */
  searchWaitMs?: number | undefined;
  /** Searches in files are answered by qmd where it works; by the built-in index when absent. */
  qmd?: QmdOptions | undefined;
}

/** How the command line of qmd is run. */
export interface QmdOptions {
  command: string;
  /** By words, which needs no model; by vectors; or with an expanded question and its reranking. */
  mode: 'search' | 'vsearch' | 'query';
  /** Of one search, an update before it included. */
  timeoutMs: number;
  /** Between two looks for changed files. */
  updateMs: number;
  /** Its index and config are in it. */
  folder: string;
  /** Everything that it sees of the environment. */
  environment: Readonly<Record<string, string>>;
}

/** A search backend next to the built-in index. */
export interface BackendStatus {
  name: 'qmd';
  /** `unknown` was not asked yet; one that failed is asked again after a minute, and the built-in index answers. */
  state: 'unknown' | 'answers' | 'failed';
  /** Why it failed. */
  words?: string | undefined;
  /** Why the last prompt was recalled by the built-in index only. */
  unrecalled?: string | undefined;
}

/** What a prompt is given of the files of its chat. */
export interface FilePrompt {
  /** The block, or an empty string when there is nothing. */
  block: string;
  /** The texts in it, so that no answer that repeats them is stored again. */
  texts: string[];
  /** How many lines of which file are in it, by the key of the file: none of these is recalled again. */
  shown: ShownFile[];
  /** What could not be read, as text. */
  degraded: string[];
  /** A sentence about each corpus that the scope may search. */
  corpora: string[];
}

export interface ShownFile {
  key: string;
  lines: number;
  text: string;
}

/** Which lines of which file are read. */
export interface ReadFileRequest {
  scope: Scope;
  path: string;
  from?: number | undefined;
  lines?: number | undefined;
  /** `memory`: a memory file; the name of a corpus: one of its pages; `all`, or absent: any of them. */
  corpus?: string | undefined;
  /** `too` for people: reports of dreams are refused to an assistant. */
  reports?: 'too' | undefined;
}

/** Lines of one file, as they are now. */
export interface FileExcerpt {
  path: string;
  /** The first and the last line that were read, from 1; `until` is less than `from` when there are none. */
  from: number;
  until: number;
  /** How many lines the file has. */
  total: number;
  text: string;
  /** Where the next lines begin; absent at the end. */
  next?: number | undefined;
  /** Whose it is; absent for a page of a corpus. */
  audience?: FileAudience | undefined;
}

/** A file for an editor. */
export interface WholeFile {
  path: string;
  text: string;
  tag: string;
  readOnly: boolean;
}

/** What a note or an edit did. */
export type FileWritten =
  | { status: 'written'; path: string; line: number; redacted: readonly string[] }
  | { status: 'duplicate'; path: string; line: number; redacted: readonly string[] };

/** One file as people see it in a list. */
export interface MemoryFile {
  /** Folder and name, as `memory_get` takes it. */
  path: string;
  /** Where it is on the disk: its full path. */
  absolute: string;
  audience: FileAudience;
  bytes: number;
  passages: number;
  /** `waiting` is not indexed as it is now. */
  state: 'indexed' | 'waiting' | 'refused';
  /** Why it is refused. */
  problem?: string | undefined;
  readOnly: boolean;
}

/** A file that was refused for its encoding; `copy`: the path of what it was before. */
export type ConvertedFile = { path: string } & (
  | { status: 'converted'; encoding: string; copy: string }
  | { status: 'left'; words: string }
);

/** A file that other programs may follow. */
export interface MemoryArtifact {
  /** Folder and name, with `/`. */
  path: string;
  audience: FileAudience;
  kind: 'memory-root' | 'daily-note' | 'dream-report' | 'event-log';
  contentType: 'text/markdown' | 'application/x-ndjson';
  bytes: number;
  /** In milliseconds since the epoch. */
  changedAt: number;
}

/** A file in an export. */
export interface ExportedFile {
  path: string;
  audience: FileAudience;
  text: string;
}

/** What an index run did: every file that it saw is counted in exactly one of the others. */
export interface FileIndexReport {
  seen: number;
  indexed: number;
  unchanged: number;
  /** Still changing: they are indexed once they have settled. */
  waiting: number;
  failed: number;
  /** Files that no longer exist, with all of their passages. */
  removed: number;
  failures: { path: string; words: string }[];
  passages: { stored: number; unchanged: number; removed: number };
}

/** Something outside the files that is wrong with all of them, and what to do about it. */
export interface FileProblem {
  words: string;
  hint: string;
}

export interface MemoryFilesStatus {
  files: number;
  passages: number;
  /** Files that are not indexed as they are now. */
  waiting: number;
  /** Indexed files that no file list knows: what a rebuild left behind. */
  leftBehind: number;
  /** `off` in a process that indexes on request. */
  watcher: 'alive' | 'lost' | 'off';
  /** Why the watcher was lost, and when files were found that it did not report. */
  watcherWords?: string | undefined;
  refused: { path: string; words: string }[];
  /** Files of which a prompt is given only the beginning. */
  overBudget: { path: string; characters: number; shown: number }[];
  /** What the disk and the clock do to the files. */
  problems: FileProblem[];
  /** Corpora next to memory, with what the index has of them. */
  corpora: CorpusStatus[];
  /** Absent where only the built-in index answers. */
  backend?: BackendStatus | undefined;
}

interface CorpusStatus {
  name: string;
  /** Who may read it. */
  audience: string;
  pages: number;
  passages: number;
}

/** What is done with the files. Every read takes a scope; a write goes into the folder of one audience. */
export interface FileCalls {
  /** `MEMORY.md`, then today's and yesterday's note of the audience, within the budget. */
  filePrompt(request: { audience: Audience; scope: Scope }): Promise<FilePrompt>;
  /** Lines of one file that the scope may read. A ParleyError `file_not_found`, `file_refused` or `unknown_corpus`. */
  readFile(request: ReadFileRequest): Promise<FileExcerpt>;
  /** Appends to today's note of the audience, without secrets, unless the note has the text already. */
  noteFile(request: {
    audience: Audience;
    text: string;
    by: FileAuthor;
    /** Others whose words it has too: the line goes when one of them is forgotten. */
    alsoBy?: readonly FileAuthor[] | undefined;
  }): Promise<FileWritten>;
  /** Replaces one passage of `MEMORY.md` that occurs exactly once; an empty `replace` appends. */
  editFile(request: {
    audience: Audience;
    replace: string;
    text: string;
    by: FileAuthor;
  }): Promise<FileWritten>;
  /** One file whole, as a reader may see it, with a tag of what is on the disk. Errors as `readFile`. */
  readWholeFile(request: { scope: Scope; path: string }): Promise<WholeFile>;
  /**
   * Replaces a file of the audience that is still as its tag says, without secrets. A ParleyError `file_changed` when it is not, and
   * `file_refused` for one that may not be written.
   */
  replaceFile(request: {
    audience: Audience;
    scope: Scope;
    path: string;
    text: string;
    tag: string;
    by: FileAuthor;
  }): Promise<{ path: string; tag: string; redacted: readonly string[] }>;
  /** The files that the scope may read; all of them for the owner of the home folder. */
  listFiles(request: { scope: Scope | 'every audience' }): Promise<MemoryFile[]>;
  /** Writes files that are refused for their encoding again as UTF-8, each with a copy of the old one beside it, which is no memory. */
  convertFiles(request: { scope: Scope | 'every audience' }): Promise<ConvertedFile[]>;
  /** `MEMORY.md`, notes, reports and the journal of events that the scope may read, by audience and path. */
  listArtifacts(request: { scope: Scope }): Promise<MemoryArtifact[]>;
  /** `MEMORY.md`, notes and reports of the scope's own audiences, whole. */
  exportFiles(request: { scope: Scope }): Promise<ExportedFile[]>;
  /** Indexes what changed; with `force` all files again, each of them exchanged in steps of a few milliseconds. */
  indexFiles(request?: {
    force?: boolean | undefined;
    onProgress?: ((at: Progress) => void) | undefined;
  }): Promise<FileIndexReport>;
}

/** The person and run of a line, so that it goes when one of them is forgotten. */
export interface FileAuthor {
  person: string;
  sessionID: string;
  runID: string;
}
