// The events of one run from its first one to its end, and of the runs that resume it where its process died.
import { type EngineEvent, isEndOfRun } from '#engine/wire/events/event.ts';
import type { EngineService } from '#engine/wire/service.ts';

/**
 * Ends after `session.run.finished`. After that of an interrupted run it waits for the run that resumes it and goes on with that one; it
 * ends where another run begins in the session instead.
 */
export async function* eventsOfRun(
  engine: EngineService,
  { sessionID, runID }: { sessionID?: string | undefined; runID: string },
  signal: AbortSignal,
): AsyncGenerator<EngineEvent> {
  let end: EngineEvent | undefined;
  for await (const event of engine.events({ sessionID, runID, afterSeq: 0, unfinished: true }, signal)) {
    yield event;
    if (isEndOfRun(event)) return;
    if (event.type !== 'session.run.finished') continue;
    end = event;
    break;
  }
  if (end?.envelope.session_id == null) return;
  const { session_id: inSession, seq } = end.envelope;
  const later = { sessionID: inSession, afterSeq: seq ?? 0, unfinished: true } as const;
  let followed = runID;
  for await (const event of engine.events(later, signal)) {
    if (event.type === 'session.run.started') {
      if (event.properties.resumes !== followed) return;
      followed = event.properties.runID;
    }
    if (event.envelope.run_id !== followed || followed === runID) continue;
    yield event;
    if (isEndOfRun(event)) return;
  }
}
