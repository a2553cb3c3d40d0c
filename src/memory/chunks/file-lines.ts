// Lines of memory files by their hash: who wrote them, and which are being forgotten.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { ForgottenLine } from '#memory/tables/tombstones.ts';

/** A person and run that a line is made of; several of one line each have their own. */
interface LineAuthor {
  folder: string;
  hash: string;
  person: string;
  sessionID: string;
  runID: string;
}

export interface FileLines {
  /** Stores who wrote lines. */
  wrote(lines: readonly LineAuthor[]): void;
  /** The hashes of lines in these folders that were written for one of the runs, sessions or people. */
  linesOf(of: {
    runIDs: readonly string[];
    sessionIDs: readonly string[];
    persons: readonly string[];
  }): ForgottenLine[];
  /** Notes, in the caller's transaction, that these lines are forgotten and still in a file. */
  forgetLines(lines: readonly ForgottenLine[], at: number): void;
  /** Lines that are forgotten and may still be in a file of their folder. */
  forgetting(): ForgottenLine[];
  /** They are in no file of the folder any more; a backup with older files takes the marks along. */
  forgot(folder: string, hashes: readonly string[], at: number): void;
}

/** The statements over one open database. */
export function createFileLines(database: Sqlite): FileLines {
  const wrote = database.prepare<[object]>(
    `INSERT INTO memory_file_lines (folder, hash, person, session_id, run_id)
     VALUES (@folder, @hash, @person, @sessionID, @runID) ON CONFLICT DO NOTHING`,
  );
  const linesOf = database.prepare<[object], ForgottenLine>(
    `SELECT DISTINCT folder, hash FROM memory_file_lines
     WHERE run_id IN (SELECT value FROM json_each(@runIDs)) OR session_id IN (SELECT value FROM json_each(@sessionIDs))
       OR person IN (SELECT value FROM json_each(@persons))`,
  );
  const forgetLine = database.prepare<[string, string, number]>(
    `INSERT INTO memory_file_forgetting (folder, hash, asked_at_ms) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET asked_at_ms = excluded.asked_at_ms, done_at_ms = NULL`,
  );
  const forgetting = database.prepare<[], ForgottenLine>(
    'SELECT folder, hash FROM memory_file_forgetting WHERE done_at_ms IS NULL',
  );
  const forgot = database.prepare<[number, string, string]>(
    'UPDATE memory_file_forgetting SET done_at_ms = ? WHERE folder = ? AND hash = ?',
  );
  const forgotAuthor = database.prepare<[string, string]>(
    'DELETE FROM memory_file_lines WHERE folder = ? AND hash = ?',
  );
  return {
    wrote(lines) {
      for (const line of lines) wrote.run(line);
    },
    linesOf: ({ runIDs, sessionIDs, persons }) =>
      linesOf.all({
        runIDs: JSON.stringify(runIDs),
        sessionIDs: JSON.stringify(sessionIDs),
        persons: JSON.stringify(persons),
      }),
    forgetLines(lines, at) {
      for (const { folder, hash } of lines) forgetLine.run(folder, hash, at);
    },
    forgetting: () => forgetting.all(),
    forgot(folder, hashes, at) {
      for (const hash of hashes) {
        forgot.run(at, folder, hash);
        forgotAuthor.run(folder, hash);
      }
    },
  };
}
