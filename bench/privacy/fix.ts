// What a protection is, as the edits that take it out, and where it is missed then.
import type { ModeName } from './batch.ts';
import type { ChainName } from './chains.ts';

/** A piece of source unchanged, and as it would be without the fix. */
export interface Edit {
  file: string;
  from: string;
  to: string;
}

export interface Fix {
  /** By which it is taken out alone. */
  name: string;
  /** What is true with it. */
  ensures: string;
  edits: readonly Edit[];
  /**
   * Where its absence shows: in histories, of this mode and with these chains where it takes these; or, where nobody is shown a word without
   * it that they could not read, in tests of this file. Histories of any kind when absent.
   */
  shows?: { mode?: ModeName; chains?: readonly ChainName[] } | { test: string };
}

/** An edit that removes the piece, or puts another in its place. */
export const edit = (file: string, from: string, to = ''): Edit => ({ file, from, to });
