// The keys of `memory.embedding`: a provider's model, or a folder of this machine. The others are in schema.ts.
import { z } from 'zod';
import { knownModels, offeredModel } from './known-models.ts';

const root = z.url({
  protocol: /^https?$/,
  error: 'expected an address that begins with http:// or https://',
});
const prefix = z.string().max(100).optional();
const publicHub = 'https://huggingface.co';

/** What is written, and what it becomes: each kind of model with exactly the keys that it has. */
export const embedding = z
  .strictObject({
    provider: z
      .enum(['openai', 'google', 'openai-compatible', 'local'])
      .describe(
        'Whose model makes vectors of what is remembered, so that it is also found in other words; its key is that of the answering model. Texts are sent there, except for `local`, a model that runs on this machine. Without `memory.embedding`, only words are searched.',
      ),
    model: z
      .string()
      .min(1)
      .optional()
      .describe(
        `The embedding model, as its provider names it. Of \`local\`: a model of the hub, which is downloaded once into the home folder, like \`${offeredModel}\` (129 MiB, about a hundred languages); or \`folder\`.`,
      ),
    revision: z
      .string()
      .regex(/^[0-9a-f]{40}$/, 'expected a commit of the model: 40 hexadecimal digits')
      .optional()
      .describe(
        'Of `local` with `model`: the commit that is downloaded, so that its content never changes. Known for the model above; any other one needs it.',
      ),
    dimensions: z
      .int()
      .min(8)
      .max(4096)
      .optional()
      .describe('How many numbers its vectors have; needed except for `local`, whose files say it.'),
    baseUrl: root
      .optional()
      .describe(
        'Another API root (Ollama, vLLM, llama.cpp). Another server is another model: what is remembered is embedded again. Of `local` with `model`: another hub, like a mirror of huggingface.co.',
      ),
    folder: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Of `local`, in place of `model`: the folder of a model, relative to this file: config.json, tokenizer.json, tokenizer_config.json and onnx/model_quantized.onnx or onnx/model.onnx. It is run by @huggingface/transformers, which is installed next to Parley (`npm install --no-save --ignore-scripts @huggingface/transformers@4`).',
      ),
    pooling: z
      .enum(['mean', 'cls'])
      .optional()
      .describe(
        'Of `local`: how a vector is made of those of its tokens; what a known model wants, or `mean`, when absent.',
      ),
    documentPrefix: prefix.describe(
      'What the model wants before a text that is stored, like `passage: `; set for a known model.',
    ),
    queryPrefix: prefix.describe(
      'What it wants before a text that is asked, like `query: `; set for a known model.',
    ),
  })
  .transform(({ provider, folder, pooling, revision, documentPrefix, queryPrefix, ...hosted }, context) => {
    const wrong = (key: string, message: string): void =>
      void context.issues.push({ code: 'custom', path: [key], message, input: undefined });
    const { model, dimensions, baseUrl } = hosted;
    if (provider === 'local') {
      const known = knownModels[model ?? ''];
      const commit = revision ?? known?.revision;
      if (folder === undefined && model === undefined)
        wrong(
          'model',
          'expected the name of a model of the hub, or a `folder` with one, since the provider is "local"',
        );
      if (folder !== undefined) {
        if (baseUrl !== undefined) wrong('baseUrl', 'a model in a folder has no address');
        for (const [key, value] of Object.entries({ model, revision }))
          if (value !== undefined) wrong(key, 'a model in a folder is named by `folder` alone');
      }
      if (folder === undefined && model !== undefined) {
        if (!/^[\w.-]+\/[\w.-]+$/.test(model) || model.includes('..'))
          wrong('model', `expected OWNER/NAME, as the hub names it, like "${offeredModel}"`);
        else if (commit === undefined)
          wrong('revision', `expected the commit of "${model}": 40 hexadecimal digits, which the hub shows`);
      }
      return {
        provider,
        source:
          folder === undefined
            ? { hub: (baseUrl ?? publicHub).replace(/\/+$/, ''), name: model ?? '', revision: commit ?? '' }
            : { folder },
        dimensions,
        pooling: pooling ?? known?.pooling ?? ('mean' as const),
        documentPrefix: documentPrefix ?? known?.documentPrefix ?? '',
        queryPrefix: queryPrefix ?? known?.queryPrefix ?? '',
      };
    }
    if (model === undefined) wrong('model', 'expected the name of the embedding model');
    if (dimensions === undefined) wrong('dimensions', 'expected how many numbers its vectors have');
    for (const [key, value] of Object.entries({ folder, pooling, revision }))
      if (value !== undefined) wrong(key, 'it belongs to the provider "local"');
    return {
      provider,
      model: model ?? '',
      dimensions: dimensions ?? 0,
      baseUrl,
      documentPrefix: documentPrefix ?? '',
      queryPrefix: queryPrefix ?? '',
    };
  })
  .optional();
