// The options that Node gets when an operator starts Parley: `npm start` is the one place that says it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** The arguments of `npm start` before its command: Node's own, and the program. Throws when the script reads otherwise. */
export function startArguments(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [, options] = /^node (.*)bin\/parley\.js start$/.exec(scripts.start) ?? [];
  if (options === undefined)
    throw new Error(`Expected "node … bin/parley.js start" as npm start, got "${scripts.start}".`);
  return [...options.split(' ').filter((word) => word !== ''), join(root, 'bin', 'parley.js')];
}
