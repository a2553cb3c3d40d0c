// The request of an import as it has to be, whoever it comes from.
import { z } from 'zod';
import { ParleyError } from '#base/errors.ts';
import { formatZodError } from '#base/json.ts';
import { historyFormats, type ImportRequest, importFormats } from '#memory/types/import.ts';
import { tiers } from '#memory/types/scope.ts';

const text = z.string().min(1).optional();
const requestSchema = z
  .object({
    path: z.string().min(1),
    format: z.enum(importFormats),
    where: z.object({
      audience: z.string().regex(/^(person|room):[\s\S]+$/, 'expected person:ID or room:KEY'),
      space: text,
      restricted: z.boolean(),
      partition: text,
    }),
    account: text,
    tier: z.enum(tiers).optional(),
    sessionID: text,
    projectID: text,
    syncDeletes: z.boolean().optional(),
    allowEmpty: z.boolean().optional(),
  })
  .refine(({ tier, sessionID }) => tier !== 'session' || sessionID !== undefined, {
    path: ['sessionID'],
    message: 'the session tier needs the session',
  })
  .refine(({ tier, sessionID }) => tier === 'session' || sessionID === undefined, {
    path: ['sessionID'],
    message: 'only the session tier is of one session',
  })
  .refine(({ tier, projectID }) => tier !== 'project' || projectID !== undefined, {
    path: ['projectID'],
    message: 'the project tier needs the project',
  })
  .refine(({ syncDeletes, allowEmpty }) => allowEmpty !== true || syncDeletes === true, {
    path: ['allowEmpty'],
    message: 'it goes with syncDeletes, and removes nothing by itself',
  })
  .refine(({ format, account }) => account === undefined || historyFormats.includes(format), {
    path: ['account'],
    message: 'only an export of a platform has rooms of an account',
  })
  .refine(
    ({ format, tier, syncDeletes = false }) => format !== 'journal' || (tier !== 'session' && !syncDeletes),
    {
      path: ['format'],
      message: 'an import of the journal takes no session tier and no syncDeletes',
    },
  );

/** Throws a ParleyError `invalid_import` that names the fields which do not fit. */
export function refuseUnfit(request: ImportRequest): void {
  const checked = requestSchema.safeParse(request);
  if (checked.success) return;
  throw new ParleyError(
    'invalid_import',
    `The import does not fit: ${formatZodError(checked.error).join('; ')}.`,
  );
}
