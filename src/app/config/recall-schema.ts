// The keys of what a run is given of memory.
import { z } from 'zod';

export const recall = z
  .strictObject({
    characters: z
      .int()
      .min(0)
      .max(100_000)
      .default(6_000)
      .describe(
        'How many characters of what is remembered a run is given at most. It is given what its message needs: often far less, and nothing for a greeting.',
      ),
  })
  .default({ characters: 6_000 });
