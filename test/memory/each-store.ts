// Tests that run over each engine that memory can be in: a test's memory is in the engine that the test runs for. Not a test.
import { type TestContext, test as testOfNode } from 'node:test';
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
  const target = { path: '' };
  void url.then((path) => {
    target.path = path;
  });
  return new Proxy(target, {
    get(of, name, receiver) {
      // a promise is what has `then`
      if (name === 'path' || name === 'then' || typeof name === 'symbol')
        return Reflect.get(of, name, receiver);
      return async (...values: unknown[]) => {
        const { memory } = await opening;
        const call = memory[name as keyof PostgresMemory] as ((...of: unknown[]) => unknown) | undefined;
        if (call === undefined) throw new Error(`Memory has no "${name}" in PostgreSQL.`);
        return call(...values);
      };
    },
  }) as unknown as Opened; // what is not there says so when it is called
}

async function newDatabase(): Promise<string> {
  return (await postgresServer()).database();
}

async function open(url: string, { clock = systemClock, newId, ...more }: Partial<MemoryOptions>) {
  const settings = { url, poolSize: 4, statementTimeoutMs: 10_000 };
  const postgres = await openPostgres(settings, { clock: systemClock });
  const memory = await openPostgresMemory({ ...more, postgres, clock, newId: newId ?? createIds(clock) });
  return { memory, close: () => postgres.close() };
}
