// Input from outside checked by a schema, with an error that names each field, what was expected and what came.
import { type ZodType, z } from 'zod';
import { ParleyError } from './errors.ts';
import { tornText, tryJson, wayToTorn } from './json.ts';
import { nearestName } from './nearest.ts';
import { counted } from './text.ts';

/** Fields that one error names. */
const maxNamed = 10;
const maxShown = 60;

interface CheckedCall {
  code: string;
  what: string;
  /** False for a call that only reads: a refusal does not speak of writing. */
  writes?: boolean;
}

/** Checks the input by `schema` and returns it. Throws a ParleyError with this code, whose message begins with `what`. */
export function checkInput<T>(
  schema: ZodType<T>,
  input: unknown,
  { code, what, writes = true }: CheckedCall,
): T {
  const checked = schema.safeParse(input, { reportInput: true });
  const torn = wayToTorn(input);
  if (torn !== undefined)
    throw new ParleyError(code, `${what} does not fit: ${torn.join('.') || 'the input'}: ${tornText}.`);
  if (checked.success) return checked.data;
  const missing = checked.error.issues.flatMap((issue) =>
    issue.code === 'invalid_type' && issue.input === undefined ? [issue.path.join('.')] : [],
  );
  const issues = checked.error.issues.filter(isFirstOfItsField).flatMap((issue) => {
    const path = issue.path.map(String);
    const fields = fieldsAt(schema, path);
    if (issue.code === 'unrecognized_keys' && fields !== undefined) {
      const awaited = fields.filter((field) => missing.includes([...path, field].join('.')));
      return issue.keys.map((key) => unknownField(path, { key, fields, awaited }));
    }
    const field = path.join('.') || 'the input';
    return `${field}: ${wordsOf(issue)}, received ${received(issue.input)}${adviceOn(issue)}`;
  });
  const more = issues.length > maxNamed ? `; and ${issues.length - maxNamed} more` : '';
  throw new ParleyError(code, `${what} does not fit: ${issues.slice(0, maxNamed).join('; ')}${more}.`, {
    hint: `Change the named fields, and call again.${writes ? ' Nothing was written.' : ''}`,
  });
}

/** A value of another type also breaks the bounds of its field, which says nothing more. */
function isFirstOfItsField(
  { code, path }: z.core.$ZodIssue,
  index: number,
  issues: readonly z.core.$ZodIssue[],
): boolean {
  const field = path.join('.');
  return (
    code === 'unrecognized_keys' ||
    issues.findIndex((other) => other.code !== 'unrecognized_keys' && other.path.join('.') === field) ===
      index
  );
}

/** What the schema expects; what came is said by the caller, and once. */
function wordsOf({ code, message }: { code?: string | undefined; message: string }): string {
  const words = message
    .replace(/^Invalid input: |, received \w+$/g, '')
    .replace(/^expected record$/, 'expected object');
  return code === 'invalid_type' ? words : message;
}

/** The names of the fields that an object has at this place of the schema; undefined where there is no such object. */
function fieldsAt(schema: z.core.$ZodType, path: readonly string[]): readonly string[] | undefined {
  let at: z.core.$ZodType | undefined = unwrapped(schema);
  for (const step of path) {
    if (at instanceof z.ZodArray) at = at.element;
    else at = at instanceof z.ZodObject ? (at.shape[step] as z.core.$ZodType | undefined) : undefined;
    at = at === undefined ? undefined : unwrapped(at);
  }
  return at instanceof z.ZodObject ? Object.keys(at.shape) : undefined;
}

/** The schema inside of what makes it optional or gives its default. */
export function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return unwrapped(schema.unwrap());
  return schema;
}

function unknownField(
  path: readonly string[],
  // `awaited`: those of the fields that are required and did not come
  { key, fields, awaited }: { key: string; fields: readonly string[]; awaited: readonly string[] },
): string {
  const isMeant = (field: string): boolean => isPartOf(field, key) || isPartOf(key, field);
  const near = awaited.find(isMeant) ?? nearestName(key, fields) ?? fields.find(isMeant);
  const expected = fields.length === 0 ? 'expected no field' : `expected ${fields.join(', ')}`;
  const meant = near === undefined ? expected : `did you mean ${near}`;
  return `${[...path, key].join('.')} is not known; ${meant}`;
}

/** Whether all words of one name are in the other: `threads` in `open_threads`, `steps` in `nextSteps`. */
function isPartOf(name: string, other: string): boolean {
  const words = wordsIn(other);
  return wordsIn(name).every((word) => words.includes(word));
}

function wordsIn(name: string): string[] {
  return name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_');
}

/** What to do about a list or an object that came as a text. */
function adviceOn(issue: { code?: string | undefined; expected?: unknown; input?: unknown }): string {
  if (issue.code !== 'invalid_type' || typeof issue.input !== 'string') return '';
  const parsed = tryJson(issue.input);
  const { expected } = issue;
  const isMeant =
    typeof parsed === 'object' && parsed !== null && Array.isArray(parsed) === (expected === 'array');
  if (isMeant && (expected === 'array' || expected === 'object' || expected === 'record'))
    return `; send the ${expected === 'array' ? 'array' : 'object'} itself, not its text`;
  return expected === 'array' ? '; send an array, also of a single one' : '';
}

/** Kinds of values as people call them. */
const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** What the schema expects, as a person says it: `expected at most 65535`. A message that the schema has of its own is left as it is. */
export function expectedBy(issue: z.core.$ZodIssue): string {
  if (isOwn(issue)) return issue.message;
  switch (issue.code) {
    case 'invalid_value':
      return `expected one of ${issue.values.join(', ')}`;
    case 'too_small':
      return `expected ${issue.inclusive === false ? 'more than' : 'at least'} ${amount(issue.minimum, issue.origin)}`;
    case 'too_big':
      return `expected ${issue.inclusive === false ? 'less than' : 'at most'} ${amount(issue.maximum, issue.origin)}`;
    case 'invalid_type':
      return `expected ${kinds[issue.expected] ?? issue.expected}`;
    default:
      return issue.message;
  }
}

/** Whether the words are those of this program, and not those that the library has for every schema. */
export function isOwn({ message }: z.core.$ZodIssue): boolean {
  return !/^(?:Invalid|Too) [a-z]+: /.test(message);
}

function amount(limit: number | bigint, of: string): string {
  if (of === 'string') return counted(Number(limit), 'character');
  return of === 'array' ? counted(Number(limit), 'entry') : String(limit);
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
