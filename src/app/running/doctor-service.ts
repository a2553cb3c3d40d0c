// What `parley doctor` finds, for the console: one look at a time, in a thread, with its findings until the next.
import type { LoadedConfig } from '#app/config/load.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import { createCallThread } from '#base/threads/call-thread.ts';
import type { DoctorFinding, DoctorReport } from '#engine/wire/operator/operator.ts';
import type { OperatorService } from '#engine/wire/operator/operator-operations.ts';

export type DoctorCalls = {
  examine: { request: { loaded: LoadedConfig; quick: boolean }; result: DoctorFinding[]; news: never };
};

/** The doctor loads what a program does. */
const youngMiB = 16;
/** A look that was asked for twice in this time, in milliseconds, starts one thread. */
const idleMs = 10_000;

/** Nothing is looked at before the first `examine`. `end` stops a look that is in progress. */
export function createDoctorService(
  loaded: LoadedConfig,
  clock: Clock,
): Pick<OperatorService, 'doctor' | 'examine'> & { end(): Promise<void> } {
  const thread = createCallThread<DoctorCalls>({
    file: new URL('../doctor/doctor-worker.ts', import.meta.url),
    ...{ youngMiB, idleMs, what: 'The doctor' },
    ended: { code: 'thread_ended', message: 'The program ends.' },
  });
  let report: DoctorReport = { state: 'none', atMs: null, findings: [], error: null, quick: null };
  return {
    doctor: async () => report,
    async examine({ quick = false }) {
      if (report.state === 'running') return report;
      report = { ...report, state: 'running', error: null };
      thread.call('examine', { loaded, quick }).then(
        (findings) => {
          report = { state: 'done', atMs: clock.now(), findings, error: null, quick };
        },
        (error: unknown) => {
          report = { ...report, state: 'failed', error: errorMessage(error) };
        },
      );
      return report;
    },
    end: thread.end,
  };
}
