// The durable events in their table, and how an event gets its envelope.
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import type { PrunableRow, PrunableTable } from '#base/sqlite/prune-rows.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { EngineEvent, EventEnvelope, EventPayloads, EventType } from '#engine/wire/events/event.ts';

/** An event before it has its envelope; session and run are read from its properties. */
export type EventDraft = { [T in EventType]: { type: T; properties: EventPayloads[T] } }[EventType];

export interface EventFilter {
  sessionID?: string | undefined;
  runID?: string | undefined;
}

export interface EventStore {
  /** Writes a durable event and gives it its place; call it inside the transaction that makes it true. */
  append(draft: EventDraft): EngineEvent;
  /** The event with an envelope, not stored. */
  live(draft: EventDraft): EngineEvent;
  /** Durable events with `afterSeq < seq <= untilSeq`, in order, at most `limit`. */
  page(range: { afterSeq: number; untilSeq: number; limit: number }, filter: EventFilter): EngineEvent[];
  lastSeq(): number;
  /** Removes all events of a session. */
  forget(sessionID: string): void;
  /** For pruning: those of a run that has not ended are needed. */
  table: PrunableTable;
  count(): number;
}

interface Row {
  seq: number;
  event_id: string;
  type: string;
  session_id: string | null;
  run_id: string | null;
  occurred_at_ms: number;
  properties: string;
}

interface PageParameters {
  after: number;
  until: number;
  limit: number;
  session: string | null;
  run: string | null;
}

/** The store over the engine's open database. */
export function createEventStore(options: { database: Sqlite; newId: NewId; clock: Clock }): EventStore {
  const { database, newId, clock } = options;
  const insert = database.prepare<[string, string, string | null, string | null, number, string]>(
    'INSERT INTO events (event_id, type, session_id, run_id, occurred_at_ms, properties) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const pageOf = (where: string) =>
    database.prepare<PageParameters, Row>(
      `SELECT * FROM events WHERE seq > :after AND seq <= :until ${where} ORDER BY seq LIMIT :limit`,
    );
  const pages = {
    all: pageOf(''),
    session: pageOf('AND session_id = :session'),
    run: pageOf('AND run_id = :run'),
    both: pageOf('AND run_id = :run AND session_id = :session'),
  };
  const forget = database.prepare<[string]>('DELETE FROM events WHERE session_id = ?');
  const after = database.prepare<[number, number], PrunableRow>(
    `SELECT seq AS position, occurred_at_ms AS at,
       EXISTS (SELECT 1 FROM runs WHERE runs.id = events.run_id AND runs.status = 'running') AS isNeeded
     FROM events WHERE seq > ? ORDER BY seq LIMIT ?`,
  );
  const removeRows = database.prepare<[string]>(
    'DELETE FROM events WHERE seq IN (SELECT value FROM json_each(?))',
  );
  const count = database.prepare<[], number>('SELECT count(*) FROM events').pluck();
  const last = database.prepare<[], { seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'events'");

  const envelopeOf = (draft: EventDraft): EventEnvelope => {
    const { properties } = draft;
    return {
      event_id: newId('evt'),
      seq: null,
      schema_version: 1,
      occurred_at_ms: clock.now(),
      session_id: 'sessionID' in properties ? properties.sessionID : null,
      run_id: 'runID' in properties ? properties.runID : null,
    };
  };

  return {
    append(draft) {
      const envelope = envelopeOf(draft);
      const { event_id, session_id, run_id, occurred_at_ms } = envelope;
      const json = JSON.stringify(draft.properties);
      const { lastInsertRowid } = insert.run(event_id, draft.type, session_id, run_id, occurred_at_ms, json);
      return { ...draft, envelope: { ...envelope, seq: Number(lastInsertRowid) } };
    },
    live: (draft) => ({ ...draft, envelope: envelopeOf(draft) }),
    page: ({ afterSeq, untilSeq, limit }, filter) =>
      pages[kindOf(filter)]
        .all({
          after: afterSeq,
          until: untilSeq,
          limit,
          session: filter.sessionID ?? null,
          run: filter.runID ?? null,
        })
        .map(fromRow),
    lastSeq: () => last.get()?.seq ?? 0,
    forget(sessionID) {
      forget.run(sessionID);
    },
    table: {
      after: (position, limit) => after.all(position, limit),
      remove: (positions) => void removeRows.run(JSON.stringify(positions)),
    },
    count: () => count.get() ?? 0,
  };
}

function kindOf({ sessionID, runID }: EventFilter): 'all' | 'session' | 'run' | 'both' {
  if (sessionID === undefined) return runID === undefined ? 'all' : 'run';
  return runID === undefined ? 'session' : 'both';
}

function fromRow(row: Row): EngineEvent {
  const envelope: EventEnvelope = {
    event_id: row.event_id,
    seq: row.seq,
    schema_version: 1,
    occurred_at_ms: row.occurred_at_ms,
    session_id: row.session_id,
    run_id: row.run_id,
  };
  // Type and properties were written together by `append`, so that they belong together.
  return { type: row.type, properties: JSON.parse(row.properties), envelope } as EngineEvent;
}
