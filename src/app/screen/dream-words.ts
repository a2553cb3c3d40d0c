// Short-term memory in lines for a terminal.
import { counted } from '#base/text.ts';
import type { DreamingStatus } from '#memory/types/dreaming.ts';

/** Dreaming in a status: a name and a text for each line; empty when dreaming is off and nothing was ever recalled. */
export function dreamFacts(dreaming: DreamingStatus): [name: string, words: string][] {
  const { candidates, recalls, promoted, lastSweep, next, problems } = dreaming;
  if (candidates + promoted === 0 && next === undefined) return [];
  const at = (time: number): string => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const last = lastSweep === undefined ? 'no sweep yet' : `last sweep ${at(lastSweep)}`;
  return [
    ['dreaming', `${counted(candidates, 'candidate')}, ${counted(recalls, 'recall')}, ${promoted} promoted`],
    ['', `${last}, ${next === undefined ? 'off' : `next ${at(next)}`}`],
    ...problems.map((words): [string, string] => ['', words]),
  ];
}

/** Dreaming as lines of `parley memory status`. */
export function dreamLines(dreaming: DreamingStatus): string[] {
  return dreamFacts(dreaming).map(([name, words]) => `${name.padEnd(11)}${words}`);
}
