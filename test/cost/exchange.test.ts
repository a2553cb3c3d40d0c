// What one exchange costs in a warm program, counted: the table is what it may cost at most, and is changed by whoever makes it dearer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PlatformName, platforms } from '../../bench/gateway/stage.ts';
import { type Counts, openWarmProgram } from './warm-program.ts';

const measured = 20;
/** Timers and batches fall into one exchange or the next: so much above its value in the table a count may be. */
const tolerance = 1.1;

/** What an exchange in a direct message costs on each platform, on the average of twenty that follow each other. */
const most: Record<PlatformName, Record<string, number>> = {
  discord: {},
  telegram: {},
  slack: {},
};

test('an exchange costs no more statements, commits, bytes, file operations, turns and timers than the table says', async (t) => {
  const program = await openWarmProgram(t);
  const dearer: string[] = [];
  for (const platform of platforms) {
    const costs = costsOf(await program.exchanges(platform, measured));
    t.diagnostic(`${platform}: ${JSON.stringify(costs)}`);
    for (const [name, cost] of Object.entries(costs)) {
      const bound = most[platform][name] ?? Number.NaN;
      if (!(cost <= bound * tolerance))
        dearer.push(`${platform}: ${name} ${cost}, at most ${bound} times ${tolerance}`);
    }
  }
  assert.deepEqual(dearer, []);
});

/** The counts of the table, by name. */
function costsOf({ statements, counts }: Counts): Record<string, number> {
  const sum = (isMeant: (line: string) => boolean): number =>
    [...statements].reduce((all, [line, times]) => (isMeant(line) ? all + times : all), 0);
  const costs = {
    ...Object.fromEntries(
      (['gateway', 'engine', 'memory'] as const).flatMap((file) => [
        [`statements of ${file}`, sum((line) => line.startsWith(`${file}.sqlite`))],
        [`commits of ${file}`, counts[`commits of ${file}.sqlite`] ?? 0],
        [`log of ${file}, KB`, counts[`log of ${file}, KB`] ?? 0],
      ]),
    ),
    'statements in threads': counts['thread statements'] ?? 0,
    'full-text queries': sum((line) => line.includes(' MATCH ')),
    'waits for the disk': counts.fdatasync ?? 0,
    'file operations': counts.files ?? 0,
    'file operations on the main thread': counts['files on the main thread'] ?? 0,
    'folder listings': counts.folders ?? 0,
    immediates: counts.immediates ?? 0,
    timers: counts.timers ?? 0,
    'messages to threads': counts['messages to threads'] ?? 0,
  };
  return Object.fromEntries(
    Object.entries(costs).map(([name, value]) => [name, Math.round(value * 10) / 10]),
  );
}
