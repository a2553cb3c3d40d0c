// Small files that can be made again, written step by step. Not by which thread.
import { appendFileSync } from 'node:fs';
import { ensureFolder, writeNow } from './files.ts';

export type FileStep =
  /** The folder is there, with all above it. */
  | { do: 'folder'; path: string }
  /** The content stands at the end of the file, which is made if there is none. */
  | { do: 'append'; path: string; content: string }
  /** The content is the file, as `writeNow` says. */
  | { do: 'write'; path: string; content: string };

/** Carries the steps out in order, at once; all is the owner's alone. The first one that fails throws, and none follows it. */
export function carryOut(steps: readonly FileStep[]): void {
  for (const step of steps) {
    if (step.do === 'folder') ensureFolder(step.path);
    else if (step.do === 'append') appendFileSync(step.path, step.content, { mode: 0o600 });
    else writeNow(step.path, step.content);
  }
}
