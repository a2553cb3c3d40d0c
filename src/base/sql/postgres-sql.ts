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
  /** The places of values that are JSON. */
  json: ReadonlySet<number>;
}

/** Text in quotes, which is left as it is; an alias in mixed case; or a parameter, with the test that says nothing of its type or with the type JSON. */
const pieces =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|\bAS ([a-z]+[A-Z]\w*)|(?:@([A-Za-z_]\w*)|\?)(\s+IS\s+(?:NOT\s+)?NULL\b|::jsonb\b)?/g;

/**
 * The text as PostgreSQL takes it: each parameter by a number of its own, so that its type is that of its place, and aliases in the case in
 * which they are written.
 */
export function postgresText(source: string): Translated {
  const names: string[] = [];
  const json = new Set<number>();
  let count = 0;
  const text = source.replace(pieces, (found, alias?: string, name?: string, after?: string): string => {
    if (alias !== undefined) return `AS "${alias}"`;
    if (!/^[@?]/.test(found)) return found;
    count += 1;
    if (name !== undefined) names.push(name);
    if (after === '::jsonb') json.add(count - 1);
    return after === undefined || after === '::jsonb' ? `$${count}${after ?? ''}` : `$${count}::text${after}`;
  });
  if (names.length > 0 && names.length < count)
    throw new Error(`Expected values by name or by place, got both: ${source}`);
  const name = `parley_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
  return { name, text, json, names: names.length > 0 ? names : undefined };
}

/** Statements whose work `postgresStorage` runs. `clock` is what `SqlDialect.now` says. */
export function postgresSql(clock: Pick<Clock, 'now'>): Sql {
  const requests = (source: string): ((values: readonly unknown[]) => SqlRequest) => {
    let translated: Translated | undefined;
    return (values) => {
      translated ??= postgresText(source);
      const { name, text, names, json } = translated;
      const given = names === undefined ? values : byName(names, values[0], clock);
      return { name, text, values: given.map((value, place) => bound(json.has(place), value)) };
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
    return values[name];
  });
}

/** What stands for NUL, and for half of a surrogate pair, in a text of JSON: a backslash before it would make it mean itself. */
const noCharacter = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][\da-f]{2})/g;

/** PostgreSQL has no character NUL in a text, and no half of a pair; in a text the driver replaces the latter. */
function bound(isJson: boolean, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => bound(isJson, each));
  if (typeof value !== 'string') return value;
  if (isJson && value.includes('\\u')) return value.replace(noCharacter, '$1\uFFFD');
  return value.includes('\u0000') ? value.replaceAll('\u0000', '\uFFFD') : value;
}

/** Runs work of `postgresSql`. Rejects as `Postgres.transaction` does. */
export function postgresStorage({ transaction }: Pick<Postgres, 'transaction'>): SqlStorage {
  const run =
    (isolation: Isolation) =>
    <T>(work: () => Work<T>): Promise<T> =>
      transaction((database) => runWork(work(), database.ask), undefined, isolation);
  return { read: run('one state'), write: run('one after the other') };
}
