// What a budget that is exceeded needs next: the mildest step that helps. Reads only.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { BudgetLimits, BudgetOwner, BudgetStep, BudgetUse } from '#memory/types/budget.ts';
import { isMarkedKind, type MarkedKind } from '#memory/types/record.ts';
import { createNextEntries, type StoredEntry } from './entries.ts';
import { createNextExchanges, type StoredExchange } from './exchanges.ts';
import { createFindDuplicates, type Duplicate } from './merge.ts';
import { createUsage, exceeded, itemKindOf, ofOwners, ownerParameters, type Usage } from './usage.ts';
import { createFindVictims, type Victim } from './utility.ts';

/** A step before it is done. */
export type Plan = Pick<BudgetStep, 'owner' | 'over'> &
  (
    | { step: 'merge'; duplicates: Duplicate[] }
    | { step: 'summarize'; of: 'exchange'; exchanges: StoredExchange[] }
    | { step: 'summarize'; of: MarkedKind; exchanges: StoredEntry[] }
    | { step: 'drop_vectors'; rows: { row: number; id: string }[] }
    | { step: 'evict'; victims: Victim[] }
  );

export interface Plans {
  usage: Usage;
  /** Undefined within the budget, or where nothing is left to be done. */
  next(owner: BudgetOwner, limits: BudgetLimits): Plan | undefined;
}

/** Memories that one transaction takes away, and exchanges that one summary is made of. */
const [maxAtOnce, maxSummarized] = [250, 20];
/** A summary is made of at least this share of what may be stored, so that each new exchange does not need one. */
const minShare = 1 / 10;
/** Characters of an exchange whose line in a summary is much shorter than it. */
const worthSummarizing = 240;

/** Planning over one open database. */
export function createPlans(database: Sqlite): Plans {
  const usage = createUsage(database);
  const duplicatesOf = createFindDuplicates(database);
  const exchangesOf = createNextExchanges(database);
  const entriesOf = createNextEntries(database);
  const victimsOf = createFindVictims(database);
  // the words of old turns and documents find them; questions about notes use other words
  const vectors = ofOwners((ofOwner) =>
    database.prepare<
      [object],
      { row: number; id: string }
    >(`SELECT row, id FROM global_memory_chunks WHERE ${ofOwner}
       AND EXISTS (SELECT 1 FROM memory_embeddings AS made WHERE made.row = global_memory_chunks.row AND embedding IS NOT NULL)
     ORDER BY source NOT IN ('turn', 'document', 'exchange'), source = 'exchange', last_said_at_ms, row LIMIT @limit`),
  );
  const planFor = (owner: BudgetOwner, over: BudgetUse): Plan | undefined => {
    const { bound, used, limit } = over;
    const isCharacters = bound === 'characters';
    const excess = Math.min(maxAtOnce, isCharacters ? maxAtOnce : used - limit);
    const duplicates = duplicatesOf(owner, bound, excess);
    if (duplicates.length > 0) return { step: 'merge', owner, over, duplicates };
    const kind = itemKindOf(bound);
    const atLeast = Math.max(excess, Math.ceil(limit * minShare));
    if (isMarkedKind(kind)) {
      const exchanges = entriesOf(owner, kind, Math.min(maxSummarized, atLeast));
      return exchanges.length === 0 ? undefined : { step: 'summarize', of: kind, owner, over, exchanges };
    }
    if (bound === 'vectors') {
      const rows = vectors(owner).all({ ...ownerParameters(owner), limit: excess });
      return rows.length === 0 ? undefined : { step: 'drop_vectors', owner, over, rows };
    }
    if (isCharacters || bound === 'exchanges') {
      const wanted = isCharacters ? maxSummarized : atLeast;
      const exchanges = exchangesOf(owner, {
        limit: Math.min(maxSummarized, wanted),
        minCharacters: isCharacters ? worthSummarizing : 0,
      });
      if (exchanges.length > 0) return { step: 'summarize', of: 'exchange', owner, over, exchanges };
    }
    const victims = victimsOf(owner, over, maxAtOnce);
    return victims.length === 0 ? undefined : { step: 'evict', owner, over, victims };
  };
  return {
    usage,
    next(owner, limits) {
      for (const over of exceeded(usage.of(owner, limits))) {
        const plan = planFor(owner, over);
        if (plan !== undefined) return plan;
      }
      return undefined;
    },
  };
}

/** The plan as people see it, without what only the program needs. */
export function shownPlan(plan: Plan): BudgetStep {
  const { step, owner, over } = plan;
  return { step, owner, over, ids: idsOf(plan) };
}

/** The memories that a plan takes away or changes. */
function idsOf(plan: Plan): string[] {
  switch (plan.step) {
    case 'merge':
      return plan.duplicates.map(({ goes }) => goes);
    case 'summarize':
      return plan.exchanges.flatMap(({ ids }) => ids);
    case 'drop_vectors':
      return plan.rows.map(({ id }) => id);
    case 'evict':
      return plan.victims.map(({ id }) => id);
  }
}
