// The keys of parley.config.json about what is scheduled. The others are in schema.ts.
import { z } from 'zod';

export const schedulesSchema = z.strictObject({
  perPerson: z
    .int()
    .min(0)
    .max(10_000)
    .default(50)
    .describe('Schedules of one person that have not ended; the next one is refused. 0 refuses all.'),
  minMinutes: z
    .number()
    .min(0.1)
    .max(10_080)
    .default(15)
    .describe('Least minutes between two times of one schedule; a rule that comes more often is refused.'),
});
