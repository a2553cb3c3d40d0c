// Memories as clients read them: an entry or a record in the wire's shape. Pure.
import { defined } from '#base/json.ts';
import type { MemoryFindings, MemoryItem } from '#engine/wire/memory/memory.ts';
import type { Entry } from '#memory/types/maintenance.ts';
import type { GovernedRecord, MarkedEntry } from '#memory/types/record.ts';

/** A record, or what the journal has as one. */
export type ShownRecord = Omit<GovernedRecord, 'kind'> & Pick<MarkedEntry, 'kind'>;

import type { Sensitivity } from '#memory/types/scope.ts';

type WireItem = MemoryItem['item'];

const classificationOf = { public: 'public', private: 'internal', sensitive: 'restricted' } as const;
const sensitivities = { public: 'public', internal: 'private', restricted: 'sensitive' } as const;

/** The wire's word for how careful one must be, as memory has it. */
export function sensitivityOf(classification: keyof typeof sensitivities): Sensitivity {
  return sensitivities[classification];
}

/** The assistant that answered in a run; undefined where the run is not here any more. */
export type AnsweredBy = (runID: string) => string | undefined;

/** An entry without what governs it. */
export function wireEntry(entry: Entry, answeredBy: AnsweredBy) {
  const assistant = entry.source === 'exchange' ? answeredBy(entry.runID) : undefined;
  return {
    id: entry.id,
    tier: entry.tier,
    source_type: entry.source,
    content: entry.text,
    created_at_ms: entry.at,
    speaker: entry.speaker,
    platform: entry.platform,
    chat: entry.chat,
    audience: entry.audience,
    session_id: entry.sessionID,
    run_id: entry.runID,
    ...defined({ answered_by: assistant }),
  };
}

/** An entry with what its record says of it; `record` is absent for what is no record. */
export function wireItem(entry: Entry, record: ShownRecord | undefined, answeredBy: AnsweredBy): WireItem {
  const { platform, chat, speaker } = entry;
  return {
    ...wireEntry(entry, answeredBy),
    kind: record?.kind ?? null,
    classification: classificationOf[record?.sensitivity ?? 'private'],
    visibility: record?.visibility ?? 'private',
    artifact_refs: [...(record?.artifactRefs ?? [])],
    metadata: record?.metadata ?? {},
    key: record?.key ?? null,
    tags: [...(record?.tags ?? [])],
    pinned: record?.pinned ?? false,
    linkage: {
      record_id: record?.id ?? null,
      lineage_id: record?.lineageID ?? null,
      version: record?.version ?? null,
      session_id: entry.sessionID,
      project_id: record?.projectID ?? null,
      message_ids: [...entry.messageIDs],
      evidence: [...(record?.evidence ?? [])],
    },
    governance: record === undefined ? null : governanceOf(record),
    memory_trust: trustOf(entry, record),
    rendering_role: record === undefined ? 'evidence' : 'context',
    provenance: { platform, chat, speaker },
  };
}

/** A record on its own: also one that is not found any more. */
export function wireEntryOfRecord(record: ShownRecord): Entry {
  const { id, tier, kind, text, at, agent, platform, chat, audience, sessionID, runID, messageIDs } = record;
  const where = { platform, chat, audience, sessionID, runID, messageIDs };
  return { id, tier, source: kind, text, at, speaker: agent, ...where, recordID: id };
}

function governanceOf(record: ShownRecord): WireItem['governance'] {
  return {
    state: record.state,
    demoted: record.demoted,
    reason: record.reason ?? null,
    confidence: record.confidence,
    expires_at_ms: record.expiresAt ?? null,
    redaction_status: record.redactions > 0 ? 'redacted' : 'passed',
    redaction_count: record.redactions,
    user_id: record.userID,
    agent: record.agent,
    channel_tag: record.channelTag ?? null,
    host_tag: record.hostTag ?? null,
  };
}

/** What people said in a chat is theirs to answer for; what came in files is as good as its source; records have a hand that wrote them. */
function trustOf(
  { source }: Entry,
  record: ShownRecord | undefined,
): MemoryFindings['results'][number]['memory_trust'] {
  if (record?.agent === 'gateway') return 'external_user_supplied';
  if (record !== undefined) return record.agent === 'operator' ? 'human_approved' : 'system_generated';
  return source === 'exchange' ? 'external_user_supplied' : 'connector_sourced';
}
