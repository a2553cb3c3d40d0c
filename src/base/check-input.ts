// Input from outside checked by a schema, with an error that names each field, what was expected and what came.
import type { ZodType } from 'zod';
import { ParleyError } from './errors.ts';
import { tryJson } from './json.ts';
import { nearestName } from './nearest.ts';

/** Fields that one error names. */
const maxNamed = 10;
const maxShown = 60;

interface CheckedCall {
  code: string;
  what: string;
  /** The names of its fields, for one that is misspelled. */
  fields?: readonly string[];
  /** False for a call that only reads: a refusal does not speak of writing. */
  writes?: boolean;
}

/** Checks the input by `schema` and returns it. Throws a ParleyError with this code, whose message begins with `what`. */
export function checkInput<T>(
  schema: ZodType<T>,
  input: unknown,
  { code, what, fields = [], writes = true }: CheckedCall,
): T {
  const checked = schema.safeParse(input, { reportInput: true });
  if (checked.success) return checked.data;
  const issues = checked.error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys' && issue.path.length === 0 && fields.length > 0)
      return issue.keys.map((key) => unknownField(key, fields));
    const field = issue.path.map(String).join('.') || 'the input';
    return `${field}: ${issue.message}, received ${received(issue.input)}${adviceOn(issue)}`;
  });
  const more = issues.length > maxNamed ? `; and ${issues.length - maxNamed} more` : '';
  throw new ParleyError(code, `${what} does not fit: ${issues.slice(0, maxNamed).join('; ')}${more}.`, {
    hint: `Change the named fields, and call again.${writes ? ' Nothing was written.' : ''}`,
  });
}

function unknownField(name: string, fields: readonly string[]): string {
  const near =
    nearestName(name, fields) ?? fields.find((field) => isPartOf(field, name) || isPartOf(name, field));
  const meant = near === undefined ? `expected ${fields.join(', ')}` : `did you mean ${near}`;
  return `${name} is not known; ${meant}`;
}

/** Whether all words of one name are in the other: `threads` in `open_threads`. */
function isPartOf(name: string, other: string): boolean {
  const words = other.toLowerCase().split('_');
  return name
    .toLowerCase()
    .split('_')
    .every((word) => words.includes(word));
}

/** What to do about a list or an object that came as its text. */
function adviceOn(issue: { code?: string | undefined; expected?: unknown; input?: unknown }): string {
  if (issue.code !== 'invalid_type' || typeof issue.input !== 'string') return '';
  const parsed = tryJson(issue.input);
  const isMeant =
    issue.expected === 'array'
      ? Array.isArray(parsed)
      : issue.expected === 'object' && typeof parsed === 'object' && parsed !== null;
  return isMeant ? `; send the ${String(issue.expected)} itself, not its text` : '';
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
