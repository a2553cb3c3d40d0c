// A stored chunk or record as those outside see it.
import type { Entry } from '#memory/types/maintenance.ts';
import { noteKinds } from '#memory/types/note.ts';
import type { FilePlace } from '#memory/types/recall.ts';
import type { GovernedRecord } from '#memory/types/record.ts';
import { type FoundChunk, messageIDsOf } from './chunk-row.ts';
import { filePlatform } from './file-rows.ts';

const noteSources: ReadonlySet<string> = new Set(noteKinds);

/** The id of the record that the chunk is a piece of; undefined for what was written or imported. */
export function recordIDOf({ source, sourceKey }: FoundChunk): string | undefined {
  return noteSources.has(source) ? sourceKey : undefined;
}

/** The chunk with its provenance. */
export function entryOf(chunk: FoundChunk): Entry {
  return {
    id: chunk.id,
    tier: chunk.tier,
    source: chunk.source,
    text: chunk.content,
    at: chunk.lastWrittenAt,
    speaker: chunk.speaker,
    platform: chunk.platform,
    chat: chunk.chat,
    audience: chunk.audience,
    sessionID: chunk.sessionID,
    runID: chunk.runID,
    messageIDs: messageIDsOf(chunk),
    recordID: recordIDOf(chunk),
    ...fileOf(chunk),
  };
}

/** Where a passage of a memory file stands. */
function fileOf(chunk: FoundChunk): { file?: FilePlace } {
  if (chunk.platform !== filePlatform) return {};
  const [from = 1, until = from] = messageIDsOf(chunk).map(Number);
  return { file: { path: chunk.sessionID, from, until } };
}

/** The record as an entry: for one that has no chunk. */
export function entryOfRecord(record: GovernedRecord): Entry {
  const { id, tier, kind, text, at, agent, platform, chat, audience, sessionID, runID, messageIDs } = record;
  const where = { platform, chat, audience, sessionID, runID, messageIDs };
  return { id, tier, source: kind, text, at, speaker: agent, ...where, recordID: id };
}
