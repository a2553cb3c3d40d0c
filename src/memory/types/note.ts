// What is handed to memory as worth keeping by itself, outside of an exchange, and what comes back. Shapes only.
import type { Provenance, Sensitivity, Tier } from './scope.ts';

/**
 * What a note is: something to remember, an established fact, how something was solved, how something is done, the summary of several
 * exchanges, or what someone prefers.
 */
export const noteKinds = ['note', 'fact', 'solution_capsule', 'procedure', 'episode', 'preference'] as const;
/** Those that are written by hand; episodes are made of exchanges. */
export const handWrittenKinds = noteKinds.filter((kind) => kind !== 'episode');
export type NoteKind = (typeof noteKinds)[number];

export interface Note {
  kind: NoteKind;
  text: string;
  /** When it was noted, in milliseconds since the epoch. */
  at: number;
  /** For whom it was noted (`person`), and by whom (`name`). */
  speaker: { person: string; name: string };
  /** Who the audit names, where that is not the one by whom it was noted. */
  by?: { name: string; runID?: string | undefined; sessionID?: string | undefined } | undefined;
  where: Provenance;
  platform: string;
  /** Canonical address of the chat, or a word for where else it came from. */
  chat: string;
  /** Empty where there was none. */
  sessionID: string;
  runID: string;
  projectID?: string | undefined;
  messageIDs: readonly string[];
  /** `global` when absent; `session` and `project` need theirs. */
  tier?: Tier | undefined;
  /** The id of the record that this is the new version of; of the same audience. */
  supersedes?: string | undefined;
  /** The version that holds now, as its writer read it: where another one does, nothing is stored (`stale_version`). */
  expectedVersion?: number | undefined;
  /** True stores it although it was forgotten before: on purpose. */
  again?: boolean | undefined;
  channelTag?: string | undefined;
  hostTag?: string | undefined;
  /** What it is about, exactly: another text under the same key supersedes it, inside one audience and tier. */
  key?: string | undefined;
  tags?: readonly string[] | undefined;
  /** Every prompt of its audience has it, within bounds; preferences are pinned unless it is false. */
  pinned?: boolean | undefined;
  /** `private` and `sensitive` narrow it to its own audience; absent: as far as `where` lets it. */
  sensitivity?: Sensitivity | undefined;
  /** 0 to 1, 1 when absent. */
  confidence?: number | undefined;
  /** In milliseconds since the epoch; it is shown to nobody later. */
  expiresAt?: number | undefined;
  /** Ids of the memories that it was made of. */
  evidence?: readonly string[] | undefined;
  artifactRefs?: readonly string[] | undefined;
  /** Survives JSON. */
  metadata?: Record<string, unknown> | undefined;
}

/** A record next to the one that was stored: a surer one that says something else, or one of its key that holds no longer. */
export interface Standing {
  id: string;
  text: string;
  confidence: number;
  at: number;
}

/** `forgotten` and `retracted`: just this was forgotten or withdrawn in its audience before, and is not brought back unless `again` says so. */
export type NoteResult =
  | {
      status: 'stored' | 'duplicate';
      /** Of the record. */
      id: string;
      /** Its pieces, in order; none while it is demoted. */
      chunkIDs: string[];
      /** The kinds of secrets that were masked in it. */
      redacted: readonly string[];
      auditID: string;
      version: number;
      /** The version in whose place it is. */
      supersedes?: { id: string; version: number; text: string } | undefined;
      /** Others with its key, whose place it takes too: doubts that stood beside each other. */
      settled?: readonly Standing[] | undefined;
      /** A surer one with its key, or that it was to correct: both stand. */
      contradicts?: Standing | undefined;
      /** True where it had been forgotten. */
      again?: true | undefined;
    }
  | { status: 'forgotten' | 'retracted' | 'nothing to store' };
