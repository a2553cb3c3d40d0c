// The keys of parley.config.json about the gateway itself. The others are in schema.ts.
import { z } from 'zod';

export const gateway = z.strictObject({
  debounceMs: z
    .int()
    .min(0)
    .max(10_000)
    .default(300)
    .describe('Messages that follow each other within this time are answered together.'),
  shutdownSeconds: z
    .number()
    .min(0)
    .max(300)
    .default(20)
    .describe('How long running answers may take to finish when the program is told to stop.'),
  giveUpMinutes: z
    .number()
    .min(1)
    .max(1440)
    .default(10)
    .describe(
      'A file or a part of an answer that a platform keeps refusing is tried for so long. Then the chat reads that it could not be sent, and the next answers follow.',
    ),
  host: z
    .string()
    .default('127.0.0.1')
    .describe('Address where channels that run apart (`parley channels`) show the status.'),
  port: z
    .int()
    .min(0)
    .max(65535)
    .default(7411)
    .describe('Port of the same; 0 takes a free one. In one process it is not used.'),
});
