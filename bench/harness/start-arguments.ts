// What runs when an operator starts Parley: `npm start` of a checkout is the one place that says it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the checkout that this file is in. */
export const ownRoot = join(import.meta.dirname, '..', '..');

/**
 * The arguments of a checkout's `npm start` before its command: Node's own, and the program. Throws when the script reads otherwise.
 * The checkout may be of an earlier commit.
 */
export function startArguments(root = ownRoot): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [, options, program] = /^node ((?:-\S+ )*)(\S+\.js) start$/.exec(scripts.start) ?? [];
  if (options === undefined || program === undefined)
    throw new Error(`Expected "node … PROGRAM.js start" as npm start of ${root}, got "${scripts.start}".`);
  return [...options.split(' ').filter((word) => word !== ''), join(root, program)];
}

/** The Node that a checkout's `npm start` runs: the one that its package.json pins, or this one when it has none installed. */
export function nodeOf(root: string): string {
  const pinned = join(root, 'node_modules', 'node', 'bin', 'node');
  return existsSync(pinned) ? pinned : process.execPath;
}
