// The keys of dreaming: what is recalled often becomes lasting memory, by a schedule.
import { z } from 'zod';
import { cronSchedule } from '#base/cron.ts';
import { usualDreaming } from '#memory/types/usual-dreaming.ts';

const share = (usual: number, words: string) => z.number().min(0).max(1).default(usual).describe(words);
const { gates } = usualDreaming;

export const dreaming = z
  .strictObject({
    enabled: z
      .boolean()
      .default(false)
      .describe(
        'Counts what answers use of memory, and once for each time of `schedule` promotes what is used again and again into `MEMORY.md`.',
      ),
    schedule: z
      .string()
      .refine(isSchedule, 'expected a cron pattern such as "0 3 * * *"')
      .default(usualDreaming.schedule)
      .describe('When a sweep is due, as a cron pattern in the zone of `memory.files.timeZone`.'),
    gates: z
      .strictObject({
        score: share(gates.score, 'Score that a statement needs.'),
        recalls: z.int().min(1).max(100).default(gates.recalls).describe('Recalls that it needs.'),
        queries: z.int().min(1).max(100).default(gates.queries).describe('Different questions among them.'),
      })
      .default(gates)
      .describe('What a statement needs to be promoted.'),
  })
  .prefault({});

function isSchedule(pattern: string): boolean {
  try {
    cronSchedule(pattern, 'UTC', '5-or-6-parts');
    return true;
  } catch {
    return false;
  }
}
