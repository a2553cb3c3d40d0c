// The keys of `memory.embedding`: a provider's model, or a folder of this machine. The others are in schema.ts.
import { z } from 'zod';

const root = z.url({
  protocol: /^https?$/,
  error: 'expected an address that begins with http:// or https://',
});
const prefix = z.string().max(100).default('');

/** What is written, and what comes of it: each kind of model with exactly the keys that it has. */
export const embedding = z
  .strictObject({
    provider: z
      .enum(['openai', 'google', 'openai-compatible', 'local'])
      .describe(
        'Whose model makes vectors of what is remembered, so that it is also found in other words; its key is that of the answering model. Texts are sent there, but for `local`, a model in a folder of this machine. Without `memory.embedding`, words alone are searched.',
      ),
    model: z
      .string()
      .min(1)
      .optional()
      .describe('The embedding model, as its provider names it; needed but for `local`.'),
    dimensions: z
      .int()
      .min(8)
      .max(4096)
      .optional()
      .describe('How many numbers its vectors have; needed but for `local`, whose folder says it.'),
    baseUrl: root
      .optional()
      .describe(
        'Another API root (Ollama, vLLM, llama.cpp). Another server is another model: what is remembered is embedded again.',
      ),
    folder: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Of `local`: the folder of the model, relative to this file: config.json, tokenizer.json, tokenizer_config.json and onnx/model_quantized.onnx or onnx/model.onnx. It is run by @huggingface/transformers, which is installed beside Parley (`npm install --no-save --ignore-scripts @huggingface/transformers@4`); nothing is downloaded.',
      ),
    pooling: z
      .enum(['mean', 'cls'])
      .optional()
      .describe('Of `local`: how a vector is made of those of its tokens, `mean` when absent.'),
    keepPrefix: prefix.describe('What the model wants before a text that is kept, like `passage: `.'),
    askPrefix: prefix.describe('What it wants before a text that is asked, like `query: `.'),
  })
  .transform(({ provider, model, dimensions, baseUrl, folder, pooling, ...prefixes }, context) => {
    const wrong = (key: string, message: string): void =>
      void context.issues.push({ code: 'custom', path: [key], message, input: undefined });
    if (provider === 'local') {
      if (folder === undefined)
        wrong('folder', 'expected the folder of the model, since the provider is "local"');
      if (model !== undefined) wrong('model', 'a model in a folder is named by `folder` alone');
      if (baseUrl !== undefined) wrong('baseUrl', 'a model in a folder has no address');
      return {
        provider,
        folder: folder ?? '',
        dimensions,
        pooling: pooling ?? ('mean' as const),
        ...prefixes,
      };
    }
    if (model === undefined) wrong('model', 'expected the name of the embedding model');
    if (dimensions === undefined) wrong('dimensions', 'expected how many numbers its vectors have');
    for (const [key, value] of Object.entries({ folder, pooling }))
      if (value !== undefined) wrong(key, 'it belongs to the provider "local"');
    return { provider, model: model ?? '', dimensions: dimensions ?? 0, baseUrl, ...prefixes };
  })
  .optional();
