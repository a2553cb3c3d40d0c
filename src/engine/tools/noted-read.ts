// What a model was shown of memory, noted in its audit. Not the reading.
import { wordsOf } from '#base/errors.ts';
import type { Asking } from '#engine/permissions/request-rows.ts';
import type { Memory } from '#memory/terms/contract.ts';
import type { Entry } from '#memory/terms/keeping.ts';

/** Notes the read; what a disk refuses keeps nobody from reading, and is told in words instead. */
export async function notedRead(
  memory: Pick<Memory, 'noteRead'>,
  { agent, runID, sessionID, tool }: Asking,
  shown: readonly Pick<Entry, 'id' | 'audience'>[],
): Promise<string[]> {
  try {
    await memory.noteRead({ by: { name: agent, runID, sessionID }, how: tool, shown });
    return [];
  } catch (error) {
    return [`the read could not be noted in the audit (${wordsOf(error)})`];
  }
}
