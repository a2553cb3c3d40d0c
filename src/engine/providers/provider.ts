// From settings to a language model that can be called. Not the call itself.
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import { withTimeout } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { askUsage } from './ask-usage.ts';
import { takesFile } from './files.ts';
import { createOfflineModel, offlineModelID } from './offline/model.ts';
import type { Prices } from './price.ts';
import { type ModelSettings, type ProviderName, reachOf } from './settings.ts';

export interface Provider {
  providerID: ProviderName;
  modelID: string;
  model: LanguageModel;
  /** Whether a file of this type and size may be sent along; others are only mentioned. */
  takesFile(file: { mime: string; bytes: number }): boolean;
  /** Who takes over when this one is out; see `isOutage`. */
  next?: Provider | undefined;
  /** What its tokens cost, where that is configured. */
  prices?: Prices | undefined;
  /** What this provider is told with every call. */
  options?: Record<string, Record<string, string | boolean>>;
}

export interface Providers {
  /** The configured model, or another one of the same provider; a ParleyError `unknown_model` when it cannot be had. */
  resolve(wanted?: { providerID?: string | undefined; modelID: string }): Provider;
}

/** The models that these settings reach; settings that lack something throw at once, in words. */
export function createProviders(options: {
  settings: ModelSettings;
  /** Who takes over on an outage, in order. */
  fallbacks?: readonly ModelSettings[] | undefined;
  clock: Clock;
  /** How long a provider may take to accept a request. */
  connectMs: number;
}): Providers {
  const { settings, fallbacks = [], clock, connectMs } = options;
  // The library prints what it finds odd about a model to the console unless told not to, and only a global tells it.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const next = fallbacks.reduceRight<Provider | undefined>(
    (after, each) => ({ ...createProvider({ settings: each, clock, connectMs }), next: after }),
    undefined,
  );
  const configured: Provider = { ...createProvider({ settings, clock, connectMs }), next };
  const known = [configured, ...chainOf(next)];
  return {
    resolve(wanted) {
      if (wanted === undefined) return configured;
      const { providerID = configured.providerID, modelID } = wanted;
      const found = known.find((each) => each.providerID === providerID && each.modelID === modelID);
      if (found !== undefined) return found;
      if (providerID !== configured.providerID) throw unknownModel(providerID, modelID, configured);
      if (configured.providerID === 'offline') throw unknownModel(providerID, modelID, configured);
      const other = { ...settings, model: modelID, prices: undefined };
      return { ...createProvider({ settings: other, clock, connectMs }), next };
    },
  };
}

function chainOf(provider: Provider | undefined): Provider[] {
  return provider === undefined ? [] : [provider, ...chainOf(provider.next)];
}

function unknownModel(providerID: string, modelID: string, { providerID: id, modelID: model }: Provider) {
  return new ParleyError(
    'unknown_model',
    `The model ${providerID}/${modelID} cannot be used here; the configured one is ${id}/${model}.`,
    { cure: 'Leave `model` out, or configure that provider.' },
  );
}

interface ProviderOptions {
  settings: ModelSettings;
  clock: Clock;
  connectMs: number;
}

function createProvider(options: ProviderOptions): Provider {
  return { ...reach(options), prices: options.settings.prices };
}

function reach(options: ProviderOptions): Provider {
  const { settings, clock } = options;
  const { provider } = settings;
  const fetch = boundedFetch(options);
  const takes: Provider['takesFile'] = (file) => takesFile(provider, file);
  switch (provider) {
    case 'offline': {
      const model = createOfflineModel({ clock, deltaMs: settings.deltaMs ?? 0 });
      return { providerID: provider, modelID: offlineModelID, model, takesFile: takes };
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
        takesFile: takes,
        // This API keeps conversations on its own side unless told not to.
        ...(api === 'responses' ? { options: { openai: { store: false } } } : {}),
      };
    }
    case 'anthropic': {
      const { modelID, baseUrl: baseURL, apiKey } = reachOf(settings, provider);
      const model = createAnthropic({ baseURL, apiKey, fetch })(modelID);
      return { providerID: provider, modelID, model, takesFile: takes };
    }
    case 'google': {
      const { modelID, baseUrl: baseURL, apiKey } = reachOf(settings, provider);
      const model = createGoogle({ baseURL, apiKey, fetch })(modelID);
      return { providerID: provider, modelID, model, takesFile: takes };
    }
    case 'openai-compatible': {
      const { modelID, baseUrl: baseURL, apiKey } = reachOf(settings, provider);
      const name = 'openai-compatible';
      const compatible = createOpenAICompatible({
        name,
        baseURL,
        fetch: askUsage(fetch),
        // Unless it is asked, such a server tells no usage of a stream, and neither cost nor limits would count it.
        includeUsage: true,
        ...(apiKey === '' ? {} : { apiKey }),
      });
      return {
        providerID: provider,
        modelID,
        model: compatible.chatModel(modelID),
        takesFile: takes,
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
