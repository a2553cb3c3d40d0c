// The thread that writes small files: one order after the other, each answered. Not what is in them.
import { parentPort } from 'node:worker_threads';
import { codeOf, ParleyError, wordsOf } from './errors.ts';
import { carryOut } from './file-steps.ts';
import type { FileAnswer, FileOrder } from './file-thread.ts';

parentPort?.on('message', ({ id, steps }: FileOrder) => {
  const answer = (said: FileAnswer): void => parentPort?.postMessage(said);
  try {
    carryOut(steps);
    answer({ id });
  } catch (error) {
    const cure = error instanceof ParleyError ? error.cure : undefined;
    answer({ id, failed: { code: codeOf(error) ?? 'error', message: wordsOf(error), cure } });
  }
});
