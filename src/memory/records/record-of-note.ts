// A note as the record that is made of it, and a record as the chunks by which it is found. Pure.

import type { Chunk } from '#memory/chunks/chunk-row.ts';
import type { Note } from '#memory/types/note.ts';
import { projectForm } from '#memory/types/project-form.ts';
import type { GovernedRecord } from '#memory/types/record.ts';
import { sensitivities } from '#memory/types/scope.ts';
import { comparableText, digestOf } from '#memory/words/content-hash.ts';
import type { StoredRecord } from './record-row.ts';

/**
 * Two records of one audience with the same words or the same key are two only where their reach differs: where one cannot be read where the
 * other is, or where they belong to different projects, each of which is asked for what it has.
 */
export function recordReach({ tier, sessionID, projectID }: GovernedRecord): string {
  if (tier === 'session') return `session ${sessionID}`;
  return projectID === undefined ? tier : `${tier} of ${projectForm(projectID)}`;
}

/** The first version of the record that the note becomes; what it may be read by is at most what `where` lets it. */
export function recordOfNote(
  note: Note,
  text: string,
): Omit<StoredRecord, 'id' | 'contentHash' | 'redactions'> {
  const isRestricted = note.where.restricted || (note.sensitivity ?? 'public') !== 'public';
  return {
    lineageID: '',
    version: 1,
    state: 'active',
    demoted: false,
    reason: undefined,
    kind: note.kind,
    text,
    key: note.key === undefined ? undefined : comparableText(note.key),
    tags: tagsOf(note.tags ?? []),
    pinned: note.pinned ?? note.kind === 'preference',
    tier: note.tier ?? 'global',
    audience: note.where.audience,
    space: note.where.space,
    restricted: isRestricted,
    partition: note.where.partition,
    visibility: isRestricted ? 'private' : 'shared',
    userID: note.speaker.person,
    agent: note.speaker.name,
    platform: note.platform,
    chat: note.chat,
    sessionID: note.sessionID,
    runID: note.runID,
    projectID: note.projectID,
    channelTag: note.channelTag,
    hostTag: note.hostTag,
    sensitivity: note.sensitivity ?? (isRestricted ? 'private' : 'public'),
    confidence: note.confidence ?? 1,
    at: Math.round(note.at),
    updatedAt: Math.round(note.at),
    expiresAt: note.expiresAt === undefined ? undefined : Math.round(note.expiresAt),
    messageIDs: note.messageIDs,
    evidence: note.evidence ?? [],
    artifactRefs: note.artifactRefs ?? [],
    metadata: note.metadata ?? {},
  };
}

/** One piece of the record as a chunk. Its key and its tags are words to find it by. */
export function chunkOf(
  record: StoredRecord,
  piece: { ordinal: number; of: number; text: string; tokens: number },
): Omit<Chunk, 'id' | 'createdAt'> {
  return {
    source: record.kind,
    audience: record.audience,
    space: record.space,
    restricted: record.restricted,
    partition: record.partition,
    tier: record.tier,
    expiresAt: record.expiresAt,
    sourceKey: record.id,
    ordinal: piece.ordinal,
    sourceHash: digestOf(record.id, String(piece.ordinal)),
    contentHash: digestOf('record', record.id, String(piece.ordinal)),
    at: record.at,
    lastWrittenAt: record.at,
    speaker: record.agent,
    person: record.userID,
    platform: record.platform,
    chat: record.chat,
    sessionID: record.sessionID,
    projectID: record.projectID,
    workspaceRoot: undefined,
    runID: record.runID,
    messageIDs: record.messageIDs,
    tokenCount: piece.tokens,
    content: piece.text,
    userText: piece.text,
    assistantText: '',
    about: [record.key ?? '', ...record.tags].join(' ').trim(),
    metadata: { pieces: piece.of },
  };
}

/** Tags in the form in which they are compared, each once. */
export function tagsOf(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => comparableText(tag).replace(/^#+/, '')))].filter((tag) => tag !== '');
}

/**
 * The record as the next version of another: what it does not say stays as it was, and nothing that was narrow becomes wider.
 */
export function versionAfter(
  previous: StoredRecord,
  record: StoredRecord,
  note: Pick<Note, 'key' | 'tags' | 'pinned'>,
): StoredRecord {
  const strict = Math.max(
    sensitivities.indexOf(previous.sensitivity),
    sensitivities.indexOf(record.sensitivity),
  );
  const restricted = previous.restricted || record.restricted;
  return {
    ...record,
    lineageID: previous.lineageID,
    version: previous.version + 1,
    key: note.key === undefined ? previous.key : record.key,
    tags: note.tags === undefined ? previous.tags : record.tags,
    pinned: note.pinned ?? previous.pinned,
    sensitivity: sensitivities[strict] ?? 'sensitive',
    restricted,
    visibility: restricted ? 'private' : 'shared',
  };
}
