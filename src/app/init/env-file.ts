// Variables put into a `.env` file, with everything else in it left as it stands. Pure; not how such a file is read.

/** The text with these variables set: a line that sets one already is replaced, others are added at the end. */
export function withVariables(text: string, values: Readonly<Record<string, string>>): string {
  const left = new Map(Object.entries(values));
  const lines = text.split('\n').map((line) => {
    const name = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/.exec(line)?.[1] ?? '';
    const value = left.get(name);
    if (value === undefined) return line;
    left.delete(name);
    return `${name}=${written(value)}`;
  });
  if (lines.at(-1) === '') lines.pop();
  for (const [name, value] of left) lines.push(`${name}=${written(value)}`);
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** In single quotes when the value has characters with a meaning in such files. */
function written(value: string): string {
  return /^[\w.:/@+=-]*$/.test(value) ? value : `'${value}'`;
}
