// What is done to governed records, each in one transaction over record, chunks and audit.

import { ParleyError } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import type { Chunk } from '#memory/chunks/chunk-row.ts';
import { splitExchange } from '#memory/chunks/split-exchange.ts';
import { type ChunkWriterDeps, createKeepPieces } from '#memory/chunks/store-chunks.ts';
import { readableBy } from '#memory/tables/audience.ts';
import type { Audit } from '#memory/tables/audit.ts';
import { createIsForgotten } from '#memory/tables/tombstones.ts';
import { removeMemoryBlocks } from '#memory/types/block.ts';
import type { Note, NoteResult } from '#memory/types/note.ts';
import type { AuditActor, GovernedRecord, PromoteRecordInput, RecordChange } from '#memory/types/record.ts';
import { comparableText, digestOf } from '#memory/words/content-hash.ts';
import type { StoredRecord } from './record-row.ts';
import type { Records } from './records.ts';

/** A text without secrets, and the kinds of those that were masked in it. */
export interface CleanText {
  text: string;
  kinds: readonly string[];
}

/** Each answers once it is committed; SQLite's own error when another process has the file locked. */
export interface Governance {
  /** Stores a note as its own record, or as the new version of the one that it supersedes. */
  put(note: Note, clean: CleanText): NoteResult;
  /** Brings a record to a tier, demoted or not, with its text as it was cleaned for that. */
  promote(request: PromoteRecordInput, clean: CleanText): { record: StoredRecord; auditID: string };
  /** Takes a record out of what is found; it stays where its audience can look it up. */
  demote(request: RecordChange): { record: StoredRecord; auditID: string };
  /** Withdraws a record: it is no longer true, stays as history, and is not stored again on its own. */
  retract(request: RecordChange): { record: StoredRecord; auditID: string };
  /** The newest version of the lineage that this id belongs to. A ParleyError `memory_not_found` when the scope's own audiences have none. */
  current(of: Pick<RecordChange, 'id' | 'scope'>): StoredRecord;
  /** Writes the record with this text in the place of its old one, as if it had been stored so. */
  rewrite(record: StoredRecord, clean: CleanText): void;
}

const order = { session: 0, project: 1, global: 2 } as const;

