// A governed record as the program holds it and as its row holds it: the one `recordFromRow` and the one `recordToRow`.
import { z } from 'zod';
import { parseJson } from '#base/json.ts';
import type { GovernedRecord } from '#memory/types/record.ts';
import { indexTextInItsLanguage } from '#memory/words/tokens.ts';

/** A record with what only the store needs of it. */
export interface StoredRecord extends GovernedRecord {
  restricted: boolean;
  /** Equal for the same words, whatever their case, spacing and Unicode form. */
  contentHash: string;
}

const strings = z.array(z.string());
const anything = z.record(z.string(), z.unknown());

/** The columns of `memory_records`, by name. */
export type RecordRow = ReturnType<typeof recordToRow>;

/** The row of a record, with the words it is found by. */
export function recordToRow(record: StoredRecord) {
  return {
    id: record.id,
    lineage_id: record.lineageID,
    version: record.version,
    state: record.state,
    demoted: record.demoted ? 1 : 0,
    audience: record.audience,
    space: record.space ?? null,
    restricted: record.restricted ? 1 : 0,
    partition: record.partition ?? null,
    tier: record.tier,
    session_id: record.sessionID,
    project_id: record.projectID ?? null,
    expires_at_ms: record.expiresAt ?? null,
    kind: record.kind,
    user_id: record.userID,
    agent: record.agent,
    channel_tag: record.channelTag ?? null,
    host_tag: record.hostTag ?? null,
    sensitivity: record.sensitivity,
    confidence: record.confidence,
    platform: record.platform,
    chat: record.chat,
    run_id: record.runID,
    message_ids: JSON.stringify(record.messageIDs),
    content_hash: record.contentHash,
    redaction_status: record.redactions > 0 ? 'redacted' : 'passed',
    redaction_count: record.redactions,
    reason: record.reason ?? null,
    created_at_ms: Math.round(record.at),
    updated_at_ms: Math.round(record.updatedAt),
    evidence: JSON.stringify(record.evidence),
    artifact_refs: JSON.stringify(record.artifactRefs),
    metadata: JSON.stringify(record.metadata),
    content: record.text,
    terms: indexTextInItsLanguage(record.text),
    record_key: record.key ?? null,
    tags: JSON.stringify(record.tags),
    pinned: record.pinned ? 1 : 0,
  };
}

/** The record that a row holds; the table's own CHECKs hold the values of its columns. */
export function recordFromRow(row: RecordRow): StoredRecord {
  const restricted = row.restricted === 1;
  const demoted = row.demoted === 1;
  return {
    id: row.id,
    lineageID: row.lineage_id,
    version: row.version,
    state: row.state,
    kind: row.kind,
    text: row.content,
    key: row.record_key ?? undefined,
    tags: parseJson(row.tags, strings, 'tags'),
    pinned: row.pinned === 1,
    tier: row.tier,
    audience: row.audience,
    space: row.space ?? undefined,
    restricted,
    partition: row.partition ?? undefined,
    visibility: restricted || demoted ? 'private' : 'shared',
    userID: row.user_id,
    agent: row.agent,
    platform: row.platform,
    chat: row.chat,
    sessionID: row.session_id,
    runID: row.run_id,
    projectID: row.project_id ?? undefined,
    channelTag: row.channel_tag ?? undefined,
    hostTag: row.host_tag ?? undefined,
    sensitivity: row.sensitivity,
    confidence: row.confidence,
    at: row.created_at_ms,
    updatedAt: row.updated_at_ms,
    expiresAt: row.expires_at_ms ?? undefined,
    demoted,
    reason: row.reason ?? undefined,
    redactions: row.redaction_count,
    contentHash: row.content_hash,
    messageIDs: parseJson(row.message_ids, strings, 'message_ids'),
    evidence: parseJson(row.evidence, strings, 'evidence'),
    artifactRefs: parseJson(row.artifact_refs, strings, 'artifact_refs'),
    metadata: parseJson(row.metadata, anything, 'metadata'),
  };
}

/** Without what only the store needs. */
export function shownRecord({ restricted: _, contentHash: __, ...record }: StoredRecord): GovernedRecord {
  return record;
}
