// The keys of parley.config.json about assistants: who each of them is, and where it answers. The one that answers elsewhere is `agent`.
import { z } from 'zod';
import { languages } from '#adapters/gateway/phrases/language.ts';
import { fallbackModel, ownModel } from './model-schema.ts';

const toolNames = z.array(z.string().min(1).max(100)).optional();

/** Who may choose an assistant with `/assistant` in a direct message, from the most to the least. In rooms only owners may. */
export const choosers = ['nobody', 'owner', 'member', 'guest'] as const;

/** What is said of the usual assistant and of every other. */
export const ofAnyAssistant = {
  tools: toolNames.describe('Tools that it may use, with * for any characters. Default: all.'),
  deniedTools: toolNames.describe('Tools that it may not use, also where `tools` has them.'),
  memory: z
    .enum(['full', 'recall', 'off'])
    .default('full')
    .describe('`full` recalls and remembers, `recall` only recalls, `off` does neither.'),
  partition: z
    .enum(['shared', 'own'])
    .default('shared')
    .describe(
      '`own`: what is written under it is found only under it, in every channel; `shared`: assistants share one memory.',
    ),
  choosableBy: z
    .enum(choosers)
    .default('owner')
    .describe(
      'Who may choose it with `/assistant` in a direct message: owners, also members, also guests, or `nobody`. In rooms only owners choose.',
    ),
};

/** Assistants by name. */
export const assistants = z
  .record(
    z.string().min(1).max(80),
    z.strictObject({
      systemPrompt: z.string().min(1).max(20_000).describe('The instructions that the model gets.'),
      model: ownModel
        .optional()
        .describe('A model of the same provider by its name, or an object with the keys of `model`.'),
      fallbacks: z
        .array(fallbackModel)
        .optional()
        .describe('Models that take over, in order. Default: those of `model.fallbacks`.'),
      language: z
        .enum(languages)
        .optional()
        .describe('The language in which it answers, and in which the bot itself speaks where it is bound.'),
      ...ofAnyAssistant,
    }),
  )
  .default({})
  .describe(
    'Further assistants by name, each with `systemPrompt`, `model`, `fallbacks`, `tools`, `deniedTools`, `memory`, `partition`, `language`, `choosableBy`.',
  );

/** Where assistants answer. */
export const bindings = z
  .array(
    z.strictObject({
      assistant: z.string().min(1),
      platform: z.enum(['discord', 'telegram', 'slack', 'terminal']).optional(),
      account: z
        .string()
        .min(1)
        .optional()
        .describe('A bot by its name in `accounts` of the channel; `main` is the one without a name.'),
      space: z.string().min(1).optional().describe("A server, workspace or group, by the platform's own id."),
      room: z.string().min(1).optional().describe("A channel or group, by the platform's own id."),
      person: z.string().min(1).optional().describe('A person by their name, as in `people`.'),
    }),
  )
  .default([])
  .describe(
    'Where an assistant answers: a `platform`, with an `account`, a `space` or a `room` of it, or a `person`. A binding holds where all that it names holds; of several the most specific wins: room, person, space, account, platform.',
  );
