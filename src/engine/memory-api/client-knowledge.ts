// Knowledge for clients: asked before work, promoted, listed and taken back, inside the audience that they name.
import type { Clock } from '#base/clock.ts';
import type { Secrets } from '#base/secrets.ts';
import { lookWords } from '#engine/wire/memory/look-words.ts';
import type { MemoryPreflighted, WireKnowledge } from '#engine/wire/memory/memory-knowledge.ts';
import type { MemoryService } from '#engine/wire/memory/memory-operations.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { KnowledgeItem, Preflight } from '#memory/types/knowledge.ts';
import { refusePast } from './put-record.ts';
import { byOperator, singleAudienceScope } from './single-audience.ts';

type ClientKnowledge = Pick<
  MemoryService,
  'preflightMemory' | 'promoteKnowledge' | 'withdrawKnowledge' | 'listKnowledge'
>;

/** Knowledge for anyone who has the token; what is shown is noted in the audit. */
export function createClientKnowledge(options: {
  memory: Pick<Memory, 'preflight' | 'promoteKnowledge' | 'withdrawKnowledge' | 'knowledge' | 'noteRead'>;
  secrets: Secrets;
  clock: Clock;
}): ClientKnowledge {
  const { memory, secrets, clock } = options;
  const mask = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : secrets.mask(text);
  return {
    async preflightMemory(asked) {
      const { subject, task_family: taskFamily = 'general', namespace, project_id: projectID } = asked;
      const found = await memory.preflight({
        subject,
        taskFamily,
        namespace,
        projectID,
        freshMs: asked.freshness_ms,
        trustFloor: asked.trust_floor,
        scope: { ...singleAudienceScope(asked.audience), sessionID: asked.session_id, projectID },
      });
      const shown = [...found.items, ...found.related].map(({ id, record }) => ({
        id,
        audience: record.audience,
      }));
      const by = { ...byOperator, runID: asked.run_id };
      const noted = await memory.noteRead({ by, how: lookWords.preflightMemory, shown }).catch(() => []);
      return {
        project_id: projectID ?? null,
        namespace: namespace ?? null,
        task_family: taskFamily,
        subject,
        coverage_key: found.coverageKey,
        ...reasonsOf(found),
        items: found.items.map(wireKnowledge),
        related: found.related.map(wireKnowledge),
        audit_id: noted[0] ?? null,
      };
    },
    async promoteKnowledge(asked) {
      refusePast('freshness_expires_at_ms', asked.freshness_expires_at_ms, clock.now());
      const { item, scrub, auditID } = await memory.promoteKnowledge({
        id: asked.source_memory_id,
        scope: singleAudienceScope(asked.audience),
        by: { ...byOperator, runID: asked.run_id },
        subject: secrets.mask(asked.subject),
        taskFamily: mask(asked.task_family),
        namespace: mask(asked.namespace),
        projectID: asked.project_id,
        trust: asked.trust_level,
        freshUntil: asked.freshness_expires_at_ms,
        reason: secrets.mask(asked.reason),
      });
      const status = scrub.redactions > 0 ? 'redacted' : 'passed';
      const scrub_report = { status, redactions: scrub.redactions } as const;
      return { promoted: true, item: wireKnowledge(item), scrub_report, audit_id: auditID };
    },
    async withdrawKnowledge({ id, audience, run_id: runID }) {
      const by = { ...byOperator, runID };
      const { items, auditIDs } = await memory.withdrawKnowledge({
        id,
        scope: singleAudienceScope(audience),
        by,
      });
      return { ok: true, items, audit_id: auditIDs[0] ?? null };
    },
    async listKnowledge({ audience, project_id: projectID, limit, offset }) {
      const items = await memory.knowledge({
        scope: singleAudienceScope(audience),
        projectID,
        limit,
        offset,
      });
      return { items: items.map(wireKnowledge), count: items.length, offset, limit };
    },
  };
}

/** Tandem's way to say why: one field for each kind of decision. */
function reasonsOf({
  decision,
  reason,
}: Preflight): Pick<MemoryPreflighted, 'decision' | 'reuse_reason' | 'skip_reason' | 'freshness_reason'> {
  const isReused = decision === 'reuse_promoted' || decision === 'reuse_approved_default';
  return {
    decision,
    reuse_reason: isReused ? reason : null,
    skip_reason: isReused ? null : reason,
    freshness_reason: decision === 'refresh_required' ? reason : null,
  };
}

function wireKnowledge(item: KnowledgeItem): WireKnowledge {
  const { record } = item;
  return {
    item_id: item.id,
    space_id: record.audience,
    coverage_key: item.coverageKey,
    title: item.subject,
    summary: record.text,
    task_family: item.taskFamily,
    namespace: item.namespace ?? null,
    project_id: item.projectID ?? null,
    trust_level: item.trust,
    status: item.trust,
    promoted_at_ms: item.promotedAt,
    promoted_by: item.promotedBy,
    reason: item.reason ?? null,
    freshness_expires_at_ms: item.freshUntil ?? null,
    artifact_refs: [...record.artifactRefs],
    source_memory_ids: [record.id, ...record.evidence],
  };
}
