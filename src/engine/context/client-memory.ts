// What clients do with memory: inside the audience that they name, or inside what their own runs may recall. Not what models do.
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { Secrets } from '#base/secrets.ts';
import type { MemoryList, MemorySearch } from '#engine/wire/memory.ts';
import type { EngineService } from '#engine/wire/service.ts';
import type { Memory } from '#memory/terms/contract.ts';
import type { Entry } from '#memory/terms/keeping.ts';
import type { Audience, Scope } from '#memory/terms/scope.ts';
import { operator } from './scope-of.ts';

export type ClientMemory = Pick<
  EngineService,
  'searchMemory' | 'putMemory' | 'listMemory' | 'deleteMemory' | 'memoryPlaces'
>;

/**
 * Memory for whoever has the token: the operator, who may read every session here, and so may name any audience. No call
 * reaches beyond one audience, and none is taken for granted: without a name it is `person:operator` alone, which is also
 * where runs without a chat recall from. What is put is masked first.
 */
export function createClientMemory(options: {
  memory: Pick<Memory, 'search' | 'put' | 'list' | 'places' | 'forget'>;
  secrets: Secrets;
  clock: Clock;
}): ClientMemory {
  const { memory, secrets, clock } = options;
  return {
    async searchMemory({ query, audience, project_id: projectID, limit }: MemorySearch) {
      const { hits, degraded } = await memory.search({
        text: query,
        scope: only(audience),
        projectID,
        limit,
      });
      return { degraded, results: hits.map((hit) => ({ ...wireEntry(hit), score: hit.score })) };
    },
    async putMemory({ content, kind, audience = operator, space, private: restricted, project_id }) {
      const kept = await memory.put({
        kind,
        text: secrets.mask(content),
        at: clock.now(),
        speaker: { person: 'operator', name: 'operator' },
        where: { audience, space, restricted },
        platform: 'api',
        chat: 'api',
        sessionID: '',
        runID: '',
        projectID: project_id,
        messageIDs: [],
      });
      const ids = 'chunkIDs' in kept ? kept.chunkIDs : [];
      const { status } = kept;
      return { id: ids[0] ?? null, ids, stored: status === 'stored', status, tier: 'global', audience };
    },
    async listMemory({ words, audience, projectID, limit, offset }: MemoryList) {
      const entries = await memory.list({ scope: only(audience), words, projectID, limit, offset });
      return { items: entries.map(wireEntry), count: entries.length, offset, limit };
    },
    async deleteMemory(id, { audience } = {}) {
      const { entries, remains } = await memory.forget({
        scope: only(audience),
        selection: { ids: [id] },
        mode: 'forget',
      });
      if (entries === 0)
        throw new ParleyError('memory_not_found', `${audience ?? operator} has no memory with this id.`, {
          cure: 'List what there is, and name the audience that it belongs to.',
        });
      return { traces: remains.length };
    },
    memoryPlaces: async () => ({ places: await memory.places() }),
  };
}

function only(audience: Audience = operator): Scope {
  return { audiences: [audience], spaces: [], everyone: false };
}

function wireEntry(entry: Entry) {
  return {
    id: entry.id,
    tier: entry.tier,
    source_type: entry.source,
    content: entry.text,
    created_at_ms: entry.at,
    speaker: entry.speaker,
    platform: entry.platform,
    chat: entry.chat,
    audience: entry.audience,
    session_id: entry.sessionID,
    run_id: entry.runID,
  };
}
