// One way to open a SQLite file: pragmas, numbered migrations, words for what is wrong. Not a query builder.
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import type { Clock } from '#base/clock.ts';
import { contentTag } from '#base/content-tag.ts';
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';
import { storageCodeOf, storageHint } from '#base/files/disk-failures.ts';
import { closeToOthers, ensureFolder } from '#base/files/files.ts';
import { standStill } from '#base/waiting/stand-still.ts';
import { lazyStatement } from './lazy-statement.ts';
import { steadyPlan } from './steady-plan.ts';

export type Sqlite = Database.Database;

/**
 * A numbered change of a schema; its position in the list is its version (from 1) and it is never edited once shipped. The first one makes
 * the tables that a file is made with; a file that began with another one is refused.
 */
export interface Migration {
  name: string;
  up: string | ((database: Sqlite) => void);
}

/**
 * The tables with which files of 0.1 begin. Their name holds a tag of the SQL: a file that another build before 0.1 made with other tables is
 * refused in words when it is opened, not by SQLite where a column is missed.
 */
export function firstTables(sql: string): Migration {
  return { name: `the tables of 0.1 (${contentTag(sql).slice(0, 8)})`, up: sql };
}

interface OpenSqlite {
  path: string;
  migrations: readonly Migration[];
  clock: Clock;
  /** Sets pragmas and functions before the first migration. */
  prepare?: ((database: Sqlite) => void) | undefined;
  /** How long another process is waited for, in milliseconds, until the caller sets `busy_timeout` back; the usual second when absent. */
  openMs?: number | undefined;
}

/**
 * How long SQLite waits for another process, in milliseconds. The whole program stands still until then, and the home
 * folder is ours alone: what is still locked then is tried again without waiting here.
 */
const busyMs = 1_000;

/** What a program needs that reads what it wrote last; SQLite's own 16,000 for each file would fill over hours. */
const usualCacheKiB = 4_000;

/** A file up to this size, in bytes, is looked through while opening (about 0.2 s); damage in a larger one is met by its use. */
const checkedBytes = 64 * 1024 * 1024;

/**
 * Opens (or makes) the file in WAL mode and brings it to the newest version; never wipes what it cannot read. What is prepared
 * with it is compiled by its first use, once, whatever is bound to it.
 */
export function openSqlite(options: OpenSqlite): Sqlite {
  ensureFolder(dirname(options.path));
  let database: Sqlite | undefined;
  try {
    database = new Database(options.path, { timeout: options.openMs ?? busyMs });
    // before anything is written: SQLite makes the file as open as the system lets it, and the log as open as the file
    for (const ending of ['', '-wal', '-shm']) closeToOthers(options.path + ending);
    steady(database);
    // It can only be chosen before the first table, and would write to a file that may be damaged.
    if (database.pragma('page_count', { simple: true }) === 0) database.pragma('auto_vacuum = INCREMENTAL');
    useLog(database, options.openMs ?? busyMs);
    database.pragma('synchronous = NORMAL'); // FULL would stand still for the disk at every commit: see file-sync.ts
    database.pragma('foreign_keys = ON');
    database.pragma(`cache_size = -${usualCacheKiB}`);
    database.pragma('temp_store = MEMORY');
    options.prepare?.(database);
    refuseDamaged(database, options.path);
    migrate(database, options);
    return database;
  } catch (cause) {
    database?.close();
    if (cause instanceof ParleyError) throw cause;
    throw new ParleyError(
      'database_unusable',
      `The database ${options.path} cannot be used: ${errorMessage(cause)}.`,
      {
        hint: storageHint(storageCodeOf(cause)),
        cause,
      },
    );
  }
}

/**
 * Opens a file that this program has open already, for reading only: in a separate thread. `cacheKiB` are the pages that it holds
 * in memory, 4,000 when absent; others are a read from the system's own cache away. Throws SQLite's own error.
 */
