// The rows of the recall store: candidates, and the answers that used them. Reads no text of a memory.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { Audience } from '#memory/types/scope.ts';

export interface CandidateRow {
  id: string;
  audience: Audience;
  claim: string;
  /** The passage that it was recalled in last, and the exchange, file or note that the passage is of. */
  chunkID: string;
  sourceKey: string;
  concepts: number;
  lightHits: number;
  lightAt: number | null;
  remHits: number;
  remAt: number | null;
  createdAt: number;
}

export interface RecallRow {
  day: string;
  queryHash: string;
  score: number;
  used: number;
  at: number;
}

/** One statement that an answer used. */
export interface NewRecall extends RecallRow {
  audience: Audience;
  claim: string;
  chunkID: string;
  sourceKey: string;
  concepts: number;
  how: 'cited' | 'overlap';
  person: string;
  sessionID: string;
  runID: string;
}

export interface RecallRows {
  /** Stores the recall, once for each day and question; the id of its candidate, or undefined when it was stored before. */
  add(recall: NewRecall, newId: () => string): string | undefined;
  candidates(audience: Audience): CandidateRow[];
  candidate(id: string): CandidateRow | undefined;
  /** Whether there is a candidate with this claim: forgetting removes it. */
  has(audience: Audience, claim: string): boolean;
  recallsOf(candidate: string): RecallRow[];
  /** Notes in the caller's transaction that a phase saw the candidate. */
  seen(candidate: string, phase: 'light' | 'rem', at: number): void;
  /** The candidate is in another passage now. */
  moved(candidate: string, to: { chunkID: string; sourceKey: string }): void;
  remove(candidates: readonly string[]): void;
  /** Audiences with a candidate, and since when. */
  audiences(): { audience: Audience; since: number }[];
  /** The ids of the candidates with these claims. */
  idsOf(claims: readonly string[]): string[];
  /** Forgets in the caller's transaction: claims, and what was recalled for these runs, sessions and people. */
  forget(of: {
    claims: readonly string[];
    runIDs: readonly string[];
    sessionIDs: readonly string[];
    persons: readonly string[];
  }): void;
  /** Removes recalls from before this time, and candidates that have none left, in the caller's transaction. */
  prune(audience: Audience, before: number): void;
  counts(): { candidates: number; recalls: number };
}

const columns = `id, audience, claim, chunk_id AS chunkID, source_key AS sourceKey, concepts, light_hits AS lightHits,
  light_at_ms AS lightAt, rem_hits AS remHits, rem_at_ms AS remAt, created_at_ms AS createdAt`;

/** The statements over one open database. */
export function createRecallRows(database: Sqlite): RecallRows {
  const known = database
    .prepare<[string, string], string>('SELECT id FROM memory_candidates WHERE audience = ? AND claim = ?')
    .pluck();
  const insert = database.prepare<[object]>(
    `INSERT INTO memory_candidates (id, audience, claim, chunk_id, source_key, concepts, created_at_ms)
     VALUES (@id, @audience, @claim, @chunkID, @sourceKey, @concepts, @at)`,
  );
  const insertRecall = database.prepare<[object]>(
    `INSERT INTO memory_recalls (candidate, day, query_hash, score, used, how, person, session_id, run_id, at_ms)
     VALUES (@id, @day, @queryHash, @score, @used, @how, @person, @sessionID, @runID, @at) ON CONFLICT DO NOTHING`,
  );
  const move = database.prepare<[string, string, string]>(
    'UPDATE memory_candidates SET chunk_id = ?, source_key = ? WHERE id = ?',
  );
  const ofAudience = database.prepare<[string], CandidateRow>(
    `SELECT ${columns} FROM memory_candidates WHERE audience = ? ORDER BY created_at_ms, id`,
  );
  const byID = database.prepare<[string], CandidateRow>(
    `SELECT ${columns} FROM memory_candidates WHERE id = ?`,
  );
  const recallsOf = database.prepare<[string], RecallRow>(
    'SELECT day, query_hash AS queryHash, score, used, at_ms AS at FROM memory_recalls WHERE candidate = ? ORDER BY at_ms',
  );
  const seen = {
    light: database.prepare<[number, string]>(
      'UPDATE memory_candidates SET light_hits = light_hits + 1, light_at_ms = ? WHERE id = ?',
    ),
    rem: database.prepare<[number, string]>(
      'UPDATE memory_candidates SET rem_hits = rem_hits + 1, rem_at_ms = ? WHERE id = ?',
    ),
  };
  const audiences = database.prepare<[], { audience: Audience; since: number }>(
    'SELECT audience, min(created_at_ms) AS since FROM memory_candidates GROUP BY audience ORDER BY audience',
  );
  const list = 'IN (SELECT value FROM json_each(?))';
  const dropRecallsOf = database.prepare<[string]>(`DELETE FROM memory_recalls WHERE candidate ${list}`);
  const drop = database.prepare<[string]>(`DELETE FROM memory_candidates WHERE id ${list}`);
  const byClaim = database
    .prepare<[string], string>(`SELECT id FROM memory_candidates WHERE claim ${list}`)
    .pluck();
  const dropRecallsFor = (['run_id', 'session_id', 'person'] as const).map((column) =>
    database.prepare<[string]>(`DELETE FROM memory_recalls WHERE ${column} ${list}`),
  );
  const dropEmpty = database.prepare(
    'DELETE FROM memory_candidates WHERE NOT EXISTS (SELECT 1 FROM memory_recalls WHERE candidate = id)',
  );
  const prune = database.prepare<[number, string]>(
    'DELETE FROM memory_recalls WHERE at_ms < ? AND candidate IN (SELECT id FROM memory_candidates WHERE audience = ?)',
  );
  const counts = database.prepare<[], { candidates: number; recalls: number }>(
    'SELECT (SELECT count(*) FROM memory_candidates) AS candidates, (SELECT count(*) FROM memory_recalls) AS recalls',
  );
  const remove = (ids: readonly string[]): void => {
    const all = JSON.stringify(ids);
    dropRecallsOf.run(all);
    drop.run(all);
  };
  return {
    add(recall, newId) {
      const before = known.get(recall.audience, recall.claim);
      const id = before ?? newId();
      if (before === undefined) insert.run({ ...recall, id });
      const { changes } = insertRecall.run({ ...recall, id });
      if (before !== undefined) move.run(recall.chunkID, recall.sourceKey, id);
      return changes === 0 ? undefined : id;
    },
    candidates: (audience) => ofAudience.all(audience),
    candidate: (id) => byID.get(id),
    has: (audience, claim) => known.get(audience, claim) !== undefined,
    recallsOf: (candidate) => recallsOf.all(candidate),
    seen: (candidate, phase, at) => void seen[phase].run(at, candidate),
    moved: (candidate, { chunkID, sourceKey }) => void move.run(chunkID, sourceKey, candidate),
    remove,
    audiences: () => audiences.all(),
    idsOf: (claims) => byClaim.all(JSON.stringify(claims)),
    forget({ claims, runIDs, sessionIDs, persons }) {
      remove(byClaim.all(JSON.stringify(claims)));
      for (const [at, values] of [runIDs, sessionIDs, persons].entries())
        if (values.length > 0) dropRecallsFor[at]?.run(JSON.stringify(values));
      dropEmpty.run();
    },
    prune(audience, before) {
      prune.run(before, audience);
      dropEmpty.run();
    },
    counts: () => counts.get() ?? { candidates: 0, recalls: 0 },
  };
}
