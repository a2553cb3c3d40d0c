// Every key of parley.config.json, with its default and what it is for: the one place that knows. Secrets are not in it.
import { z } from 'zod';
import { accessKeys, approvals, checkAccess, limits, peopleSchema } from './access-schema.ts';
import { wrongAgentNames } from './agent-names.ts';
import { agentSchema, agents, language, mcpServer, toolsSchema } from './agent-schema.ts';
import { gateway } from './gateway-schema.ts';
import { isTimeZone } from './memory/files-schema.ts';
import { memorySchema } from './memory/memory-schema.ts';
import { wrongToolNames } from './named-tools.ts';
import { networkSchema } from './network-schema.ts';
import { retention, runsSchema, sessionsSchema, uploadsSchema } from './retention-schema.ts';
import { schedulesSchema } from './schedule-schema.ts';
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
const root = z.url({
  protocol: /^https?$/,
  error: 'expected an address that begins with http:// or https://',
});

/** What a model takes, where it is to be said and not learned. */
const modelTakes = {
  maxImages: z
    .int()
    .min(0)
    .max(100)
    .default(4)
    .describe('Pictures of one request, the newest ones; fewer where the model refuses them. 0 sends none.'),
  contextTokens: z
    .int()
    .min(1_000)
    .max(20_000_000)
    .optional()
    .describe(
      "Tokens of the model's window. Default: as known by the model's name, or as it says when it refuses; a small one shortens the conversation that is sent.",
    ),
  tools: z
    .boolean()
    .default(true)
    .describe(
      'False: the model is offered no tools. Without this, one that refuses them is asked again without them.',
    ),
};

const model = z.strictObject({
  provider: z
    .enum(['openai', 'anthropic', 'google', 'openai-compatible', 'offline'])
    .optional()
    .describe('Whose model answers. Default: the one whose key is set, else the built-in offline model.'),
  name: z
    .string()
    .min(1)
    .optional()
    .describe('The model, as its provider names it. Default: a current one of the provider.'),
  baseUrl: root.optional().describe('Another API root (a proxy, Ollama, vLLM, llama.cpp, OpenRouter).'),
  ...modelTakes,
  fallbacks: z
    .array(
      z.strictObject({
        provider: z.enum(['openai', 'anthropic', 'google', 'openai-compatible', 'offline']),
        name: z.string().min(1).optional(),
        baseUrl: root.optional(),
        ...modelTakes,
      }),
    )
    .default([])
    .describe(
      'Models that take over where the first gives no answer, in order: `provider`, `name`, `baseUrl`, and what they take.',
    ),
  totalSeconds: z.number().min(1).max(3600).default(600).describe('Longest time for one answer.'),
  idleSeconds: z
    .number()
    .min(1)
    .max(600)
    .default(90)
    .describe('Longest silence of the model before the run is ended.'),
  connectSeconds: z
    .number()
    .min(1)
    .max(600)
    .default(30)
    .describe('Longest time until the provider accepts a request.'),
  firstTokenSeconds: z
    .number()
    .min(1)
    .max(3600)
    .default(90)
    .describe('Longest time until the first piece of an answer.'),
  prices: z
    .strictObject({
      input: z.number().min(0).describe('US dollars for a million tokens sent. Without it no cost is shown.'),
      output: z.number().min(0).describe('US dollars for a million tokens that come back.'),
      cachedInput: z
        .number()
        .min(0)
        .optional()
        .describe('US dollars for a million tokens that the provider had in its cache. Default: as `input`.'),
    })
    .optional(),
});

const engine = z.strictObject({
  host: z.string().default('127.0.0.1').describe('Address to listen on.'),
  port: z.int().min(0).max(65535).default(7410).describe('Port to listen on; 0 takes a free one.'),
  allowedHosts: z
    .array(z.string().regex(/^[\w.-]+(:\d{1,5})?$/, 'expected a host name, with or without a port'))
    .default([])
    .describe('Other names by which it may be called, like `parley.lan` or `parley.lan:80`.'),
  exposeSandbox: z
    .boolean()
    .default(false)
    .describe(
      'Lets the sandbox listen on a `host` that other machines reach. Anyone who has its link speaks as the owner.',
    ),
});

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

const channels = z.strictObject({
  discord: z
    .strictObject({
      enabled,
      sessions,
      ...accessKeys('discord'),
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

const keys = z.strictObject({
  $schema: z.string().optional().describe('Where editors find this schema.'),
  home: z
    .string()
    .min(1)
    .optional()
    .describe('Folder of the databases, relative to this file. PARLEY_HOME wins. Default: .parley'),
  language,
  timeZone: z
    .string()
    .refine(isTimeZone, 'expected the name of a time zone, like Europe/Berlin')
    .optional()
    .describe('Time zone of people who set none with `/zone`, like Europe/Berlin. Default: UTC'),
  agent: agentSchema.prefault({}),
  agents,
  bindings: z
    .array(
      z.strictObject({
        agent: z.string().min(1),
        platform: z.enum(['discord', 'telegram', 'slack', 'terminal']).optional(),
        chat: z.string().min(1).optional(),
      }),
    )
    .default([])
    .describe('Which profile answers on a `platform`, or in one `chat` by its address.'),
  model: model.prefault({}),
  tools: toolsSchema.prefault({}),
  mcp: z
    .record(z.string().regex(/^[A-Za-z0-9_-]{1,20}$/), mcpServer)
    .default({})
    .describe('MCP servers by name: `command`, `args`, `env`, or `url` and `headers`.'),
  engine: engine.prefault({}),
  network: networkSchema.prefault({}),
  memory: memorySchema.prefault({}),
  channels: channels.prefault({}),
  people: peopleSchema,
  approvals: approvals.prefault({}),
  limits: limits.prefault({}),
  schedules: schedulesSchema.prefault({}),
  gateway: gateway.prefault({}),
  uploads: uploadsSchema.prefault({}),
  runs: runsSchema.prefault({}),
  sessions: sessionsSchema.prefault({}),
  retention: retention.prefault({}),
  log: z
    .strictObject({
      level: z
        .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
        .default('warn')
        .describe(
          'Least severity of log lines, on standard error: JSON, and words where that is a terminal.',
        ),
    })
    .prefault({}),
});

export type Config = z.infer<typeof keys>;

export const configSchema = keys.superRefine((config, { addIssue }) => {
  for (const { path, message } of wrongToolNames(config)) addIssue({ code: 'custom', path, message });
  for (const { path, message } of wrongAgentNames(config)) addIssue({ code: 'custom', path, message });
});

/** The JSON Schema of the config file, for editors. */
export function configJsonSchema(): object {
  return z.toJSONSchema(configSchema, { io: 'input' });
}
