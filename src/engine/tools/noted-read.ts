// What a model was shown of memory, noted in its audit.
import { errorMessage } from '#base/errors.ts';
import type { RequestingCall } from '#engine/permissions/request-rows.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { Entry } from '#memory/types/maintenance.ts';

/** Notes the read. Where the disk refuses that, the read succeeds all the same, and the result has a message. */
export async function notedRead(
  memory: Pick<Memory, 'noteRead'>,
  { agent, runID, sessionID, tool }: RequestingCall,
  shown: readonly Pick<Entry, 'id' | 'audience'>[],
): Promise<string[]> {
  try {
    await memory.noteRead({ by: { name: agent, runID, sessionID }, how: tool, shown });
    return [];
  } catch (error) {
    return [`the read could not be noted in the audit (${errorMessage(error)})`];
  }
}
