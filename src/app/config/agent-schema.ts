// The keys of parley.config.json about who answers and with which tools. The others are in schema.ts.
import { z } from 'zod';
import { languages } from '#adapters/gateway/phrases/language.ts';
import { ofAnyAssistant } from './assistant-schema.ts';
import { teamSchema } from './team-schema.ts';

/** What agents may start. */
export const agents = z
  .strictObject({ team: teamSchema })
  .prefault({})
  .describe('Under `team`: which agents may start others.');

const verdict = z.enum(['allow', 'ask', 'deny']);
const verdicts = z.record(z.string().min(1).max(100), verdict);

export const mcpServer = z.union([
  z.strictObject({
    command: z.string().min(1).describe('Program that speaks MCP over its standard input and output.'),
    args: z.array(z.string()).default([]),
    env: z
      .record(z.string(), z.string())
      .default({})
      .describe('Variables of the program; a name between dollar braces is taken from our environment.'),
  }),
  z.strictObject({
    url: z.url({ protocol: /^https?$/ }).describe('Address of an MCP server.'),
    headers: z
      .record(z.string(), z.string())
      .default({})
      .describe('Headers of each request; a name between dollar braces is taken from our environment.'),
  }),
]);

export const language = z
  .enum(languages)
  .default('en')
  .describe(
    'The language in which the bot itself speaks in rooms, and to people whose platform does not say theirs: `en` or `de`.',
  );

export const agentSchema = z.strictObject({
  name: z.string().min(1).max(80).default('Parley').describe('What the assistant calls itself.'),
  systemPrompt: z
    .string()
    .min(1)
    .max(20_000)
    .default(
      'You are a helpful assistant in a chat. Answer briefly and plainly; use Markdown where it helps.',
    )
    .describe('The instructions that the model gets.'),
  ...ofAnyAssistant,
});

/** How a model for speech or pictures is reached. */
const mediaModel = <More extends z.ZodRawShape>(model: string, more: More) =>
  z
    .strictObject({
      provider: z
        .enum(['openai', 'openai-compatible'])
        .default('openai')
        .describe('OpenAI, or a server that speaks its API. Its key is that of the answering model.'),
      model: z.string().min(1).default(model).describe('The name of the model.'),
      baseUrl: z
        .url({ protocol: /^https?$/, error: 'expected an address that begins with http:// or https://' })
        .optional()
        .describe('Root of the API of another server.'),
      ...more,
    })
    .optional();

export const toolsSchema = z.strictObject({
  policy: verdicts
    .default({})
    .describe('`allow`, `ask` or `deny` by tool name, with * for any characters; foreign tools ask.'),
  channels: z
    .partialRecord(z.enum(['discord', 'telegram', 'slack', 'terminal']), verdicts)
    .default({})
    .describe('The same by platform; it goes before `tools.policy`.'),
  web: z.boolean().default(false).describe('True: models may read pages of the public web.'),
  webPrivateHosts: z
    .array(z.string().min(1))
    .default([])
    .describe('Hosts that may be read although their addresses are not public.'),
  search: z
    .strictObject({
      service: z
        .enum(['brave', 'tavily', 'searxng', 'openai', 'anthropic', 'google'])
        .describe(
          'The search service: a model of OpenAI, Anthropic or Google with the search of its provider, or Brave, Tavily or SearXNG. Its key is read from BRAVE_API_KEY, TAVILY_API_KEY or the variable of the provider; SearXNG needs `baseUrl` in place of a key.',
        ),
      baseUrl: z
        .url({ protocol: /^https?$/, error: 'expected an address that begins with http:// or https://' })
        .optional()
        .describe("Address of the SearXNG server, or another one than the service's own."),
      model: z
        .string()
        .min(1)
        .optional()
        .describe('The model of OpenAI, Anthropic or Google that searches. Default: a small current one.'),
      results: z.int().min(1).max(20).default(6).describe('Pages that one search gives at most.'),
    })
    .refine(({ service, baseUrl }) => service !== 'searxng' || baseUrl !== undefined, {
      path: ['baseUrl'],
      error: 'expected the address of a SearXNG server, like http://127.0.0.1:8888',
    })
    .refine(({ service, model }) => model === undefined || /^(openai|anthropic|google)$/.test(service), {
      path: ['model'],
      error: 'expected no model for this service: only openai, anthropic and google search with one',
    })
    .optional()
    .describe('A service that searches the web: models then have the tool `web_search`.'),
  speech: mediaModel('gpt-4o-mini-tts', {
    voice: z.string().min(1).max(100).optional().describe('Which of the voices of the model speaks.'),
  }).describe('A model that speaks: the tool `speak` then sends voice messages to people who ask for them.'),
  image: mediaModel('gpt-image-1', {}).describe('A model that draws: the tool `image` then sends pictures.'),
});
