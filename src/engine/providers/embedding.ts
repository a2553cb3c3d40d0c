// A provider's embedding model as the memory calls it. Not when it is called, and not what becomes of the vectors.

import { ParleyError } from '#base/errors.ts';
import { lazily } from '#base/lazily.ts';
import type { Embedder } from '#memory/terms/embedding.ts';
import { failureOf } from './failure.ts';
import { reachOf } from './settings.ts';

export const embeddingProviders = ['openai', 'google', 'openai-compatible'] as const;

export interface EmbeddingSettings {
  provider: (typeof embeddingProviders)[number];
  model: string;
  dimensions: number;
  baseUrl?: string | undefined;
  apiKey?: string | undefined;
  /** What some models want before a text that is kept, and before one that is asked. */
  keepPrefix: string;
  askPrefix: string;
}

/** Texts in one call: what every provider takes, and little enough to be repeated. */
const textsAtOnce = 64;

/**
 * The embedding model that these settings reach; settings that lack something throw at once, in words. Failed calls reject with
 * a ParleyError `embedding_failed` in words without keys or addresses; nothing is retried here.
 */
export function createEmbedder(settings: EmbeddingSettings): Embedder {
  const { provider, model: name, dimensions, keepPrefix, askPrefix } = settings;
  const reach = reachOf(settings, provider);
  // a program whose memory asks no provider does without all of it
  const embed = lazily(async () => (await import('./sdk/embed.ts')).createEmbed(provider, reach));
  return {
    // other words before a text give other vectors
    identity: { provider, model: keepPrefix === '' ? name : `${name} after ${keepPrefix}`, dimensions },
    atOnce: textsAtOnce,
    async embed(texts, { purpose, signal }) {
      const prefix = purpose === 'keep' ? keepPrefix : askPrefix;
      const taskType = purpose === 'keep' ? 'RETRIEVAL_DOCUMENT' : 'RETRIEVAL_QUERY';
      try {
        const ask = await embed();
        return await ask(
          texts.map((text) => `${prefix}${text}`),
          {
            signal,
            options: {
              // its older models have one size only, and refuse to be told
              openai: name.startsWith('text-embedding-3') ? { dimensions } : {},
              google: { outputDimensionality: dimensions, taskType },
            },
          },
        );
      } catch (cause) {
        throw new ParleyError('embedding_failed', failureOf(cause).sentence.replace(/\.$/, ''), { cause });
      }
    },
  };
}
