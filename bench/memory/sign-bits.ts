// `node bench/memory/sign-bits.ts --sizes 10000,100000,1000000`: the rows whose sign bits differ least, by the loop of memory and by tables of
// vec0 with the same bits, in turns. With it stays or goes the loop: vec0 takes its place where it needs at most 1.5 times as long.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import Database from 'better-sqlite3';
import { load } from 'sqlite-vec';
import { blockRows, emptyBlock, nearestRows, setBits, wordsIn } from '#memory/vectors/sign-bits.ts';
import { argumentsOf } from '../harness/arguments.ts';
import { createRandom } from '../harness/random.ts';
import { percentile } from '../retrieval/figures.ts';
import { dimensions } from './vectors.ts';

const { values } = argumentsOf({
  name: 'bench/memory/sign-bits.ts',
  about: 'Compares the search by sign bits with that of vec0, in turns. The last line is JSON.',
  options: {
    sizes: { standard: [10_000, 100_000, 1_000_000], least: 100, most: 10_000_000, about: 'vectors' },
    questions: { standard: 40, least: 1, most: 1_000, about: 'questions for each size' },
  },
});
const rooms = 100;
/** What a search asks for: everywhere, and in a room, whose rows are compared exactly afterwards. */
const most = { everywhere: 30, room: 120 };
/** As a reader of a large memory has it. */
const cacheKiB = 32_000;
const hundredths = (value: number): number => Math.round(100 * value) / 100;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const bySize: Record<string, unknown> = {};
for (const size of values.sizes) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-sign-bits-'));
  try {
    bySize[size] = measure(join(folder, 'bits.sqlite'), size);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
print(JSON.stringify(bySize));

function measure(path: string, size: number): Record<string, number> {
  const database = new Database(path);
  load(database);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = OFF');
  database.pragma(`cache_size = -${cacheKiB}`);
  database.exec(`CREATE VIRTUAL TABLE plain USING vec0(bits bit[${dimensions}]);
    CREATE VIRTUAL TABLE parted USING vec0(audience INTEGER PARTITION KEY, bits bit[${dimensions}]);
    CREATE VIRTUAL TABLE scopes USING fts5(scope, content = '')`);
  const random = createRandom(5);
  const bitsOfOne = (): Buffer =>
    Buffer.from(Uint32Array.from({ length: dimensions / 32 }, () => random.int(0, 2 ** 32 - 1)).buffer);
  const blocks = new Map<number, Int32Array>();
  const roomSize = Math.ceil(size / rooms);
  const intoScopes = database.prepare<[number, string]>('INSERT INTO scopes (rowid, scope) VALUES (?, ?)');
  const [intoPlain, intoParted] = [
    database.prepare<[bigint, Buffer]>('INSERT INTO plain (rowid, bits) VALUES (?, vec_bit(?))'),
    database.prepare<[bigint, bigint, Buffer]>(
      'INSERT INTO parted (rowid, audience, bits) VALUES (?, ?, vec_bit(?))',
    ),
  ];
  database.transaction(() => {
    for (let row = 0; row < size; row += 1) {
      const bits = bitsOfOne();
      // a room's rows follow one another, as an import leaves them
      intoPlain.run(BigInt(row), bits);
      const room = Math.floor(row / roomSize);
      intoParted.run(BigInt(row), BigInt(room), bits);
      intoScopes.run(row, `room${room}`);
      const number = Math.floor(row / blockRows);
      const block = blocks.get(number) ?? emptyBlock(dimensions);
      blocks.set(number, block);
      setBits(block, row, wordsIn(bits, dimensions));
    }
  })();
  const [inPlain, inParted, inRoom] = [
    'SELECT rowid, distance FROM plain WHERE bits MATCH vec_bit(@bits) AND k = @most',
    'SELECT rowid, distance FROM parted WHERE bits MATCH vec_bit(@bits) AND k = @most',
    'SELECT rowid, distance FROM parted WHERE bits MATCH vec_bit(@bits) AND k = @most AND audience = @room',
  ].map((sql) => database.prepare<[object]>(sql));
  /** Memory finds the rows of a scope in full text, vec0 has a partition for each audience. */
  const inScope = database
    .prepare<[string], number>('SELECT rowid FROM scopes WHERE scopes MATCH ? ORDER BY rowid')
    .pluck();
  const times: Record<string, number[]> = {};
  const ask = (name: string, one: () => unknown): void => {
    const began = performance.now();
    one();
    times[name] = [...(times[name] ?? []), performance.now() - began];
  };
  for (let question = 0; question < values.questions; question += 1) {
    const bits = bitsOfOne();
    const words = wordsIn(bits, dimensions);
    const room = (question * 7) % rooms;
    const asked = { bits, most: BigInt(most.everywhere) };
    ask('everywhere', () => nearestRows(blocks, words, { most: most.everywhere }));
    ask('everywhere, vec0', () => inPlain?.all(asked));
    ask('everywhere, vec0 with partitions', () => inParted?.all(asked));
    ask('one room', () => nearestRows(blocks, words, { most: most.room, rows: inScope.all(`room${room}`) }));
    ask('one room, vec0 with partitions', () =>
      inRoom?.all({ bits, most: BigInt(most.room), room: BigInt(room) }),
    );
  }
  database.close();
  print(`${size} vectors of ${dimensions} dimensions, median in milliseconds (times the loop)`);
  const medians = Object.fromEntries(
    Object.entries(times).map(([name, all]) => [name, percentile(all, 0.5)]),
  );
  for (const [name, median] of Object.entries(medians)) {
    const ours = medians[name.split(',')[0] ?? ''] ?? median;
    print(`  ${name.padEnd(34)} ${String(median).padStart(8)} (${hundredths(median / ours)})`);
  }
  return medians;
}
