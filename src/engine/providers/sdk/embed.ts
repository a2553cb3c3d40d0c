// One call of a provider's embedding model through the AI SDK.
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, type EmbeddingModel, embedMany } from 'ai';
import { ParleyError } from '#base/errors.ts';
import { fetchWithin } from '#engine/providers/calls/answer-size.ts';
import type { ProviderEndpoint } from '#engine/providers/calls/settings.ts';
import { noVector } from '#memory/types/embedding.ts';
import { classifyError } from './classify-error.ts';

/** An answer of 64 vectors of 4,096 numbers, written out, takes 6 MiB. */
const maxBytes = 32 * 2 ** 20;

/** What some servers write into a list of numbers where their model failed, which JSON has no number for. */
const noNumber = /[[,]\s*(NaN|null|-?Infinity|-?inf|nan|"[^"]{0,20}")\s*(?=[,\]])/;

type EmbeddingProvider = 'openai' | 'google' | 'openai-compatible';

/** Gives the vectors of texts, in order; rejects as `judged` says. Nothing is retried here. */
type EmbedTexts = (
  texts: readonly string[],
  how: { signal?: AbortSignal | undefined; options: Record<string, Record<string, string | number>> },
) => Promise<number[][]>;

/** Calls that model; nothing is asked before the first texts. */
export function createEmbed(provider: EmbeddingProvider, reach: ProviderEndpoint): EmbedTexts {
  // The library prints what it finds odd about a model to the console unless a global option stops it.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const model = modelOf(provider, reach);
  return async (texts, { signal, options }) => {
    try {
      const { embeddings } = await embedMany({
        model,
        values: [...texts],
        maxRetries: 0,
        ...(signal === undefined ? {} : { abortSignal: signal }),
        providerOptions: options,
      });
      return embeddings;
    } catch (error) {
      const given = APICallError.isInstance(error) ? noNumber.exec(error.responseBody ?? '')?.[1] : undefined;
      if (given !== undefined)
        throw new ParleyError(noVector, `expected vectors of finite numbers, got ${given} in one`, {
          cause: error,
        });
      throw classifyError(error);
    }
  };
}

function modelOf(
  provider: EmbeddingProvider,
  { modelID, baseUrl: baseURL, apiKey }: ProviderEndpoint,
): EmbeddingModel {
  const fetch = fetchWithin(maxBytes);
  if (provider === 'openai') return createOpenAI({ baseURL, apiKey, fetch }).embeddingModel(modelID);
  if (provider === 'google') return createGoogle({ baseURL, apiKey, fetch }).embeddingModel(modelID);
  const name = 'openai-compatible';
  return createOpenAICompatible({
    name,
    baseURL,
    fetch,
    ...(apiKey === '' ? {} : { apiKey }),
  }).embeddingModel(modelID);
}
