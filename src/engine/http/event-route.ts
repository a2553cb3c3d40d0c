// `GET /event`: which events a client gets over SSE, from where, and when the stream ends. Not their framing.
import type { Context } from 'hono';
import { z } from 'zod';
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import type { Engine } from '#engine/wire/contract.ts';
import type { EngineEvent } from '#engine/wire/event.ts';
import { eventStream } from './event-stream.ts';
import { queryOf, runOf, sessionOf } from './lookup.ts';
import { Refusal, type RefusalOptions, refusalBody } from './refusal.ts';
import type { HttpEnv, Route } from './route.ts';

export interface EventRouteOptions {
  engine: Engine;
  clock: Clock;
  newId: NewId;
  version: string;
  refusalOf: (error: unknown) => RefusalOptions;
}

// An empty id is refused: read as "no filter", it would show a client every session.
const eventQuery = z.object({ sessionID: z.string().min(1).optional(), runID: z.string().min(1).optional() });

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  // The stream's end is the connection's end, so that closing the server has nothing to wait for.
  connection: 'close',
};

/**
 * `GET /event?sessionID=&runID=`. First `server.connected` and `engine.lifecycle.ready`, then the events that pass the filter.
 * - Without `runID`: from now on, or, with `Last-Event-ID`, from the durable event after that one; the client ends it.
 * - With `runID`: the run's durable events from its first one (or after `Last-Event-ID`), then the live ones, and the
 *   stream ends after this run's `session.run.finished`, also when that was long ago. A client that attaches late, or
 *   comes back, misses nothing durable. An interrupted run's stream stays open: the run may be started anew.
 * A failure on the way (for example the overflow of a slow reader's queue) is a last frame `event: error` with the
 * error envelope; the client comes back with `Last-Event-ID`.
 */
export function eventRoute(options: EventRouteOptions): Route {
  return { method: 'GET', path: '/event', handle: (c) => answer(c, options) };
}

async function answer(c: Context<HttpEnv>, options: EventRouteOptions): Promise<Response> {
  const { engine, clock } = options;
  const { sessionID, runID } = queryOf(c, eventQuery);
  const after = lastEventIDOf(c.req.header('last-event-id'));
  if (sessionID !== undefined) await sessionOf(engine, sessionID);
  if (runID !== undefined) await runOf(engine, runID, sessionID);
  if (c.req.method === 'HEAD') return new Response(null, { headers });
  const body = eventStream({
    greeting: greetingOf(options),
    // A run is read from its start and what the client has is skipped: so its end is seen even if the client has it.
    events: (signal) =>
      engine.events({ sessionID, runID, afterSeq: runID === undefined ? after : 0 }, signal),
    skip: (event) => isGreeting(event) || (runID !== undefined && isKnown(event, after)),
    isLast: (event) => event.type === 'session.run.finished' && event.properties.runID === runID,
    failure: (error) => refusalBody(options.refusalOf(error)),
    clock,
    signals: [c.req.raw.signal, c.env?.closing],
  });
  return new Response(body, { headers });
}

function lastEventIDOf(header: string | undefined): number | undefined {
  if (header === undefined || header === '') return undefined;
  if (/^\d{1,15}$/.test(header)) return Number(header);
  throw new Refusal({
    status: 400,
    code: 'INVALID_REQUEST',
    message: 'Expected in Last-Event-ID the number of an event of this server.',
  });
}

/** True for a durable event that the client has: its position is not after the one it named. */
function isKnown({ envelope: { seq } }: EngineEvent, after: number | undefined): boolean {
  return seq !== null && after !== undefined && seq <= after;
}

/** The stream greets by itself, once; an engine's own greetings are not repeated. */
function isGreeting(event: EngineEvent): boolean {
  return event.type === 'server.connected' || event.type === 'engine.lifecycle.ready';
}

function greetingOf({ clock, newId, version }: EventRouteOptions): EngineEvent[] {
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
