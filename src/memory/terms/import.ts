// What an import takes and tells. Shapes only; the formats are read in `memory/import`.
import type { Provenance } from './scope.ts';

/** `directory`: md, mdx and txt files below a folder. `transcript`: conversations as JSON, or as JSONL with one turn a line. */
export const importFormats = ['directory', 'transcript'] as const;
export type ImportFormat = (typeof importFormats)[number];

export interface ImportRequest {
  /** A file or a folder. */
  path: string;
  format: ImportFormat;
  /** Who may be shown what it says; never guessed. */
  where: Provenance;
  /** The project it belongs to; a transcript's own conversation ids when absent. */
  projectID?: string | undefined;
  /** Told after each file. */
  onFile?: ((progress: ImportProgress) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface ImportProgress {
  done: number;
  total: number;
  path: string;
}

/** What an import did: every file is counted in exactly one of stored, unchanged, empty and failed. */
export interface ImportReport {
  files: { stored: number; unchanged: number; empty: number; failed: number };
  /** New chunks, and chunks of earlier versions or vanished files that went. */
  chunks: { stored: number; removed: number };
  failures: { path: string; words: string; cure: string | undefined }[];
  /** False when the signal ended it before the last file; the same call goes on where it stopped. */
  complete: boolean;
}
