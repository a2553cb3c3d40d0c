// The keys of what a run is given of memory, and how it is found.
import { z } from 'zod';

export const recallSchema = z
  .strictObject({
    characters: z
      .int()
      .min(0)
      .max(100_000)
      .default(6_000)
      .describe(
        'How many characters of what is remembered a run is given at most. It is given what its message needs: often far less, and nothing for a greeting.',
      ),
    association: z
      .boolean()
      .default(false)
      .describe(
        'Finds one step further from the best: what is of the same run, has the same key or a tag in common. A change needs a restart.',
      ),
  })
  .prefault({});
