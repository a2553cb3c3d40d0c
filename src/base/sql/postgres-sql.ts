// Statements for PostgreSQL: their text is translated once, and work over them hands them out to be run in one transaction.
import { createHash } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import type { Isolation, Postgres } from '#base/postgres/postgres.ts';
import { postgresDialect, type Sql, type SqlStorage } from './sql.ts';
import { runWork, type SqlAnswer, type SqlRequest, type Work } from './work.ts';

/** A statement of PostgreSQL, and which value goes to each of its parameters. */
interface Translated {
  name: string;
  text: string;
  /** By place, the name of the value; undefined where values are bound by place themselves. */
  names: readonly string[] | undefined;
}

/** Text in quotes, which is left as it is; an alias in mixed case; or a parameter, with the test that says nothing of its type. */
const pieces =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|\bAS ([a-z]+[A-Z]\w*)|(?:@([A-Za-z_]\w*)|\?)(\s+IS\s+(?:NOT\s+)?NULL\b)?/g;

/**
 * The text as PostgreSQL takes it: each parameter by a number of its own, so that its type is that of its place, and aliases in the case in
 * which they are written.
 */
export function postgresText(source: string): Translated {
  const names: string[] = [];
  let count = 0;
  const text = source.replace(pieces, (found, alias?: string, name?: string, test?: string): string => {
    if (alias !== undefined) return `AS "${alias}"`;
    if (!/^[@?]/.test(found)) return found;
    count += 1;
    if (name !== undefined) names.push(name);
    return test === undefined ? `$${count}` : `$${count}::text${test}`;
  });
  if (names.length > 0 && names.length < count)
    throw new Error(`Expected values by name or by place, got both: ${source}`);
  const name = `parley_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
  return { name, text, names: names.length > 0 ? names : undefined };
}

/** Statements whose work `postgresStorage` runs. `clock` is what `SqlDialect.now` says. */
export function postgresSql(clock: Pick<Clock, 'now'>): Sql {
  const requests = (source: string): ((values: readonly unknown[]) => SqlRequest) => {
    let translated: Translated | undefined;
    return (values) => {
      translated ??= postgresText(source);
      const { name, text, names } = translated;
      return {
        name,
        text,
        values: names === undefined ? values.map(bound) : byName(names, values[0], clock),
      };
    };
  };
  // biome-ignore lint/suspicious/noExplicitAny: what a statement takes and gives is declared by who prepares it
  const over = (source: string, fromRow: (row: Record<string, unknown>) => unknown): any => {
    const request = requests(source);
    return {
      *all(...values: unknown[]): Generator<SqlRequest, unknown[], SqlAnswer> {
        return (yield request(values)).rows.map(fromRow);
      },
      *get(...values: unknown[]): Generator<SqlRequest, unknown, SqlAnswer> {
        const [row] = (yield request(values)).rows;
        return row === undefined ? undefined : fromRow(row);
      },
      *run(...values: unknown[]): Generator<SqlRequest, number, SqlAnswer> {
        return (yield request(values)).changes;
      },
    };
  };
  return {
    dialect: postgresDialect,
    prepare: (text) => over(text, (row) => row),
    pluck: (text) => over(text, (row) => Object.values(row)[0]),
    prepareInsert(text) {
      const { get } = over(`${text} RETURNING row`, ({ row }) => row);
      return { insert: get };
    },
  };
}

function byName(names: readonly string[], given: unknown, clock: Pick<Clock, 'now'>): unknown[] {
  const values = given as Readonly<Record<string, unknown>>; // what `SqlStatement` says of values by name
  return names.map((name) => {
    if (name === 'now_ms') return Math.round(clock.now());
    if (!(name in values)) throw new Error(`Expected a value for @${name}.`);
    return bound(values[name]);
  });
}

/** PostgreSQL has no character NUL in a text. */
function bound(value: unknown): unknown {
  if (typeof value === 'string')
    return value.includes('\u0000') ? value.replaceAll('\u0000', '\uFFFD') : value;
  return Array.isArray(value) ? value.map(bound) : value;
}

/** Runs work of `postgresSql`. Rejects as `Postgres.transaction` does. */
export function postgresStorage({ transaction }: Pick<Postgres, 'transaction'>): SqlStorage {
  const run =
    (isolation: Isolation) =>
    <T>(work: () => Work<T>): Promise<T> =>
      transaction((database) => runWork(work(), database.ask), undefined, isolation);
  return { read: run('one state'), write: run('one after the other') };
}
