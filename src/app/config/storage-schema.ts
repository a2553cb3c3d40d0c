// The keys of the database that several instances share. The others are in schema.ts.
import { z } from 'zod';
import { postgresAddress } from '#base/postgres/address.ts';

const file = z.string().min(1).optional();

export const storageSchema = z.strictObject({
  url: z
    .union([
      z.string().superRefine((url, { addIssue }) => {
        try {
          postgresAddress({ url });
        } catch (error) {
          addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
        }
      }),
      z.literal(false),
    ])
    .optional()
    .describe(
      'PostgreSQL, by which several instances agree on who leads a bot: `postgres://USER@HOST:5432/DATABASE`, with `sslmode` and `sslrootcert` as libpq takes them. It goes before DATABASE_URL; false ignores that.',
    ),
  passwordFile: file.describe(
    'File whose first line is the password of the database, relative to this file. It goes before the URL and PGPASSWORD.',
  ),
  caFile: file.describe(
    'File of the certificates, as PEM, by one of which that of the database has to be signed, relative to this file.',
  ),
  memory: z
    .enum(['home', 'shared'])
    .default('home')
    .describe(
      'Where memory is: in the home folder of each instance, or in the database for all instances. A shared one has no files and no imports yet, and needs memory.sharing of room.',
    ),
  poolSize: z
    .int()
    .min(1)
    .max(100)
    .default(4)
    .describe('Most connections to the database; one more holds the locks.'),
  statementSeconds: z
    .number()
    .min(1)
    .max(600)
    .default(10)
    .describe('How long a statement may take before the database ends it.'),
});
