// A step of a budget done: in one transaction over chunks, records, what is left of them, and the audit.
import { counted } from '#base/text.ts';
import type { Store } from '#memory/store/store.ts';
import { budgetActor } from '#memory/tables/forgotten.ts';
import type { BudgetStep, BudgetUse } from '#memory/types/budget.ts';
import type { Audience } from '#memory/types/scope.ts';
import type { StoredExchange } from './exchanges.ts';
import type { Duplicate } from './merge.ts';
import type { Plan } from './plan.ts';
import type { SummaryLine } from './summary.ts';
import { createTakeAway } from './take-away.ts';
import { itemKindOf } from './usage.ts';

type Parts = Pick<
  Store,
  | 'database'
  | 'chunks'
  | 'derived'
  | 'records'
  | 'signals'
  | 'episodes'
  | 'forgotten'
  | 'audit'
  | 'responses'
  | 'governance'
  | 'promotions'
  | 'journal'
  | 'journalPassages'
>;

export interface Apply {
  /** Does the step in the caller's transaction; the ids that went, and what is in their place. What changed since is left out. */
  (plan: Plan, lines: readonly SummaryLine[]): Pick<BudgetStep, 'ids' | 'into'>;
}

const by = { name: budgetActor };

/** Over one open store. */
export function createApply(store: Parts, now: () => number): Apply {
  const { database, chunks, derived, records, signals, audit } = store;
  const take = createTakeAway(store, now);
  const dropVector = database.prepare<[number]>(
    `UPDATE memory_embeddings SET embedding = NULL, refusal = 'over the budget of vectors' WHERE row = ?`,
  );
  const noted = (plan: Plan, audience: Audience, ids: readonly string[], into?: string): void => {
    const { bound, used, limit } = plan.over;
    const of = plan.owner.type === 'audience' ? 'audience' : `agent ${plan.owner.agent ?? '(shared)'}`;
    const detail = { bound, used, limit, budget: of, ...(into !== undefined && { into }) };
    audit.add({ action: plan.step, by, audience, ids, detail });
  };

  const mergeOne = (plan: Plan, { type, goes, stays }: Duplicate): string[] => {
    const reason = `merged into ${stays}; ${overText(plan.over)}`;
    if (type === 'exchange') {
      const gone = take.piecesOf(goes);
      const [first, into] = [gone[0], take.piecesOf(stays)[0]];
      if (first === undefined || into === undefined) return [];
      chunks.sourceSeenAgain(stays, first.at);
      take.exchange(gone, `merged into ${into.chunkID}; ${overText(plan.over)}`);
      noted(plan, first.audience, [first.chunkID], into.chunkID);
      return [first.chunkID];
    }
    if (type !== 'record') {
      const gone = take.merged(type, { goes, stays }, reason);
      if (gone === undefined) return [];
      noted(plan, gone.audience, [goes], stays);
      return [goes];
    }
    const [loser, survivor] = [records.get(goes), records.get(stays)];
    if (loser?.state !== 'active' || survivor?.state !== 'active' || loser.version > 1) return [];
    records.update({
      ...survivor,
      tags: [...new Set([...survivor.tags, ...loser.tags])],
      evidence: [...new Set([...survivor.evidence, ...loser.evidence])],
      pinned: survivor.pinned || loser.pinned,
      confidence: Math.max(survivor.confidence, loser.confidence),
      updatedAt: now(),
    });
    signals.move(loser.lineageID, survivor.lineageID);
    take.records([loser], reason);
    noted(plan, loser.audience, [loser.id], survivor.id);
    return [loser.id];
  };

  const summarize = (
    plan: Extract<Plan, { step: 'summarize' }>,
    lines: readonly SummaryLine[],
  ): Pick<BudgetStep, 'ids' | 'into'> => {
    const { exchanges, of: kind } = plan;
    const found = exchanges.map(({ sourceKey }) => take.storedOf(kind, sourceKey));
    // one that was forgotten, changed or summarized since: the plan is made again
    const isStill = found.every((rows, place) => rows.length === exchanges[place]?.rows.length);
    const [first] = exchanges;
    if (!isStill || first === undefined || lines.length === 0) return { ids: [] };
    const text = lines.map((line) => line.text).join('\n');
    const of = lines.map((line) => line.of.map((place) => exchanges[place]?.ids[0] ?? ''));
    const common = (read: (exchange: StoredExchange) => string): string =>
      exchanges.every((each) => read(each) === read(first)) ? read(first) : '';
    const { where, platform, chat, projectID } = first;
    const saved = store.governance.put(
      {
        ...{ kind: 'episode', text, where, platform, chat, projectID, tier: 'global' },
        // who came in between them could not have read all of it
        at: Math.min(...exchanges.map(({ at }) => at)),
        speaker: { person: common(({ person }) => person), name: 'gateway' },
        sessionID: common(({ sessionID }) => sessionID),
        ...{ runID: '', messageIDs: [], evidence: exchanges.map(({ ids }) => ids[0] ?? '') },
        metadata: { lines: of, source: kind === 'exchange' ? 'exchanges' : kind },
        ...(kind !== 'exchange' && { tags: [...new Set(plan.exchanges.flatMap(({ tags }) => tags))] }),
      },
      { text, kinds: [] },
    );
    const into = saved.status === 'stored' ? saved.id : undefined;
    const gone = found.flat();
    const reason = into === undefined ? 'its summary was forgotten' : `summarized in ${into}`;
    take[kind === 'exchange' ? 'exchange' : 'entries'](gone, `${reason}; ${overText(plan.over)}`, into);
    const ids = gone.map(({ chunkID }) => chunkID);
    noted(plan, where.audience, ids, into);
    return { ids, into };
  };

  return (plan, lines) => {
    store.responses.drop(); // any of them may have told what goes
    switch (plan.step) {
      case 'merge':
        return { ids: plan.duplicates.flatMap((duplicate) => mergeOne(plan, duplicate)) };
      case 'summarize':
        return summarize(plan, lines);
      case 'drop_vectors': {
        const audiences = new Map<Audience, string[]>();
        for (const { row, id } of plan.rows) {
          const at = take.piece(id);
          if (at === undefined) continue;
          derived.forget(row);
          dropVector.run(row);
          audiences.set(at.audience, [...(audiences.get(at.audience) ?? []), id]);
        }
        for (const [audience, ids] of audiences) noted(plan, audience, ids);
        return { ids: [...audiences.values()].flat() };
      }
      case 'evict': {
        const reason = `evicted; ${overText(plan.over)}`;
        const audiences = Map.groupBy(plan.victims, ({ audience }) => audience);
        const all: string[] = [];
        for (const [audience, victims] of audiences) {
          const ids = victims.flatMap((victim) => take.victim(victim, reason));
          if (ids.length > 0) noted(plan, audience, ids);
          all.push(...ids);
        }
        return { ids: all };
      }
    }
  };
}

/** Which bound was exceeded, as people read it with the id of what went. */
function overText({ bound, used, limit }: BudgetUse): string {
  const what = itemKindOf(bound) ?? bound;
  return bound === 'characters'
    ? `${counted(used, 'character')} where ${limit} are allowed`
    : `${used} of ${what} where ${limit} are allowed`;
}
