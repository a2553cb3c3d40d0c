// The thread in which the doctor looks: it may read whole databases, which no other work is to wait for.
import type { DoctorCalls } from '#app/running/doctor-service.ts';
import { systemClock } from '#base/clock.ts';
import { answerCalls } from '#base/threads/answer-calls.ts';
import { findingsOf } from './diagnostic.ts';
import { runDiagnostics } from './doctor.ts';

answerCalls<DoctorCalls>(async ({ request: { loaded, quick } }) => {
  const { folder, file } = loaded;
  return findingsOf(await runDiagnostics({ loaded, folder, configFile: file, clock: systemClock, quick }));
});
