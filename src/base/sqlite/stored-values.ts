// Texts and JSON values where they are stored, read to be masked and written back masked.
import { type MaskText, maskedValue } from '#base/masked-value.ts';
import type { Sqlite } from './sqlite.ts';

/** Columns of a table that may hold what people say; `where` picks rows by its parameters. */
export interface ValuePlace {
  table: string;
  /** The column that names a row. */
  key: string;
  text: readonly string[];
  json: readonly string[];
  /** Of the JSON values only what is under these keys is looked at; all of it when absent. */
  jsonKeys?: readonly string[] | undefined;
  where: string;
}

/** One column of one row, and what is to be there. */
export interface MaskedColumn {
  place: number;
  column: string;
  key: string | number;
  before: string;
  masked: string;
}

export interface StoredValues<Parameters extends object> {
  /** What has to change in the rows that the parameters pick. */
  changes(of: Parameters, mask: MaskText): Promise<MaskedColumn[]>;
  /** Writes them inside the caller's transaction; what has changed since it was read is left as it is. */
  write(changes: readonly MaskedColumn[]): void;
}

/** Over one open database; the names in `places` are the caller's own, never anyone's input. */
export function createStoredValues<Parameters extends object>(
  database: Sqlite,
  places: readonly ValuePlace[],
): StoredValues<Parameters> {
  const statements = places.map(({ table, key, text, json, jsonKeys, where }) => {
    const columns = [...text, ...json];
    return {
      columns,
      jsonKeys,
      isJson: (index: number) => index >= text.length,
      read: database.prepare<Parameters, Record<string, string | number | null>>(
        `SELECT ${[`${key} AS at`, ...columns].join(', ')} FROM ${table} WHERE ${where}`,
      ),
      write: new Map(
        columns.map((column) => [
          column,
          database.prepare<[string, string | number, string]>(
            `UPDATE ${table} SET ${column} = ? WHERE ${key} = ? AND ${column} = ?`,
          ),
        ]),
      ),
    };
  });
  return {
    async changes(of, mask) {
      const found: Promise<MaskedColumn>[] = [];
      for (const [place, { columns, jsonKeys, isJson, read }] of statements.entries())
        for (const row of read.all(of))
          for (const [index, column] of columns.entries()) {
            const [before, key] = [row[column], row.at];
            if (typeof before !== 'string' || before === '' || key == null) continue;
            const clean = isJson(index) ? maskedJson(before, { mask, jsonKeys }) : mask(before);
            found.push(clean.then((masked) => ({ place, column, key, before, masked })));
          }
      return (await Promise.all(found)).filter(({ before, masked }) => masked !== before);
    },
    write(changes) {
      for (const { place, column, key, before, masked } of changes)
        statements[place]?.write.get(column)?.run(masked, key, before);
    },
  };
}

async function maskedJson(
  json: string,
  { mask, jsonKeys }: { mask: MaskText; jsonKeys: readonly string[] | undefined },
): Promise<string> {
  const before: unknown = JSON.parse(json);
  const after = await maskedValue(before, mask, jsonKeys);
  return after === before ? json : JSON.stringify(after);
}
