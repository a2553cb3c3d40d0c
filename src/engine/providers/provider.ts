// From settings to a language model that can be called. Not the call itself.
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import { withTimeout } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { createOfflineModel, offlineModelID } from './offline/model.ts';
import { type ModelSettings, type ProviderName, reachOf } from './settings.ts';

export interface Provider {
  providerID: ProviderName;
  modelID: string;
  model: LanguageModel;
  /** True when file parts of this type may be sent along; others are only mentioned. */
  takesFile(mime: string): boolean;
  /** What this provider is told with every call. */
  options?: Record<string, Record<string, string | boolean>>;
}

export interface Providers {
  /** The configured model, or another one of the same provider; a ParleyError `unknown_model` when it cannot be had. */
  resolve(wanted?: { providerID?: string | undefined; modelID: string }): Provider;
}

const imageOrPdf = /^(image\/(png|jpeg|gif|webp)|application\/pdf)$/;
const image = /^image\/(png|jpeg|gif|webp)$/;

/** The models that these settings reach; settings that lack something throw at once, in words. */
export function createProviders(options: {
  settings: ModelSettings;
  clock: Clock;
  /** How long a provider may take to accept a request. */
  connectMs: number;
}): Providers {
  const { settings } = options;
  // The library prints what it finds odd about a model to the console unless told not to, and only a global tells it.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const configured = createProvider(options);
  return {
    resolve(wanted) {
      if (wanted === undefined) return configured;
      const { providerID = configured.providerID, modelID } = wanted;
      if (providerID !== configured.providerID) throw unknownModel(providerID, modelID, configured);
      if (modelID === configured.modelID) return configured;
      if (configured.providerID === 'offline') throw unknownModel(providerID, modelID, configured);
      return createProvider({ ...options, settings: { ...settings, model: modelID } });
    },
  };
}

function unknownModel(providerID: string, modelID: string, { providerID: id, modelID: model }: Provider) {
  return new ParleyError(
    'unknown_model',
    `The model ${providerID}/${modelID} cannot be used here; the configured one is ${id}/${model}.`,
    { cure: 'Leave `model` out, or configure that provider.' },
  );
}

function createProvider(options: { settings: ModelSettings; clock: Clock; connectMs: number }): Provider {
  const { settings, clock } = options;
  const { provider } = settings;
  const fetch = boundedFetch(options);
  switch (provider) {
    case 'offline': {
      const model = createOfflineModel({ clock, deltaMs: settings.deltaMs ?? 0 });
      return { providerID: provider, modelID: offlineModelID, model, takesFile: () => false };
    }
    case 'openai': {
      const { modelID, baseUrl: baseURL, apiKey } = reachOf(settings, provider);
      const openai = createOpenAI({ baseURL, apiKey, fetch });
      const { api = settings.baseUrl === undefined ? 'responses' : 'chat' } = settings;
      const model = api === 'responses' ? openai.responses(modelID) : openai.chat(modelID);
      return {
        providerID: provider,
        modelID,
        model,
        takesFile: (mime) => imageOrPdf.test(mime),
        // This API keeps conversations on its own side unless told not to.
        ...(api === 'responses' ? { options: { openai: { store: false } } } : {}),
      };
    }
    case 'anthropic': {
      const { modelID, baseUrl: baseURL, apiKey } = reachOf(settings, provider);
      const model = createAnthropic({ baseURL, apiKey, fetch })(modelID);
      return { providerID: provider, modelID, model, takesFile: (mime) => imageOrPdf.test(mime) };
    }
    case 'google': {
      const { modelID, baseUrl: baseURL, apiKey } = reachOf(settings, provider);
      const model = createGoogle({ baseURL, apiKey, fetch })(modelID);
      return { providerID: provider, modelID, model, takesFile: (mime) => imageOrPdf.test(mime) };
    }
    case 'openai-compatible': {
      const { modelID, baseUrl: baseURL, apiKey } = reachOf(settings, provider);
      const name = 'openai-compatible';
      const compatible = createOpenAICompatible({
        name,
        baseURL,
        fetch,
        ...(apiKey === '' ? {} : { apiKey }),
      });
      return {
        providerID: provider,
        modelID,
        model: compatible.chatModel(modelID),
        takesFile: (mime) => image.test(mime),
      };
    }
  }
}

/** A fetch whose answer must begin within the limit; the body may take as long as the stream's own limits allow. */
function boundedFetch({ clock, connectMs }: { clock: Clock; connectMs: number }): typeof globalThis.fetch {
  return (input, init) => {
    // A limit that aborted the request later would tear the body, so the caller's signal goes to fetch as it is.
    const outer = init?.signal ?? undefined;
    const connecting = new AbortController();
    const signal = outer === undefined ? connecting.signal : AbortSignal.any([outer, connecting.signal]);
    return withTimeout({ clock, ms: connectMs, what: 'The first answer of the model provider' }, (limit) => {
      limit.addEventListener('abort', () => connecting.abort(limit.reason), { once: true });
      return globalThis.fetch(input, { ...init, signal });
    });
  };
}
