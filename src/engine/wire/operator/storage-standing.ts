// The shared database in a status: whether it answers, and who leads which account.
import { z } from 'zod';

const ms = z.number().describe('Milliseconds since the epoch');

export const storageStanding = z
  .object({
    kind: z.literal('postgres'),
    place: z.string().describe('The database, its server and the user'),
    instance: z.string().describe('This instance, as the others see it'),
    latencyMs: z.number().nullable().describe('How long it took to answer; null while it does not'),
    accounts: z.array(
      z.object({
        channel: z.string().describe('As `channels` names it'),
        leads: z.boolean().describe('Whether this instance leads the account'),
        leader: z.string().nullable().describe('The instance that led it last; null before there was one'),
        isHeld: z.boolean().describe('Whether that leads it now'),
        fence: z.number().nullable().describe('Grows with each change of the leader'),
        sinceMs: ms.nullable().describe('Since when, by the clock of the database'),
      }),
    ),
  })
  .describe('The database that several instances share; absent where there is none');
export type StorageStanding = z.infer<typeof storageStanding>;
