// Memory files: first index, unchanged look, one edited file until it is found, and search, next to a plain read-and-scan of the same files.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { showProgress } from '#app/screen/progress.ts';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { createMemory, type MemoryOptions } from '#memory/memory.ts';
import type { FileCalls } from '#memory/types/files.ts';
import { folderNameOf } from '#memory/types/folder-name.ts';
import type { Scope } from '#memory/types/scope.ts';
import { ageIndex } from '../harness/age-index.ts';
import { argumentsOf } from '../harness/arguments.ts';
import { settled } from '../harness/settle-file.ts';
import { watchLoop } from '../harness/watch-loop.ts';

const { values } = argumentsOf({
  name: 'bench:files',
  about:
    'Measures the index of memory files: the first one, an unchanged look, an edited file until it is found, and search, next to a plain read-and-scan of the same files.',
  options: { files: { standard: [200, 10_000], least: 8, most: 1_000_000, about: 'files in the folder' } },
});
const audience = 'person:per_bench';
const scope: Scope = { audiences: [audience], spaces: [], everyone: false };
/** About 10 KB each: 200 files are 2 MB. */
const linesEach = 125;
const questions = 60;
/** Of so many passages one has other words in an earlier version. */
const exchanged = 10;

const words = ['harbour', 'mast', 'ferry', 'lantern', 'compass', 'tide', 'anchor', 'pilot', 'buoy', 'rope'];
const pick = (seed: number): string =>
  words[Math.abs(Math.imul(seed, 2654435761) >>> 8) % words.length] ?? '';
const line = (file: number, at: number): string =>
  `- The ${pick(file * 31 + at)} of place ${file} has mark ${file * 1000 + at} and a ${pick(at * 17 + file)} nearby.`;

function makeFiles(root: string, count: number): string {
  const folder = join(root, folderNameOf(audience));
  mkdirSync(join(folder, 'memory'), { recursive: true });
  writeFileSync(join(folder, 'audience.json'), JSON.stringify({ audience, created: Date.now() }));
  for (let file = 0; file < count; file += 1) {
    const lines = Array.from({ length: linesEach }, (_, at) => line(file, at));
    const text = `# Place ${file}\n\n${lines.join('\n')}\n`;
    writeFileSync(join(folder, 'memory', `place-${file}.md`), text);
  }
  return folder;
}

/** What a program without an index does for each question. */
function scanFor(folder: string, text: string): number {
  const wanted = text.toLowerCase().split(' ');
  let hits = 0;
  for (const name of readdirSync(join(folder, 'memory'))) {
    const lines = readFileSync(join(folder, 'memory', name), 'utf8')
      .toLowerCase()
      .split('\n');
    hits += lines.filter((each) => wanted.every((word) => each.includes(word))).length;
  }
  return hits;
}

async function timed<T>(work: () => Promise<T> | T): Promise<{ ms: number; value: T }> {
  const from = performance.now();
  const value = await work();
  return { ms: performance.now() - from, value };
}

/** Indexes the files, and shows on the standard error how far that is. */
async function indexShown(memory: Pick<FileCalls, 'indexFiles'>, what: string, force: boolean) {
  const bar = showProgress(`files of the ${what}`, 'shown');
  const done = await timed(() => memory.indexFiles({ force, onProgress: (at) => bar.update(at) }));
  bar.end();
  return done;
}

/** The same questions to a program that runs: its watcher says that nothing changed, so that it looks at no file. */
async function searchWatched(options: MemoryOptions, asked: readonly string[]): Promise<number[]> {
  const memory = createMemory({ ...options, ahead: true });
  try {
    const isReady = async (): Promise<boolean> => {
      const { files } = await memory.status();
      return files?.watcher === 'alive' && files.waiting === 0;
    };
    while (!(await isReady())) await systemClock.sleep(200);
    await systemClock.sleep(2_000); // its first look at the files has come to its end
    await memory.search({ text: 'albatross on the deck', scope });
    const times: number[] = [];
    for (const text of asked) times.push((await timed(() => memory.search({ text, scope }))).ms);
    return times;
  } finally {
    await memory.close();
  }
}

function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

async function measure(count: number): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'parley-bench-files-'));
  const root = join(home, 'memory');
  const options = {
    path: join(home, 'memory.sqlite'),
    clock: systemClock,
    newId: createIds(systemClock),
    files: { root },
  };
  const memory = createMemory(options);
  try {
    const folder = makeFiles(root, count);
    await settled();
    const first = await indexShown(memory, 'first index', false);
    if (first.value.indexed !== count) throw new Error(`indexed ${first.value.indexed} of ${count} files`);
    const unchanged = await timed(() => memory.indexFiles());
    if (unchanged.value.indexed !== 0) throw new Error('an unchanged file was indexed again');
    // of a large memory it starts the thread that searches
    const begun = await timed(() => memory.search({ text: 'albatross on the deck', scope }));
    const path = join(folder, 'memory', 'place-7.md');
    writeFileSync(path, `${readFileSync(path, 'utf8')}- The albatross is on the deck.\n`);
    await settled();
    const edited = await timed(async () => {
      await memory.indexFiles();
      return memory.search({ text: 'albatross on the deck', scope });
    });
    if (!edited.value.hits[0]?.text.includes('albatross')) throw new Error('the edit was not found');
    const asked = Array.from({ length: questions }, (_, at) => `place ${(at * 37) % count} ${pick(at)}`);
    const searches: number[] = [];
    const scans: number[] = [];
    for (const text of asked) searches.push((await timed(() => memory.search({ text, scope }))).ms);
    for (const text of asked.slice(0, 10)) scans.push((await timed(() => scanFor(folder, text))).ms);
    const watched = await searchWatched(options, asked);
    const checked = await indexShown(memory, 'unchanged rebuild', true);
    const aged = ageIndex(join(home, 'memory.sqlite'), { every: exchanged });
    const held = watchLoop();
    const rebuilt = await indexShown(memory, 'rebuild', true);
    if (rebuilt.value.passages.removed !== aged)
      throw new Error(`${rebuilt.value.passages.removed} of ${aged} passages were exchanged`);
    const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
    const row = [
      `${count} files (${((count * linesEach * 85) / 1e6).toFixed(0)} MB, ${first.value.passages.stored} passages)`,
      `first index ${ms(first.ms)}`,
      `unchanged look ${ms(unchanged.ms)}`,
      `first question ${ms(begun.ms)}, edit to found ${ms(edited.ms)}`,
      `search p50 ${ms(percentile(searches, 0.5))} p95 ${ms(percentile(searches, 0.95))}, with a look at every file before each`,
      `by a program that watches the files p50 ${ms(percentile(watched, 0.5))} p95 ${ms(percentile(watched, 0.95))}`,
      `read-and-scan p50 ${ms(percentile(scans, 0.5))}`,
      `rebuild of what is unchanged ${ms(checked.ms)}`,
      `of an earlier version that made other words of ${aged} passages ${ms(rebuilt.ms)}, its longest step ${ms(held())}`,
    ];
    console.log(row.join('; '));
  } finally {
    await memory.close();
    rmSync(home, { recursive: true, force: true });
  }
}

for (const count of values.files) await measure(count);
