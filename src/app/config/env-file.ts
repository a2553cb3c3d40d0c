// Variables put into a `.env` file, with everything else in it left as it stands. Pure; not how such a file is read.
import { ParleyError } from '#base/errors.ts';

/**
 * The text with these variables set: a line that sets one already is replaced, others are added at the end; with null it goes. A
 * ParleyError `config_invalid` for a value that such a file cannot hold.
 */
export function withVariables(text: string, values: Readonly<Record<string, string | null>>): string {
  const left = new Map(Object.entries(values).filter(([, value]) => value !== null));
  const lines = text.split('\n').flatMap((line) => {
    const name = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/.exec(line)?.[1] ?? '';
    if (values[name] === null) return [];
    const value = left.get(name);
    if (value == null) return [line];
    left.delete(name);
    return [`${name}=${written(value)}`];
  });
  if (lines.at(-1) === '') lines.pop();
  for (const [name, value] of left) lines.push(`${name}=${written(value ?? '')}`);
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** In quotes that it does not have, when the value has characters with a meaning in such files. */
function written(value: string): string {
  if (/^[\w.:/@+=-]*$/.test(value)) return value;
  const quote = ["'", '`', '"'].find((each) => !value.includes(each));
  if (quote !== undefined && !/\p{Cc}/u.test(value)) return quote + value + quote;
  throw new ParleyError(
    'config_invalid',
    'Expected one line in which one of the three marks \' ` " does not occur, got another text.',
  );
}
