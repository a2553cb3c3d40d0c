// The audit of memory: added to inside the transaction that it tells of, and read. Never a word of what was remembered.
import { z } from 'zod';
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import { parseJson } from '#base/json.ts';
import type { Sql } from '#base/sql/sql.ts';
import { type Synchronous, synchronous, type Work } from '#base/sql/work.ts';
import { type PrunableRow, pruneRows } from '#base/sqlite/prune-rows.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { AuditAction, AuditActor, AuditEntry, AuditQuery } from '#memory/types/record.ts';
import type { Audience } from '#memory/types/scope.ts';

interface Audited {
  action: AuditAction;
  by: AuditActor;
  audience: Audience;
  ids: readonly string[];
  detail?: AuditEntry['detail'] | undefined;
}

export interface AuditWork {
  /** Adds a line inside the caller's transaction; its id. */
  add(what: Audited): Work<string>;
  /** Newest first. */
  list(query: AuditQuery): Work<AuditEntry[]>;
  count(): Work<number>;
}

export interface Audit extends Synchronous<AuditWork> {
  /** Removes lines from before this time; those of what was forgotten or masked are the proof of it, and stay. Resolves with how many. */
  prune(before: number, signal: AbortSignal): Promise<number>;
}

/** Of many ids a line names the first; `detail.count` has their number. */
const maxIds = 50;

interface AuditRow {
  id: string;
  at_ms: number;
  action: string;
  actor: string;
  run_id: string | null;
  session_id: string | null;
  audience: string;
  ids: string;
  detail: string;
}

const idsSchema = z.array(z.string());
const detailSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

/** The audit of one database. */
export function createAudit({ sql, clock, newId }: { sql: Sql; clock: Clock; newId: NewId }): AuditWork {
  const insert = sql.prepare<[object], never>(
    `INSERT INTO memory_audit (id, at_ms, action, actor, run_id, session_id, audience, ids, detail)
     VALUES (@id, @at, @action, @actor, @runID, @sessionID, @audience, @ids, @detail)`,
  );
  const select = (of: string) =>
    sql.prepare<[object], AuditRow>(
      `SELECT id, at_ms, action, actor, run_id, session_id, audience, ids, detail FROM memory_audit
     WHERE ${of} AND (@runID IS NULL OR run_id = @runID) AND (@action IS NULL OR action = @action)
     ORDER BY row DESC LIMIT @limit OFFSET @offset`,
    );
  const [ofOne, ofAll] = [select('audience = @audience'), select('TRUE')];
  const count = sql.pluck<[], number>('SELECT count(*) FROM memory_audit');
  return {
    *count() {
      return (yield* count.get()) ?? 0;
    },
    *add({ action, by, audience, ids, detail = {} }) {
      const id = newId('aud');
      yield* insert.run({
        id,
        at: Math.round(clock.now()),
        action,
        actor: by.name,
        runID: by.runID || null,
        sessionID: by.sessionID || null,
        audience,
        ids: JSON.stringify(ids.slice(0, maxIds)),
        detail: JSON.stringify(ids.length > maxIds ? { ...detail, count: ids.length } : detail),
      });
      return id;
    },
    *list({ of, runID, action, limit = 100, offset = 0 }) {
      const values = { audience: of, runID: runID ?? null, action: action ?? null, limit, offset };
      return (yield* (of === 'every audience' ? ofAll : ofOne).all(values)).map(fromRow);
    },
  };
}

/** The audit of an open SQLite file, from which old lines are removed. */
export function createPrunedAudit(database: Sqlite, audit: AuditWork): Audit {
  const after = database.prepare<[number, number], PrunableRow>(
    `SELECT row AS position, at_ms AS at, action IN ('forget', 'redact') AS isNeeded FROM memory_audit
     WHERE row > ? ORDER BY row LIMIT ?`,
  );
  const mayGo = database.prepare<[number]>('UPDATE memory_audit_retention SET before_ms = max(before_ms, ?)');
  const removeRows = database.prepare<[string]>(
    'DELETE FROM memory_audit WHERE row IN (SELECT value FROM json_each(?))',
  );
  return {
    ...synchronous(audit),
    prune(before, signal) {
      mayGo.run(Math.floor(before));
      const table = {
        after: (position: number, limit: number) => after.all(position, limit),
        remove: (rows: readonly number[]) => void removeRows.run(JSON.stringify(rows)),
      };
      return pruneRows(table, Math.floor(before), signal);
    },
  };
}

/** The audit in PostgreSQL, which removes old lines itself. */
export function createPostgresPrune(sql: Sql) {
  const mayGo = sql.prepare<[object], never>(
    'UPDATE memory_audit_retention SET before_ms = greatest(before_ms, @before)',
  );
  const remove = sql.prepare<[object], never>(
    `DELETE FROM memory_audit WHERE row IN (SELECT row FROM memory_audit
       WHERE at_ms < @before AND action NOT IN ('forget', 'redact') ORDER BY row LIMIT @limit)`,
  );
  /** Removes at most so many lines in the caller's transaction; how many. */
  return function* (before: number, limit: number): Work<number> {
    yield* mayGo.run({ before: Math.floor(before) });
    return yield* remove.run({ before: Math.floor(before), limit });
  };
}

function fromRow(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: row.at_ms,
    action: row.action as AuditAction, // written above alone
    actor: row.actor,
    runID: row.run_id ?? undefined,
    sessionID: row.session_id ?? undefined,
    audience: row.audience as Audience, // as above
    ids: parseJson(row.ids, idsSchema, 'ids'),
    detail: parseJson(row.detail, detailSchema, 'detail'),
  };
}
