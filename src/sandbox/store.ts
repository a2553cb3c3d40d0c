// What the simulated platforms keep over restarts of the program: values by kind and key, in one SQLite file for all three.
import type { Clock } from '#base/clock.ts';
import { firstTables, type Migration, openSqlite } from '#base/sqlite/sqlite.ts';
import type { SandboxPlatform } from './contract.ts';

/** One value as it was put; `bytes` are empty where it was put without any. */
interface Saved<T> {
  key: string;
  value: T;
  bytes: Uint8Array;
}

/** One platform's part of the store. A value is on its way to the disk when `put` returns, and a killed process loses none. */
export interface Shelf {
  /** All values of a kind, in the order in which their keys were first put. */
  all<T>(kind: string): Saved<T>[];
  /** Keeps a JSON value, and the bytes of a file with it, in the place of what the key had. */
  put(kind: string, key: string, value: unknown, bytes?: Uint8Array): void;
  remove(kind: string, key: string): void;
}

interface SandboxStore {
  of(platform: SandboxPlatform | 'page'): Shelf;
  close(): void;
}

/** Keeps nothing: the world ends with the process. */
export const noShelf: Shelf = { all: () => [], put: () => {}, remove: () => {} };

// what the simulated platforms store
const migrations: readonly Migration[] = [
  firstTables(`CREATE TABLE kept (
    id INTEGER PRIMARY KEY,
    platform TEXT NOT NULL,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE (platform, kind, key)
  ) STRICT`),
];

const nothing = new Uint8Array(0);

/** Opens (or makes) the store; throws with a message when the file cannot be used. */
export function openSandboxStore(path: string, clock: Clock): SandboxStore {
  const database = openSqlite({ path, migrations, clock });
  const all = database.prepare<[string, string], { key: string; value: string; bytes: Buffer }>(
    'SELECT key, value, bytes FROM kept WHERE platform = ? AND kind = ? ORDER BY id',
  );
  const put = database.prepare(
    `INSERT INTO kept (platform, kind, key, value, bytes) VALUES (@platform, @kind, @key, @value, @bytes)
     ON CONFLICT (platform, kind, key) DO UPDATE SET value = excluded.value, bytes = excluded.bytes`,
  );
  const remove = database.prepare('DELETE FROM kept WHERE platform = ? AND kind = ? AND key = ?');
  return {
    of: (platform) => ({
      all: <T>(kind: string) =>
        all.all(platform, kind).map(({ key, value, bytes }) => ({
          key,
          value: JSON.parse(value) as T, // nothing but `put` writes here; another form of a kind is a migration
          bytes,
        })),
      put(kind, key, value, bytes = nothing) {
        put.run({ platform, kind, key, value: JSON.stringify(value), bytes: Buffer.from(bytes) });
      },
      remove(kind, key) {
        remove.run(platform, kind, key);
      },
    }),
    close: () => database.close(),
  };
}

/** Numbers that rise and never come twice, also after a restart. */
export interface Counter {
  next(): number;
  /** The newest that was given out. */
  last(): number;
}

/** Numbers of today stay below 2^31 until 2091 when the clock is read from November 2023. */
const firstSecond = 1_700_000_000;

/**
 * A counter that continues where it was and begins above `after`. In a store it begins higher by one for each second until now: a
 * gateway that knows an earlier world, whose store is gone, must not mistake new numbers for known ones.
 */
export function createCounter(
  { shelf, clock }: { shelf: Shelf; clock: Clock },
  name: string,
  after: number,
): Counter {
  const [saved] = shelf.all<number>(`number of ${name}`);
  const seconds = shelf === noShelf ? 0 : Math.floor(clock.now() / 1000) - firstSecond;
  const begin = after + Math.max(0, seconds);
  let last = Math.max(begin, saved?.value ?? 0);
  return {
    next() {
      last += 1;
      shelf.put(`number of ${name}`, '', last);
      return last;
    },
    last: () => last,
  };
}
