// How the parts of an engine start and end: what a dead process left comes first, then what works on its own; the database closes last.
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log/log.ts';
import type { EngineParts } from './engine-parts.ts';
import { keepRunRetention, pruneRuns } from './run-files/retention.ts';
import { interruptAll } from './runs/interrupt.ts';
import { resumeRuns } from './runs/resume-runs.ts';

/** Starts the parts and resolves with what ends them. When something fails, all is closed and the error says what the disk refused. */
export async function startEngineParts(
  parts: EngineParts,
  { clock, log, resumes }: { clock: Clock; log: Log; resumes: boolean },
): Promise<() => Promise<void>> {
  const { database, storage, events, runFiles, home, tables, requests, missions, archive } = parts;
  const { memoryParts, schedules, mcp, masking, runs, summaries, idleCompaction } = parts;
  const { runRetentionDays: days, maxRuns: count } = parts.settings.limits;
  const retention = { days, count, clock, log };
  const { responseCache, autoDistill, dreams, budgets } = memoryParts;
  const closeMemoryWork = () => Promise.all([autoDistill.close(), dreams.close(), budgets.close()]);

  try {
    const lost = interruptAll(tables);
    if (lost > 0) log.warn({ runs: lost }, 'runs of an earlier process were interrupted');
    requests.resume();
    await missions.ready();
    await archive.resume();
    await responseCache.prune();
    await pruneRuns(home, retention);
    schedules.start();
  } catch (error) {
    await Promise.all([mcp.close(), closeMemoryWork()]);
    requests.close();
    database.close();
    throw storage.explain(error) ?? error;
  }
  const ending = new AbortController();
  const saved = keepRunRetention(home, retention, ending.signal);
  masking.start();
  parts.feedbackCalls.nudge();
  idleCompaction.start();
  if (resumes) {
    await missions.resume();
    await resumeRuns({ ...parts, log });
  }
  return async () => {
    await runs.close();
    await parts.feedbackCalls.close();
    await Promise.all([idleCompaction.close(), summaries.close()]);
    await closeMemoryWork();
    await archive.settled();
    await masking.close();
    await parts.sessions.close();
    await mcp.close();
    requests.close();
    schedules.close();
    ending.abort();
    await saved;
    await runFiles.settled();
    events.close();
    database.close();
    await parts.checkpoints.settled();
  };
}
