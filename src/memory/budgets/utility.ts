// What is of least use: which memories a budget evicts first when nothing milder is left. Time only decides between equals.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { type SignalCounts, worthOf } from '#memory/records/signals.ts';
import type { BudgetOwner, BudgetUse } from '#memory/types/budget.ts';
import { noteKinds } from '#memory/types/note.ts';
import type { Audience } from '#memory/types/scope.ts';
import { countedSql, itemKindOf, ofOwners, ownerParameters } from './usage.ts';

/** A memory that can be evicted as a whole. */
export interface Victim {
  /** `version`: an earlier version of a record that has a later one; `piece`: an imported turn, or a part of a document. */
  type: 'record' | 'version' | 'exchange' | 'piece';
  /** Of a record its lineage, of an exchange its key. */
  key: string;
  id: string;
  audience: Audience;
  characters: number;
}

interface Candidate extends Victim {
  kind: string;
  pinned: number;
  confidence: number;
  lastAt: number;
  row: number;
}

/** How much a kind is worth, where all else is equal. */
const importance: Readonly<Record<string, number>> = {
  preference: 5,
  fact: 3,
  procedure: 3,
  solution_capsule: 3,
  note: 3,
  episode: 2,
  document: 1.2,
  exchange: 1,
  turn: 0.8,
};
const pinnedWorth = 1_000;

/** How often each memory was read or recalled. */
export const usesSql = `SELECT value AS id, count(*) AS uses FROM memory_audit, json_each(memory_audit.ids) WHERE action = 'read' GROUP BY value
  UNION ALL SELECT chunk_id, count(*) FROM memory_candidates JOIN memory_recalls ON candidate = memory_candidates.id GROUP BY chunk_id`;

/** Memories of the owner, the least useful first: as many as bring the bound back, at most `limit`. */
type FindVictims = (owner: BudgetOwner, over: BudgetUse, limit: number) => Victim[];

/** Over one open database. */
export function createFindVictims(database: Sqlite): FindVictims {
  const records = ofOwners((ofOwner) =>
    database.prepare<
      [object],
      Candidate
    >(`SELECT 'record' AS type, lineage_id AS "key", id, audience, kind, pinned, confidence, row, updated_at_ms AS lastAt,
       (SELECT sum(length(content)) FROM memory_records AS each WHERE each.lineage_id = memory_records.lineage_id) AS characters
     FROM memory_records WHERE ${ofOwner} AND state = 'active' AND (@kind IS NULL OR kind = @kind)`),
  );
  const versions = ofOwners((ofOwner) =>
    database.prepare<
      [object],
      Candidate
    >(`SELECT 'version' AS type, id AS "key", id, audience, kind, 0 AS pinned, confidence, row, updated_at_ms AS lastAt,
       length(content) AS characters
     FROM memory_records WHERE ${ofOwner} AND state <> 'active' ORDER BY updated_at_ms, row LIMIT @limit`),
  );
  const sources = ofOwners((ofOwner) =>
    database.prepare<
      [object],
      Candidate
    >(`SELECT CASE source WHEN 'exchange' THEN 'exchange' ELSE 'piece' END AS type, source_key AS "key", min(id) AS id, audience, source AS kind, 0 AS pinned, 1 AS confidence,
       max(row) AS row, max(last_said_at_ms) AS lastAt, sum(length(content)) AS characters
     FROM global_memory_chunks WHERE ${ofOwner} AND ${countedSql} AND (@kind IS NULL OR source = @kind)
     GROUP BY source_key, CASE source WHEN 'exchange' THEN 0 ELSE row END`),
  );
  const reads = database.prepare<[], { id: string; uses: number }>(usesSql);
  const signals = database.prepare<[], SignalCounts & { of: string }>(
    `SELECT of_lineage AS "of", sum(outcome = 'success') AS successes, sum(outcome = 'failure') AS failures
     FROM memory_signals GROUP BY of_lineage`,
  );
  return (owner, over, limit) => {
    const { bound } = over;
    const kind = bound === 'exchanges' ? 'exchange' : (itemKindOf(bound) ?? null);
    const parameters = { ...ownerParameters(owner), kind, limit };
    const isRecord = kind !== null && noteKinds.some((each) => each === kind);
    // an earlier version is only history
    const history = kind === null ? versions(owner).all(parameters) : [];
    const uses = new Map<string, number>();
    for (const { id, uses: count } of reads.all()) uses.set(id, (uses.get(id) ?? 0) + count);
    const reported = new Map(signals.all().map(({ of, ...counts }) => [of, counts]));
    const worth = (candidate: Candidate): number => {
      const { key, id, kind: of, pinned, confidence } = candidate;
      const counts = reported.get(key);
      const used = 1 + Math.log2(1 + (uses.get(id) ?? 0));
      const works = counts === undefined ? 1 : worthOf(counts);
      return pinned * pinnedWorth + (importance[of] ?? 1) * confidence * used * works;
    };
    const others = [
      ...(kind === null || isRecord ? records(owner).all(parameters) : []),
      ...(kind === null || !isRecord ? sources(owner).all(parameters) : []),
    ]
      .map((candidate) => ({ candidate, value: worth(candidate) }))
      .sort(
        (a, b) =>
          a.value - b.value || a.candidate.lastAt - b.candidate.lastAt || a.candidate.row - b.candidate.row,
      )
      .map(({ candidate }) => candidate);
    const victims: Victim[] = [];
    let left = over.used - over.limit;
    for (const { type, key, id, audience, characters } of [...history, ...others]) {
      if (left <= 0 || victims.length >= limit) break;
      victims.push({ type, key, id, audience, characters });
      left -= bound === 'characters' ? characters : 1;
    }
    return victims;
  };
}
