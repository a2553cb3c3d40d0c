// What an import takes and reports. Shapes only; the formats are read in `memory/import`.
import type { Provenance, Tier } from './scope.ts';

/**
 * `directory`: md, markdown, mdx and txt files below a folder, as `.gitignore` leaves them, of at most 2 MiB each. `openclaw`: `MEMORY.md` and `memory/**` of a workspace. `transcript`: conversations
 * as JSON, or as JSONL with one turn a line. The others are people's own histories: the JSON export of Telegram Desktop, the zip that
 * Slack exports, Discord's data package and the JSON files of DiscordChatExporter, each also as a zip or as a folder. `journal`: the work
 * journal in the JSONL of an export.
 */
export const importFormats = [
  'directory',
  'openclaw',
  'transcript',
  'telegram',
  'slack',
  'discord',
  'journal',
] as const;
export type ImportFormat = (typeof importFormats)[number];

/** Exports of platforms: a room of theirs may be one that the bot knows. */
export const historyFormats: readonly ImportFormat[] = ['telegram', 'slack', 'discord'];

export interface ImportRequest {
  /** A file or a folder. */
  path: string;
  format: ImportFormat;
  /** Who may be shown what it says; never guessed. */
  where: Provenance;
  /**
   * The bot's own account on the platform of a history: what was written in a room then belongs to that room, as if the bot had heard
   * it, and is shown to those who are in it; what was written in private stays with `where`. Without it all of it does.
   */
  account?: string | undefined;
  /** `global` when absent; `session` and `project` need theirs. */
  tier?: Tier | undefined;
  /** The session that it is stored for, in the session tier. */
  sessionID?: string | undefined;
  /** The project it belongs to; a transcript's own conversation ids when absent. */
  projectID?: string | undefined;
  /** True: what was imported from below the path before, and is no longer there, is removed. */
  syncDeletes?: boolean | undefined;
  /** True: also where that removes most of what was imported from there. Refused without it, since a disk that is not mounted looks empty. */
  allowEmpty?: boolean | undefined;
  /** Told after each file. */
  onFile?: ((progress: ImportProgress) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface ImportProgress {
  done: number;
  total: number;
  path: string;
}

/**
 * Why an entry was passed over. `notice`: joins, pins, calls. `empty`: nothing was written in it. `unsupported`: the exporter could not write it.
 * `unreadable`: not in the form that was expected. `forgotten`: it was forgotten before, and is not brought back. `other`: no message, but an
 * entry of an address book or a list of sessions. `memory`: a line of an export that is no entry of the journal.
 */
export const skipReasons = [
  'notice',
  'empty',
  'unsupported',
  'unreadable',
  'forgotten',
  'memory',
  'other',
] as const;
export type SkipReason = (typeof skipReasons)[number];

/** What an import did: every file (of a history: every chat, or day of one) is counted in exactly one of stored, unchanged, empty and failed. */
export interface ImportReport {
  /** How many there are. */
  discovered: number;
  files: { stored: number; unchanged: number; empty: number; failed: number };
  /** Files of an earlier import that are no longer there, and went. */
  deleted: number;
  /** New chunks, and chunks of earlier versions or vanished files that went. */
  chunks: { stored: number; removed: number };
  /**
   * Messages of a history, turns of a transcript, passages of a document: `read` is the sum of the others. Of what is unchanged `known`
   * counts what is stored of it.
   */
  entries: { read: number; stored: number; known: number; skipped: Partial<Record<SkipReason, number>> };
  /** The first unreadable, as text: where, and what did not fit. */
  unreadable: string[];
  /** How many secrets were masked. */
  redactions: number;
  failures: { path: string; words: string; hint: string | undefined }[];
  /** Symbolic links among the files, which are not followed: nothing behind them was read. */
  links: string[];
  /** False when the signal ended it before the last file; the same call continues where it stopped. */
  complete: boolean;
}
