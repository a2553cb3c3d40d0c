// Input from outside checked by a schema, with an error that names each field, what was expected and what came.
import type { ZodType } from 'zod';
import { ParleyError } from './errors.ts';

/** Fields that one error names. */
const maxNamed = 10;
const maxShown = 60;

/** Checks the input by `schema` and returns it. Throws a ParleyError with this code, whose message begins with `what`. */
export function checkInput<T>(
  schema: ZodType<T>,
  input: unknown,
  { code, what }: { code: string; what: string },
): T {
  const checked = schema.safeParse(input, { reportInput: true });
  if (checked.success) return checked.data;
  const issues = checked.error.issues.map((issue) => {
    const field = issue.path.map(String).join('.') || 'the input';
    return `${field}: ${issue.message}, received ${received(issue.input)}`;
  });
  const more = issues.length > maxNamed ? `; and ${issues.length - maxNamed} more` : '';
  throw new ParleyError(code, `${what} does not fit: ${issues.slice(0, maxNamed).join('; ')}${more}.`, {
    hint: 'Change the named fields, and call again. Nothing was written.',
  });
}

/** What came, in a few words. */
export function received(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string')
    return value.length > maxShown ? `a text of ${value.length} characters` : JSON.stringify(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'object' && value !== null
    ? `an object with ${Object.keys(value).slice(0, maxNamed).join(', ') || 'no fields'}`.slice(0, 200)
    : String(value);
}
