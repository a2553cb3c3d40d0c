// What is known already of the work that is about to be done: promoted knowledge that covers just this, or why it cannot be reused. Never writes.
import { z } from 'zod';
import { ParleyError } from '#base/errors.ts';
import { formatZodError } from '#base/json.ts';
import type { Work } from '#base/sql/work.ts';
import { coverageKeyOf, coverageSchema } from '#memory/records/coverage-key.ts';
import type { KnowledgeWork } from '#memory/records/knowledge.ts';
import { readableBy } from '#memory/tables/audience.ts';
import {
  type KnowledgeItem,
  type Preflight,
  type PreflightQuery,
  trustLevels,
} from '#memory/types/knowledge.ts';
import { indexText, queryTokens } from '#memory/words/tokens.ts';
import { stopWords } from '#memory/words/word-classes.ts';

/** Of each kind (Tandem's own number). */
const maxItems = 3;
/** The newest knowledge among which what sounds like it is looked for. */
const maxCompared = 500;
const maxWords = 32;
/** What sounds like it holds at least this share of the question's telling words. */
const minShare = 0.5;

const querySchema = coverageSchema.extend({
  freshMs: z.number().min(0).optional(),
  trustFloor: z.enum(trustLevels).optional(),
});

/** Looks for knowledge of the project, then of none. Throws `missing_scope`, and `invalid_preflight` for a question without words. */
export function* preflight(
  knowledge: Pick<KnowledgeWork, 'covering' | 'list'>,
  query: PreflightQuery,
  now: number,
): Work<Preflight> {
  const readable = readableBy(query.scope);
  const checked = querySchema.safeParse(query);
  if (!checked.success)
    throw new ParleyError(
      'invalid_preflight',
      `The question does not fit: ${formatZodError(checked.error).join('; ')}.`,
      {
        hint: 'Name the subject of the work in up to 200 characters.',
      },
    );
  const coverageKey = coverageKeyOf(query);
  const everywhere = coverageKeyOf({ ...query, projectID: undefined });
  const floor = trustLevels.indexOf(query.trustFloor ?? 'promoted');
  const trusted = (item: KnowledgeItem): boolean => trustLevels.indexOf(item.trust) >= floor;
  const keys = [...new Set([coverageKey, everywhere])];
  const found = (yield* knowledge.covering(keys, readable)).filter(trusted);
  const judged = found
    .map((item) => ({ item, stale: whyStale(item, query.freshMs, now) }))
    .sort((a, b) => rankOf(b.item) - rankOf(a.item) || b.item.promotedAt - a.item.promotedAt);
  const fresh = judged.filter(({ stale }) => stale === undefined).map(({ item }) => item);
  const [best] = fresh;
  if (best !== undefined)
    return {
      coverageKey,
      decision: best.trust === 'approved_default' ? 'reuse_approved_default' : 'reuse_promoted',
      reason: 'what is known covers this and still holds',
      items: fresh.slice(0, maxItems),
      related: [],
    };
  const [first] = judged;
  if (first !== undefined)
    return {
      coverageKey,
      decision: 'refresh_required',
      reason: `what is known has to be looked at again: ${first.stale}`,
      items: judged.slice(0, maxItems).map(({ item }) => item),
      related: [],
    };
  const related = alike(
    query.subject,
    // work of no project is shown nothing of any
    (yield* knowledge.list(
      { projectID: query.projectID ?? '', besideProject: true, limit: maxCompared, offset: 0 },
      readable,
    )).filter(trusted),
  );
  return {
    coverageKey,
    decision: 'no_prior_knowledge',
    reason:
      related.length === 0
        ? 'nothing that is known covers this'
        : 'nothing covers just this; something like it is known',
    items: [],
    related,
  };

  /** What is for the project goes before what is for all, and more trusted before less. */
  function rankOf(item: KnowledgeItem): number {
    return 2 * trustLevels.indexOf(item.trust) + (item.coverageKey === coverageKey ? 1 : 0);
  }
}

/** Why it cannot be reused unchanged; undefined when it can. */
function whyStale(item: KnowledgeItem, freshMs: number | undefined, now: number): string | undefined {
  if (item.record.id !== item.promotedRecordID)
    return 'a later version of it was stored after it was promoted';
  if (item.freshUntil !== undefined)
    return item.freshUntil > now
      ? undefined
      : `it was to hold until ${new Date(item.freshUntil).toISOString()}`;
  if (freshMs === undefined || now - item.promotedAt <= freshMs) return undefined;
  return `it was promoted ${new Date(item.promotedAt).toISOString()}, longer ago than was asked for`;
}

function alike(subject: string, items: readonly KnowledgeItem[]): KnowledgeItem[] {
  const tokens = queryTokens(subject, maxWords);
  const telling = tokens.filter(({ plain }) => !stopWords.has(plain));
  const words = new Set((telling.length > 0 ? telling : tokens).map(({ form }) => form));
  const shares = items.map((item) => {
    const held = new Set(indexText(`${item.subject}. ${item.record.text}`).split(/\s+/));
    return { item, share: [...words].filter((word) => held.has(word)).length / Math.max(1, words.size) };
  });
  return shares
    .filter(({ share }) => share >= minShare)
    .sort((a, b) => b.share - a.share)
    .slice(0, maxItems)
    .map(({ item }) => item);
}
