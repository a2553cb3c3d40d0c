// The newest lines of the log in memory, for a page that shows them. They have no secrets: they come masked.

/** Lines beyond this are dropped, the oldest first. */
const maxLines = 2_000;
/** A longer line is cut, in characters. */
const maxChars = 4_000;

export interface LogTail {
  /** Takes one line of JSON. */
  add(line: string): void;
  /** Lines after that number, the oldest first, each with its number. */
  after(seq: number): { seq: number; line: string }[];
}

/** Holds the newest log lines in memory, for the console. */
export function createLogTail(): LogTail {
  let lines: { seq: number; line: string }[] = [];
  let last = 0;
  return {
    add(line) {
      last += 1;
      lines.push({ seq: last, line: line.slice(0, maxChars) });
      // dropped in bulk, so that a line costs the same however many there are
      if (lines.length > maxLines * 2) lines = lines.slice(-maxLines);
    },
    after: (seq) => lines.slice(-maxLines).filter((each) => each.seq > seq),
  };
}
