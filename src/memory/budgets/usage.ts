// How much an audience or an agent has of everything that a budget bounds. Counts only.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { filePlatform } from '#memory/chunks/file-rows.ts';
import { audiencesOfRecords } from '#memory/tables/nodes.ts';
import type {
  BudgetBound,
  BudgetKind,
  BudgetLimits,
  BudgetOwner,
  BudgetSettings,
  BudgetUse,
} from '#memory/types/budget.ts';
import { journalPlatform } from '#memory/types/journal.ts';
import { noteKinds } from '#memory/types/note.ts';
import type { Audience } from '#memory/types/scope.ts';

/**
 * A statement for each type of owner, from the condition over a table with an audience and a partition that a row is the owner's, which
 * `ownerParameters` binds: what an audience has is found by an index.
 */
export function ofOwners<T>(make: (ofOwner: string) => T): (owner: BudgetOwner) => T {
  const made = { audience: make('audience = @audience'), agent: make('partition IS @agent') };
  return ({ type }) => made[type];
}

/** The chunks that a budget counts: files and the journal have their own bounds, and records are counted themselves. */
export const countedSql = `source IN ('exchange', 'turn', 'document') AND platform NOT IN ('${filePlatform}', '${journalPlatform}')`;

/** What the statements of `ofOwners` take. */
export function ownerParameters(owner: BudgetOwner): { audience: string | null; agent: string | null } {
  return owner.type === 'audience'
    ? { audience: owner.audience, agent: null }
    : { audience: null, agent: owner.agent ?? null };
}

export interface Usage {
  /** Everyone who has a budget: of each audience that has memories, and of each agent; with `only` that audience. */
  owners(settings: BudgetSettings, only?: Audience): { owner: BudgetOwner; limits: BudgetLimits }[];
  /** What the owner has of everything that the limits bound. */
  of(owner: BudgetOwner, limits: BudgetLimits): BudgetUse[];
}

/** Counting in one open database. */
export function createUsage(database: Sqlite): Usage {
  const audiences = database
    .prepare<[], string>(
      `SELECT audience FROM memory_audiences UNION SELECT name FROM ${audiencesOfRecords} ORDER BY 1`,
    )
    .pluck();
  const isThere = database
    .prepare<[object], 1>(
      `SELECT 1 WHERE EXISTS (SELECT 1 FROM global_memory_chunks WHERE audience = @only)
         OR EXISTS (SELECT 1 FROM memory_records WHERE audience = @only)`,
    )
    .pluck();
  const partitions = database
    .prepare<[], string | null>(
      'SELECT partition FROM global_memory_chunks UNION SELECT partition FROM memory_records ORDER BY 1',
    )
    .pluck();
  const number = (sql: (ofOwner: string) => string) =>
    ofOwners((ofOwner) => database.prepare<[object], number | null>(sql(ofOwner)).pluck());
  const texts = number(
    (
      of,
    ) => `SELECT (SELECT coalesce(sum(length(content)), 0) FROM global_memory_chunks WHERE ${of} AND ${countedSql})
       + (SELECT coalesce(sum(length(content)), 0) FROM memory_records WHERE ${of})`,
  );
  const exchanges = number(
    (of) => `SELECT count(DISTINCT source_key) FROM global_memory_chunks
     WHERE ${of} AND source = 'exchange' AND ${countedSql}`,
  );
  const vectors = number(
    (of) => `SELECT count(*) FROM memory_embeddings WHERE embedding IS NOT NULL
       AND row IN (SELECT row FROM global_memory_chunks WHERE ${of})`,
  );
  const records = number(
    (of) => `SELECT count(*) FROM memory_records WHERE ${of} AND state = 'active' AND kind = @kind`,
  );
  const pieces = number(
    (of) => `SELECT count(*) FROM global_memory_chunks WHERE ${of} AND source = @kind AND ${countedSql}`,
  );
  const lessons = number((of) => `SELECT count(*) FROM lessons WHERE ${of}`);
  const decisions = number((of) => `SELECT count(*) FROM session_decisions WHERE ${of}`);
  const counts: Partial<Record<string, typeof pieces>> = { lesson: lessons, decision: decisions };
  const isRecord = (kind: string): boolean => noteKinds.some((each) => each === kind);
  return {
    owners({ audience, agent, agents = {} }, only) {
      const named = only === undefined ? () => audiences.all() : () => (isThere.get({ only }) ? [only] : []);
      const ofAudiences = (audience === undefined ? [] : named()).map((name) => ({
        // the CHECK of the table holds its form
        ...{ owner: { type: 'audience' as const, audience: name as Audience }, limits: audience ?? {} },
      }));
      const hasAgents = agent !== undefined || Object.keys(agents).length > 0;
      const ofAgents = (only === undefined && hasAgents ? partitions.all() : []).flatMap((name) => {
        const own = name !== null && Object.hasOwn(agents, name) ? agents[name] : undefined;
        const owner: BudgetOwner = { type: 'agent', agent: name ?? undefined };
        return agent === undefined && own === undefined ? [] : [{ owner, limits: joined(agent, own) }];
      });
      return [...ofAudiences, ...ofAgents];
    },
    of(owner, limits) {
      const parameters = ownerParameters(owner);
      const uses: BudgetUse[] = [];
      const add = (bound: BudgetBound, limit: number | undefined, used: () => number | null | undefined) => {
        if (limit !== undefined) uses.push({ bound, limit, used: used() ?? 0 });
      };
      add('characters', limits.characters, () => texts(owner).get(parameters));
      add('exchanges', limits.exchanges, () => exchanges(owner).get(parameters));
      add('vectors', limits.vectors, () => vectors(owner).get(parameters));
      for (const [kind, limit] of Object.entries(limits.items ?? {}) as [BudgetKind, number | undefined][])
        add(`items.${kind}`, limit, () =>
          (counts[kind] ?? (isRecord(kind) ? records : pieces))(owner).get({ ...parameters, kind }),
        );
      return uses;
    },
  };
}

/** The bounds of an agent: what it sets takes the place of the same bound of all. */
function joined(all: BudgetLimits = {}, own: BudgetLimits = {}): BudgetLimits {
  return { ...all, ...own, items: { ...all.items, ...own.items } };
}

/** The kind of `items.KIND`; undefined for any other bound. */
export function itemKindOf(bound: BudgetBound): string | undefined {
  return bound.startsWith('items.') ? bound.slice('items.'.length) : undefined;
}

/** The bounds that are exceeded, in the order in which they are looked after. */
export function exceeded(uses: readonly BudgetUse[]): BudgetUse[] {
  return uses.filter(({ used, limit }) => used > limit);
}
