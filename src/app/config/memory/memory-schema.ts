// The keys of memory: how far it reaches, what a prompt gets of it, what is made of conversations.
import { z } from 'zod';
import { active } from './active-schema.ts';
import { budgets } from './budgets-schema.ts';
import { dreaming } from './dreaming-schema.ts';
import { embedding } from './embedding-schema.ts';
import { backend, filesSchema, qmd, wiki } from './files-schema.ts';
import { flush } from './flush-schema.ts';
import { recallSchema } from './recall-schema.ts';

export const memorySchema = z.strictObject({
  sharing: z
    .enum(['room', 'space', 'everyone'])
    .default('space')
    .describe(
      'How far what is written in a public room reaches: that room, its space (guild, workspace), or everyone. Direct messages and private rooms never leave their own audience.',
    ),
  recall: recallSchema,
  active,
  budgets,
  files: filesSchema,
  wiki,
  backend,
  qmd,
  dreaming,
  embedding,
  flush,
  distill: z
    .strictObject({
      idleMinutes: z
        .number()
        .min(1)
        .max(10_080)
        .describe(
          'A conversation that was silent for so long is distilled: what it holds of lasting worth is stored as facts, each once and with its evidence, by the model that answers there, which is asked once more for it. Without it conversations are distilled only on request.',
        ),
    })
    .optional(),
  sessionTier: z
    .strictObject({
      endsWhen: z
        .enum(['deleted', 'archived'])
        .default('deleted')
        .describe(
          'When what was stored for one conversation alone (the session tier) is forgotten: once its session is deleted, or already once it is archived.',
        ),
    })
    .prefault({}),
  responseCache: z
    .strictObject({
      minutes: z
        .number()
        .min(1)
        .max(10_080)
        .describe(
          'For so long an answer for which no tool was called is given again, to the same person who asks the same in the same chat, with the same history and memories, in another session. Also one that reports the time. Without it the model is asked every question.',
        ),
      entries: z
        .int()
        .min(1)
        .max(100_000)
        .default(1_000)
        .describe(
          'How many answers are kept; the oldest go first, and all of them when anything is forgotten.',
        ),
    })
    .optional(),
});
