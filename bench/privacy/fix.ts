// What a protection is, as the edits that take it out.

/** A piece of source unchanged, and as it would be without the fix. */
export interface Edit {
  file: string;
  from: string;
  to: string;
}

export interface Fix {
  /** What is true with it. */
  ensures: string;
  edits: readonly Edit[];
}

/** An edit that removes the piece, or puts another in its place. */
export const edit = (file: string, from: string, to = ''): Edit => ({ file, from, to });
