// What is handed to memory as worth keeping by itself, outside of an exchange, and what comes back. Shapes only.
import type { ArchiveResult } from './exchange.ts';
import type { Provenance } from './scope.ts';

/** What a note is: something to remember, an established fact, or how something was solved. */
export const noteKinds = ['note', 'fact', 'solution_capsule'] as const;
export type NoteKind = (typeof noteKinds)[number];

export interface Note {
  kind: NoteKind;
  text: string;
  /** When it was noted, in milliseconds since the epoch. */
  at: number;
  /** For whom it was noted (`person`), and by whom (`name`). */
  speaker: { person: string; name: string };
  where: Provenance;
  platform: string;
  /** Canonical address of the chat, or a word for where else it came from. */
  chat: string;
  /** Empty where there was none. */
  sessionID: string;
  runID: string;
  projectID?: string | undefined;
  messageIDs: readonly string[];
}

/** `forgotten`: just this was forgotten in its audience before, and is not brought back. */
export type NoteResult = ArchiveResult | { status: 'forgotten' };
