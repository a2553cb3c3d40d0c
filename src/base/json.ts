// JSON and queries that may be wrong: parsed against a schema, with words for what did not fit. Not for JSON we wrote ourselves.
import { type ZodError, type ZodType, z } from 'zod';
import { ParleyError } from './errors.ts';
import { truncate } from './text.ts';

/** Any value that survives JSON. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** One line for each thing that did not fit: `channels.discord.token: expected string, received number`. */
export function formatZodError(error: ZodError): string[] {
  return error.issues.flatMap((issue) => issueWords(issue, []));
}

/** The words of one issue; of a value that fits none of several forms, those of the form that it is nearest to. */
function issueWords(issue: z.core.$ZodIssue, before: readonly PropertyKey[]): string[] {
  const way = [...before, ...issue.path];
  const nearest =
    issue.code === 'invalid_union'
      ? issue.errors
          .filter((issues) =>
            issues.every(({ path, code }) => path.length > 0 || code === 'unrecognized_keys'),
          )
          .sort((one, other) => one.length - other.length)[0]
      : undefined;
  if (nearest !== undefined) return nearest.flatMap((inner) => issueWords(inner, way));
  const path = way.map(String).join('.');
  return [path === '' ? issue.message : `${path}: ${issue.message}`];
}

/** The parsed value; undefined when the text is no JSON. */
export function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The value, if `find` names no fault in the text and `schema` accepts what it holds; otherwise throws a ParleyError `invalid_json` or
 * `invalid_value` naming `what`.
 */
export function parseJson<T>(
  text: string,
  schema: ZodType<T>,
  what: string,
  find?: (json: string) => string | undefined,
): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ParleyError('invalid_json', `${what} is not valid JSON: ${(cause as Error).message}`, {
      cause,
    });
  }
  const fault = find?.(text);
  if (fault !== undefined) throw new ParleyError('invalid_value', `${what}: ${fault}`);
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new ParleyError('invalid_value', `${what}: ${formatZodError(result.error).join('; ')}`);
}

/** What is said of a text that a database would keep as another one. */
export const tornText = 'expected Unicode text, received half of a surrogate pair, which is no character';
/** Levels of objects and lists inside of each other: no schema has so many, and what walks through more may run out of stack. */
const maxLevels = 100;

/** The way to a text, or to an object with the name of a field, that has half of a surrogate pair; undefined where all are whole. */
export function wayToTorn(value: unknown, levels = maxLevels): string[] | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : [];
  if (typeof value !== 'object' || value === null || levels === 0) return undefined;
  for (const [name, each] of Object.entries(value)) {
    const way = name.isWellFormed() ? wayToTorn(each, levels - 1) : [];
    if (way !== undefined) return [name.toWellFormed(), ...way];
  }
  return undefined;
}

/**
 * What is wrong with this valid JSON that a parser passes over, in words and by its way (`parts.0.text`): an object has a field twice, of which
 * only one value would count; a text has half of a surrogate pair; or objects and lists stand inside of each other for more than 100 levels.
 * Undefined where nothing is. One walk that takes time with the length of the text, and passes over what is inside of texts at once.
 */
export function faultIn(json: string): string | undefined {
  /** Of each object and list around the place: its fields so far (none in a list), and the newest of them. */
  const around: { fields: Set<string> | undefined; newest: string | number }[] = [];
  const way = (): string =>
    around
      .map(({ newest }) => newest)
      .join('.')
      .toWellFormed();
  const colon = /[ \t\n\r]*:/y;
  for (let at = 0; at < json.length; at += 1) {
    const sign = json[at];
    const inside = around.at(-1);
    if (sign === '{') around.push({ fields: new Set(), newest: '' });
    else if (sign === '[') around.push({ fields: undefined, newest: 0 });
    else if (sign === '}' || sign === ']') around.pop();
    else if (sign === ',' && typeof inside?.newest === 'number') inside.newest += 1;
    if (around.length > maxLevels) return `expected at most ${maxLevels} levels of objects and lists`;
    if (sign !== '"') continue;
    const end = endOfText(json, at);
    colon.lastIndex = end + 1;
    const fields = colon.test(json) ? inside?.fields : undefined;
    const written = json.slice(at + 1, end);
    // an escape of half of a pair begins so
    const isRead = fields === undefined ? /\\u[dD][89a-fA-F]/.test(written) : written.includes('\\');
    const text: string = isRead ? JSON.parse(`"${written}"`) : written;
    if (fields !== undefined && inside !== undefined) {
      inside.newest = text;
      if (fields.has(text)) return `expected ${JSON.stringify(way())} once, it is there twice`;
      fields.add(text);
    }
    if (!text.isWellFormed()) return `${way() || 'the text'}: ${tornText}`;
    at = end;
  }
  return undefined;
}

/** Where the text in JSON ends that begins at the quote. */
function endOfText(json: string, begin: number): number {
  for (let end = json.indexOf('"', begin + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let first = end;
    while (json[first - 1] === '\\') first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
  return json.length;
}

/** The body of a request as `parseJson` has it; what `faultIn` finds in it is refused. */
export function parseBody<T>(text: string, schema: ZodType<T>): T {
  return parseJson(text, schema, 'The body', faultIn);
}

/**
 * The query of a URL as `schema` has it. Throws a ParleyError `invalid_request` for one that does not fit, and for a name that comes twice,
 * since only one value would count.
 */
export function parseQuery<T>(url: string, schema: ZodType<T>): T {
  const byName = Map.groupBy(new URL(url).searchParams, ([name]) => name);
  const misfit = (why: string): ParleyError =>
    new ParleyError('invalid_request', truncate(`The query does not fit: ${why}`, 1000));
  for (const [name, given] of byName)
    if (given.length > 1) throw misfit(`expected "${truncate(name, 100)}" once`);
    // a database would take it for the end of the text
    else if (given[0]?.[1].includes('\0')) throw misfit(`expected "${truncate(name, 100)}" without a NUL`);
    // what is read of bytes that are no text is none of what was sent
    else if (given.flat(2).join().includes('\ufffd') && !/%ef%bf%bd/i.test(url))
      throw misfit(`expected "${truncate(name, 100)}" in UTF-8`);
  const result = schema.safeParse(Object.fromEntries([...byName.values()].flat()));
  if (result.success) return result.data;
  throw misfit(formatZodError(result.error).join('; '));
}

/** The query of a route that takes none. */
export const noQuery = z.strictObject({});

const brackets = { object: '{}', list: '[]' } as const;

/**
 * The object or the list in the answer of a model, which likes to put it into a fence, or a sentence before it. Throws as `parseJson` does
 * for an answer without one that fits.
 */
export function answerJson<T>(text: string, form: keyof typeof brackets, schema: ZodType<T>): T {
  const [open = '', close = ''] = brackets[form];
  const [from, until] = [text.indexOf(open), text.lastIndexOf(close)];
  const json = from >= 0 && until > from ? text.slice(from, until + 1) : text;
  return parseJson(json, schema, 'the answer of the model');
}

/** A JSON object whose values are not looked at. */
export const anyObject = z.record(z.string(), z.unknown());

/** The same object without its undefined values, for APIs that refuse `undefined`. */
export function defined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const saved: Partial<T> = {};
  for (const key of Object.keys(value) as (keyof T)[]) if (value[key] !== undefined) saved[key] = value[key];
  return saved as { [K in keyof T]: Exclude<T[K], undefined> }; // every key that is not undefined was copied
}
