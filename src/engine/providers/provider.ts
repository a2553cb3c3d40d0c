// From settings to a language model that can be asked.
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { ModelCallInput, ModelClient, ModelStreamEvent } from '#engine/providers/calls/model-call.ts';
import type { Prices } from '#engine/providers/calls/price.ts';
import {
  type ModelSettings,
  ownRootOf,
  type ProviderEndpoint,
  type ProviderName,
  providerReach,
} from '#engine/providers/calls/settings.ts';
import { takesFile } from './files.ts';
import { createOfflineModel, offlineModelID } from './offline/model.ts';
import type { Known } from './repair/known.ts';

export interface Provider {
  providerID: ProviderName;
  modelID: string;
  /** Names the model at its server, for what is learned of it. */
  key: string;
  /** What its settings say that it takes. */
  settings: Known;
  /** Tokens of a conversation that go along at most, where its settings say so. */
  historyTokens?: number | undefined;
  /** One call, as `ask` of Models; `remembers` is only for the offline model. */
  ask(asked: ModelCallInput & { remembers: boolean }, signal: AbortSignal): AsyncIterable<ModelStreamEvent>;
  /** Whether a file of this type and size may be sent along; others are only mentioned. */
  takesFile(file: { mime: string; bytes: number }): boolean;
  /** Who takes over when this one is out; see `isOutage`. */
  next?: Provider | undefined;
  /** What its tokens cost, where that is configured. */
  prices?: Prices | undefined;
}

export interface Providers {
  /**
   * The model of the agent with that name, the configured one for all others, or another one of the same provider; a ParleyError
   * `unknown_model` when it cannot be had.
   */
  resolve(wanted?: { providerID?: string | undefined; modelID: string }, agent?: string): Provider;
}

/** The models that these settings reach; settings that lack something throw at once with a message. */
export function createProviders(options: {
  settings: ModelSettings;
  /** Who takes over on an outage, in order. */
  fallbacks?: readonly ModelSettings[] | undefined;
  /** Agents with models of their own: the first answers, the others take over. */
  chains?: ReadonlyMap<string, readonly [ModelSettings, ...ModelSettings[]]> | undefined;
  models: Pick<ModelClient, 'ask'>;
  clock: Clock;
  /** How long a provider may take to accept a request. */
  connectMs: number;
}): Providers {
  const { settings, fallbacks = [], chains = new Map(), ...rest } = options;
  type Chain = { settings: ModelSettings; all: [Provider, ...Provider[]] };
  const chain = (first: ModelSettings, others: readonly ModelSettings[]): Chain => {
    const next = others.reduceRight<Provider | undefined>(
      (after, each) => ({ ...createProvider({ settings: each, ...rest }), next: after }),
      undefined,
    );
    return {
      settings: first,
      all: [{ ...createProvider({ settings: first, ...rest }), next }, ...chainOf(next)],
    };
  };
  const usual = chain(settings, fallbacks);
  const own = new Map([...chains].map(([name, [first, ...others]]) => [name, chain(first, others)]));
  const everyone = [usual, ...own.values()].flatMap(({ all }) => all);
  return {
    resolve(wanted, agent) {
      const mine = (agent === undefined ? undefined : own.get(agent)) ?? usual;
      const [configured] = mine.all;
      if (wanted === undefined) return configured;
      const { providerID = configured.providerID, modelID } = wanted;
      const found = [...mine.all, ...everyone].find(
        (each) => each.providerID === providerID && each.modelID === modelID,
      );
      if (found !== undefined) return found;
      if (providerID !== configured.providerID) throw unknownModel(providerID, modelID, configured);
      if (configured.providerID === 'offline') throw unknownModel(providerID, modelID, configured);
      const other = { ...mine.settings, model: modelID, prices: undefined };
      return { ...createProvider({ settings: other, ...rest }), next: configured.next };
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
    { hint: 'Leave `model` out, or configure that provider.' },
  );
}

function keyOf(provider: Exclude<ProviderName, 'offline'>, { modelID, baseUrl }: ProviderEndpoint): string {
  const at = baseUrl === ownRootOf(provider) ? '' : ` at ${new URL(baseUrl).host}`;
  return `${provider}/${modelID}${at}`;
}

interface ProviderOptions {
  settings: ModelSettings;
  models: Pick<ModelClient, 'ask'>;
  clock: Clock;
  connectMs: number;
}

function createProvider({ settings, models, clock, connectMs }: ProviderOptions): Provider {
  const { provider, prices, deltaMs = 0 } = settings;
  const takes: Provider['takesFile'] = (file) => takesFile(provider, file);
  if (provider === 'offline') {
    const ask = createOfflineModel({ clock, deltaMs });
    return {
      ...{ providerID: provider, modelID: offlineModelID, key: offlineModelID, settings: {} },
      ...{ ask, takesFile: takes, prices },
    };
  }
  const reach = providerReach(settings, provider);
  const { api = settings.baseUrl === undefined ? 'responses' : 'chat' } = settings;
  const target = { provider, ...reach, api: provider === 'openai' ? api : ('chat' as const), connectMs };
  return {
    providerID: provider,
    modelID: reach.modelID,
    key: keyOf(provider, reach),
    settings: { images: settings.maxImages, tools: settings.tools, contextTokens: settings.contextTokens },
    historyTokens: settings.historyTokens,
    ask: ({ remembers: _, ...asked }, signal) => models.ask(target, asked, signal),
    takesFile: takes,
    prices,
  };
}
