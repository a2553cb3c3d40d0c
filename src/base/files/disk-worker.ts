// The thread that works on the disk: one order after the other, each answered.
import { parentPort } from 'node:worker_threads';
import { codeOf, errorMessage, hintOf } from '#base/errors.ts';
import { carryOut } from './disk-steps.ts';
import type { DiskAnswer, DiskOrder } from './disk-thread.ts';

parentPort?.on('message', ({ id, steps }: DiskOrder) => {
  const answer = (said: DiskAnswer): void => parentPort?.postMessage(said);
  try {
    carryOut(steps);
    answer({ id });
  } catch (error) {
    const hint = hintOf(error);
    answer({ id, failed: { code: codeOf(error) ?? 'error', message: errorMessage(error), hint } });
  }
});
