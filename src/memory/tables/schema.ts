// The tables of memory.sqlite. Statements are next to the code that runs them.
import { firstTables, type Migration } from '#base/sqlite/sqlite.ts';
import { chunkSchema } from './schemas/chunk-schema.ts';
import { dreamingSchema } from './schemas/dreaming-schema.ts';
import { fileSchema } from './schemas/file-schema.ts';
import { journalSchema } from './schemas/journal-schema.ts';
import { recordSchema } from './schemas/record-schema.ts';
import { sourceSchema } from './schemas/source-schema.ts';
import { vectorSchema } from './schemas/vector-schema.ts';

const tables =
  chunkSchema + vectorSchema + recordSchema + sourceSchema + fileSchema + journalSchema + dreamingSchema;

/** In order, never edited once shipped: a change of a table is a new entry. */
export const migrations: readonly Migration[] = [firstTables(tables)];
