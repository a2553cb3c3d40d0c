// Which versions of records go with a run: its own, and later ones that repeat words of those. Others stay.
import type { Sql } from '#base/sql/sql.ts';
import type { Work } from '#base/sql/work.ts';
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
) => Work<StoredRecord[]>;

/** Over one database. */
export function createVersionsOfRun(sql: Sql): VersionsOfRun {
  const { numbers, texts } = sql.dialect;
  const said = sql.pluck<[object], string>(
    `SELECT user_text FROM global_memory_chunks WHERE source = 'exchange' AND row NOT IN ${numbers('@rows')}
       AND ((@run <> '' AND session_id = @session AND run_id = @run) OR id IN ${texts('@evidence')})`,
  );
  const saidFor = (
    { runID: run, sessionID: session, evidence }: StoredRecord,
    rows: string,
  ): Work<string[]> => said.all({ rows, run, session, evidence: JSON.stringify(evidence) });
  return function* (lineages, ids, rows) {
    const going: StoredRecord[] = [];
    for (const versions of Map.groupBy(lineages, ({ lineageID }) => lineageID).values()) {
      const forgotten = new Set<string>();
      const stays = new Set<string>();
      for (const version of versions) {
        const words = [version.text, ...version.tags].flatMap(tellingWords);
        const own = new Set((yield* saidFor(version, JSON.stringify(rows))).flatMap(tellingWords));
        const repeats = words.some((word) => forgotten.has(word) && !stays.has(word) && !own.has(word));
        const goes = ids.includes(version.id) || repeats;
        for (const word of words) (goes ? forgotten : stays).add(word);
        if (goes) going.push(version);
      }
    }
    return going;
  };
}

/** Not those of one to three Latin letters, which are in any text. */
function tellingWords(text: string): string[] {
  return plainWords(text).filter((word) => !/^[a-z]{1,3}$/.test(word));
}
