// What the next version of a record has in common with the one before. Pure.
import { ParleyError } from '#base/errors.ts';
import { truncate } from '#base/text.ts';
import type { Note, NoteResult } from './note.ts';
import type { GovernedRecord } from './record.ts';

/** Where a version belongs, and what it is unless its writer says otherwise: as the one before it. */
export function versionOf(
  record: GovernedRecord,
): Pick<
  Note,
  | 'kind'
  | 'where'
  | 'tier'
  | 'sessionID'
  | 'projectID'
  | 'metadata'
  | 'confidence'
  | 'expiresAt'
  | 'evidence'
  | 'supersedes'
> {
  const { audience, space, partition, visibility, kind, tier, sessionID, projectID } = record;
  const { metadata, confidence, expiresAt, evidence, id } = record;
  const where = { audience, space, restricted: visibility === 'private', partition };
  return {
    ...{ kind, where, tier, sessionID, projectID, metadata, confidence, expiresAt, evidence },
    supersedes: id,
  };
}

/** What a correction says; what it leaves out stays. */
export interface RecordCorrection
  extends Pick<Note, 'key' | 'tags' | 'pinned' | 'sensitivity' | 'confidence'> {
  /** What holds now. */
  text?: string | undefined;
  source?: string | undefined;
}

/** The note that corrects this version of a record, and only this one. New words are as sure as their writer says, and come from where that one says. */
export function correctionOf(
  record: GovernedRecord,
  { text = record.text, source, ...change }: RecordCorrection,
) {
  const before = versionOf(record);
  const { source: earlier, ...metadata } = record.metadata;
  const isNew = text !== record.text;
  const from = source ?? (isNew ? undefined : earlier);
  return {
    ...before,
    ...change,
    text,
    confidence: change.confidence ?? (isNew ? undefined : before.confidence),
    metadata: { ...metadata, ...(from !== undefined && { source: from }) },
    expectedVersion: record.version,
  };
}

/**
 * What became of a correction of the entry `id`, next to how it was stored: its version and what it takes the place of; `followed` are the
 * words that held by then, as `shown` gives them, where others had corrected the entry in between.
 */
export function correctedBy(
  saved: NoteResult,
  current: GovernedRecord,
  { id, shown = (text) => text }: { id: string; shown?: (text: string) => string },
) {
  return {
    ...('version' in saved && { version: saved.version }),
    ...('supersedes' in saved && saved.supersedes !== undefined && { supersedes: saved.supersedes.id }),
    ...(current.id !== id && { followed: { version: current.version, text: shown(current.text) } }),
  };
}

/**
 * Corrects what holds now: where others wrote in between it is read again, unless the writer named the version that it read. `read` gives the
 * newest version. A ParleyError `stale_version` when that is another one than expected.
 */
export async function correct<T>(
  read: () => Promise<GovernedRecord>,
  write: (current: GovernedRecord) => Promise<T>,
  expectedVersion: number | undefined,
): Promise<T> {
  for (;;) {
    const current = await read();
    if (expectedVersion !== undefined) refuseStale(current, expectedVersion);
    try {
      return await write(current);
    } catch (error) {
      if (expectedVersion !== undefined || !(error instanceof ParleyError) || error.code !== 'stale_version')
        throw error;
    }
  }
}

/** Throws `stale_version` where another version holds than the one expected, with its words. */
export function refuseStale(
  { id, version, text }: Pick<GovernedRecord, 'id' | 'version' | 'text'>,
  expected: number,
): void {
  if (version === expected) return;
  throw new ParleyError(
    'stale_version',
    `expectedVersion: expected ${version}, the version that holds now, received ${expected}. It is ${id} and says ${JSON.stringify(truncate(text, maxShown))}.`,
    { hint: 'Correct these words, and name their version. Nothing was written.' },
  );
}

/** Characters of a text that a refusal shows. */
const maxShown = 2_000;
