// What a search takes and gives, and what can be searched next to memory. Shapes only.
import type { FileExcerpt, ReadFileRequest, ShownFile } from './files.ts';
import type { NoteKind } from './note.ts';
import type { MarkedKind } from './record.ts';
import type { Audience, Scope, Tier } from './scope.ts';

export interface SearchQuery {
  text: string;
  scope: Scope;
  /** Only what belongs to this project; everything the scope may read when absent. */
  projectID?: string | undefined;
  /** True: next to the project's own also what is for every project (the global tier) and for the asking session. False when absent. */
  besideProject?: boolean | undefined;
  /** `memory`: only memory files; `sessions`: only conversations; the name of a corpus: only its pages; `all`, or absent: everything. */
  corpus?: string | undefined;
  /** 1 to 100, 8 when absent. */
  limit?: number | undefined;
}

/** Which ways of finding are used: all but association when absent. */
export interface RetrievalWays {
  /** Words of the question. */
  words?: boolean | undefined;
  /** Nearness of vectors, where a model made some. */
  vectors?: boolean | undefined;
  /** Exact keys that are in the question come first. */
  keys?: boolean | undefined;
  /** Records that are pinned are in every prompt. */
  pinned?: boolean | undefined;
  /** Procedures that failed come after those that worked. */
  procedures?: boolean | undefined;
  /** One step further: of the same run, with the same key, with a tag in common. */
  association?: boolean | undefined;
}

/** A passage of a file that a search program found: its row in the index, and how near it is in meaning, 0 to 1, where that was compared. */
export interface FoundPassage {
  row: number;
  near?: number | undefined;
}

/** One remembered chunk, with where it came from and why it was found. */
export interface Hit {
  id: string;
  tier: Tier;
  /** What it is a piece of: an exchange with the assistant, one turn of a human conversation, a document, or a note; in a preview also a lesson or a decision. */
  source: 'exchange' | 'turn' | 'document' | NoteKind | MarkedKind;
  text: string;
  /** 0 to 1, relative to the best this query could reach; comparable between small and large stores. */
  score: number;
  scoreParts: Record<string, number>;
  why: Why;
  at: number;
  speaker: string;
  platform: string;
  chat: string;
  audience: Audience;
  sessionID: string;
  runID: string;
  /** The platform's or the imported file's own ids of what was written. */
  messageIDs: readonly string[];
  /** The governed record that it is a piece of, when it is one of a note. */
  recordID: string | undefined;
  /** The file and the lines, of a passage of a memory file; and the other places where the same stands. */
  file?: FilePlace | undefined;
  alsoIn?: readonly string[] | undefined;
}

/** Lines of a memory file, from 1. */
export interface FilePlace {
  path: string;
  from: number;
  until: number;
}

/** Why a hit was found. */
export interface Why {
  /** Words of the question that are in it, or close spellings of them. */
  words: string[];
  /** True when it has none of them and is next to what has. */
  neighbour?: boolean;
  /** True when the question names who said it. */
  speaker?: boolean;
  /** How near its vector is to the question's, -1 to 1. */
  vector?: number;
}

export interface SearchResult {
  hits: Hit[];
  /** What could not be done, as text (`index behind by 3`); empty when all was well. */
  degraded: string[];
}

/** Recalled material for one prompt: the block's text and what went into it. */
export interface RecallResult {
  /** The escaped, bounded `<memory_context>` block, or an empty string when nothing relevant is known. */
  block: string;
  hits: Hit[];
  /** How many relevant chunks did not fit. */
  omitted: number;
  degraded: string[];
}

/** The request for a prompt's material. */
export interface RecallRequest {
  text: string;
  scope: Scope;
  currentSession?: string | undefined;
  /** Memory files of which so many lines are in the prompt already: these are not recalled. They may still be on their way. */
  inPrompt?: readonly ShownFile[] | Promise<readonly ShownFile[]> | undefined;
  /** Entries, and runs whose exchange is in view: not given again. */
  except?: { ids: readonly string[]; runIDs: readonly string[] } | undefined;
  /**
   * Instead of what answers the text: the `most` best of all that is found; with `meets` (0 to 1) only what meets so much of it, with
   * `ids` only these. Nothing pinned comes with them.
   */
  admit?: { most: number; meets?: number | undefined; ids?: readonly string[] | undefined } | undefined;
  budgetChars?: number | undefined;
}

/** With the files that the prompt has by now, and what a search program found in files. */
export type RecallInput = Omit<RecallRequest, 'inPrompt'> & {
  inPrompt?: readonly ShownFile[] | undefined;
  passages?: readonly FoundPassage[] | undefined;
};

/** Pages that can be searched next to memory and are none of it. Any part may add one. */
export interface Corpus {
  /** As tools, commands and paths name it: a small letter, then small letters and digits. */
  name: string;
  /** True when its passages are in the index of memory: a search of everything ranks them with the rest, and prompts recall them. */
  isIndexed?: boolean | undefined;
  /** What of it answers the text, inside the scope, best first. Called for this corpus only, with a time limit. */
  search(query: SearchQuery): Promise<SearchResult>;
  /** Lines of a page; the path begins with the name of the corpus. A ParleyError `file_not_found` for one that the scope may not read. */
  read(request: ReadFileRequest): Promise<FileExcerpt>;
  /** A sentence for the prompt that says what it holds; undefined for a scope that may read nothing of it. */
  about(scope: Scope): string | undefined;
}
