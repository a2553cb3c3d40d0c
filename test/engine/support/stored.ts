// Stored messages and their parts, as small as they can be. Not a test.
import type { Part } from '#engine/sessions/part-rows.ts';
import type { StoredMessage } from '#engine/sessions/wire-shapes.ts';

export const text = (words: string): Part => ({ id: 'prt_t', type: 'text', text: words });

/** A call that found nothing. */
export const call = (id: string): Part => ({
  id,
  type: 'tool',
  tool: 'memory_search',
  args: { query: 'x' },
  state: 'completed',
  result: { hits: [] },
});

export function message(role: 'user' | 'assistant', parts: Part[], index = 0): StoredMessage {
  return { id: `msg_${index}`, sessionID: 'ses_1', role, createdAtMs: 1, completedAtMs: 2, parts };
}
