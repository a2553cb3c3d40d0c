// The tables of schedules and of what people laid down about times. Called inside transactions.
import { createLruCache } from '#base/caches/lru-cache.ts';
import { defined, parseJson } from '#base/json.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import {
  type PersonTimes,
  type Recurrence,
  recurrence,
  type Schedule,
} from '#engine/wire/schedules/schedule.ts';
import type { ScheduleService } from '#engine/wire/schedules/schedule-operations.ts';

export interface StoredSchedule extends Omit<Schedule, 'next_release_at_ms'> {
  /** From when intervals are counted, in milliseconds since the epoch. */
  anchorMs: number;
}

/** Accounts, or canonical addresses of chats. */
interface ScheduleOwners {
  persons?: readonly string[] | undefined;
  chats?: readonly string[] | undefined;
}

export interface ScheduleRows {
  insert(row: StoredSchedule, key: string | undefined): void;
  /** Writes what, when and its state; the person, the chat and when it was made stay. Returns it as it is now. */
  change(row: StoredSchedule): StoredSchedule;
  get(id: string): StoredSchedule | undefined;
  byKey(key: string): StoredSchedule | undefined;
  /** Newest first. */
  list(filter: Parameters<ScheduleService['listSchedules']>[0]): StoredSchedule[];
  /** How many of a person's are active. */
  countActiveOf(person: string): number;
  /** Removes what is proposed to a person, but for the newest so many. */
  keepProposed(person: string, most: number): void;
  countActive(): number;
  /** When the next one fires. */
  nextAt(): number | undefined;
  due(now: number, limit: number): StoredSchedule[];
  activate(id: string, nextAt: number): void;
  /** It has fired, and fires next at `nextAt`; never again where that is undefined. */
  fired(id: string, at: number, nextAt: number | undefined): void;
  stop(id: string, reason: string): void;
  remove(id: string): void;
  /** Removes those that were over, or proposed and not confirmed, before these times; how many. */
  prune(before: { over: number; proposed: number }): number;
  /** How many belong to these persons or speak in these chats (that of a room means its threads too), with their settings of times. */
  countOf(of: ScheduleOwners): number;
  /** Removes them, what they have made due, and what these persons laid down about times. */
  removeOf(of: ScheduleOwners): void;
  timesOf(persons: readonly string[]): PersonTimes;
  setTimes(person: string, change: { [Key in keyof PersonTimes]?: PersonTimes[Key] | undefined }): void;
  /** The time zone of one account; read once. */
  zoneOf(person: string): string | undefined;
}

/** Accounts whose time zone is remembered. */
const maxZones = 10_000;

interface Row {
  id: string;
  state: Schedule['state'];
  kind: Schedule['kind'];
  text: string;
  person: string;
  chat: string;
  zone: string | null;
  recurrence: string | null;
  anchor_ms: number;
  next_at_ms: number | null;
  words: string;
  created_at_ms: number;
  fired_at_ms: number | null;
  reason: string | null;
}

interface OwnerKeys {
  persons: string;
  chats: string;
}

interface TimesRow {
  zone: string | null;
  quiet_from: string | null;
  quiet_until: string | null;
}

function fromRow({ anchor_ms, recurrence: rule, reason, ...row }: Row): StoredSchedule {
  return {
    ...row,
    anchorMs: anchor_ms,
    ...defined({
      recurrence: rule === null ? undefined : ruleIn(rule, row.id),
      reason: reason ?? undefined,
    }),
  };
}

const toRow = ({ anchorMs, recurrence: rule, reason, ...row }: StoredSchedule): Row => ({
  ...row,
  anchor_ms: anchorMs,
  recurrence: rule === undefined ? null : JSON.stringify(rule),
  reason: reason ?? null,
});

const ruleIn = (json: string, id: string): Recurrence => parseJson(json, recurrence, `the rule of ${id}`);

