// What has to end with the process that began it, also when that is interrupted: child processes, folders, worktrees.
import { constants } from 'node:os';

/**
 * `end` runs once: when the returned function is called, or when the process exits. At an exit the last one that was registered runs
 * first, so that a process ends before its folder is removed.
 */
export function endAtExit(end: () => void): () => void {
  let isOver = false;
  const once = (): void => {
    process.off('exit', once);
    if (isOver) return;
    isOver = true;
    end();
  };
  process.prependListener('exit', once);
  return once;
}

/** A signal that asks the process to end lets it exit, with 128 and the signal's number: `endAtExit` needs that. */
export function exitOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
}