/** Governing in one open database. */
export function createGovernance(
  parts: ChunkWriterDeps & { newId: NewId; records: Records; audit: Audit },
): Governance {
  const { database, chunks, derived, clock, newId, records, audit } = parts;
  const save = createKeepPieces(parts);
  const isForgotten = createIsForgotten(database);
  const rowsOf = database
    .prepare<[string], number>('SELECT row FROM global_memory_chunks WHERE source_key = ?')
    .pluck();

  const saidAgain = database.prepare<[number, string]>(
    'UPDATE global_memory_chunks SET last_said_at_ms = max(last_said_at_ms, ?) WHERE source_key = ?',
  );

  const unindex = (id: string): void => {
    for (const row of rowsOf.all(id)) {
      derived.forget(row);
      chunks.remove(row);
    }
  };
  const index = (record: StoredRecord): string[] => {
    unindex(record.id);
    const pieces = splitExchange({ userText: record.text, assistantText: '' });
    const saved = save(
      pieces.map((piece, ordinal) => ({
        ...chunkOf(record, { ordinal, of: pieces.length, text: piece.userText, tokens: piece.tokens }),
        id: ordinal === 0 ? record.id : newId('mem'),
      })),
    );
    return saved?.chunkIDs ?? [];
  };
  const current = ({ id, scope }: Pick<RecordChange, 'id' | 'scope'>): StoredRecord => {
    const newest = records.history([id], readableBy(scope)).at(-1);
    if (newest !== undefined) return newest;
    throw new ParleyError('memory_not_found', `There is no record ${id} in this audience.`, {
      hint: 'List what there is, and name the audience that it belongs to.',
    });
  };
  const changed = (record: StoredRecord, change: Partial<StoredRecord>): StoredRecord => {
    const now = { ...record, ...change, updatedAt: clock.now() };
    records.update(now);
    return now;
  };
  const note = (
    action: 'promote' | 'demote' | 'retract',
    record: GovernedRecord,
    by: AuditActor,
    detail = {},
  ): string => audit.add({ action, by, audience: record.audience, ids: [record.id], detail });

  const store = database.transaction((given: Note, { text, kinds }: CleanText): NoteResult => {
    const { audience } = given.where;
    const contentHash = digestOf('note', comparableText(text));
    const previous =
      given.supersedes === undefined
        ? undefined
        : current({ id: given.supersedes, scope: { audiences: [audience], spaces: [], everyone: false } });
    if (isForgotten({ audience, contentHash })) return { status: 'forgotten' };
    const record: StoredRecord = {
      ...recordOf(given, text),
      contentHash,
      redactions: kinds.length,
      id: newId('mem'),
    };
    const alike = records
      .withContent(audience, contentHash)
      .filter((other) => reachOf(other) === reachOf(record) && other.id !== previous?.id);
    const same = alike.find(({ state }) => state === 'active');
    if (same !== undefined && previous === undefined) {
      const chunkIDs = chunks.idsOfSource(same.id);
      changed(same, {});
      saidAgain.run(Math.round(given.at), same.id);
      return {
        status: 'duplicate',
        id: same.id,
        chunkIDs,
        redacted: kinds,
        auditID: saved(same, given, { duplicate: true }),
      };
    }
    if (previous === undefined && alike.some(({ state }) => state === 'retracted'))
      return { status: 'retracted' };
    const version: StoredRecord =
      previous === undefined
        ? { ...record, lineageID: record.id }
        : { ...record, lineageID: previous.lineageID, version: previous.version + 1 };
    if (previous !== undefined) {
      unindex(previous.id);
      if (previous.state === 'active') changed(previous, { state: 'superseded' });
    }
    records.insert(version);
    const chunkIDs = index(version);
    const detail = { version: version.version, redactions: kinds.length };
    return {
      status: 'stored',
      id: version.id,
      chunkIDs,
      redacted: kinds,
      auditID: saved(version, given, detail),
    };
  });
  const saved = (record: StoredRecord, by: Note, detail: Record<string, number | boolean>): string =>
    audit.add({
      action: 'put',
      by: { name: by.speaker.name, runID: by.runID, sessionID: by.sessionID },
      audience: record.audience,
      ids: [record.id],
      detail: { tier: record.tier, kind: record.kind, ...detail },
    });

  const promote = database.transaction((request: PromoteRecordInput, { text, kinds }: CleanText) => {
    const record = current(request);
    const { toTier, projectID = record.projectID } = request;
    if (record.state !== 'active')
      throw new ParleyError(
        'not_active',
        `The record ${record.id} is ${record.state}; only an active one can be promoted.`,
        {
          hint: 'Store what holds now as a new version of it.',
        },
      );
    if (order[toTier] < order[record.tier] || (toTier === record.tier && !record.demoted))
      throw new ParleyError(
        'not_promoted',
        `The record ${record.id} is in the ${record.tier} tier already.`,
        {
          hint: 'Name a wider tier: session, project, global.',
        },
      );
    if (toTier === 'project' && projectID === undefined)
      throw new ParleyError('not_promoted', `The record ${record.id} belongs to no project.`, {
        hint: 'Name the project that it is for.',
      });
    const promoted = changed(record, {
      tier: toTier,
      projectID,
      demoted: false,
      reason: request.reason,
      text,
      redactions: record.redactions + kinds.length,
      contentHash: digestOf('note', comparableText(text)),
    });
    index(promoted);
    const detail = { from: record.tier, to: toTier, redactions: kinds.length };
    return { record: promoted, auditID: note('promote', promoted, request.by, detail) };
  });

  const withdraw = (action: 'demote' | 'retract', change: Partial<StoredRecord>) =>
    database.transaction((request: RecordChange) => {
      const record = current(request);
      if (record.state !== 'active')
        throw new ParleyError('not_active', `The record ${record.id} is ${record.state} already.`, {
          hint: 'See its versions with "parley memory show".',
        });
      const withdrawn = changed(record, { ...change, reason: request.reason });
      unindex(record.id);
      return { record: withdrawn, auditID: note(action, withdrawn, request.by, { tier: record.tier }) };
    });
  const demote = withdraw('demote', { demoted: true });
  const retract = withdraw('retract', { state: 'retracted' });

  return {
    put(given, { text, kinds }) {
      const said = removeMemoryBlocks(text).trim();
      return said === '' ? { status: 'nothing to store' } : store.immediate(given, { text: said, kinds });
    },
    promote: (request, clean) => promote.immediate(request, clean),
    demote: (request) => demote.immediate(request),
    retract: (request) => retract.immediate(request),
    current,
    rewrite(record, { text, kinds }) {
      const contentHash = digestOf('note', comparableText(text));
      const cleaned = { ...record, text, contentHash, redactions: record.redactions + kinds.length };
      records.update(cleaned);
      if (rowsOf.all(record.id).length > 0) index(cleaned);
    },
  };
}

/** Two records of one audience with the same words are two only where one cannot be read where the other is. */
function reachOf({ tier, sessionID, projectID }: GovernedRecord): string {
  if (tier === 'session') return `session ${sessionID}`;
  return tier === 'project' ? `project ${projectID ?? ''}` : 'global';
}

function recordOf(note: Note, text: string): Omit<StoredRecord, 'id' | 'contentHash' | 'redactions'> {
  return {
    lineageID: '',
    version: 1,
    state: 'active',
    demoted: false,
    reason: undefined,
    kind: note.kind,
    text,
    tier: note.tier ?? 'global',
    audience: note.where.audience,
    space: note.where.space,
    restricted: note.where.restricted,
    visibility: note.where.restricted ? 'private' : 'shared',
    userID: note.speaker.person,
    agent: note.speaker.name,
    platform: note.platform,
    chat: note.chat,
    sessionID: note.sessionID,
    runID: note.runID,
    projectID: note.projectID,
    channelTag: note.channelTag,
    hostTag: note.hostTag,
    sensitivity: note.sensitivity ?? 'private',
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

function chunkOf(
  record: StoredRecord,
  piece: { ordinal: number; of: number; text: string; tokens: number },
): Omit<Chunk, 'id' | 'createdAt'> {
  return {
    source: record.kind,
    audience: record.audience,
    space: record.space,
    restricted: record.restricted,
    tier: record.tier,
    expiresAt: record.expiresAt,
    sourceKey: record.id,
    ordinal: piece.ordinal,
    sourceHash: digestOf(record.id, String(piece.ordinal)),
    contentHash: digestOf('record', record.id, String(piece.ordinal)),
    at: record.at,
    lastSaidAt: record.at,
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
    about: '',
    metadata: { pieces: piece.of },
  };
}
