// The tier of one session ends with it: nothing is stored in it for a session that is not there, or whose own memory has ended.
import { ParleyError } from '#base/errors.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { Tier } from '#memory/types/scope.ts';

/** Whether there is a session with this id. */
export interface KnownSessions {
  has(sessionID: string): Promise<boolean>;
}

/** A ParleyError `invalid_memory_call` for a session that is not there, whose memory would never end. */
export async function refuseUnknownSession(
  sessions: KnownSessions,
  { tier, sessionID }: { tier: Tier; sessionID: string | null | undefined },
): Promise<void> {
  if (tier !== 'session' || sessionID == null || (await sessions.has(sessionID))) return;
  throw new ParleyError(
    'invalid_memory_call',
    `session_id: expected the id of a session for the session tier, received ${JSON.stringify(sessionID)}, and there is no such session.`,
    { hint: 'List the sessions, or name the project or global tier.' },
  );
}

/**
 * The memory; where that of a session ends with its archive, without a session tier for those that are archived: a ParleyError
 * `invalid_memory_call` where one is written to.
 */
export function refusingEnded(
  {
    memory,
    memorySettings,
  }: { memory: Memory; memorySettings?: { endArchived?: boolean | undefined } | undefined },
  sessions: { get(id: string): { archivedAtMs?: number | undefined } | undefined },
): Memory {
  if (memorySettings?.endArchived !== true) return memory;
  const refuse = ({
    tier,
    sessionID = '',
  }: {
    tier?: Tier | undefined;
    sessionID?: string | undefined;
  }): void => {
    if (tier !== 'session' || sessions.get(sessionID)?.archivedAtMs === undefined) return;
    throw new ParleyError(
      'invalid_memory_call',
      `session_id: the session ${JSON.stringify(sessionID)} is archived, and what is stored for it alone ended with that.`,
      { hint: 'Name the project or global tier, or take the session out of the archive first.' },
    );
  };
  const own: Pick<Memory, 'put' | 'importPath'> = {
    async put(note) {
      refuse(note);
      return memory.put(note);
    },
    async importPath(request) {
      refuse(request);
      return memory.importPath(request);
    },
  };
  // a memory that cannot be opened has no members to copy, and answers each call
  return new Proxy(memory, { get: (all, name) => Reflect.get(own, name) ?? Reflect.get(all, name) });
}
