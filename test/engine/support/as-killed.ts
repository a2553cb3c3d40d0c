// What a killed process leaves on the disk. Not tests.
import { copyFileSync, existsSync } from 'node:fs';

/** The files of a database as a killed process leaves them. */
export function asKilled(from: string, to: string): void {
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(from + suffix)) copyFileSync(from + suffix, to + suffix);
  }
}
