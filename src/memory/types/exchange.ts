// What is handed to memory after a delivered answer, and what comes back. Shapes only.
import type { Provenance } from './scope.ts';

/** One completed exchange: what a person said and what the assistant answered, as both were delivered. */
export interface Exchange {
  /** Names this exchange for ever (the run that answered it): archiving the same key twice stores once. */
  key: string;
  userText: string;
  assistantText: string;
  /** Recalled passages that the model was shown; text that repeats them is not stored again. */
  recalled: readonly string[];
  /** When the person spoke, in milliseconds since the epoch. */
  at: number;
  speaker: { person: string; name: string };
  where: Provenance;
  platform: string;
  /** Canonical address of the chat. */
  chat: string;
  sessionID: string;
  projectID?: string | undefined;
  workspaceRoot?: string | undefined;
  runID: string;
  messageIDs: readonly string[];
  /** The platform's ids of the messages in which the person spoke: a memory that instances share finds by them what was changed elsewhere. */
  nativeIDs?: readonly string[] | undefined;
  /** True stores it although the same words were forgotten before: their author has put them in on purpose. */
  again?: boolean | undefined;
}

/** A word by which a text that repeats another one is known. */
export interface TellingWord {
  stem: string;
  /** In lower case and without diacritics, as it is written. */
  plain: string;
  /** True for a name, and for a word with a digit in it: hard to say in other words. */
  particular: boolean;
}

export type ArchiveResult =
  | { status: 'stored'; chunkIDs: string[] }
  | { status: 'duplicate'; chunkIDs: string[] }
  | { status: 'nothing to store' };
