// What chat commands ask of an engine over HTTP: one call of the client each, given up soon, since someone waits.

import type { ParleyClient } from '#engine/client/client.ts';
import { type EngineCommands, memoryCommands } from '#engine/wire/commands.ts';
import { type MemoryService, memoryOperations } from '#engine/wire/memory/memory-operations.ts';
import { withoutErrorText } from '#engine/wire/sessions/error-text.ts';

/** `call` makes a call of the client, and throws the engine's refusals as the engine in one process does. */
export function remoteCommands(
  client: ParleyClient,
  call: <T>(work: () => Promise<T>) => Promise<T>,
): EngineCommands {
  return {
    async findSessions(filter, { limit, offset }) {
      const { ids, title, sourceKind, projectID, parentID, archived, shared } = filter;
      const flag = (value: boolean | undefined): string => (value === undefined ? 'all' : String(value));
      const query = {
        ids: ids?.join(','),
        title,
        source_kind: sourceKind,
        project_id: projectID,
        parent_id: parentID,
        archived: flag(archived),
        shared: flag(shared),
        page_size: limit,
        page: Math.floor(offset / limit) + 1,
      };
      if (ids?.length === 0) return { sessions: [], total: 0 };
      const sessions = await call(() => client.sessions.list(query));
      return { sessions, total: offset + sessions.length };
    },
    updateSession: (id, { title, archived, shared }) =>
      call(() =>
        client.sessions.update(id, {
          ...(title === undefined ? {} : { title }),
          ...(archived === undefined ? {} : { archived }),
          ...(shared === undefined ? {} : { shared }),
        }),
      ),
    missions: (filter) => call(() => client.missions.list(filter)),
    cancelMission: (id, { reason } = {}) => call(() => client.missions.cancel(id, reason)),
    messages: async (id) => (await call(() => client.sessions.messages(id))).map(withoutErrorText),
    summarizeSession: (id, how) => call(() => client.sessions.summarize(id, how)),
    sessionContext: (id) => call(() => client.sessions.context(id)),
    revertSession: (id, messageID) => call(() => client.sessions.revert(id, messageID)),
    ...memoryCommandsOf(client, call),
    forReader: (operation, request) => call(() => client.memory.forReader(operation, request)),
    forgetContent: (request) => call(() => client.content.forget(request)),
    exportContent: ({ persons }) => call(() => client.content.export({ persons: [...persons] })),
    providers: (of) => call(() => client.providers.list(of)),
    usage: ({ by, sessionID, from, until, limit }) =>
      call(() => client.runs.usage({ by, sessionID, from, until, limit })),
    abilities: (at) => call(() => client.agents.at(at)),
  };
}

/** Each command of memory as the call that the client has for its operation. */
function memoryCommandsOf({ memory }: ParleyClient, call: <T>(work: () => Promise<T>) => Promise<T>) {
  const commands = memoryCommands.map((name) => {
    const ask: (input: never) => Promise<unknown> = memory[memoryOperations[name].call];
    return [name, (input: never) => call(() => ask(input))] as const;
  });
  return Object.fromEntries(commands) as unknown as Pick<MemoryService, (typeof memoryCommands)[number]>; // under the same names
}
