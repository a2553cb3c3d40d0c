// What takes a disk long, step by step: small files that can be made again, and the checkpoint of a database. Not in which thread.
import { appendFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { ensureFolder, writeNow } from './files.ts';

export type DiskStep =
  /** The folder is there, with all above it. */
  | { do: 'folder'; path: string }
  /** Puts the content at the end of the file, which is made if there is none. */
  | { do: 'append'; path: string; content: string }
  /** The content is the file, as `writeNow` says. */
  | { do: 'write'; path: string; content: string }
  /** What the log of the database held when it was begun is in its file, as far as no reader stands in the way. */
  | { do: 'checkpoint'; path: string };

/** Carries the steps out in order, at once; everything belongs to the owner alone. The first one that fails throws, and none follows it. */
export function carryOut(steps: readonly DiskStep[]): void {
  for (const step of steps) {
    if (step.do === 'folder') ensureFolder(step.path);
    else if (step.do === 'append') appendFileSync(step.path, step.content, { mode: 0o600 });
    else if (step.do === 'write') writeNow(step.path, step.content);
    else checkpoint(step.path);
  }
}

/** With a connection of its own, which waits for nobody. */
function checkpoint(path: string): void {
  const database = new Database(path, { fileMustExist: true, timeout: 0 });
  try {
    database.pragma('wal_checkpoint(PASSIVE)');
  } finally {
    database.close();
  }
}
