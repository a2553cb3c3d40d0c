// What is wrong with a config, in words: the key, what was expected, the nearest key that exists. Pure.
import { closest } from 'fastest-levenshtein';
import { z } from 'zod';

/** One sentence for each thing that is wrong, in the order of the file. */
export function configWords(error: z.ZodError, schema: z.ZodType): string[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map(String);
    if (issue.code === 'unrecognized_keys') {
      const known = keysAt(schema, path);
      return issue.keys.map((key) => {
        const name = [...path, key].join('.');
        const nearest =
          known.length === 0
            ? ''
            : ` The nearest known key is "${[...path, closest(key, known)].join('.')}".`;
        return `"${name}" is not a key of the config.${nearest}`;
      });
    }
    return [`"${path.join('.')}": ${issue.message}.`];
  });
}

/** The keys that an object schema knows at a path; none where it is no object. */
function keysAt(schema: z.ZodType, path: readonly string[]): string[] {
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
  while (here instanceof z.ZodPrefault || here instanceof z.ZodDefault || here instanceof z.ZodOptional) {
    here = here.unwrap() as z.ZodType; // see keysAt
  }
  return here;
}
