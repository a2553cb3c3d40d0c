// What clients see of the work journal and of dreams, and settle of it, inside the audiences that they name.

import { operator } from '#engine/context/scope-of.ts';
import type { MemoryService } from '#engine/wire/memory/memory-operations.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { JournalCaller } from '#memory/types/journal.ts';
import type { Scope } from '#memory/types/scope.ts';
import { byOperator, singleAudienceScope } from './single-audience.ts';

type ClientJournal = Pick<MemoryService, 'memoryJournal' | 'settleJournalEntry' | 'memoryDreams'>;

/** Statements of short-term memory in one answer. */
const maxCandidates = 200;

/** Over the memory of the engine. */
export function createClientJournal({
  memory,
}: {
  memory: Pick<Memory, 'journal' | 'journalEntries' | 'places' | 'promoteRecalled' | 'dreamingStatus'>;
}): ClientJournal {
  return {
    async memoryJournal({
      kind: kinds,
      status: statuses,
      agent: agentID,
      project: projectID,
      before,
      limit,
      with: asked,
      ...of
    }) {
      const { audience = operator, audiences: several = [audience] } = of;
      const audiences = several === 'all' ? (await memory.places()).map((place) => place.audience) : several;
      const scope = { ...singleAudienceScope(), audiences };
      const found = await memory.journalEntries({
        ...{ scope, kinds, statuses, agentID, projectID, before, forEveryProject: true },
        limit: limit + 1,
      });
      const shown = found.slice(0, limit);
      // every entry is read for it
      const places =
        asked === undefined ? undefined : (await memory.journal.listProjects(callerOf(scope), {})).items;
      return {
        entries: shown.map(({ agentID: agent, projectID: project_id, settledBy, createdAt, ...entry }) => ({
          ...entry,
          ...{ agent, project_id, tags: [...entry.tags], settled_by: settledBy, created_at_ms: createdAt },
        })),
        next: found.length > shown.length ? (shown.at(-1)?.id ?? null) : null,
        ...(places !== undefined && {
          places: places.map((place) => ({ project_id: place.projectID, agent: place.agentID })),
        }),
      };
    },
    async settleJournalEntry({ audience, by, ...how }) {
      const caller = callerOf(singleAudienceScope(audience), by);
      const settled = await memory.journal.settleEntry(caller, how);
      const { id, status, statusNote, holds, superseded, choices } = settled;
      return {
        ...{ id, status: String(status), note: statusNote === undefined ? null : String(statusNote) },
        ...(holds !== undefined && { holds }),
        ...(superseded !== undefined && { superseded: [...superseded] }),
        ...(choices !== undefined && { choices: [...choices] }),
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

/** The operator, who settles for a person what belongs to them; `shownAs` is who the agents read that it was. */
function callerOf(scope: Scope, shownAs?: string): JournalCaller {
  const [audience = operator] = scope.audiences;
  return { scope, where: { audience, restricted: true }, platform: 'http', by: byOperator, shownAs };
}
