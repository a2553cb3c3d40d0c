// The rows of what was promoted, and of every line of a file that was made of memories. Hashes only.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { Audience } from '#memory/types/scope.ts';

/** `writing`: noted before the file is written; `deleted`: a person took the line out; `dropped`: it went for the budget. */
type PromotionState = 'writing' | 'written' | 'dropped' | 'deleted' | 'reverted';

export interface PromotionRow {
  id: string;
  candidate: string;
  audience: Audience;
  claim: string;
  folder: string;
  lineHash: string;
  /** The day in the heading of its section. */
  section: string;
  state: PromotionState;
  /** JSON: score, parts, recalls, queries and days. */
  evidence: string;
  at: number;
}

export interface DerivedLine {
  folder: string;
  hash: string;
  audience: Audience;
  claim: string;
  kind: 'promotion' | 'report' | 'backfill';
}

export interface PromotionRows {
  add(rows: readonly PromotionRow[]): void;
  setState(rows: readonly Pick<PromotionRow, 'id'>[], state: PromotionState): void;
  remove(rows: readonly Pick<PromotionRow, 'id'>[]): void;
  ofAudience(audience: Audience): PromotionRow[];
  get(id: string): PromotionRow | undefined;
  ofCandidate(candidate: string): PromotionRow | undefined;
  /** Promotions that were being written when the process ended, or are just now. */
  unfinished(): PromotionRow[];
  derive(lines: readonly DerivedLine[]): void;
  derived(folder: string, kinds: readonly DerivedLine['kind'][]): string[];
  underive(folder: string, hashes: readonly string[]): void;
  /** Lines that were made of these claims. */
  linesOf(claims: readonly string[]): { folder: string; hash: string }[];
  /** The claims of lines that were made of one statement each; a theme is of several, and they stay without it. */
  claimsOf(hashes: readonly string[]): string[];
  /** Of these claims those that lines were made of. */
  usedOf(claims: readonly string[]): string[];
  /** The ids of the promotions of these claims. */
  idsOf(claims: readonly string[]): string[];
  /** Forgets claims in the caller's transaction: with the marks that say that they were promoted. */
  forget(claims: readonly string[]): void;
  counts(): { promoted: number };
}

const columns = `id, candidate, audience, claim, folder, line_hash AS lineHash, section, state, evidence, promoted_at_ms AS at`;

/** The statements over one open database. */
export function createPromotionRows(database: Sqlite): PromotionRows {
  const insert = database.prepare<[object]>(
    `INSERT INTO memory_promotions (id, candidate, audience, claim, folder, line_hash, section, state, evidence, promoted_at_ms)
     VALUES (@id, @candidate, @audience, @claim, @folder, @lineHash, @section, @state, @evidence, @at) ON CONFLICT DO NOTHING`,
  );
  const list = 'IN (SELECT value FROM json_each(?))';
  const setState = database.prepare<[string, string]>(
    `UPDATE memory_promotions SET state = ? WHERE id ${list}`,
  );
  const remove = database.prepare<[string]>(`DELETE FROM memory_promotions WHERE id ${list}`);
  const ofAudience = database.prepare<[string], PromotionRow>(
    `SELECT ${columns} FROM memory_promotions WHERE audience = ? ORDER BY promoted_at_ms, id`,
  );
  const get = database.prepare<[string], PromotionRow>(
    `SELECT ${columns} FROM memory_promotions WHERE id = ?`,
  );
  const ofCandidate = database.prepare<[string], PromotionRow>(
    `SELECT ${columns} FROM memory_promotions WHERE candidate = ?`,
  );
  const unfinished = database.prepare<[], PromotionRow>(
    `SELECT ${columns} FROM memory_promotions WHERE state = 'writing'`,
  );
  const derive = database.prepare<[object]>(
    `INSERT INTO memory_derived_lines (folder, hash, audience, claim, kind)
     VALUES (@folder, @hash, @audience, @claim, @kind) ON CONFLICT DO NOTHING`,
  );
  const derived = database
    .prepare<[string, string], string>(
      `SELECT DISTINCT hash FROM memory_derived_lines WHERE folder = ? AND kind ${list}`,
    )
    .pluck();
  const underive = database.prepare<[string, string]>(
    `DELETE FROM memory_derived_lines WHERE folder = ? AND hash ${list}`,
  );
  const linesOf = database.prepare<[string], { folder: string; hash: string }>(
    `SELECT DISTINCT folder, hash FROM memory_derived_lines WHERE claim ${list}`,
  );
  const claimsOf = database
    .prepare<[string], string>(
      `SELECT max(claim) FROM memory_derived_lines WHERE hash ${list} GROUP BY hash HAVING count(*) = 1 AND max(claim) <> ''`,
    )
    .pluck();
  const usedOf = database
    .prepare<[string], string>(`SELECT DISTINCT claim FROM memory_derived_lines WHERE claim ${list}`)
    .pluck();
  const idsOf = database
    .prepare<[string], string>(`SELECT id FROM memory_promotions WHERE claim ${list}`)
    .pluck();
  const forgetPromotions = database.prepare<[string]>(`DELETE FROM memory_promotions WHERE claim ${list}`);
  const counts = database.prepare<[], { promoted: number }>(
    "SELECT count(*) AS promoted FROM memory_promotions WHERE state = 'written'",
  );
  return {
    add(rows) {
      for (const row of rows) insert.run(row);
    },
    setState: (rows, state) => void setState.run(state, idsIn(rows)),
    remove: (rows) => void remove.run(idsIn(rows)),
    ofAudience: (audience) => ofAudience.all(audience),
    get: (id) => get.get(id),
    ofCandidate: (candidate) => ofCandidate.get(candidate),
    unfinished: () => unfinished.all(),
    derive(lines) {
      for (const line of lines) derive.run(line);
    },
    derived: (folder, kinds) => derived.all(folder, JSON.stringify(kinds)),
    underive: (folder, hashes) => void underive.run(folder, JSON.stringify(hashes)),
    linesOf: (claims) => linesOf.all(JSON.stringify(claims)),
    claimsOf: (hashes) => claimsOf.all(JSON.stringify(hashes)),
    usedOf: (claims) => usedOf.all(JSON.stringify(claims)),
    idsOf: (claims) => idsOf.all(JSON.stringify(claims)),
    forget: (claims) => void forgetPromotions.run(JSON.stringify(claims)),
    counts: () => counts.get() ?? { promoted: 0 },
  };
}

function idsIn(rows: readonly Pick<PromotionRow, 'id'>[]): string {
  return JSON.stringify(rows.map(({ id }) => id));
}
