// What clients see of the work journal and of dreams, inside the audience that they name. Nothing is written.

import { operator } from '#engine/context/scope-of.ts';
import type { MemoryService } from '#engine/wire/memory/memory-operations.ts';
import type { Memory } from '#memory/types/contract.ts';
import { singleAudienceScope } from './single-audience.ts';

type ClientJournal = Pick<MemoryService, 'memoryJournal' | 'memoryDreams'>;

/** Statements of short-term memory in one answer. */
const maxCandidates = 200;

/** Over the memory of the engine. */
export function createClientJournal({
  memory,
}: {
  memory: Pick<Memory, 'journalEntries' | 'promoteRecalled' | 'dreamingStatus'>;
}): ClientJournal {
  return {
    async memoryJournal({ audience, kind, agent, before, limit }) {
      const scope = singleAudienceScope(audience);
      const found = await memory.journalEntries({
        ...{ scope, kinds: kind && [kind], agentID: agent, before },
        limit: limit + 1,
      });
      const shown = found.slice(0, limit);
      return {
        entries: shown.map(({ agentID, projectID, createdAt, audience: _, ...entry }) => ({
          ...entry,
          agent: agentID,
          project_id: projectID,
          created_at_ms: createdAt,
        })),
        next: found.length > shown.length ? (shown.at(-1)?.id ?? null) : null,
      };
    },
    async memoryDreams({ audience = operator }) {
      const status = await memory.dreamingStatus();
      const [report] = await memory.promoteRecalled({ audience, mode: 'dry run' });
      const candidates = (report?.candidates ?? []).slice(0, maxCandidates);
      return {
        status,
        candidates: candidates.map(
          ({ id, text = null, source = null, score, parts, boost, recalls, queries, verdict }) => ({
            ...{ id, text, source, score, parts, boost, recalls, queries },
            verdict: verdict.status,
            reason: 'words' in verdict ? verdict.words : null,
          }),
        ),
        problem: report?.problem ?? null,
      };
    },
  };
}
