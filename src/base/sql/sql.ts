// Statements that are written once for SQLite and PostgreSQL, and the words in which the two differ. Where no word helps, a statement has two texts.
import type { Work } from './work.ts';

/**
 * A prepared statement. Values are bound by their place (`?`) or, as one object, by name (`@name`). A name may stand at several places: each
 * of them is a parameter whose type the engine takes from what is around it; one that stands before `IS NULL` is a text there.
 */
export interface SqlStatement<Values extends readonly unknown[], Row> {
  all(...values: Values): Work<Row[]>;
  get(...values: Values): Work<Row | undefined>;
  /** How many rows it wrote or removed. */
  run(...values: Values): Work<number>;
}

/** An INSERT into a table whose rows are numbered by their column `row`. */
export interface InsertStatement {
  /** The number of the new row; undefined where a conflict kept it out. */
  insert(...values: readonly unknown[]): Work<number | undefined>;
}

export interface Sql {
  readonly dialect: SqlDialect;
  prepare<Values extends readonly unknown[], Row>(text: string): SqlStatement<Values, Row>;
  /** As `prepare`, with the first column of each row in the place of the row. */
  pluck<Values extends readonly unknown[], Value>(text: string): SqlStatement<Values, Value>;
  prepareInsert(text: string): InsertStatement;
}

/** Where work is run. */
export interface SqlStorage {
  /** Reads, from one state of the database. */
  read<T>(work: () => Work<T>): Promise<T>;
  /**
   * Writes in one transaction, as if no other one ran at the same time. `work` may be begun anew, where another one was in its way or the
   * database fails over: it changes nothing but the database. Rejects with what it throws, and nothing is changed then.
   */
  write<T>(work: () => Work<T>): Promise<T>;
}

/** What the two engines say in different words; every function gives a piece of SQL. */
export interface SqlDialect {
  readonly name: 'sqlite' | 'postgres';
  /** The time in milliseconds since the epoch, by the clock of the program. */
  readonly now: string;
  /** The texts of the JSON array that a parameter or a column holds, for `IN`. */
  texts(json: string): string;
  /** The numbers of such an array. */
  numbers(json: string): string;
  /** A JSON array in FROM, as `alias.value`. */
  eachText(json: string, alias: string): string;
  /** A JSON object of numbers in FROM, as `alias.key` and `alias.value`. */
  eachNumber(json: string, alias: string): string;
  /** The text under a key of a JSON object. */
  member(json: string, key: string): string;
  /** Whether one text is within another. */
  holds(text: string, part: string): string;
  /** LIKE with `\` before what is meant as it is, in any case of ASCII letters. */
  like(text: string, pattern: string): string;
  /** The larger of two numbers. */
  larger(one: string, other: string): string;
  /** The smaller of two numbers. */
  smaller(one: string, other: string): string;
  /** Two texts are the same in any case of ASCII letters. */
  sameInAnyCase(one: string, other: string): string;
  /** The form in which the names of projects are compared. */
  projectForm(text: string): string;
  /** A column is a name of any length, as a parameter gives it: an index over `nameKey` finds it. */
  isNamed(column: string, parameter: string): string;
  /** A name of any length as it is in an index. */
  nameKey(column: string): string;
  /** A column by which no index is chosen. */
  unindexed(column: string): string;
  /** The texts of a group's rows, one a line, in the order of a column. */
  lines(text: string, order: string): string;
}

export const sqliteDialect: SqlDialect = {
  name: 'sqlite',
  now: 'now_ms()',
  texts: (json) => `(SELECT value FROM json_each(${json}))`,
  numbers: (json) => `(SELECT value FROM json_each(${json}))`,
  eachText: (json, alias) => `json_each(${json}) AS ${alias}`,
  eachNumber: (json, alias) => `json_each(${json}) AS ${alias}`,
  member: (json, key) => `json_extract(${json}, '$.${key}')`,
  holds: (text, part) => `instr(${text}, ${part}) > 0`,
  like: (text, pattern) => `${text} LIKE ${pattern} ESCAPE '\\'`,
  larger: (one, other) => `max(${one}, ${other})`,
  smaller: (one, other) => `min(${one}, ${other})`,
  sameInAnyCase: (one, other) => `${one} = ${other} COLLATE NOCASE`,
  projectForm: (text) => `project_form(${text})`,
  isNamed: (column, parameter) => `${column} = ${parameter}`,
  nameKey: (column) => column,
  unindexed: (column) => `+${column}`,
  lines: (text, order) => `group_concat(${text}, char(10) ORDER BY ${order})`,
};

/** In an index an entry of more than 2,704 bytes is refused, and a name alone may have 1,800. */
const nameKey = (name: string): string => `hashtextextended(${name}, 0)`;
/** What is compared has one collation: that of the database may take other letters for capitals than that of a column. */
const lower = (text: string): string => `lower(${text} COLLATE "C")`;

export const postgresDialect: SqlDialect = {
  name: 'postgres',
  now: '@now_ms::bigint',
  texts: (json) => `(SELECT jsonb_array_elements_text(${json}::jsonb))`,
  numbers: (json) => `(SELECT jsonb_array_elements_text(${json}::jsonb)::bigint)`,
  eachText: (json, alias) => `jsonb_array_elements_text(${json}::jsonb) AS ${alias} (value)`,
  eachNumber: (json, alias) =>
    `(SELECT key, value::numeric AS value FROM jsonb_each_text(${json}::jsonb)) AS ${alias}`,
  member: (json, key) => `(${json}::jsonb ->> '${key}')`,
  holds: (text, part) => `strpos(${text}, ${part}) > 0`,
  like: (text, pattern) => `${text} ILIKE ${pattern} ESCAPE '\\'`,
  larger: (one, other) => `greatest(${one}, ${other})`,
  smaller: (one, other) => `least(${one}, ${other})`,
  sameInAnyCase: (one, other) => `${lower(one)} = ${lower(other)}`,
  projectForm: lower,
  isNamed: (column, parameter) => `${nameKey(column)} = ${nameKey(parameter)} AND ${column} = ${parameter}`,
  nameKey,
  unindexed: (column) => column,
  lines: (text, order) => `string_agg(${text}, chr(10) ORDER BY ${order})`,
};
