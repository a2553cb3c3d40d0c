// What a start costs, counted until all platforms are connected: the table is what it may cost at most.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStage } from '../../bench/gateway/stage.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { connected, startCounted } from './warm-program.ts';

/** What a table entry may be exceeded by: what is begun in the background may fall before or after the last connection. */
const tolerance = 1.1;

/** In an empty home, and in one that was used before; most of the file operations look whether a source of the clone has changed. */
const most: Readonly<Record<string, readonly [first: number, again: number]>> = {
  'statements of gateway': [109, 165],
  'statements of engine': [53, 100],
  'statements of memory': [51, 161],
  'statements of console': [25, 24],
  'file operations': [2_472, 2_463],
  'file operations on the main thread': [2_472, 2_463],
  'waits for the disk': [0, 0],
};

test('a start runs no more statements and file operations than the table says, in an empty home and in a used one', async (t) => {
  const stage = await openStage(1);
  t.after(() => stage.close());
  const folder = tempFolder(t);
  const { discord, telegram, slack } = stage.urls;
  const channels = {
    discord: { apiUrl: discord },
    telegram: { apiUrl: telegram },
    slack: { apiUrl: slack },
  };
  const config = { home: 'home', engine: { port: 0 }, model: { provider: 'offline' }, channels };
  writeFileSync(join(folder, 'parley.config.json'), JSON.stringify(config));
  const dearer: string[] = [];
  for (const [place, home] of ['empty', 'used'].entries()) {
    const { child, count, stop } = startCounted(t, folder, stage.tokens);
    await connected(child);
    const { statements, counts } = await count();
    await stop();
    const of = (file: string): number =>
      [...statements].reduce(
        (sum, [line, times]) => sum + (line.startsWith(`${file}.sqlite`) ? times : 0),
        0,
      );
    const costs: Record<string, number> = {
      ...Object.fromEntries(
        ['gateway', 'engine', 'memory', 'console'].map((file) => [`statements of ${file}`, of(file)]),
      ),
      'file operations': counts.files ?? 0,
      'file operations on the main thread': counts['files on the main thread'] ?? 0,
      'waits for the disk': counts.fdatasync ?? 0,
    };
    t.diagnostic(`${home}: ${JSON.stringify(costs)}`);
    for (const [name, cost] of Object.entries(costs)) {
      const bound = most[name]?.[place] ?? Number.NaN;
      if (!(cost <= bound * tolerance))
        dearer.push(`${home}: ${name} ${cost}, at most ${bound} times ${tolerance}`);
    }
  }
  assert.deepEqual(dearer, []);
});
