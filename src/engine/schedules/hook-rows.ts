// The table of webhooks. Called inside transactions.
import { defined } from '#base/json.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { HookMade } from '#engine/wire/schedules/hook.ts';

export interface StoredHook extends HookMade {
  /** Differs between two hooks that had one name after the other. */
  id: string;
}

export interface HookRows {
  /** False where the name is taken. */
  insert(hook: StoredHook): boolean;
  get(name: string): StoredHook | undefined;
  all(): StoredHook[];
  remove(name: string): void;
  received(name: string, at: number): void;
  stop(name: string, reason: string): void;
  /** How much of it was made due since then. */
  countSince(name: string, since: number): number;
}

interface Row extends Omit<StoredHook, 'reason'> {
  reason: string | null;
}

const fromRow = ({ reason, ...row }: Row): StoredHook => ({
  ...row,
  ...defined({ reason: reason ?? undefined }),
});

/** Statements over the engine's open database. */
export function createHookRows(database: Sqlite): HookRows {
  const columns =
    'name, id, chat, kind, template, per_minute, secret, state, reason, created_at_ms, received_at_ms';
  const insert = database.prepare<Row>(
    `INSERT INTO hooks (${columns}) VALUES (${columns.replace(/\w+/g, ':$&')}) ON CONFLICT (name) DO NOTHING`,
  );
  const get = database.prepare<[string], Row>(`SELECT ${columns} FROM hooks WHERE name = ?`);
  const all = database.prepare<[], Row>(`SELECT ${columns} FROM hooks ORDER BY name`);
  const remove = database.prepare('DELETE FROM hooks WHERE name = ?');
  const received = database.prepare('UPDATE hooks SET received_at_ms = ? WHERE name = ?');
  const stop = database.prepare("UPDATE hooks SET state = 'stopped', reason = ? WHERE name = ?");
  const countSince = database
    .prepare<[string, number], number>(
      "SELECT count(*) FROM firings WHERE source = 'hook' AND source_id = ? AND made_at_ms > ?",
    )
    .pluck();
  return {
    insert: ({ reason, ...hook }) => insert.run({ ...hook, reason: reason ?? null }).changes === 1,
    get(name) {
      const row = get.get(name);
      return row && fromRow(row);
    },
    all: () => all.all().map(fromRow),
    remove: (name) => void remove.run(name),
    received: (name, at) => void received.run(at, name),
    stop: (name, reason) => void stop.run(reason, name),
    countSince: (name, since) => countSince.get(name, since) ?? 0,
  };
}