export function openSqliteReader(
  options: Pick<OpenSqlite, 'path' | 'prepare'> & { cacheKiB?: number },
): Sqlite {
  const database = new Database(options.path, { readonly: true, timeout: busyMs });
  try {
    steady(database);
    database.pragma(`cache_size = -${options.cacheKiB ?? usualCacheKiB}`);
    database.pragma('temp_store = MEMORY');
    options.prepare?.(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Between two attempts of two processes that are in each other's way, in milliseconds; each waits another time. */
const againMs = { least: 2, most: 15 };

/** WAL mode. Where two processes make one file at once, SQLite refuses one of them without waiting: it tries again for so many milliseconds. */
function useLog(database: Sqlite, withinMs: number): void {
  const until = performance.now() + withinMs;
  for (;;) {
    try {
      database.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (codeOf(error) !== 'SQLITE_BUSY' || performance.now() >= until) throw error;
    }
    standStill(againMs.least + Math.random() * (againMs.most - againMs.least));
  }
}

function steady(database: Sqlite): void {
  const prepare = database.prepare.bind(database);
  database.prepare = ((sql: string) =>
    lazyStatement(sql, () => prepare(steadyPlan(sql)))) as typeof database.prepare;
}

/** The path of an open database's write-ahead log. */
export function logOf(database: Sqlite): string {
  return `${fileOf(database)}-wal`;
}

/** The real path of an open database, links resolved. */
export function fileOf(database: Sqlite): string {
  const row = database
    .prepare<[], { file: string }>("SELECT file FROM pragma_database_list WHERE name = 'main'")
    .get();
  return row?.file ?? database.name;
}

/** Reads every table's pages; virtual tables are left out, since what they are made of are tables too. */
function refuseDamaged(database: Sqlite, path: string): void {
  const pages = database.prepare<[], { bytes: number }>(
    'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
  );
  if ((pages.get()?.bytes ?? 0) > checkedBytes) return;
  const tables = database.prepare<[], { name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0",
  );
  for (const { name } of tables.all()) {
    const found = database.pragma(`quick_check("${name.replaceAll('"', '""')}")`, { simple: true });
    if (found === 'ok') continue;
    throw new ParleyError('database_unusable', `The database ${path} is damaged: ${String(found)}.`, {
      hint: storageHint('SQLITE_CORRUPT'),
      cause: Object.assign(new Error(String(found)), { code: 'SQLITE_CORRUPT' }),
    });
  }
}

const olderHint =
  'Nothing was changed. Run `parley export DIR` with the version that made it, which also writes its memories with `parley memory export ' +
  'FILE`; then give this one another home folder, and run `parley import DIR` there.';

function migrate(database: Sqlite, { migrations, path, clock }: OpenSqlite): void {
  database.exec(
    'CREATE TABLE IF NOT EXISTS schema_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at_ms INTEGER NOT NULL) STRICT',
  );
  const versionNow = database.prepare<[], { version: number | null; first: string | null }>(
    'SELECT max(version) AS version, max(name) FILTER (WHERE version = 1) AS first FROM schema_migrations',
  );
  const step = database.transaction(() => {
    const { version: newest, first } = versionNow.get() ?? {};
    const version = newest ?? 0;
    if (version > 0 && migrations.length > 0 && first !== migrations[0]?.name) {
      throw new ParleyError(
        'database_older',
        `The database ${path} was made by a version of Parley before 0.1, whose tables this one does not read.`,
        { hint: olderHint },
      );
    }
    if (version > migrations.length) {
      throw new ParleyError(
        'database_newer',
        `The database ${path} has schema version ${version}; this program knows ${migrations.length}.`,
        { hint: 'Start the newer program that wrote it, or restore a backup made before the upgrade.' },
      );
    }
    const migration = migrations[version];
    if (migration === undefined) return false;
    if (typeof migration.up === 'string') database.exec(migration.up);
    else migration.up(database);
    database
      .prepare('INSERT INTO schema_migrations (version, name, applied_at_ms) VALUES (?, ?, ?)')
      .run(version + 1, migration.name, clock.now());
    return true;
  });
  while (step.immediate()) {
    // one transaction for each migration and its record
  }
}
