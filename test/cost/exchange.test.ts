// What one exchange costs in a warm program, counted: the table is what it may cost at most, and is changed by whoever makes it dearer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { platforms } from '../../bench/gateway/stage.ts';
import { type Counts, openWarmProgram } from './warm-program.ts';

const measured = 20;
/** Timers and batches fall into one exchange or the next: so much above its value in the table a count may be. */
const tolerance = 1.1;
/** Of what happens once in some exchanges, one more may fall into those that are counted. */
const rounding = 0.2;

/** What an exchange in a direct message costs on Discord, Telegram and Slack, on the average of twenty that follow each other. */
const most: Readonly<Record<string, readonly [discord: number, telegram: number, slack: number]>> = {
  'statements of gateway': [57.2, 51.8, 55.9],
  'commits of gateway': [4.5, 4.2, 4.4],
  'log of gateway, KB': [160.3, 155.7, 170.2],
  'statements of engine': [49.2, 49.2, 49.2],
  'commits of engine': [3.3, 3.3, 3.3],
  'log of engine, KB': [234, 247.4, 249.1],
  'statements of memory': [19.3, 19.3, 19.3],
  'commits of memory': [1, 1, 1],
  'log of memory, KB': [77.7, 80.3, 89.2],
  'statements in threads': [0.5, 0.4, 0.4],
  'full-text queries': [0.1, 0.1, 0.1],
  'waits for the disk': [2, 2, 2],
  'file operations': [23.7, 23.3, 23.6],
  'file operations on the main thread': [9.6, 9.1, 9.3],
  'folder listings': [0, 0, 0],
  immediates: [10.4, 7.3, 9.9],
  timers: [15.4, 15.2, 13.5],
  'messages to threads': [1.3, 1.2, 1.2],
};

test('an exchange costs no more statements, commits, bytes, file operations, turns and timers than the table says', async (t) => {
  const program = await openWarmProgram(t);
  const dearer: string[] = [];
  for (const [place, platform] of platforms.entries()) {
    const costs = costsOf(await program.exchanges(platform, measured));
    t.diagnostic(`${platform}: ${JSON.stringify(costs)}`);
    for (const [name, cost] of Object.entries(costs)) {
      const bound = most[name]?.[place] ?? Number.NaN;
      if (!(cost <= bound * tolerance + rounding))
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
