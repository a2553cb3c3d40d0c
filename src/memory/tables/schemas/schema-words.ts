// What the tables of the two engines say in different words, for those that are declared once.
import { postgresDialect } from '#base/sql/sql.ts';

export interface SchemaWords {
  text: string;
  /** A whole number: a flag, a count or a time in milliseconds. */
  whole: string;
  /** The number of a row, in the order in which rows are written. */
  row: string;
  /** What follows the columns of a table with rows, and of one that is its key. */
  end: string;
  endOfKeyed: string;
  /** Whether a column is an audience. */
  isAudience(column: string): string;
  isJson(column: string): string;
  /** Columns behind those that an index is for, so that it answers alone. */
  also(columns: string): string;
  /** Within a table, and behind it: names that are unique in each project, and where there is no project. */
  uniqueInTable(names: Unique): string;
  uniqueKeys(table: string, names: Unique): string;
}

export interface Unique {
  inProject: readonly string[];
  elsewhere: readonly string[];
}

export const sqliteWords: SchemaWords = {
  text: 'TEXT',
  whole: 'INTEGER',
  row: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  end: ' STRICT',
  endOfKeyed: ' STRICT, WITHOUT ROWID',
  isAudience: (column) => `${column} GLOB 'person:?*' OR ${column} GLOB 'room:?*'`,
  isJson: (column) => `json_valid(${column})`,
  also: (columns) => columns,
  uniqueInTable: ({ inProject }) => `,\n  UNIQUE (${inProject.join(', ')}, project_id)`,
  // two rows without a project differ in the key of a table: they have an index of their own
  uniqueKeys: (table, { elsewhere }) =>
    `CREATE UNIQUE INDEX ${table}_key ON ${table} (${elsewhere.join(', ')}) WHERE project_id IS NULL;`,
};

/** Texts are compared by their bytes, as SQLite does, whatever the language of the database. */
export const postgresWords: SchemaWords = {
  text: 'text COLLATE "C"',
  whole: 'bigint',
  row: 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  end: '',
  endOfKeyed: '',
  isAudience: (column) => `${column} LIKE 'person:_%' OR ${column} LIKE 'room:_%'`,
  isJson: (column) => `${column}::jsonb IS NOT NULL`,
  // it reads rows all the same, and takes no entry of more than 2,704 bytes
  also: () => '',
  uniqueInTable: () => '',
  uniqueKeys(table, { inProject, elsewhere }) {
    // what is looked for comes first
    const keys = (names: readonly string[]): string =>
      names.toReversed().map(postgresDialect.nameKey).join(', ');
    return `CREATE UNIQUE INDEX ${table}_project_key ON ${table} (${keys(['project_id', ...inProject])});
CREATE UNIQUE INDEX ${table}_key ON ${table} (${keys(elsewhere)}) WHERE project_id IS NULL;`;
  },
};
