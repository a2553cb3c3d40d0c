// A provider's embedding model as the memory calls it.

import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';
import { lazy } from '#base/lazy.ts';
import { answerTooLarge } from '#engine/providers/calls/answer-size.ts';
import { failureOf } from '#engine/providers/calls/failure.ts';
import type { FailureCode } from '#engine/providers/calls/failure-code.ts';
import { ownRootOf, providerReach } from '#engine/providers/calls/settings.ts';
import { type Embedder, noVector } from '#memory/types/embedding.ts';

const embeddingProviders = ['openai', 'google', 'openai-compatible'] as const;

export interface EmbeddingSettings {
  provider: (typeof embeddingProviders)[number];
  model: string;
  dimensions: number;
  baseUrl?: string | undefined;
  apiKey?: string | undefined;
  /** What some models want before a text that is stored, and before one that is asked. */
  documentPrefix: string;
  queryPrefix: string;
}

/** Texts in one call: what every provider takes, and little enough to be repeated. */
const textsAtOnce = 64;

/** What no text is the reason of: the same call succeeds later. Of a connection that breaks a text may be the reason. */
const unavailable: readonly string[] = [
  'AUTHENTICATION_ERROR',
  'PROVIDER_BILLING',
  'RATE_LIMIT_EXCEEDED',
  'MODEL_NOT_FOUND',
] satisfies FailureCode[];

/** What a sentence about an answer would say wrongly of a text. */
const ownWords: Partial<Record<string, string>> = {
  CONTEXT_LENGTH_EXCEEDED: 'the text is too long for the model',
  PROVIDER_RESPONSE_INVALID: 'its server sent something that is not a list of vectors',
  PROVIDER_UNREACHABLE: 'its connection could not be made, or broke off',
} satisfies Partial<Record<FailureCode, string>>;

/**
 * The embedding model that these settings reach; settings that lack something throw at once with a message. Failed calls reject with
 * a ParleyError `embedding_unavailable` while the provider takes no call at all, `embedding_no_vector` where its answer holds what is no
 * number, else `embedding_failed`, with a message without keys or addresses; nothing is retried here.
 */
export function createEmbedder(settings: EmbeddingSettings): Embedder {
  const { provider, model: name, dimensions, documentPrefix, queryPrefix } = settings;
  const reach = providerReach(settings, provider);
  // a program whose memory asks no provider does without all of it
  const embed = lazy(async () => (await import('./sdk/embed.ts')).createEmbed(provider, reach));
  return {
    identity: {
      provider,
      model: identifiedBy(name, documentPrefix, serverOf(provider, reach.baseUrl)),
      dimensions,
    },
    atOnce: textsAtOnce,
    async embed(texts, { purpose, signal }) {
      const prefix = purpose === 'document' ? documentPrefix : queryPrefix;
      const taskType = purpose === 'document' ? 'RETRIEVAL_DOCUMENT' : 'RETRIEVAL_QUERY';
      try {
        const ask = await embed();
        return await ask(
          texts.map((text) => `${prefix}${text}`),
          {
            signal,
            options: {
              // its older models have one size only, and refuse a size in the request
              openai: name.startsWith('text-embedding-3') ? { dimensions } : {},
              google: { outputDimensionality: dimensions, taskType },
            },
          },
        );
      } catch (cause) {
        if (isLate(signal))
          throw new ParleyError('embedding_failed', 'its server did not answer in time', { cause });
        if (codeOf(cause) === noVector) throw cause;
        const { code, sentence } = failureOf(cause);
        const words = ownWords[code] ?? (codeOf(cause) === answerTooLarge ? errorMessage(cause) : sentence);
        const kind = unavailable.includes(code) ? 'embedding_unavailable' : 'embedding_failed';
        throw new ParleyError(kind, words.replace(/\.$/, ''), { cause });
      }
    },
  };
}

/** Whether a limit of time ended the call, and not the end of the program. */
function isLate({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof Error && reason.name === 'TimeoutError';
}

/** Other words before a text, and another server with a model of the same name, give other vectors. */
function identifiedBy(model: string, documentPrefix: string, server: string | undefined): string {
  return [
    model,
    ...(documentPrefix === '' ? [] : [`after ${documentPrefix}`]),
    ...(server === undefined ? [] : [`at ${server}`]),
  ].join(' ');
}

/** The server without what may be secret in its address; undefined for the provider's own. */
function serverOf(provider: EmbeddingSettings['provider'], baseUrl: string): string | undefined {
  const own = ownRootOf(provider);
  const plain = (root: string): string => {
    const { host, pathname } = new URL(root);
    return `${host}${pathname.replace(/\/+$/, '')}`;
  };
  return own !== undefined && plain(own) === plain(baseUrl) ? undefined : plain(baseUrl);
}
