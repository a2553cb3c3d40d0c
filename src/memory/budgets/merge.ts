// Duplicates: records and exchanges that say the same except for case, spaces and punctuation. Of each group one is merged into another.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { BudgetBound, BudgetOwner } from '#memory/types/budget.ts';
import { isMarkedKind, type MarkedKind } from '#memory/types/record.ts';
import { comparableText, digestOf } from '#memory/words/content-hash.ts';
import { entriesOf } from './entries.ts';
import { countedSql, itemKindOf, ofOwners, ownerParameters } from './usage.ts';

/** Two memories of which the first is taken away, and the second stays. */
export interface Duplicate {
  type: 'record' | 'exchange' | MarkedKind;
  goes: string;
  stays: string;
}

/** Pairs that say the same, at most `limit`; only of what lessens the bound. */
type FindDuplicates = (owner: BudgetOwner, bound: BudgetBound, limit: number) => Duplicate[];

interface Candidate {
  id: string;
  text: string;
  place: string;
  /** A record that has earlier versions stays. */
  single: number;
}

/** Over one open database. */
export function createFindDuplicates(database: Sqlite): FindDuplicates {
  // the best first: what has a history, is pinned, is surest, is newest
  const records = ofOwners((ofOwner) =>
    database.prepare<[object], Candidate>(`SELECT id, content AS text, version = 1 AS single,
       json_array(audience, partition, space, restricted, tier, session_id, project_form(project_id), kind, record_key, expires_at_ms) AS place
     FROM memory_records WHERE ${ofOwner} AND state = 'active' AND demoted = 0
       AND kind <> 'episode' AND (@kind IS NULL OR kind = @kind)
     ORDER BY version DESC, pinned DESC, confidence DESC, created_at_ms DESC, row DESC`),
  );
  const exchanges = ofOwners((ofOwner) =>
    database.prepare<[object], Candidate>(`SELECT source_key AS id, content AS text, 1 AS single,
       json_array(audience, partition, space, restricted, tier, project_form(project_id), person, expires_at_ms) AS place
     FROM global_memory_chunks WHERE ${ofOwner} AND source = 'exchange' AND ${countedSql}
       AND json_extract(metadata, '$.pieces') = 1
     ORDER BY last_said_at_ms DESC, row DESC`),
  );
  const entries = (kind: MarkedKind) =>
    ofOwners((ofOwner) => {
      const { table, text, isPast } = entriesOf[kind];
      return database.prepare<[object], Candidate>(
        `SELECT id, ${text} AS text, 1 AS single,
           json_array(audience, partition, space, restricted, project_form(project_id), agent_id, record_key) AS place
         FROM ${table} WHERE ${ofOwner} AND NOT ${isPast} ORDER BY pinned DESC, row DESC`,
      );
    });
  const [lessons, decisions] = [entries('lesson'), entries('decision')];
  return (owner, bound, limit) => {
    const kind = itemKindOf(bound) ?? null;
    const parameters = { ...ownerParameters(owner), kind };
    const found: Duplicate[] = [];
    const look = (type: Duplicate['type'], candidates: Iterable<Candidate>): void => {
      const first = new Map<string, string>();
      for (const { id, text, place, single } of candidates) {
        if (found.length >= limit) return;
        const mark = digestOf(place, signature(text));
        const stays = first.get(mark);
        if (stays === undefined) first.set(mark, id);
        else if (single === 1) found.push({ type, goes: id, stays });
      }
    };
    if (kind !== null && isMarkedKind(kind)) {
      look(kind, (kind === 'lesson' ? lessons : decisions)(owner).iterate(ownerParameters(owner)));
      return found;
    }
    if (bound !== 'exchanges' && kind !== 'turn' && kind !== 'document' && kind !== 'episode')
      look('record', records(owner).iterate(parameters));
    if (kind === null) look('exchange', exchanges(owner).iterate(parameters));
    return found;
  };
}

/** Only letters and digits: what two texts have in common that say the same. */
function signature(text: string): string {
  const plain = comparableText(text)
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
  return plain === '' ? text : plain;
}
