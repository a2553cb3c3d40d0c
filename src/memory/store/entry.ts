// A stored chunk as those outside see it.
import type { Entry } from '#memory/terms/keeping.ts';
import type { FoundChunk } from './chunk-row.ts';

/** The chunk with its provenance. */
export function entryOf(chunk: FoundChunk): Entry {
  return {
    id: chunk.id,
    tier: 'global',
    source: chunk.source,
    text: chunk.content,
    at: chunk.lastSaidAt,
    speaker: chunk.speaker,
    platform: chunk.platform,
    chat: chunk.chat,
    audience: chunk.audience,
    sessionID: chunk.sessionID,
    runID: chunk.runID,
    messageIDs: chunk.messageIDs,
  };
}
