// Tests that run over each engine that memory can be in: a test's memory is in the engine that the test runs for. Not a test.
import { type TestContext, test as testOfNode } from 'node:test';
import Database from 'better-sqlite3';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { openPostgres } from '#base/postgres/postgres.ts';
import type { MemoryOptions } from '#memory/memory.ts';
import { openPostgresMemory, type PostgresMemory } from '#memory/postgres-memory.ts';
import type { Memory, MemoryMaintenance } from '#memory/types/contract.ts';
import { noPostgres, postgresServer } from '../support/postgres.ts';

type Body = (t: TestContext) => void | Promise<void>;

const inPostgres = new WeakSet<object>();

/** Runs the test in SQLite and in PostgreSQL; where there is none the second is skipped, with the reason. */
export function test(title: string, body: Body): void {
  void testOfNode(title, body);
  void testOfNode(`in PostgreSQL: ${title}`, { skip: noPostgres }, (t) => {
    inPostgres.add(t);
    return body(t);
  });
}

/** Whether the test runs for PostgreSQL. */
export function isInPostgres(t: object): boolean {
  return inPostgres.has(t);
}

/** For a test that looks into the file of SQLite, or asks for what is only there: it is skipped in PostgreSQL, and has to return. */
export function looksIntoFile(t: Pick<TestContext, 'skip'>): boolean {
  if (inPostgres.has(t)) t.skip('it looks into the file of SQLite');
  return inPostgres.has(t);
}

/** Runs a statement in the database of an open memory, next to it: `at` is the memory's `path`. */
export async function runIn(at: string, sql: string): Promise<Record<string, unknown>[]> {
  if (at.startsWith('postgres:')) return (await postgresServer()).run(sql, at);
  const file = new Database(at);
  try {
    if (/^SELECT/.test(sql)) return file.prepare<[], Record<string, unknown>>(sql).all();
    file.exec(sql);
    return [];
  } finally {
    file.close();
  }
}

type Opened = Memory & MemoryMaintenance & { path: string };

/** Calls that wait until the memory is open; those that it has not in PostgreSQL reject. `path` is the URL of its database. */
export function openInPostgres(t: Pick<TestContext, 'after'>, options: Partial<MemoryOptions>): Opened {
  const url = options.path === undefined ? newDatabase() : Promise.resolve(options.path);
  const opening = url.then((path) => open(path, options));
  opening.catch(() => undefined); // the first call says it
  t.after(async () => {
    const { memory, close } = await opening;
    await memory.close();
    await close();
  });
  const opened = {
    path: '',
    journal: waiting({}, async () => (await opening).memory.journal),
    async *export(query: Parameters<PostgresMemory['export']>[0]) {
      yield* (await opening).memory.export(query);
    },
  };
  void url.then((path) => {
    opened.path = path;
  });
  return waiting(opened, async () => (await opening).memory) as unknown as Opened; // what is not there says so when it is called
}

/** What is there, and calls that wait for the rest. */
function waiting<T extends object>(there: T, rest: () => Promise<object>): T {
  return new Proxy(there, {
    get(of, name, receiver) {
      // a promise is what has `then`
      if (name in of || name === 'then' || typeof name === 'symbol') return Reflect.get(of, name, receiver);
      return async (...values: unknown[]) => {
        const parts = (await rest()) as Record<string, ((...of: unknown[]) => unknown) | undefined>;
        const call = parts[name];
        if (call === undefined) throw new Error(`Memory has no "${name}" in PostgreSQL.`);
        return call(...values);
      };
    },
  });
}

async function newDatabase(): Promise<string> {
  return (await postgresServer()).database();
}

/** Several memories of one database, each as an instance of the program opens it; it is a new one without a URL. */
export async function openInstances(
  t: Pick<TestContext, 'after'>,
  count: number,
  url?: string,
): Promise<PostgresMemory[]> {
  const at = url ?? (await newDatabase());
  return Promise.all(
    Array.from({ length: count }, async () => {
      const { memory, close } = await open(at, {});
      t.after(close);
      return memory;
    }),
  );
}

/** Each is an instance of its own. */
let opened = 0;

async function open(url: string, { clock = systemClock, newId, ...more }: Partial<MemoryOptions>) {
  const settings = { url, poolSize: 4, statementTimeoutMs: 10_000 };
  const postgres = await openPostgres(settings, { clock: systemClock });
  opened += 1;
  const memory = await openPostgresMemory({
    ...{ ...more, postgres, clock, newId: newId ?? createIds(clock) },
    instance: `test ${opened}`,
  });
  return { memory, close: () => postgres.close() };
}
