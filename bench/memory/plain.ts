// What sqlite-vec gives on its own: a table of whole vectors, and the nearest of all of them. Nothing of Parley is in it.
import { performance } from 'node:perf_hooks';
import Database from 'better-sqlite3';
import { load } from 'sqlite-vec';
import { createRandom } from '../harness/random.ts';
import { percentile } from '../retrieval/figures.ts';
import { processorMs } from './delay.ts';
import { dimensions } from './vectors.ts';

/** Times of the ten nearest of `count` random vectors, in milliseconds, and of the processor on average; the file is at `path`. */
export function plainNearest(path: string, count: number): { p50: number; p95: number; cpu: number } {
  const database = new Database(path);
  load(database);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = OFF');
  database.exec(`CREATE VIRTUAL TABLE v USING vec0(embedding float[${dimensions}] distance_metric=cosine)`);
  const insert = database.prepare<[bigint, Buffer]>('INSERT INTO v (rowid, embedding) VALUES (?, ?)');
  const random = createRandom(1);
  const vector = (): Float32Array => Float32Array.from({ length: dimensions }, () => random.int(-1000, 1000));
  // a few thousand different ones, since making them takes longer than looking at them
  const some = Array.from({ length: 4_000 }, vector);
  const bytes = (of: Float32Array): Buffer => Buffer.from(of.buffer);
  database.transaction(() => {
    for (let row = 1; row <= count; row += 1) {
      const one = some[row % some.length] ?? vector();
      one[row % dimensions] = row % 997;
      insert.run(BigInt(row), bytes(one));
    }
  })();
  const nearest = database.prepare<[Buffer], { rowid: number }>(
    'SELECT rowid, distance FROM v WHERE embedding MATCH ? AND k = 10',
  );
  const times: number[] = [];
  const cpu = process.cpuUsage();
  for (let asked = 0; asked < Math.min(60, Math.max(8, 2_000_000 / count)); asked += 1) {
    const question = bytes(vector());
    const began = performance.now();
    nearest.all(question);
    times.push(performance.now() - began);
  }
  const each = Math.round((100 * processorMs(cpu)) / times.length) / 100;
  database.close();
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95), cpu: each };
}
