// The keys of active memory: a look into memory before an answer, and where there is one.
import { z } from 'zod';

const kinds = z.array(z.enum(['dm', 'group', 'channel']));
const inKinds = (usual: ('dm' | 'group' | 'channel')[]) =>
  kinds
    .default(usual)
    .describe(
      'In which kinds of chats: `dm`, `group` (of Telegram, and of several people on Slack) and `channel`.',
    );
const address = z
  .string()
  .regex(
    /^(discord|telegram|slack|terminal):(dm|group|channel)(:[^:]+){4}$/,
    'expected the address of a chat such as "discord:channel:BOT:SERVER:CHANNEL:-"',
  );

export const active = z
  .strictObject({
    enabled: z
      .boolean()
      .default(false)
      .describe(
        'Before an answer one look into memory may bring up what the message does not ask for and the answer should know. It reads what the chat may recall, and nothing else. `/active-memory off` ends it in a chat.',
      ),
    model: z
      .string()
      .min(1)
      .optional()
      .describe(
        'A small, fast model of the same provider that chooses what is brought up, and is asked once to three times for each message. Without it the ranking chooses what one of the last messages calls for, with a high threshold.',
      ),
    timeoutSeconds: z
      .number()
      .min(0.1)
      .max(30)
      .default(1.5)
      .describe('After so long the answer is given without it.'),
    view: z
      .enum(['message', 'recent', 'full'])
      .default('recent')
      .describe(
        'What the look is given of the conversation before the message: nothing, the last 4 messages, or the last 40.',
      ),
    chats: z
      .strictObject({
        discord: inKinds(['dm']),
        telegram: inKinds(['dm']),
        slack: inKinds(['dm']),
        terminal: inKinds(['dm']),
      })
      .prefault({})
      .describe('Where there is a look.'),
    agents: z
      .array(z.string().min(1))
      .optional()
      .describe('Names of the agents that have it; all when absent.'),
    allow: z
      .array(address)
      .optional()
      .describe(
        'Only these chats, by their addresses; a room with its threads. All of these kinds when absent.',
      ),
    deny: z.array(address).default([]).describe('None of these chats, whatever else holds.'),
    maxMemories: z.int().min(1).max(10).default(3).describe('Memories that one look brings up at most.'),
    characters: z
      .int()
      .min(200)
      .max(20_000)
      .default(2_000)
      .describe('Characters that these take in a prompt at most.'),
    threshold: z
      .number()
      .min(0.45)
      .max(1)
      .default(0.6)
      .describe('How much of a message a memory must meet where the ranking chooses.'),
    cacheSeconds: z
      .number()
      .min(0)
      .max(3_600)
      .default(60)
      .describe('For so long the model is not asked again about the same message in the same conversation.'),
  })
  .prefault({})
  .describe('A look into memory before an answer.');
