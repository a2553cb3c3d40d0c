// Records promoted for reuse and taken back from it: looked through for secrets once more, with a line in the audit.
import { z } from 'zod';
import { ParleyError } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import { formatZodError } from '#base/json.ts';
import type { Work } from '#base/sql/work.ts';
import { coverageKeyOf, coverageSchema, usualFamily } from '#memory/records/coverage-key.ts';
import { shownRecord } from '#memory/records/record-row.ts';
import type { Redact } from '#memory/secrets/redact.ts';
import type { GovernedStore } from '#memory/store/governed-store.ts';
import { readableBy } from '#memory/tables/audience.ts';
import {
  type KnowledgeItem,
  type KnowledgePromotion,
  type KnowledgeQuery,
  type PromotingKnowledge,
  trustLevels,
  type WithdrawingKnowledge,
} from '#memory/types/knowledge.ts';
import { projectForm } from '#memory/types/project-form.ts';
import { isNothingButSecrets, masked, writeMasked } from './govern.ts';

const promotingSchema = coverageSchema.extend({
  trust: z.enum(trustLevels).optional(),
  freshUntil: z.number().finite().optional(),
});
const pageSchema = z.object({
  limit: z.number().int().min(1).max(1000).default(50),
  offset: z.number().int().min(0).default(0),
});

/**
 * Makes an active record of the project or global tier, or its newest version, knowledge of what it covers. A ParleyError
 * `invalid_knowledge` for what does not fit, `not_active`, `not_promoted` or `memory_not_found`.
 */
export async function promoteKnowledge(
  parts: GovernedStore,
  { redact, newId, now }: { redact: Redact; newId: NewId; now: () => number },
  request: PromotingKnowledge,
): Promise<KnowledgePromotion> {
  const { governance, knowledge, audit } = parts;
  const checked = promotingSchema.safeParse(request);
  if (!checked.success)
    throw new ParleyError(
      'invalid_knowledge',
      `The knowledge does not fit: ${formatZodError(checked.error).join('; ')}.`,
      { hint: 'Name the subject that it covers in up to 200 characters.' },
    );
  const named = {
    subject: (await redact(request.subject)).text,
    taskFamily: (await masked(redact, request.taskFamily)) ?? usualFamily,
    namespace: await masked(redact, request.namespace),
  };
  const reason = await masked(redact, request.reason);
  const { by, trust = 'promoted', freshUntil } = request;
  return writeMasked(
    parts,
    { redact, of: request },
    function* (record, { text: clean, kinds }): Work<KnowledgePromotion> {
      refuseUnfit(record, request.projectID);
      if (isNothingButSecrets(clean))
        throw new ParleyError('not_promoted', `Nothing but secrets is in the record ${record.id}.`, {
          hint: 'Forget it, and store again what is worth knowing of it.',
        });
      const coverage = {
        ...named,
        projectID: record.tier === 'project' ? record.projectID : request.projectID,
      };
      const row = {
        ...coverage,
        id: newId('knw'),
        coverageKey: coverageKeyOf(coverage),
        lineageID: record.lineageID,
        promotedRecordID: record.id,
        trust,
        promotedAt: Math.round(now()),
        promotedBy: by.name,
        freshUntil: freshUntil === undefined ? undefined : Math.round(freshUntil),
        reason,
      };
      if (kinds.length > 0) yield* governance.rewrite(record, { text: clean, kinds });
      const id = yield* knowledge.put(row);
      const detail = { to: 'knowledge', trust, redactions: kinds.length };
      const ids = [record.id, id];
      const auditID = yield* audit.add({ action: 'promote', by, audience: record.audience, ids, detail });
      const { lineageID: _, ...item } = row;
      const scrub = {
        status: kinds.length > 0 ? 'redacted' : 'passed',
        redactions: kinds.length,
        blockReason: undefined,
      } as const;
      return { item: { ...item, id, record: { ...shownRecord(record), text: clean } }, scrub, auditID };
    },
  );
}

function refuseUnfit(
  { id, state, demoted, tier, projectID }: KnowledgeItem['record'],
  asked: string | undefined,
): void {
  if (state !== 'active' || demoted)
    throw new ParleyError(
      'not_active',
      `The record ${id} is ${demoted ? 'demoted' : state}; only what is found can be reused.`,
      {
        hint: 'Promote it first, or store what holds now as a new version of it.',
      },
    );
  if (tier === 'session')
    throw new ParleyError('not_promoted', `The record ${id} is only for one session.`, {
      hint: 'Promote it to the project or global tier first.',
    });
  if (tier === 'project' && asked !== undefined && projectForm(asked) !== projectForm(projectID ?? ''))
    throw new ParleyError('not_promoted', `The record ${id} belongs only to the project ${projectID}.`, {
      hint: 'Leave the project out, or promote it to the global tier first.',
    });
}

/** Takes knowledge back, and its words out of the files; a ParleyError `memory_not_found` when the scope's own audiences have none of this id. */
export async function withdrawKnowledge(
  { knowledge, audit, storage, leaveNoTrace }: GovernedStore,
  { id, scope, by }: WithdrawingKnowledge,
): Promise<{ items: number; auditIDs: string[] }> {
  const meant = await storage.read(() => knowledge.meant(id, readableBy(scope)));
  if (meant.length === 0)
    throw new ParleyError('memory_not_found', `There is no knowledge ${id} in this audience.`, {
      hint: 'List what there is, and name the audience that it belongs to.',
    });
  const lines = [...Map.groupBy(meant, ({ audience }) => audience)];
  const auditIDs = await storage.write(function* () {
    yield* knowledge.remove(meant.map((item) => item.id));
    const added: string[] = [];
    for (const [audience, items] of lines)
      added.push(
        yield* audit.add({
          action: 'demote',
          by,
          audience: audience as KnowledgeItem['record']['audience'], // the column's own CHECK
          ids: items.map((item) => item.id),
          detail: { from: 'knowledge' },
        }),
      );
    return added;
  });
  await leaveNoTrace();
  return { items: meant.length, auditIDs };
}

/** The knowledge of a scope, promoted last first. Throws `missing_scope` and `invalid_limit`. */
export async function listKnowledge(
  { knowledge, storage }: GovernedStore,
  query: KnowledgeQuery,
): Promise<KnowledgeItem[]> {
  const page = pageSchema.safeParse(query);
  if (!page.success)
    throw new ParleyError(
      'invalid_limit',
      `Expected a page of knowledge: ${formatZodError(page.error).join('; ')}.`,
    );
  const readable = readableBy(query.scope);
  return storage.read(() => knowledge.list({ projectID: query.projectID, ...page.data }, readable));
}
