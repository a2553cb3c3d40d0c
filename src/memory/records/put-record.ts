// A note stored as a record of its own, or as the new version of the one that it supersedes.
import type { Work } from '#base/sql/work.ts';
import { createIsForgotten, createUnbury } from '#memory/tables/tombstones.ts';
import { removeMemoryBlocks } from '#memory/types/block.ts';
import { refuseStale } from '#memory/types/next-version.ts';
import type { Note, NoteResult, Standing } from '#memory/types/note.ts';
import { sensitivities } from '#memory/types/scope.ts';
import { comparableText, noteHash } from '#memory/words/content-hash.ts';
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
  { current, changed, beside, index, questions }: RecordEdits,
): PutRecord {
  const { sql, chunks, clock, newId, records, audit } = parts;
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
      ...recordOfNote({ ...given, key }, text),
      contentHash,
      redactions: kinds.length,
      id: newId('mem'),
    };
    const alike = (yield* records.withContent(audience, contentHash)).filter(
      (other) => recordReach(other) === recordReach(record) && other.id !== named?.id,
    );
    const same = alike.find(({ state }) => state === 'active');
    const { replaced, doubted, surer, settled } = yield* placeOf(record, named, {
      beside: () => beside(record, named ?? same),
      now: clock.now(),
    });
    const contradicts = surer !== undefined && { contradicts: standingOf(surer) };
    if (same !== undefined && replaced === undefined && covers(same, given)) {
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
        ...contradicts,
      };
    }
    const previous = replaced ?? same ?? settled[0];
    const others = settled.filter(({ id }) => id !== previous?.id);
    if (previous === undefined && given.again !== true && alike.some(({ state }) => state === 'retracted'))
      return { status: 'retracted' };
    const written = doubted === undefined ? record : versionAfter(doubted, record, given);
    const version: StoredRecord =
      previous === undefined
        ? { ...written, lineageID: record.id, version: 1 }
        : versionAfter(previous, written, given);
    if (previous !== undefined) {
      yield* chunks.forgetSource(previous.id);
      if (saysTheSame(previous, version)) yield* questions.carry(previous.id, version.id);
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
      ...(others.length > 0 && { settled: others.map(({ id }) => id).join(', ') }),
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
      ...(others.length > 0 && { settled: others.map(standingOf) }),
      ...contradicts,
      ...(wasForgotten && { again: true }),
    };
  }
  const saved = (
    record: StoredRecord,
    { by, speaker, runID, sessionID }: Note,
    detail: Record<string, string | number | boolean>,
  ): Work<string> =>
    audit.add({
      action: 'put',
      by: by ?? { name: speaker.name, runID, sessionID },
      audience: record.audience,
      ids: [record.id],
      detail: { tier: record.tier, kind: record.kind, ...detail },
    });
  return function* (given, { text, kinds }) {
    const shown = removeMemoryBlocks(text).trim();
    return shown === '' ? { status: 'nothing to store' } : yield* store(given, { text: shown, kinds });
  };
}

/** Where a record comes to stand. */
interface NotePlace {
  replaced: StoredRecord | undefined;
  doubted: StoredRecord | undefined;
  surer: StoredRecord | undefined;
  settled: StoredRecord[];
}

/**
 * What a record replaces (`named` is what it came to correct), and which others with its key it settles. What is less sure than a fact, or than
 * what has its key, replaces it no more when it comes as its correction: it stands beside what it doubts.
 */
function* placeOf(
  record: StoredRecord,
  named: StoredRecord | undefined,
  { beside, now }: { beside: () => Work<StoredRecord[]>; now: number },
): Work<NotePlace> {
  const doubted = named !== undefined && isDoubted(named, record, now) ? named : undefined;
  const replaced = doubted === undefined ? named : undefined;
  const isAsked = replaced === undefined || saysMore(record, replaced);
  const others = isAsked ? (yield* beside()).filter(({ id }) => id !== named?.id) : [];
  const [surer] = [...others, ...(doubted === undefined ? [] : [doubted])]
    .filter((other) => isSurer(other, record, now) && !saysTheSame(other, record))
    .toSorted((a, b) => b.confidence - a.confidence || b.at - a.at);
  const settled = others.filter((other) => !isSurer(other, record, now));
  return { replaced, doubted, surer, settled };
}

/** Whether the other one is surer of what it says, and holds. */
function isSurer(other: StoredRecord, than: StoredRecord, now: number): boolean {
  return other.confidence > than.confidence && (other.expiresAt ?? Number.POSITIVE_INFINITY) > now;
}

/** Whether the record says something else than a fact, or what has its key, and is less sure of it. */
function isDoubted(named: StoredRecord, record: StoredRecord, now: number): boolean {
  const isFact = named.kind === 'fact' || (named.key !== undefined && named.key === record.key);
  return isFact && !saysTheSame(named, record) && named.state === 'active' && isSurer(named, record, now);
}

function saysTheSame(one: StoredRecord, other: StoredRecord): boolean {
  return comparableText(one.text) === comparableText(other.text);
}

/** Whether a correction says something of which the others with its key are to be asked: other words, another key, or the same with more certainty. */
function saysMore(record: StoredRecord, before: StoredRecord): boolean {
  return record.contentHash !== before.contentHash || record.confidence > before.confidence;
}

function standingOf({ id, text, confidence, at }: StoredRecord): Standing {
  return { id, text, confidence, at };
}

/**
 * Whether a record with the same words is there for as long as the note asks, as sure and shown as carefully. One that was demoted stays so.
 */
function covers(record: StoredRecord, note: Note): boolean {
  const [lasts = Number.POSITIVE_INFINITY, until = Number.POSITIVE_INFINITY] = [
    record.expiresAt,
    note.expiresAt,
  ];
  const isAsCareful =
    sensitivities.indexOf(record.sensitivity) >= sensitivities.indexOf(note.sensitivity ?? 'public');
  const isAsSure = record.confidence >= (note.confidence ?? 1);
  return record.demoted || (lasts >= Math.round(until) && isAsCareful && isAsSure);
}
