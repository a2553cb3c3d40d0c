// What is wrong with a config, as text: the key, what was expected, the nearest key that exists. Pure.
import { z } from 'zod';
import { expectedBy, isOwn, received } from '#base/check-input.ts';
import { nearestName } from '#base/nearest.ts';

/** One sentence for each error of a config, in the order of the file, with the nearest known key; `envFile` is where secrets belong. The config is parsed with `reportInput`. */
export function describeConfigError(error: z.ZodError, schema: z.ZodType, envFile: string): string[] {
  return error.issues.flatMap(nearest).flatMap((issue) => {
    const path = issue.path.map(String);
    if (issue.code === 'unrecognized_keys') {
      const known = keysAt(schema, path).filter((key) => !key.startsWith('$'));
      return issue.keys.map((key) => unknownKey({ path, key, known, envFile }));
    }
    const subject = path.length === 0 ? 'The config as a whole' : `"${path.join('.')}"`;
    return [`${subject}: ${expectedBy(issue)}${isOwn(issue) ? '' : `, got ${received(issue.input)}`}.`];
  });
}

/** Of a value that may have one of several forms: what is wrong with it in the form that it has. */
function nearest(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const form = issue.errors.find((issues) =>
    issues.every(({ path, code }) => path.length > 0 || code !== 'invalid_type'),
  );
  return form?.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })) ?? [issue];
}

/** Keys that sound like a secret have their place somewhere else; the nearest known key would lead astray. */
const secretWord = /token|secret|password|api_?key/i;

function unknownKey({
  path,
  key,
  known,
  envFile,
}: {
  path: string[];
  key: string;
  known: string[];
  envFile: string;
}): string {
  const words = `"${[...path, key].join('.')}" is not a key of the config.`;
  if (secretWord.test(key))
    return `${words} Secrets belong in the environment or in ${envFile}; see "parley help".`;
  const near = nearestName(key, known);
  return near === undefined ? words : `${words} The nearest known key is "${[...path, near].join('.')}".`;
}

/** The keys that an object schema knows at a path; none where it is no object. */
export function keysAt(schema: z.ZodType, path: readonly string[]): string[] {
  let here = unwrap(schema);
  for (const key of path) {
    if (!(here instanceof z.ZodObject)) return [];
    const next = here.shape[key];
    if (next === undefined) return [];
    here = unwrap(next as z.ZodType); // a shape's values are schemas; zod types them by its own core
  }
  return here instanceof z.ZodObject ? Object.keys(here.shape) : [];
}

function unwrap(schema: z.ZodType): z.ZodType {
  let here = schema;
  for (;;) {
    if (here instanceof z.ZodPipe)
      here = here.in as z.ZodType; // see keysAt
    else if (here instanceof z.ZodPrefault || here instanceof z.ZodDefault || here instanceof z.ZodOptional)
      here = here.unwrap() as z.ZodType;
    else return here;
  }
}
