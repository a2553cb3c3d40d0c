// Which statements run, and how SQLite means to find what they ask for.
import { basename } from 'node:path';
import type { TestContext } from 'node:test';
import Database from 'better-sqlite3';

/** Statements by the name of the file that they ask: those that run from this moment, in this thread. */
export function heardStatements(t: TestContext): ReadonlyMap<string, ReadonlySet<string>> {
  const received = new Map<string, Set<string>>();
  hear(t, ({ source, database: { name } }) => {
    const file = basename(name);
    received.set(file, (received.get(file) ?? new Set()).add(source));
  });
  return received;
}

/** Every statement that runs from this moment in this thread, each time, in order; the caller may empty the list. */
export function ranStatements(t: TestContext): string[] {
  const ran: string[] = [];
  hear(t, ({ source }) => ran.push(source));
  return ran;
}

function hear(t: TestContext, heard: (statement: Database.Statement) => void): void {
  const any = new Database(':memory:').prepare('SELECT 1');
  const kind = Object.getPrototypeOf(any) as Database.Statement; // of every statement
  for (const name of ['run', 'get', 'all', 'iterate'] as const) {
    const before = kind[name] as (...values: unknown[]) => never;
    t.mock.method(kind, name, function (this: Database.Statement, ...values: unknown[]) {
      heard(this);
      return before.apply(this, values);
    });
  }
}

/** The lines of the plan of a statement, as SQLite explains it. */
export function planOf(database: Database.Database, source: string): string[] {
  const bare = source.replace(/'[^']*'/g, '');
  const named = [...bare.matchAll(/[:@$](\w+)/g)].map(([, name]) => [name, null]);
  const given = named.length > 0 ? [Object.fromEntries(named)] : (bare.match(/\?/g) ?? []).map(() => null);
  const plan = database.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${source}`);
  return plan.all(...given).map(({ detail }) => detail);
}
