// Makes the index of memory files one of an earlier version, so that a rebuild has every passage to exchange.
import Database from 'better-sqlite3';

/** Writes it into the file of a memory, which may be open. */
export function ageIndex(path: string): void {
  const database = new Database(path);
  database.exec("UPDATE global_memory_chunks SET analyzer = 0 WHERE platform = 'file'");
  database.pragma('wal_checkpoint(TRUNCATE)'); // else all that follows reads through a log with every row
  database.close();
}
