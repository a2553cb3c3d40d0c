// Makes the index of memory files one of an earlier version, so that a rebuild has passages to stamp or to exchange.
import Database from 'better-sqlite3';

/** Writes it into the file of a memory, which may be open: that version made other words of each passage, or of one in `every`; how many these are. */
export function ageIndex(path: string, { every = 1 }: { every?: number } = {}): number {
  const database = new Database(path);
  database.exec("UPDATE global_memory_chunks SET analyzer = 0 WHERE platform = 'file'");
  const { changes } = database
    .prepare(
      "UPDATE global_memory_chunks SET said_terms = said_terms || ' earlier' WHERE platform = 'file' AND row % ? = 0",
    )
    .run(every);
  database.pragma('wal_checkpoint(TRUNCATE)'); // else all that follows reads through a log with every row
  database.close();
  return changes;
}
