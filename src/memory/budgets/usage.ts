// How much an audience or an agent has of everything that a budget bounds. Counts only.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { filePlatform } from '#memory/chunks/file-rows.ts';
import { journalPlatform } from '#memory/chunks/journal-passages.ts';
import type {
  BudgetBound,
  BudgetKind,
  BudgetLimits,
  BudgetOwner,
  BudgetSettings,
  BudgetUse,
} from '#memory/types/budget.ts';
import { noteKinds } from '#memory/types/note.ts';
import type { Audience } from '#memory/types/scope.ts';

/** The condition over a table with an audience and a partition that a row is the owner's; `ownerParameters` binds it. */
export const ofOwner =
  '((@audience IS NOT NULL AND audience = @audience) OR (@audience IS NULL AND partition IS @agent))';

/** The chunks that a budget counts: files and the journal have their own bounds, and records are counted themselves. */
export const countedSql = `source IN ('exchange', 'turn', 'document') AND platform NOT IN ('${filePlatform}', '${journalPlatform}')`;

/** What `ofOwner` takes. */
export function ownerParameters(owner: BudgetOwner): { audience: string | null; agent: string | null } {
  return owner.type === 'audience'
    ? { audience: owner.audience, agent: null }
    : { audience: null, agent: owner.agent ?? null };
}

export interface Usage {
  /** Everyone who has a budget: of each audience that has memories, and of each agent. */
  owners(settings: BudgetSettings): { owner: BudgetOwner; limits: BudgetLimits }[];
  /** What the owner has of everything that the limits bound. */
  of(owner: BudgetOwner, limits: BudgetLimits): BudgetUse[];
}

/** Counting in one open database. */
export function createUsage(database: Sqlite): Usage {
  const distinct = (column: 'audience' | 'partition') =>
    database
      .prepare<[], string | null>(
        `SELECT ${column} FROM global_memory_chunks UNION SELECT ${column} FROM memory_records ORDER BY 1`,
      )
      .pluck();
  const [audiences, partitions] = [distinct('audience'), distinct('partition')];
  const number = (sql: string) => database.prepare<[object], number | null>(sql).pluck();
  const texts = number(
    `SELECT (SELECT coalesce(sum(length(content)), 0) FROM global_memory_chunks WHERE ${ofOwner} AND ${countedSql})
       + (SELECT coalesce(sum(length(content)), 0) FROM memory_records WHERE ${ofOwner})`,
  );
  const exchanges = number(
    `SELECT count(DISTINCT source_key) FROM global_memory_chunks
     WHERE ${ofOwner} AND source = 'exchange' AND ${countedSql}`,
  );
  const vectors = number(
    `SELECT count(*) FROM memory_embeddings WHERE embedding IS NOT NULL
       AND row IN (SELECT row FROM global_memory_chunks WHERE ${ofOwner})`,
  );
  const records = number(
    `SELECT count(*) FROM memory_records WHERE ${ofOwner} AND state = 'active' AND kind = @kind`,
  );
  const pieces = number(
    `SELECT count(*) FROM global_memory_chunks WHERE ${ofOwner} AND source = @kind AND ${countedSql}`,
  );
  const isRecord = (kind: string): boolean => noteKinds.some((each) => each === kind);
  return {
    owners: ({ audience, agent, agents = {} }) => [
      ...(audience === undefined
        ? []
        : audiences.all().flatMap((name) => {
            // the CHECK of the table holds its form
            const owner: BudgetOwner = { type: 'audience', audience: name as Audience };
            return name === null ? [] : [{ owner, limits: audience }];
          })),
      ...partitions.all().flatMap((name) => {
        const own = name !== null && Object.hasOwn(agents, name) ? agents[name] : undefined;
        const owner: BudgetOwner = { type: 'agent', agent: name ?? undefined };
        return agent === undefined && own === undefined ? [] : [{ owner, limits: joined(agent, own) }];
      }),
    ],
    of(owner, limits) {
      const parameters = ownerParameters(owner);
      const uses: BudgetUse[] = [];
      const add = (bound: BudgetBound, limit: number | undefined, used: () => number | null | undefined) => {
        if (limit !== undefined) uses.push({ bound, limit, used: used() ?? 0 });
      };
      add('characters', limits.characters, () => texts.get(parameters));
      add('exchanges', limits.exchanges, () => exchanges.get(parameters));
      add('vectors', limits.vectors, () => vectors.get(parameters));
      for (const [kind, limit] of Object.entries(limits.items ?? {}) as [BudgetKind, number | undefined][])
        add(`items.${kind}`, limit, () => (isRecord(kind) ? records : pieces).get({ ...parameters, kind }));
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
