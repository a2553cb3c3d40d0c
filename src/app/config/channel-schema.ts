// The keys of parley.config.json about channels: the bots of each platform, and how they are talked with. The others are in schema.ts.
import { z } from 'zod';
import { mainAccount } from '#adapters/gateway/terms/channel.ts';
import { accessKeys, checkAccess } from './access-schema.ts';
import { root } from './model-schema.ts';
import { voiceSchema } from './voice-schema.ts';

const sessions = z
  .enum(['room', 'person'])
  .default('room')
  .describe('Who shares a session in a room: everyone there, or each person has their own.');
const enabled = z
  .boolean()
  .default(true)
  .describe('False: this channel is never connected, even with a token.');
const replyInThread = (custom: boolean) =>
  z
    .boolean()
    .default(custom)
    .describe(
      'True: a mention in a channel opens a thread at that message, and the answer goes there. False: the answer goes into the channel.',
    );
const rateLimits = z
  .enum(['documented', 'reactive'])
  .default('documented')
  .describe(
    "How fast the bot writes: within the platform's documented rates, or as fast as it can until it is refused (a server of your own, raised limits).",
  );

const shardNumber = z.int().min(0).max(100_000);
const shards = z
  .union([
    z
      .strictObject({ from: shardNumber, to: shardNumber, of: shardNumber.min(1) })
      .refine(({ from, to, of }) => from <= to && to < of, {
        error: ({ input }) => {
          const { from, to, of } = input as { from: number; to: number; of: number }; // the shape has been looked at
          return `expected shards from 0 to ${of - 1}, the first not above the last, got ${from} to ${to} of ${of}`;
        },
      }),
    z.literal('automatic', 'expected "automatic" or a range like { "from": 0, "to": 3, "of": 16 }'),
  ])
  .default('automatic')
  .describe(
    'Connections that the servers are divided among: as many as Discord recommends, or those `from` one `to` another, both included, `of` how many, for a bot that several programs serve. The one with shard 0 serves direct messages.',
  );

/** The same keys, each absent where an account has what its channel has. */
function withoutDefaults<Shape extends z.ZodRawShape>(shape: Shape) {
  const bare = (schema: z.ZodType): z.ZodType =>
    schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional
      ? bare(schema.unwrap() as z.ZodType) // what they wrap is a schema; zod types it by its own core
      : schema;
  const all = Object.entries(shape).map(([key, schema]) => [key, bare(schema as z.ZodType).optional()]);
  return Object.fromEntries(all) as {
    [Key in keyof Shape]: z.ZodOptional<z.ZodType<NonNullable<z.output<Shape[Key]>>>>;
  };
}

/** Further bots on a platform, by name. What a bot does not say of itself is as in its channel. */
const accounts = <Platform extends 'discord' | 'telegram' | 'slack'>(platform: Platform) =>
  z
    .record(
      z
        .string()
        .regex(
          /^[a-z][a-z0-9_]{0,29}$/,
          'expected a name of small letters, digits and _, that begins with a letter',
        )
        .refine((name) => name !== mainAccount, '"main" is the bot whose token has no name'),
      z.strictObject({
        enabled,
        apiUrl: root.optional(),
        ...withoutDefaults({ sessions, ...accessKeys(platform) }),
      }),
    )
    .default({})
    .describe(
      'Further bots by name, each with the keys of its channel that differ from it. The token of NAME is in a variable that ends with the name, like `TELEGRAM_BOT_TOKEN_NAME`.',
    );

export const channelsSchema = z.strictObject({
  discord: z
    .strictObject({
      enabled,
      sessions,
      ...accessKeys('discord'),
      accounts: accounts('discord'),
      replyInThread: replyInThread(false),
      apiUrl: root.optional().describe('Root of the REST API, without `/v10`.'),
      callsPerSecond: z
        .int()
        .min(1)
        .max(1_000_000)
        .default(50)
        .describe('Calls that Discord grants the bot in a second: 50, more for very large bots.'),
      linkPreviews: z
        .boolean()
        .default(false)
        .describe("True: Discord shows pages below the links in the bot's messages, as it does for people."),
      shards,
    })
    .superRefine((channel, { addIssue }) => checkAccess(channel, addIssue))
    .prefault({}),
  telegram: z
    .strictObject({
      enabled,
      sessions,
      ...accessKeys('telegram'),
      accounts: accounts('telegram'),
      apiUrl: root.optional().describe('Root of the Bot API.'),
      rateLimits,
    })
    .superRefine((channel, { addIssue }) => checkAccess(channel, addIssue))
    .prefault({}),
  slack: z
    .strictObject({
      enabled,
      sessions,
      ...accessKeys('slack'),
      accounts: accounts('slack'),
      replyInThread: replyInThread(true),
      apiUrl: root.optional().describe('Root of the Web API, with `/api/`.'),
      rateLimits,
      pollSeconds: z
        .number()
        .min(1)
        .max(600)
        .default(3)
        .describe('Pause between looks at the history, used when there is no app token.'),
    })
    .superRefine((channel, { addIssue }) => checkAccess(channel, addIssue))
    .prefault({}),
  voice: voiceSchema,
});
