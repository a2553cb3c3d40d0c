// What clients do to governed records, inside the audience that they name, and the audit of it.
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { Secrets } from '#base/secrets.ts';
import type { Agents } from '#engine/context/agents.ts';
import { operator } from '#engine/context/scope-of.ts';
import type { MemoryService } from '#engine/wire/memory/memory-operations.ts';
import type { Memory } from '#memory/types/contract.ts';
import { correct, correctionOf } from '#memory/types/next-version.ts';
import type { GovernedRecord } from '#memory/types/record.ts';
import { memoryNotFound } from './client-memory.ts';
import { createPutMaskedRecord, ownTier, writtenFor } from './put-record.ts';
import type { KnownSessions } from './session-tier.ts';
import { byOperator, singleAudienceScope } from './single-audience.ts';

type ClientRecords = Pick<
  MemoryService,
  | 'putMemory'
  | 'correctMemory'
  | 'signalMemory'
  | 'pinMemory'
  | 'promoteMemory'
  | 'demoteMemory'
  | 'retractMemory'
  | 'memoryAudit'
>;

/** Governing for anyone who has the token: the operator. What is put is masked first by the secrets that this program knows. */
export function createClientRecords(options: {
  memory: Pick<
    Memory,
    | 'put'
    | 'journal'
    | 'show'
    | 'records'
    | 'signal'
    | 'signals'
    | 'pin'
    | 'promote'
    | 'demote'
    | 'retract'
    | 'audit'
  >;
  agents: Pick<Agents, 'at'>;
  sessions: KnownSessions;
  secrets: Secrets;
  clock: Clock;
}): ClientRecords {
  const { memory, secrets, clock } = options;
  return {
    putMemory: createPutMaskedRecord(options),
    async correctMemory({ id, audience, content, expected_version: expected, said }) {
      const scope = singleAudienceScope(audience);
      const newest = async () => {
        const current = (await memory.records({ scope, ids: [id] })).at(-1);
        if (current !== undefined) return current;
        if ((await memory.show({ id, scope })) === undefined) throw memoryNotFound(audience);
        throw new ParleyError(
          'not_correctable',
          `Expected a record (a note, a fact), got ${id}, which is none.`,
          {
            hint: 'What was said or stands in a file is corrected where it was written. It can be forgotten here.',
          },
        );
      };
      const write = (current: GovernedRecord) =>
        memory.put({
          ...{ at: clock.now(), sessionID: '', runID: '' },
          ...writtenFor(said),
          ...correctionOf(current, { text: secrets.mask(content) }),
        });
      const saved = await correct(newest, write, expected);
      return {
        status: saved.status,
        id: 'id' in saved ? saved.id : null,
        version: 'version' in saved ? saved.version : null,
      };
    },
    async signalMemory({ id, audience, outcome, note, run_id: runID }) {
      const scope = singleAudienceScope(audience);
      const by = { ...byOperator, runID };
      const clean = note === undefined ? undefined : secrets.mask(note);
      const { record, auditID } = await memory.signal({ id, scope, by, outcome, note: clean });
      const { latest, ...counts } = await memory.signals({ id, scope });
      const reports = latest.map((each) => ({
        ...{ outcome: each.outcome, at_ms: each.at, by: each.by },
        note: each.note ?? null,
      }));
      return { id: record.id, ...counts, reports, audit_id: auditID };
    },
    async pinMemory({ id, audience, pinned }) {
      const { record, auditID } = await memory.pin({
        ...{ id, pinned, scope: singleAudienceScope(audience), by: byOperator },
      });
      return { id: record.id, pinned: record.pinned, audit_id: auditID };
    },
    async promoteMemory(asked) {
      const { source_memory_id: id, from_tier, review } = asked;
      const toTier = ownTier(asked.to_tier);
      if (review?.required === true && (review.reviewer_id === undefined || review.approval_id === undefined))
        throw new ParleyError('review_missing', 'The promotion requires a review, and has none.', {
          hint: 'Name reviewer_id and approval_id.',
        });
      const scope = singleAudienceScope(asked.audience);
      const now = (await memory.records({ scope, ids: [id] })).at(-1);
      if (from_tier !== undefined && now !== undefined && now.tier !== from_tier)
        throw new ParleyError(
          'not_promoted',
          `Expected it in the ${from_tier} tier; it is in the ${now.tier} tier.`,
          {
            hint: 'Read it again and name the tier that it is in.',
          },
        );
      const { promoted, record, scrub, auditID } = await memory.promote({
        id,
        scope,
        toTier,
        projectID: asked.partition?.project_id,
        reason: secrets.mask(asked.reason),
        review: {
          reviewer_id: review?.reviewer_id && secrets.mask(review.reviewer_id),
          approval_id: review?.approval_id && secrets.mask(review.approval_id),
        },
        by: { ...byOperator, runID: asked.run_id },
      });
      return {
        promoted,
        new_memory_id: record.id,
        to_tier: record.tier,
        scrub_report: {
          status: scrub.status,
          redactions: scrub.redactions,
          block_reason: scrub.blockReason ?? null,
        },
        audit_id: auditID,
        policy_decision_id: auditID, // the token is the permission, and the audit is where it is recorded
      };
    },
    demoteMemory: (asked) => withdrawn('demote', asked),
    retractMemory: (asked) => withdrawn('retract', asked),
    async memoryAudit({ audience = operator, run_id: runID, limit, offset }) {
      const entries = await memory.audit({ of: audience, runID, limit, offset });
      const events = entries.map((entry) => ({
        audit_id: entry.id,
        at_ms: entry.at,
        action: entry.action,
        actor: entry.actor,
        run_id: entry.runID ?? null,
        session_id: entry.sessionID ?? null,
        audience: entry.audience,
        memory_ids: [...entry.ids],
        detail: entry.detail,
      }));
      return { events, count: events.length, offset, limit };
    },
  };

  async function withdrawn(
    how: 'demote' | 'retract',
    { id, audience, run_id, reason }: Parameters<ClientRecords['demoteMemory']>[0],
  ) {
    const { auditID } = await memory[how]({
      id,
      scope: singleAudienceScope(audience),
      reason: reason === undefined ? undefined : secrets.mask(reason),
      by: { ...byOperator, runID: run_id },
    });
    return { ok: true as const, audit_id: auditID };
  }
}
