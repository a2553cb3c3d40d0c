// One way to open a SQLite file: pragmas, numbered migrations, words for what is wrong. Not a query builder.
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import type { Clock } from './clock.ts';
import { codeOf, ParleyError, wordsOf } from './errors.ts';
import { ensureFolder } from './files.ts';

export type Sqlite = Database.Database;

/** A numbered change of a schema; its position in the list is its version (from 1) and it is never edited once shipped. */
export interface Migration {
  name: string;
  up: string | ((database: Sqlite) => void);
}

export interface OpenSqlite {
  path: string;
  migrations: readonly Migration[];
  clock: Clock;
  /** Loads extensions and the like before the first migration. */
  prepare?: ((database: Sqlite) => void) | undefined;
  /** FULL survives a power cut at the price of an fsync a commit; NORMAL survives a killed process. */
  synchronous?: 'NORMAL' | 'FULL' | undefined;
}

/** Opens (or makes) the file in WAL mode and brings it to the newest version; never wipes what it cannot read. */
export function openSqlite(options: OpenSqlite): Sqlite {
  ensureFolder(dirname(options.path));
  let database: Sqlite | undefined;
  try {
    database = new Database(options.path);
    database.pragma('auto_vacuum = INCREMENTAL');
    database.pragma('journal_mode = WAL');
    database.pragma(`synchronous = ${options.synchronous ?? 'NORMAL'}`);
    database.pragma('busy_timeout = 5000');
    database.pragma('foreign_keys = ON');
    database.pragma('temp_store = MEMORY');
    options.prepare?.(database);
    migrate(database, options);
    return database;
  } catch (cause) {
    database?.close();
    if (cause instanceof ParleyError) throw cause;
    throw new ParleyError(
      'database_unusable',
      `The database ${options.path} cannot be used: ${wordsOf(cause)}.`,
      {
        cure: cureFor(codeOf(cause)),
        cause,
      },
    );
  }
}

function migrate(database: Sqlite, { migrations, path, clock }: OpenSqlite): void {
  database.exec(
    'CREATE TABLE IF NOT EXISTS schema_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at_ms INTEGER NOT NULL) STRICT',
  );
  const versionNow = database.prepare<[], { version: number | null }>(
    'SELECT max(version) AS version FROM schema_migrations',
  );
  const step = database.transaction(() => {
    const version = versionNow.get()?.version ?? 0;
    if (version > migrations.length) {
      throw new ParleyError(
        'database_newer',
        `The database ${path} has schema version ${version}; this program knows ${migrations.length}.`,
        { cure: 'Start the newer program that wrote it, or restore a backup made before the upgrade.' },
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

function cureFor(code: string | undefined): string {
  switch (code) {
    case 'SQLITE_BUSY':
    case 'SQLITE_LOCKED':
      return 'Another process holds it: stop the other Parley that uses this home folder.';
    case 'SQLITE_CORRUPT':
    case 'SQLITE_NOTADB':
      return 'The file is damaged and was left as it is: restore a backup, or move it away to start empty.';
    case 'SQLITE_FULL':
      return 'The disk is full: free some space and start again; nothing that was accepted is lost.';
    case 'SQLITE_READONLY':
    case 'SQLITE_CANTOPEN':
      return 'Give this user write access to the home folder, or choose another with PARLEY_HOME.';
    default:
      return 'Run with `log.level` debug for the details.';
  }
}
