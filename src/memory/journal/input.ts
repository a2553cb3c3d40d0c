// Checks the input of the journal, and says of what does not fit the field, what was expected and what came.
import type { z } from 'zod';
import { ParleyError } from '#base/errors.ts';

/** The checked input; throws a ParleyError `invalid_journal`. */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const checked = schema.safeParse(input, { reportInput: true });
  if (checked.success) return checked.data;
  const issues = checked.error.issues.map((issue) => {
    const field = issue.path.map(String).join('.') || 'the input';
    return `${field}: ${issue.message}, received ${received(issue.input)}`;
  });
  throw new ParleyError(
    'invalid_journal',
    `The journal entry does not fit: ${issues.slice(0, 10).join('; ')}.`,
    {
      hint: 'Change the named fields, and call again. Nothing was written.',
    },
  );
}

function received(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string')
    return value.length > 60 ? `a text of ${value.length} characters` : JSON.stringify(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