/** Statements over the engine's open database. */
export function createScheduleRows(database: Sqlite): ScheduleRows {
  const columns =
    'id, state, kind, text, person, chat, zone, recurrence, anchor_ms, next_at_ms, words, created_at_ms, fired_at_ms, reason';
  const insert = database.prepare<Row & { key: string | null }>(
    `INSERT INTO schedules (key, ${columns}) VALUES (:key, ${columns.replace(/\w+/g, ':$&')})`,
  );
  const change = database.prepare<Row, Row>(
    `UPDATE schedules SET state = :state, kind = :kind, text = :text, zone = :zone, recurrence = :recurrence, anchor_ms = :anchor_ms,
       next_at_ms = :next_at_ms, words = :words, reason = :reason WHERE id = :id RETURNING ${columns}`,
  );
  const one = (where: string) =>
    database.prepare<[string], Row>(`SELECT ${columns} FROM schedules WHERE ${where} = ?`);
  const [byID, byKey] = [one('id'), one('key')];
  const list = database.prepare<{ persons: string | null; chat: string | null; state: string | null }, Row>(
    `SELECT ${columns} FROM schedules
     WHERE (:persons IS NULL OR person IN (SELECT value FROM json_each(:persons)))
       AND (:chat IS NULL OR chat = :chat)
       AND (:state IS NULL OR state = :state)
     ORDER BY id DESC LIMIT 1000`,
  );
  const countActiveOf = database
    .prepare<[string], number>("SELECT count(*) FROM schedules WHERE person = ? AND state = 'active'")
    .pluck();
  const keepProposed = database.prepare<{ person: string; most: number }>(
    `DELETE FROM schedules WHERE person = :person AND state = 'proposed' AND id NOT IN (
       SELECT id FROM schedules WHERE person = :person AND state = 'proposed' ORDER BY id DESC LIMIT :most)`,
  );
  const countActive = database
    .prepare<[], number>("SELECT count(*) FROM schedules WHERE state = 'active'")
    .pluck();
  const nextAt = database
    .prepare<[], number | null>("SELECT min(next_at_ms) FROM schedules WHERE state = 'active'")
    .pluck();
  const due = database.prepare<[number, number], Row>(
    `SELECT ${columns} FROM schedules WHERE state = 'active' AND next_at_ms <= ? ORDER BY next_at_ms, id LIMIT ?`,
  );
  const activate = database.prepare("UPDATE schedules SET state = 'active', next_at_ms = ? WHERE id = ?");
  const fired = database.prepare(
    `UPDATE schedules SET fired_at_ms = :at, next_at_ms = :nextAt, state = iif(:nextAt IS NULL, 'done', state) WHERE id = :id`,
  );
  const stop = database.prepare(
    "UPDATE schedules SET state = 'stopped', next_at_ms = NULL, reason = ? WHERE id = ?",
  );
  const remove = database.prepare('DELETE FROM schedules WHERE id = ?');
  const prune = database.prepare(
    `DELETE FROM schedules WHERE (state IN ('done', 'stopped') AND coalesce(fired_at_ms, created_at_ms) < :over)
       OR (state = 'proposed' AND created_at_ms < :proposed)`,
  );
  const meant = `(person IN (SELECT value FROM json_each(:persons)) OR chat IN (SELECT value FROM json_each(:chats))
    OR EXISTS (SELECT 1 FROM json_each(:chats)
      WHERE value LIKE '%:-' AND substr(chat, 1, length(value) - 1) = substr(value, 1, length(value) - 1)))`;
  const countOf = database
    .prepare<OwnerKeys, number>(`SELECT (SELECT count(*) FROM schedules WHERE ${meant})
        + (SELECT count(*) FROM person_times WHERE person IN (SELECT value FROM json_each(:persons)))`)
    .pluck();
  const removals = [
    `DELETE FROM firings WHERE ${meant}`,
    `DELETE FROM schedules WHERE ${meant}`,
    'DELETE FROM person_times WHERE person IN (SELECT value FROM json_each(:persons))',
  ].map((sql) => database.prepare<OwnerKeys>(sql));
  const keysOf = ({ persons = [], chats = [] }: ScheduleOwners): OwnerKeys => ({
    persons: JSON.stringify(persons),
    chats: JSON.stringify(chats),
  });
  const times = database.prepare<[string], TimesRow>(
    `SELECT zone, quiet_from, quiet_until FROM person_times WHERE person IN (SELECT value FROM json_each(?)) ORDER BY person`,
  );
  const putTimes = database.prepare(
    `INSERT INTO person_times (person, zone, quiet_from, quiet_until) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET zone = excluded.zone, quiet_from = excluded.quiet_from, quiet_until = excluded.quiet_until`,
  );
  const timesOf: ScheduleRows['timesOf'] = (persons) => {
    const rows = times.all(JSON.stringify(persons));
    const quiet = rows.find(({ quiet_from }) => quiet_from !== null);
    return {
      zone: rows.find(({ zone }) => zone !== null)?.zone ?? null,
      quiet:
        quiet?.quiet_from && quiet.quiet_until ? { from: quiet.quiet_from, until: quiet.quiet_until } : null,
    };
  };
  // every prompt has the time of the person who asks
  const zones = createLruCache<string, string>(maxZones);
  const found = (row: Row | undefined): StoredSchedule | undefined => row && fromRow(row);
  return {
    insert: (row, key) => void insert.run({ ...toRow(row), key: key ?? null }),
    change: (row) => fromRow(change.get(toRow(row)) ?? toRow(row)),
    get: (id) => found(byID.get(id)),
    byKey: (key) => found(byKey.get(key)),
    list({ person, chat, state }) {
      const persons = person === undefined ? null : JSON.stringify(person);
      return list.all({ persons, chat: chat ?? null, state: state ?? null }).map(fromRow);
    },
    countActiveOf: (person) => countActiveOf.get(person) ?? 0,
    keepProposed: (person, most) => void keepProposed.run({ person, most }),
    countActive: () => countActive.get() ?? 0,
    nextAt: () => nextAt.get() ?? undefined,
    due: (now, limit) => due.all(now, limit).map(fromRow),
    activate: (id, at) => void activate.run(at, id),
    fired: (id, at, next) => void fired.run({ id, at, nextAt: next ?? null }),
    stop: (id, reason) => void stop.run(reason, id),
    remove: (id) => void remove.run(id),
    prune: (before) => prune.run(before).changes,
    countOf: (of) => countOf.get(keysOf(of)) ?? 0,
    removeOf(of) {
      for (const person of of.persons ?? []) zones.delete(person);
      for (const removal of removals) removal.run(keysOf(of));
    },
    timesOf,
    zoneOf(person) {
      const known = zones.get(person);
      const zone = known ?? timesOf([person]).zone ?? '';
      if (known === undefined) zones.set(person, zone);
      return zone === '' ? undefined : zone;
    },
    setTimes(person, change) {
      zones.delete(person);
      const { zone, quiet } = { ...timesOf([person]), ...defined(change) };
      putTimes.run(person, zone, quiet?.from ?? null, quiet?.until ?? null);
    },
  };
}
