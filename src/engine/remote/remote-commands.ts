// What chat commands ask of an engine over HTTP: one call of the client each, given up soon, since someone waits.

import type { ParleyClient } from '#engine/client/client.ts';
import { type EngineCommands, memoryCommands, sessionCommands } from '#engine/wire/commands.ts';
import { memoryOperations } from '#engine/wire/memory/memory-operations.ts';
import {
  agentOperations,
  providerOperations,
  usageOperations,
} from '#engine/wire/runs/provider-operations.ts';
import { contentOperations } from '#engine/wire/sessions/content-operations.ts';
import { withoutErrorText } from '#engine/wire/sessions/error-text.ts';
import { sessionOperations } from '#engine/wire/sessions/session-operations.ts';
import { missionOperations } from '#engine/wire/teams/team-operations.ts';
import type { RemoteCalls } from './remote-calls.ts';
import { remoteOperations, soon } from './remote-operations.ts';

/** `call` makes a call of the client, and throws the engine's refusals as the engine in one process does. */
export function remoteCommands(client: ParleyClient, call: RemoteCalls['atOnce']): EngineCommands {
  const via = soon(call);
  return {
    async findSessions({ ids, title, sourceKind, projectID, parentID, archived, shared, limit, offset }) {
      const query = {
        ...{
          ids: ids?.join(','),
          title,
          source_kind: sourceKind,
          project_id: projectID,
          parent_id: parentID,
        },
        ...{ archived: archived ?? ('all' as const), shared: shared ?? ('all' as const) },
        ...{ page_size: limit, page: Math.floor(offset / limit) + 1 },
      };
      if (ids?.length === 0) return { sessions: [], total: 0 };
      const sessions = await call(() => client.sessions.list(query));
      return { sessions, total: offset + sessions.length };
    },
    ...remoteOperations(missionOperations, ['missions', 'cancelMission'], { calls: client.missions, via }),
    messages: async (id) => (await call(() => client.sessions.messages(id))).map(withoutErrorText),
    ...remoteOperations(sessionOperations, sessionCommands, { calls: client.sessions, via }),
    ...remoteOperations(memoryOperations, memoryCommands, { calls: client.memory, via }),
    forReader: (operation, request) => call(() => client.memory.forReader(operation, request)),
    ...remoteOperations(contentOperations, ['forgetContent', 'exportContent'], {
      calls: client.content,
      via,
    }),
    ...remoteOperations(providerOperations, ['providers'], { calls: client.providers, via }),
    ...remoteOperations(usageOperations, ['usage'], { calls: client.runs, via }),
    ...remoteOperations(agentOperations, ['abilities'], { calls: client.agents, via }),
  };
}
