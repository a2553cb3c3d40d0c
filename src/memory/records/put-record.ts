// A note stored as a record of its own, or as the new version of the one that it supersedes.
import type { Work } from '#base/sql/work.ts';
import { createIsForgotten, createUnbury } from '#memory/tables/tombstones.ts';
import { removeMemoryBlocks } from '#memory/types/block.ts';
import { refuseStale } from '#memory/types/next-version.ts';
import type { Note, NoteResult } from '#memory/types/note.ts';
import { sensitivities } from '#memory/types/scope.ts';
import { noteHash } from '#memory/words/content-hash.ts';
import type { RecordEdits, RecordWriterDeps } from './record-edits.ts';
import { recordOfNote, recordReach, versionAfter } from './record-of-note.ts';
import type { StoredRecord } from './record-row.ts';

/** A text without secrets, and the kinds of those that were masked in it. */
export interface CleanText {
  text: string;
  kinds: readonly string[];
}

/** Stores a note, in one transaction. */
export type PutRecord = (note: Note, clean: CleanText) => Work<NoteResult>;

/** Over one open database. */
export function createPutRecord(
  parts: RecordWriterDeps,
  { current, changed, withItsKey, index }: RecordEdits,
): PutRecord {
  const { sql, chunks, newId, records, audit } = parts;
  const isForgotten = createIsForgotten(sql);
  const unbury = createUnbury(sql);

  function* store(given: Note, { text, kinds }: CleanText): Work<NoteResult> {
    const { audience, partition } = given.where;
    const named =
      given.supersedes === undefined
        ? undefined
        : yield* current({
            id: given.supersedes,
            scope: { audiences: [audience], spaces: [], everyone: false, partition },
          });
    if (named !== undefined && given.expectedVersion !== undefined) refuseStale(named, given.expectedVersion);
    const key = given.key ?? named?.key;
    const contentHash = noteHash(text, { partition, key });
    // the words are forgotten, whatever key they had
    const marks = [...new Set([contentHash, noteHash(text, { partition })])].map((hash) => ({
      audience,
      contentHash: hash,
    }));
    let wasForgotten = false;
    for (const mark of marks) wasForgotten ||= yield* isForgotten(mark);
    if (wasForgotten && given.again !== true) return { status: 'forgotten' };
    const record: StoredRecord = {
      ...recordOfNote(given, text),
      contentHash,
      redactions: kinds.length,
      id: newId('mem'),
    };
    const alike = (yield* records.withContent(audience, contentHash)).filter(
      (other) => recordReach(other) === recordReach(record) && other.id !== named?.id,
    );
    const same = alike.find(({ state }) => state === 'active');
    if (same !== undefined && named === undefined && covers(same, given)) {
      const chunkIDs = yield* chunks.idsOfSource(same.id);
      yield* changed(same, {});
      yield* chunks.sourceSeenAgain(same.id, given.at);
      return {
        status: 'duplicate',
        id: same.id,
        chunkIDs,
        redacted: kinds,
        auditID: yield* saved(same, given, { duplicate: true }),
        version: same.version,
      };
    }
    const withKey = named === undefined && same === undefined ? yield* withItsKey(record) : [];
    const [surer] = withKey.filter(({ confidence }) => confidence > record.confidence);
    const [first, ...others] = withKey.filter(({ confidence }) => confidence <= record.confidence);
    const previous = named ?? same ?? first;
    if (previous === undefined && given.again !== true && alike.some(({ state }) => state === 'retracted'))
      return { status: 'retracted' };
    const version: StoredRecord =
      previous === undefined ? { ...record, lineageID: record.id } : versionAfter(previous, record, given);
    if (previous !== undefined) {
      yield* chunks.forgetSource(previous.id);
      if (previous.state === 'active') yield* changed(previous, { state: 'superseded' });
    }
    // doubts that stood beside each other: what is as sure as each takes the place of all
    for (const other of others) {
      yield* chunks.forgetSource(other.id);
      yield* changed(other, { state: 'superseded' });
    }
    if (wasForgotten) for (const mark of marks) yield* unbury(mark);
    yield* records.insert(version);
    const chunkIDs = yield* index(version);
    const detail = {
      version: version.version,
      redactions: kinds.length,
      ...(wasForgotten && { again: true }),
    };
    return {
      status: 'stored',
      id: version.id,
      chunkIDs,
      redacted: kinds,
      auditID: yield* saved(version, given, detail),
      version: version.version,
      ...(previous !== undefined && {
        supersedes: { id: previous.id, version: previous.version, text: previous.text },
      }),
      ...(surer !== undefined && {
        contradicts: { id: surer.id, text: surer.text, confidence: surer.confidence, at: surer.at },
      }),
      ...(wasForgotten && { again: true }),
    };
  }
  const saved = (record: StoredRecord, by: Note, detail: Record<string, number | boolean>): Work<string> =>
    audit.add({
      action: 'put',
      by: { name: by.speaker.name, runID: by.runID, sessionID: by.sessionID },
      audience: record.audience,
      ids: [record.id],
      detail: { tier: record.tier, kind: record.kind, ...detail },
    });
  return function* (given, { text, kinds }) {
    const shown = removeMemoryBlocks(text).trim();
    return shown === '' ? { status: 'nothing to store' } : yield* store(given, { text: shown, kinds });
  };
}

/** Whether a record with the same words is there for as long as the note asks, and shown as carefully. One that was demoted stays so. */
function covers(record: StoredRecord, note: Note): boolean {
  const [lasts = Number.POSITIVE_INFINITY, until = Number.POSITIVE_INFINITY] = [
    record.expiresAt,
    note.expiresAt,
  ];
  const isAsCareful =
    sensitivities.indexOf(record.sensitivity) >= sensitivities.indexOf(note.sensitivity ?? 'public');
  return record.demoted || (lasts >= Math.round(until) && isAsCareful);
}
