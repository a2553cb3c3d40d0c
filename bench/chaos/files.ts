// `npm run chaos -- --files`: kills a process during edits, indexing, rebuilds, promotions and forgetting, while a person edits by hand.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { tracesOf } from '#base/files/file-traces.ts';
import { createIds } from '#base/ids.ts';
import { createMemory } from '#memory/memory.ts';
import { folderNameOf } from '#memory/types/folder-name.ts';
import { createRandom, type Random } from '../harness/random.ts';
import { type FileWork, filesAudience, filesScope, fileWorks, markOf, statementOf } from './files-marks.ts';

interface Written {
  file: string;
  line: string;
}

/** Longest time that a process works before its kill, in milliseconds. */
const longestMs = 1_500;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

function open(folder: string, database = 'memory.sqlite', ahead = true) {
  return createMemory({
    ...{ path: join(folder, database), clock: systemClock, newId: createIds(systemClock), ahead },
    ...{ files: { root: join(folder, 'memory') }, dreaming: { isOn: true } },
  });
}

/** Starts the process, edits by hand while it works, and kills it. */
async function strike(
  folder: string,
  work: FileWork,
  from: number,
  hand: { random: Random; written: Written[] },
): Promise<void> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'files-child.ts'), folder, work, `${from}`],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const died = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), died]);
  const end = Date.now() + hand.random.int(5, longestMs);
  while (Date.now() < end && child.exitCode === null) {
    const file = hand.random.pick(['MEMORY.md', 'memory/2026-11-20.md', 'memory/2026-11-21.md']);
    const line = `- By hand number ${hand.written.length} of ${markOf(500_000 + hand.written.length)}.`;
    appendFileSync(join(folder, 'memory', folderNameOf(filesAudience), file), `${line}\n`);
    hand.written.push({ file, line });
    await new Promise((resolve) => setTimeout(resolve, hand.random.int(20, 200)));
  }
  if (child.exitCode !== null)
    throw new Error(`the process that does "${work}" ended with ${child.exitCode}`);
  child.kill('SIGKILL');
  await died;
}

/** The passages of memory files that an index has, in order. */
async function indexOf(memory: ReturnType<typeof open>): Promise<string[]> {
  const entries = await memory.list({ scope: filesScope, limit: 1_000 });
  return entries.flatMap(({ file, text }) => (file === undefined ? [] : [`${file.path} ${text}`])).sort();
}

async function settled(memory: ReturnType<typeof open>): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const { waiting, indexed } = await memory.indexFiles();
    if (waiting === 0 && indexed === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}

/** Plays it; resolves with the exit code. */
export async function filesChaos({ kills, seed }: { kills: number; seed: number }): Promise<number> {
  const random = createRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), 'parley-chaos-files-'));
  const own = join(folder, 'memory', folderNameOf(filesAudience));
  mkdirSync(join(own, 'memory'), { recursive: true });
  writeFileSync(join(own, 'audience.json'), JSON.stringify({ audience: filesAudience, created: 1 }));
  const written: Written[] = [];
  const hits = new Map<FileWork, number>();
  const faults: string[] = [];
  const expect = (isRight: boolean, words: string): void => {
    if (!isRight) faults.push(words);
  };
  try {
    print(`chaos with files: ${kills} kills, seed ${seed}`);
    let next = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const work = fileWorks[kill % fileWorks.length] ?? 'index';
      // what is forgotten was promoted before it, as far as the kill let it
      const from = work === 'forget' ? Math.max(0, next - 12) : next;
      await strike(folder, work, from, { random, written });
      hits.set(work, (hits.get(work) ?? 0) + 1);
      if (work === 'promote') next += 40;
    }
    const memory = open(folder);
    const texts = (): string =>
      readdirSync(own, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.md'))
        .map((name) => readFileSync(join(own, name), 'utf8'))
        .join('\n');
    await memory.repairDreams();
    await settled(memory);
    for (const { file, line } of written)
      expect(
        readFileSync(join(own, file), 'utf8').split(`${line}\n`).length === 2,
        `a line by hand is not there once: ${line}`,
      );
    const promoted = readFileSync(join(own, 'MEMORY.md'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('- The chest '));
    expect(new Set(promoted).size === promoted.length, 'a statement was promoted twice');
    const { problems } = await memory.verify();
    expect(problems.length === 0, problems.join('; '));
    const dreams = await memory.dreamingStatus();
    // no program runs that would look for sweeps
    const left = dreams.problems.filter((words) => !words.includes('was not run'));
    expect(left.length === 0, left.join('; '));
    const fresh = open(folder, 'fresh.sqlite', false);
    await settled(fresh);
    const [is, should] = [await indexOf(memory), await indexOf(fresh)];
    await fresh.close();
    expect(
      JSON.stringify(is) === JSON.stringify(should),
      `the index has ${is.length} passages, and the files ${should.length}`,
    );
    rmSync(join(folder, 'fresh.sqlite'), { force: true });
    const marks = [...new Set(promoted.flatMap((line) => /zq\w+/.exec(line)?.[0] ?? []))];
    for (const mark of marks)
      await memory.forget({ scope: filesScope, selection: { words: `chest ${mark}` }, mode: 'forget' });
    await settled(memory);
    for (let number = 0; number < next; number += 1) {
      const [mark, statement] = [markOf(number), statementOf(number)];
      if (!marks.includes(mark)) continue;
      expect(!texts().includes(statement), `what was forgotten is in a file: ${statement}`);
      const { hits: found } = await memory.search({ text: statement, scope: filesScope });
      expect(
        !found.some(({ text }) => text.includes(statement)),
        `what was forgotten is found: ${statement}`,
      );
    }
    await memory.close();
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    const chests = marks.map((mark) => `chest ${mark} is`);
    const { traces } = await tracesOf(chests, files);
    for (const { word, file } of traces) faults.push(`bytes of what was forgotten are in ${file}: ${word}`);
    for (const words of faults.slice(0, 20)) print(`FAULT ${words}`);
    const counts = { handLines: written.length, promoted: promoted.length, passages: should.length };
    print(JSON.stringify({ faults: faults.length, kills, hits: Object.fromEntries(hits), ...counts, seed }));
    return faults.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
