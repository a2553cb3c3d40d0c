// Which versions of records go with a run: its own, and later ones that repeat words of those. Others stay.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { plainWords } from '#memory/words/tokens.ts';
import type { StoredRecord } from './record-row.ts';

/**
 * Of the versions of lineages those that go with these ids, where the exchanges of `rows` go too: a later version that has a word of a
 * version that goes, which no version that stays and no other exchange that it is made of has, repeats it.
 */
export type VersionsOfRun = (
  lineages: readonly StoredRecord[],
  ids: readonly string[],
  rows: readonly number[],
) => StoredRecord[];

/** Over one open database. */
export function createVersionsOfRun(database: Sqlite): VersionsOfRun {
  const said = database
    .prepare<[object], string>(
      `SELECT user_text FROM global_memory_chunks
       WHERE source = 'exchange' AND row NOT IN (SELECT value FROM json_each(@rows))
         AND ((@run <> '' AND session_id = @session AND run_id = @run) OR id IN (SELECT value FROM json_each(@evidence)))`,
    )
    .pluck();
  const saidFor = ({ runID: run, sessionID: session, evidence }: StoredRecord, rows: string): string[] =>
    said.all({ rows, run, session, evidence: JSON.stringify(evidence) });
  return (lineages, ids, rows) =>
    [...Map.groupBy(lineages, ({ lineageID }) => lineageID).values()].flatMap((versions) => {
      const forgotten = new Set<string>();
      const stays = new Set<string>();
      return versions.filter((version) => {
        const words = [version.text, ...version.tags].flatMap(tellingWords);
        const own = new Set(saidFor(version, JSON.stringify(rows)).flatMap(tellingWords));
        const repeats = words.some((word) => forgotten.has(word) && !stays.has(word) && !own.has(word));
        const goes = ids.includes(version.id) || repeats;
        for (const word of words) (goes ? forgotten : stays).add(word);
        return goes;
      });
    });
}

/** Not those of one to three Latin letters, which are in any text. */
function tellingWords(text: string): string[] {
  return plainWords(text).filter((word) => !/^[a-z]{1,3}$/.test(word));
}
