// The keys of parley.config.json about models: which one answers, and which take over. The others are in schema.ts.
import { z } from 'zod';

/** The address of a server. */
export const root = z.url({
  protocol: /^https?$/,
  error: 'expected an address that begins with http:// or https://',
});

const provider = z.enum(['openai', 'anthropic', 'google', 'openai-compatible', 'offline']);

/** What a model takes, where it is to be said and not learned. */
const takes = {
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
  historyTokens: z
    .int()
    .min(1_000)
    .max(1_000_000)
    .optional()
    .describe(
      'Tokens of the conversation that go along at most, and at most half of the window: more remembers longer and costs more with each message. Default: 20000, and up to 32000 for a window that is known to be large',
    ),
  tools: z
    .boolean()
    .default(true)
    .describe(
      'False: the model is offered no tools. Without this, one that refuses them is asked again without them.',
    ),
};

const prices = z.strictObject({
  input: z.number().min(0).describe('US dollars for a million tokens sent. Without it no cost is shown.'),
  output: z.number().min(0).describe('US dollars for a million tokens that come back.'),
  cachedInput: z
    .number()
    .min(0)
    .optional()
    .describe('US dollars for a million tokens that the provider had in its cache. Default: as `input`.'),
});

/** A model that takes over. */
export const fallbackModel = z.strictObject({
  provider,
  name: z.string().min(1).optional(),
  baseUrl: root.optional(),
  ...takes,
});

/** The model of one assistant: its name at the provider of `model`, or where else it is reached. */
export const ownModel = z.union([
  z.string().min(1),
  z.strictObject({
    provider: provider.optional(),
    name: z.string().min(1).optional(),
    baseUrl: root.optional(),
    ...takes,
    prices: prices.optional(),
  }),
]);

export const model = z.strictObject({
  provider: provider
    .optional()
    .describe('Whose model answers. Default: the one whose key is set, else the built-in offline model.'),
  name: z
    .string()
    .min(1)
    .optional()
    .describe('The model, as its provider names it. Default: a current one of the provider.'),
  baseUrl: root.optional().describe('Another API root (a proxy, Ollama, vLLM, llama.cpp, OpenRouter).'),
  ...takes,
  fallbacks: z
    .array(fallbackModel)
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
  prices: prices.optional(),
});
