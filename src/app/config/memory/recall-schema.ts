// The keys of what a run is given of memory, and how it is found.
import { z } from 'zod';

const way = (usual: boolean, about: string) => z.boolean().default(usual).describe(about);

const ways = z
  .strictObject({
    words: way(true, 'Texts that hold words of the question.'),
    vectors: way(true, 'Texts that mean something near, where an embedding model is configured.'),
    keys: way(true, 'Records whose exact key is in the question come first.'),
    pinned: way(true, 'Records that are pinned, such as preferences, are in every prompt of their audience.'),
    procedures: way(true, 'Procedures that failed are found after those that worked.'),
    association: way(
      false,
      'One step further from the best: what is of the same run, has the same key or a tag in common.',
    ),
  })
  .describe('Which ways of finding are used. A change needs a restart.')
  .prefault({});

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
    ways,
  })
  .prefault({});
