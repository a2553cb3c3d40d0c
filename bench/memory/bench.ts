// `npm run bench:memory -- --sizes 10000,100000,1000000`: how fast memory takes in and finds again, by size, compared with plain sqlite-vec.
// With `--home FOLDER` the files stay there, and what is there already is only asked: before and after a change, in turns. Ends with 1 when a bound is missed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { createMemory, type MemoryOptions } from '#memory/memory.ts';
import { openStoreReader } from '#memory/store/store.ts';
import { readableBy } from '#memory/tables/audience.ts';
import type { Scope } from '#memory/types/scope.ts';
import { argumentsOf } from '../harness/arguments.ts';
import { conclude } from '../harness/conclude.ts';
import { percentile } from '../retrieval/figures.ts';
import { type Watched, watched } from './delay.ts';
import { type Rooms, writeMarkdown, writeRooms } from './files.ts';
import { openPlain } from './plain.ts';
import { benchEmbedder, vectorOf } from './vectors.ts';

enableCompileCache(); // as bin/parley.js does
const { values } = argumentsOf({
  name: 'bench:memory',
  about:
    'Measures how fast memory takes in and finds again, by size, in turns with plain sqlite-vec. The last line is JSON.',
  options: {
    runs: { standard: 3, least: 1, most: 9, about: 'runs with words and vectors; their median counts' },
    sizes: { standard: [10_000, 100_000, 1_000_000], least: 1, most: 10_000_000, about: 'chunks' },
    home: { value: 'FOLDER', about: 'the files stay there; what is there already is only asked' },
  },
});
const { sizes } = values;
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const folder = mkdtempSync(join(tmpdir(), 'parley-memory-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const program = join(import.meta.dirname, '../../bin/parley.js');

const open = (path: string, more: Partial<MemoryOptions> = {}) =>
  createMemory({ path, clock: systemClock, newId: createIds(systemClock), ...more });
const space = 'bench:space';
/** Two seconds until a memory gets ready, and what that takes on a busy machine. */
const aheadMs = 10_000;
/** What the merge of one chunk's words takes, with its pauses, on a busy machine. */
const mergedMs = 0.06;
const everything: Scope = { audiences: [], spaces: [], everyone: true };
const roomScope = (room: number): Scope => ({
  audiences: [`room:bench:${room}`],
  spaces: [],
  everyone: false,
});

/** What words and vectors everywhere may take of what plain sqlite-vec takes for vectors only, by size: p50 and p95. */
const maxRatio: Readonly<Record<number, number>> = { 10000: 1.2, 100000: 0.25, 1000000: 0.12 };
/** Questions before plain sqlite-vec has its turn. */
const inOneTurn = 20;
/** Plain sqlite-vec is asked as often in each of its turns as so many vectors allow. */
const plainATurn = (size: number): number => Math.min(6, Math.max(1, Math.round(200_000 / size)));

const missed: string[] = [];
const bySize: Record<string, unknown> = {};
for (const size of sizes) bySize[size] = await measure(size);
conclude({ sizes: bySize, markdown: await onMarkdown() }, missed);

async function measure(size: number): Promise<Record<string, unknown>> {
  const home = join(values.home ?? folder, String(size));
  mkdirSync(home, { recursive: true });
  const path = join(home, 'memory.sqlite');
  const rooms = writeRooms(join(home, 'rooms'), size);
  print(`${size} chunks`);
  const taken = existsSync(path) ? undefined : await fill(path, rooms, size);
  const memory = await openAhead(path, size);
  const text = await askBoth('full text alone', memory, rooms);
  await memory.close();
  const hybrid: Awaited<ReturnType<typeof askInTurns>>[] = [];
  for (let run = 0; run < values.runs; run += 1) hybrid.push(await askInTurns(path, { rooms, size, home }));
  const vectors = await askVectors(path, rooms);
  const ratios = { p50: medianOf(hybrid, 'p50'), p95: medianOf(hybrid, 'p95') };
  const most = maxRatio[size];
  for (const [name, ratio] of Object.entries(ratios))
    if (most !== undefined && ratio > most)
      missed.push(
        `${size} chunks, words and vectors by plain sqlite-vec, ${name}: ${ratio}, to reach: ${most}`,
      );
  const file = Math.round(statSync(path).size / 1e6);
  print(`  words and vectors by plain, median of ${values.runs}: p50 ${ratios.p50}, p95 ${ratios.p95}`);
  print(`  RSS ${hybrid[0]?.rss} MB, file ${file} MB`);
  if (values.home === undefined) rmSync(home, { recursive: true, force: true });
  return { ...taken, text, hybrid, ratios, vectors, fileMB: file };
}

function medianOf<Name extends string>(runs: readonly { ratio: Record<Name, number> }[], name: Name): number {
  return percentile(
    runs.map(({ ratio }) => ratio[name]),
    0.5,
  );
}

/** One run with words and vectors; everywhere in turns with plain sqlite-vec. */
async function askInTurns(path: string, at: { rooms: Rooms; size: number; home: string }) {
  const { rooms, size, home } = at;
  const memory = await openAhead(path, size, { embedder: benchEmbedder });
  const scoped = await ask(rooms, (text, room) => memory.search({ text, scope: roomScope(room) }));
  tellTimes('words and vectors, scoped', scoped);
  const rss = Math.round(process.memoryUsage().rss / 1e6); // without the cache of plain sqlite-vec
  const plain = openPlain(join(home, 'plain.sqlite'), size);
  const times: number[] = [];
  plain.ask(); // reads the file once, as the first question of a memory does
  const global = await ask(
    rooms,
    (text) => memory.search({ text, scope: everything }),
    () => {
      for (let asked = 0; asked < plainATurn(size); asked += 1) times.push(plain.ask());
    },
  );
  plain.close();
  await memory.close();
  const next = { p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
  const ratio = { p50: hundredths(global.p50 / next.p50), p95: hundredths(global.p95 / next.p95) };
  tellTimes('words and vectors, global', global);
  print(`  plain sqlite-vec       p50 ${next.p50}, p95 ${next.p95} ms (whole vectors, the ten nearest)`);
  print(`  by plain               p50 ${ratio.p50}, p95 ${ratio.p95}`);
  return { scoped, global, plain: next, ratio, rss };
}

function hundredths(value: number): number {
  return Math.round(100 * value) / 100;
}

/** Imports, then makes all vectors. */
async function fill(path: string, rooms: Rooms, size: number): Promise<Record<string, unknown>> {
  let memory = open(path);
  const taken = await watched(() => importAll(memory, rooms));
  const rate = Math.round(taken.result / (taken.ms / 1000));
  const cpuRate = Math.round(taken.result / (taken.cpuMs / 1000));
  print(
    `  import                ${String(rate).padStart(8)} a second, ${cpuRate} a second of the processor ${tellDelay(taken)}`,
  );
  await memory.close();
  const textMB = Math.round(statSync(path).size / 1e6);
  memory = open(path, { embedder: benchEmbedder });
  const embedded = await watched(async () => {
    // what it asks is counted, which takes long of a million
    while ((await memory.status()).degraded.length > 0) await systemClock.sleep(Math.max(200, size / 200));
  });
  await memory.close();
  const embedRate = Math.round(size / (embedded.ms / 1000));
  print(
    `  vectors stored          ${String(embedRate).padStart(8)} a second, file ${textMB} MB before ${tellDelay(embedded)}`,
  );
  const importing = { chunksASecond: rate, cpuRate, delayP99: taken.delayP99, delayMax: taken.delayMax };
  return { import: importing, embedRate, textMB };
}

/** As a gateway has it that has been up for a while: its thread has rehearsed, and its index of words is merged. */
async function openAhead(
  path: string,
  size: number,
  more: Partial<MemoryOptions> = {},
): Promise<ReturnType<typeof open>> {
  const memory = open(path, { ...more, ahead: true });
  await systemClock.sleep(aheadMs + size * mergedMs);
  return memory;
}

async function importAll(memory: ReturnType<typeof open>, { files }: Rooms): Promise<number> {
  let stored = 0;
  for (const { path, audience } of files) {
    const where = { audience, space, restricted: false };
    stored += (await memory.importPath({ path, format: 'transcript', where })).chunks.stored;
  }
  return stored;
}

async function askBoth(name: string, memory: ReturnType<typeof open>, rooms: Rooms) {
  const scoped = await ask(rooms, (text, room) => memory.search({ text, scope: roomScope(room) }));
  const global = await ask(rooms, (text) => memory.search({ text, scope: everything }));
  tellTimes(`${name}, scoped`, scoped);
  tellTimes(`${name}, global`, global);
  return { scoped, global };
}

async function askVectors(path: string, rooms: Rooms) {
  const store = openStoreReader(path, benchEmbedder.identity);
  const nearest = async (text: string, scope: Scope): Promise<void> => {
    const readable = readableBy(scope);
    const vector = store.embeddings?.question([...vectorOf(text)]);
    const rows = store.chunks.total(readable);
    if (vector !== undefined) store.embeddings?.nearest(vector, { readable, rows }, 10);
  };
  const scoped = await ask(rooms, (text, room) => nearest(text, roomScope(room)));
  const global = await ask(rooms, (text) => nearest(text, everything));
  store.close();
  tellTimes('vectors only, scoped', scoped);
  tellTimes('vectors only, global', global);
  return { scoped, global };
}

/** The first question opens and loads what the later ones find there, so it exists apart. With `between`, others have a turn after some questions. */
async function ask(
  rooms: Rooms,
  one: (text: string, room: number) => Promise<unknown>,
  between?: () => void,
) {
  const times: number[] = [];
  const turns: Watched<void>[] = [];
  const asked = rooms.questions.filter((_, index) => index % 3 === 0).slice(0, 200);
  const atOnce = between === undefined ? asked.length : inOneTurn;
  for (let from = 0; from < asked.length; from += atOnce) {
    const turn = await watched(async () => {
      for (const { text, room } of asked.slice(from, from + atOnce)) {
        const began = performance.now();
        await one(text, room);
        times.push(performance.now() - began);
      }
    });
    turns.push(turn);
    between?.();
  }
  const [first = 0, ...later] = times;
  return {
    first: Math.round(first),
    p50: percentile(later, 0.5),
    p95: percentile(later, 0.95),
    cpu: hundredths(turns.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / asked.length),
    delayP99: Math.max(...turns.map(({ delayP99 }) => delayP99)),
    delayMax: Math.max(...turns.map(({ delayMax }) => delayMax)),
  };
}

async function onMarkdown(): Promise<Record<string, number>> {
  const notes = join(folder, 'notes');
  writeMarkdown(notes);
  const home = join(folder, 'home');
  mkdirSync(home);
  const memory = open(join(home, 'memory.sqlite'));
  const where = { audience: 'room:bench:notes', space, restricted: false } as const;
  const request = { path: notes, format: 'directory', where } as const;
  const first = await watched(() => memory.importPath(request));
  const again = await watched(() => memory.importPath(request));
  await memory.close();
  if (again.result.files.unchanged !== 200) throw new Error(JSON.stringify(again.result));
  writeFileSync(join(folder, 'parley.config.json'), '{}');
  const times = Array.from({ length: 5 }, () => {
    const began = performance.now();
    const run = spawnSync(
      process.execPath,
      [program, 'memory', 'search', 'what did they say about the water'],
      {
        cwd: folder,
        env: { ...process.env, PARLEY_HOME: home },
        encoding: 'utf8',
      },
    );
    if (run.status !== 0) throw new Error(run.stderr);
    return performance.now() - began;
  });
  const figures = {
    chunks: first.result.chunks.stored,
    importMs: Math.round(first.ms),
    importCpuMs: Math.round(first.cpuMs),
    againMs: Math.round(again.ms),
    againCpuMs: Math.round(again.cpuMs),
    delayP99: first.delayP99,
    searchCommandMs: Math.round(percentile(times, 0.5)),
  };
  print(
    `200 Markdown files      ${figures.importMs} ms (${figures.importCpuMs} of the processor), unchanged ${figures.againMs} ms (${figures.againCpuMs}), command ${figures.searchCommandMs} ms ${tellDelay(first)}`,
  );
  return figures;
}

function tellTimes(name: string, times: Awaited<ReturnType<typeof ask>>): void {
  const { p50, p95, first, cpu } = times;
  print(
    `  ${name.padEnd(22)} p50 ${p50}, p95 ${p95}, first ${first}, of the processor ${cpu} ms ${tellDelay(times)}`,
  );
}

function tellDelay({ delayP99, delayMax }: Pick<Watched<unknown>, 'delayP99' | 'delayMax'>): string {
  return `(event loop p99 ${delayP99}, most ${delayMax} ms)`;
}
