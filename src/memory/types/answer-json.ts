// JSON in the answer of a model, which likes to put it into a fence, or a sentence before it: cut out and checked.
import type { ZodType } from 'zod';
import { parseJson } from '#base/json.ts';

const brackets = { object: '{}', list: '[]' } as const;

/** The object or the list in the answer; a ParleyError `invalid_json` or `invalid_value` for an answer without one that fits. */
export function answerJson<T>(text: string, form: keyof typeof brackets, schema: ZodType<T>): T {
  const [open = '', close = ''] = brackets[form];
  const [from, until] = [text.indexOf(open), text.lastIndexOf(close)];
  return parseJson(
    from >= 0 && until > from ? text.slice(from, until + 1) : text,
    schema,
    'the answer of the model',
  );
}
