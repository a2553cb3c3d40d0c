// The keys of the memory flush: what is saved of a conversation before it is shortened.
import { z } from 'zod';

export const flush = z
  .strictObject({
    enabled: z
      .boolean()
      .default(true)
      .describe(
        'Before a long conversation is shortened, the model is asked once, unseen by the chat, to save what should last in the note of the day. Without a model nothing is saved.',
      ),
    model: z
      .string()
      .min(1)
      .optional()
      .describe('The model that is asked; the one that answers in the conversation when absent.'),
  })
  .prefault({})
  .describe('Saving what should last before a conversation is shortened.');
