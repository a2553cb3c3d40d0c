// A client's search of memory: inside the audience that it names, or inside what its own runs may recall. Not a model's search.
import type { MemoryFindings, MemorySearch } from '#engine/wire/memory.ts';
import type { Memory } from '#memory/terms/contract.ts';
import { scopeOf } from './scope-of.ts';

/** The hits as the wire has them. Whoever has the token may read every session, and so may name any audience. */
export async function searchMemory(
  memory: Pick<Memory, 'search'>,
  { query, audience, project_id: projectID, limit }: MemorySearch,
): Promise<MemoryFindings> {
  const scope =
    audience === undefined
      ? scopeOf(undefined, 'room')
      : { audiences: [audience], spaces: [], everyone: false };
  const { hits, degraded } = await memory.search({ text: query, scope, projectID, limit });
  return {
    degraded,
    results: hits.map((hit) => ({
      id: hit.id,
      tier: hit.tier,
      content: hit.text,
      score: hit.score,
      created_at_ms: hit.at,
      speaker: hit.speaker,
      platform: hit.platform,
      chat: hit.chat,
      audience: hit.audience,
      session_id: hit.sessionID,
      run_id: hit.runID,
    })),
  };
}
