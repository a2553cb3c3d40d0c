// What is done to governed records, each in one transaction over record, chunks and audit.
import { ParleyError } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import { splitExchange } from '#memory/chunks/split-exchange.ts';
import { type ChunkWriterDeps, createKeepPieces } from '#memory/chunks/store-chunks.ts';
import { readableBy } from '#memory/tables/audience.ts';
import type { Audit } from '#memory/tables/audit.ts';
import { createIsForgotten } from '#memory/tables/tombstones.ts';
import { removeMemoryBlocks } from '#memory/types/block.ts';
import type { Note, NoteResult } from '#memory/types/note.ts';
import type {
  AuditActor,
  GovernedRecord,
  PinInput,
  PromoteRecordInput,
  RecordChange,
  SignalInput,
} from '#memory/types/record.ts';
import { noteHash } from '#memory/words/content-hash.ts';
import { chunkOf, recordOfNote, recordReach, versionAfter } from './record-of-note.ts';
import type { StoredRecord } from './record-row.ts';
import type { Records } from './records.ts';
import type { Signals } from './signals.ts';

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
  /** Stores how a procedure went. A ParleyError `not_a_procedure` for a record of another kind. */
  signal(request: SignalInput): { record: StoredRecord; auditID: string };
  /** Pins a record, or takes the pin away. */
  pin(request: PinInput): { record: StoredRecord; auditID: string };
  /** The newest version of the lineage that this id belongs to. A ParleyError `memory_not_found` when the scope's own audiences have none. */
  current(of: Pick<RecordChange, 'id' | 'scope'>): StoredRecord;
  /** Writes the record with this text in the place of its old one, as if it had been stored so. */
  rewrite(record: StoredRecord, clean: CleanText): void;
}

const order = { session: 0, project: 1, global: 2 } as const;

/** Governing in one open database. */
export function createGovernance(
  parts: ChunkWriterDeps & { newId: NewId; records: Records; signals: Signals; audit: Audit },
): Governance {
  const { database, chunks, derived, clock, newId, records, signals, audit } = parts;
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
    action: 'promote' | 'demote' | 'retract' | 'signal' | 'pin',
    record: GovernedRecord,
    by: AuditActor,
    detail = {},
  ): string => audit.add({ action, by, audience: record.audience, ids: [record.id], detail });

  /** The record that has the same key now, where both are read. */
  const earlierOf = (record: StoredRecord): StoredRecord | undefined =>
    record.key === undefined
      ? undefined
      : records
          .withKey(record.audience, record.key)
          .find(
            (other) => other.partition === record.partition && recordReach(other) === recordReach(record),
          );

  const store = database.transaction((given: Note, { text, kinds }: CleanText): NoteResult => {
    const { audience, partition } = given.where;
    const named =
      given.supersedes === undefined
        ? undefined
        : current({
            id: given.supersedes,
            scope: { audiences: [audience], spaces: [], everyone: false, partition },
          });
    const key = given.key ?? named?.key;
    const contentHash = noteHash(text, { partition, key });
    if (isForgotten({ audience, contentHash })) return { status: 'forgotten' };
    const record: StoredRecord = {
      ...recordOfNote(given, text),
      contentHash,
      redactions: kinds.length,
      id: newId('mem'),
    };
    const alike = records
      .withContent(audience, contentHash)
      .filter((other) => recordReach(other) === recordReach(record) && other.id !== named?.id);
    const same = alike.find(({ state }) => state === 'active');
    if (same !== undefined && named === undefined) {
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
    const previous = named ?? earlierOf(record);
    if (previous === undefined && alike.some(({ state }) => state === 'retracted'))
      return { status: 'retracted' };
    const version: StoredRecord =
      previous === undefined ? { ...record, lineageID: record.id } : versionAfter(previous, record, given);
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
      contentHash: noteHash(text, record),
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
  const signal = database.transaction((request: SignalInput) => {
    const record = current(request);
    if (record.kind !== 'procedure' && record.kind !== 'solution_capsule')
      throw new ParleyError(
        'not_a_procedure',
        `id: expected the id of a procedure or a solution, received ${record.id}, which is of the kind ${record.kind}.`,
        { hint: 'Store how something is done with the kind "procedure", then report how it went.' },
      );
    const { outcome, by } = request;
    signals.add({
      lineageID: record.lineageID,
      outcome,
      by: by.name,
      runID: by.runID,
      note: request.note,
      at: clock.now(),
    });
    return { record, auditID: note('signal', record, by, { outcome }) };
  });
  const pin = database.transaction(({ pinned, by, ...of }: PinInput) => {
    const record = current(of);
    if (record.state !== 'active')
      throw new ParleyError('not_active', `The record ${record.id} is ${record.state}.`, {
        hint: 'Pin what holds now.',
      });
    return { record: changed(record, { pinned }), auditID: note('pin', record, by, { pinned }) };
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
    signal: (request) => signal.immediate(request),
    pin: (request) => pin.immediate(request),
    current,
    rewrite(record, { text, kinds }) {
      const contentHash = noteHash(text, record);
      const cleaned = { ...record, text, contentHash, redactions: record.redactions + kinds.length };
      records.update(cleaned);
      if (rowsOf.all(record.id).length > 0) index(cleaned);
    },
  };
}
