// Checks the input of the journal.
import type { z } from 'zod';
import { checkInput } from '#base/check-input.ts';

/** The checked input; throws a ParleyError `invalid_journal`. */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown): T {
  return checkInput(schema, input, { code: 'invalid_journal', what: 'The journal entry' });
}
