// A memory as an earlier version left it: without what the last migrations make, which run again in a test. Not a test.
import type { Database } from 'better-sqlite3';

/** Drops what every test of an earlier version has to drop, as these migrations come after whatever it is about. */
export function dropLaterObjects(database: Database): void {
  for (const tier of ['session', 'project', 'global']) database.exec(`DROP VIEW ${tier}_memory_vectors`);
  database.exec('DROP VIEW session_memory_chunks; DROP VIEW project_memory_chunks');
  database.exec('DROP TABLE memory_shared_passages');
  for (const table of ['session_headers', 'build_records', 't4_entries'])
    database.exec(`DROP INDEX ${table}_key`);
}
