// `GET /event`: which events a client gets over SSE, from where, and when the stream ends. Not their framing.
import type { Context } from 'hono';
import { z } from 'zod';
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import type { BrowserStreams } from '#engine/http/guards/browser-streams.ts';
import { knownSession, runOf } from '#engine/http/routing/lookup.ts';
import { ApiError, type ApiErrorOptions, refusalBody } from '#engine/http/routing/refusal.ts';
import { defineRoute, type HttpEnv, type Route } from '#engine/http/routing/route.ts';
import { integerParam } from '#engine/operations/fields.ts';
import type { EngineEvent } from '#engine/wire/events/event.ts';
import type { EngineService } from '#engine/wire/service.ts';
import { eventStream } from './event-stream.ts';
import { eventsOfRun } from './events-of-run.ts';

export interface EventStreamSource {
  engine: EngineService;
  clock: Clock;
  newId: NewId;
  version: string;
  refusalOf: (error: unknown) => ApiErrorOptions;
  streams: BrowserStreams;
}

// An empty id is refused: read as "no filter", it would show a client every session.
const eventQuery = z.object({
  sessionID: z.string().min(1).optional(),
  runID: z.string().min(1).optional(),
  gather_ms: integerParam(0, 1_000)
    .optional()
    .describe('Milliseconds within which events that follow one go together; 0, each at once, when absent'),
});

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  // The stream's end is the connection's end, so that closing the server has nothing to wait for.
  connection: 'close',
};

/**
 * `GET /event?sessionID=&runID=&gather_ms=`. First `server.connected` and `engine.lifecycle.ready`, then the events that pass the filter:
 * durable ones that were missed, what is being written at this moment (one piece from the beginning of each part), and what follows.
 * - Without `runID`: what happens from the call on, or, with `Last-Event-ID`, from the durable event after that one; the client ends it.
 * - With `runID`: the run's durable events from its first one (or after `Last-Event-ID`), then the live ones, and the
 *   stream ends after this run's `session.run.finished`, also when that was long ago. A client that attaches late, or
 *   comes back, misses nothing durable. After a run that its process took with it the stream has the run that resumes it, and stays open
 *   until there is one, or something else is written in the session.
 * The streams of a browser end with its sign-in.
 * A failure on the way (for example the overflow of a slow reader's queue) is a last frame `event: error` with the
 * error envelope; the client comes back with `Last-Event-ID`.
 */
export function eventRoutes(source: EventStreamSource): Route[] {
  const { engine } = source;
  const at = (path: string, summary: string): Route =>
    defineRoute({
      method: 'GET',
      path,
      tag: 'events',
      summary,
      query: eventQuery,
      answers: { 200: { about: 'Server-sent events', type: 'text/event-stream' } },
      async handle(c, { query: { sessionID, runID, gather_ms: gatherMs } }) {
        if (sessionID !== undefined) await knownSession(engine, sessionID);
        if (runID !== undefined) await runOf(engine, runID, sessionID);
        return streamOf(c, source, { sessionID, runID, gatherMs });
      },
    });
  return [
    at(
      '/event',
      'Events as they happen, resumed with `Last-Event-ID`; of a run, from its first one to its end',
    ),
    at('/global/event', 'The same as `/event`'),
    defineRoute({
      method: 'GET',
      path: '/run/:run/events',
      tag: 'events',
      summary: 'The events of a run as a stream, from its first one to its end',
      answers: { 200: { about: 'Server-sent events', type: 'text/event-stream' } },
      async handle(c) {
        const { runID, sessionID } = await runOf(engine, c.req.param('run') ?? '', undefined);
        return runStream(c, source, { runID, sessionID });
      },
    }),
  ];
}

/** The stream of one run, as `GET /event?runID=` has it; the run must be there. */
export function runStream(
  c: Context<HttpEnv>,
  source: EventStreamSource,
  run: { sessionID: string; runID: string },
): Response {
  return streamOf(c, source, run);
}

function streamOf(
  c: Context<HttpEnv>,
  source: EventStreamSource,
  of: { sessionID?: string | undefined; runID?: string | undefined; gatherMs?: number | undefined },
): Response {
  const { sessionID, runID, gatherMs = 0 } = of;
  const { engine, clock } = source;
  const after = lastEventIDOf(c.req.header('last-event-id'));
  // What was set on the answer before (the run's id, say) goes out with it.
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  if (c.req.method === 'HEAD') return c.body(null);
  // a reader that takes nothing is not waited for without end; one that is behind is told so, once it reads
  c.env?.endWhenStalled?.();
  const held = source.streams.hold(c.env?.signIn ?? c.get('signIn'));
  const body = eventStream({
    held,
    greeting: greetingOf(source),
    // A run is read from its start and what the client has is skipped: so its end is seen even if the client has it.
    events: (signal) =>
      runID === undefined
        ? engine.events({ sessionID, afterSeq: after, unfinished: true }, signal)
        : eventsOfRun(engine, { sessionID, runID }, signal),
    skip: (event) => isGreeting(event) || (runID !== undefined && isKnown(event, after)),
    gatherMs,
    failure: (error) => refusalBody(source.refusalOf(error)),
    clock,
    signals: [c.req.raw.signal, c.env?.closing],
  });
  return c.body(body);
}

function lastEventIDOf(header: string | undefined): number | undefined {
  if (header === undefined || header === '') return undefined;
  if (/^\d{1,15}$/.test(header)) return Number(header);
  throw new ApiError({
    status: 400,
    code: 'INVALID_REQUEST',
    message: 'Expected in Last-Event-ID the number of an event of this server.',
  });
}

/** True for a durable event that the client has: its position is not after the one it named. */
function isKnown({ envelope: { seq } }: EngineEvent, after: number | undefined): boolean {
  return seq !== null && after !== undefined && seq <= after;
}

/** The stream greets on its own, once; an engine's own greetings are not repeated. */
function isGreeting(event: EngineEvent): boolean {
  return event.type === 'server.connected' || event.type === 'engine.lifecycle.ready';
}

function greetingOf({ clock, newId, version }: EventStreamSource): EngineEvent[] {
  const envelope = () => ({
    event_id: newId('evt'),
    seq: null,
    schema_version: 1 as const,
    occurred_at_ms: clock.now(),
    session_id: null,
    run_id: null,
  });
  return [
    { type: 'server.connected', properties: {}, envelope: envelope() },
    { type: 'engine.lifecycle.ready', properties: { version }, envelope: envelope() },
  ];
}
