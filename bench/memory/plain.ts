// What sqlite-vec gives on its own: a table of whole vectors, and the nearest of all of them. Nothing of Parley is in it.
import { performance } from 'node:perf_hooks';
import Database from 'better-sqlite3';
import { load } from 'sqlite-vec';
import { createRandom } from '../harness/random.ts';
import { dimensions } from './vectors.ts';

export interface Plain {
  /** Finds the ten vectors nearest to a new one; how long that took, in milliseconds. */
  ask(): number;
  close(): void;
}

/** A file with `count` random vectors at `path`, which is made when it is not there. */
export function openPlain(path: string, count: number): Plain {
  const database = new Database(path);
  load(database);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = OFF');
  const random = createRandom(1);
  const vector = (): Float32Array => Float32Array.from({ length: dimensions }, () => random.int(-1000, 1000));
  if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'v'").get() === undefined)
    fill(database, count, vector);
  const nearest = database.prepare<[Buffer], { rowid: number }>(
    'SELECT rowid, distance FROM v WHERE embedding MATCH ? AND k = 10',
  );
  return {
    ask() {
      const question = bytesOf(vector());
      const began = performance.now();
      nearest.all(question);
      return performance.now() - began;
    },
    close: () => void database.close(),
  };
}

function fill(database: Database.Database, count: number, vector: () => Float32Array): void {
  // a few thousand different ones, since making them takes longer than looking at them
  const some = Array.from({ length: 4_000 }, vector);
  database.transaction(() => {
    database.exec(`CREATE VIRTUAL TABLE v USING vec0(embedding float[${dimensions}] distance_metric=cosine)`);
    const insert = database.prepare<[bigint, Buffer]>('INSERT INTO v (rowid, embedding) VALUES (?, ?)');
    for (let row = 1; row <= count; row += 1) {
      const one = some[row % some.length] ?? vector();
      one[row % dimensions] = row % 997;
      insert.run(BigInt(row), bytesOf(one));
    }
  })();
}

const bytesOf = (of: Float32Array): Buffer => Buffer.from(of.buffer);
