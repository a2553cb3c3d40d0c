// What the next version of a record has in common with the one before. Pure.
import type { Note } from './note.ts';
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
