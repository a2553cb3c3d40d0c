// Which model answers and how it is reached: the settings, checked, with what each provider needs. Nothing is read from the environment here.
import { ParleyError } from '#base/errors.ts';
import type { Prices } from './price.ts';

const providerNames = ['openai', 'anthropic', 'google', 'openai-compatible', 'offline'] as const;
export type ProviderName = (typeof providerNames)[number];

export interface ModelSettings {
  provider: ProviderName;
  /** The provider's name of the model; a small current one when absent. */
  model?: string | undefined;
  /** Another root of the provider's API. */
  baseUrl?: string | undefined;
  apiKey?: string | undefined;
  /**
   * OpenAI only: which of its two APIs is spoken. `responses` at its own address, `chat` at another one when absent, since
   * few of the servers that imitate OpenAI know the newer one.
   */
  api?: 'responses' | 'chat' | undefined;
  /** Offline only: the pause between two pieces of an answer, in milliseconds, so that streaming can be seen. */
  deltaMs?: number | undefined;
  /** Pictures of one request at most, the newest ones. */
  maxImages?: number | undefined;
  /** False for a model that takes no tools. */
  tools?: false | undefined;
  /** Tokens of its window; learned, or known by its name, when absent. */
  contextTokens?: number | undefined;
  /** Tokens of a conversation that go along at most; as the window allows when absent. */
  historyTokens?: number | undefined;
  /** What its tokens cost; without prices the usage has no cost. */
  prices?: Prices | undefined;
}

/** The parts of the settings that a provider was found to need, none missing. */
export interface ProviderEndpoint {
  modelID: string;
  baseUrl: string;
  apiKey: string;
}

const known: Record<Exclude<ProviderName, 'offline'>, { model?: string; baseUrl?: string; key?: string }> = {
  openai: { model: 'gpt-6-luna', baseUrl: 'https://api.openai.com/v1', key: 'OPENAI_API_KEY' },
  anthropic: {
    model: 'claude-haiku-5-5',
    baseUrl: 'https://api.anthropic.com/v1',
    key: 'ANTHROPIC_API_KEY',
  },
  google: {
    model: 'gemini-flash-latest',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    key: 'GOOGLE_GENERATIVE_AI_API_KEY',
  },
  'openai-compatible': {},
};

/** The model of a provider that is asked where none is named. */
export function modelOf(provider: 'openai' | 'anthropic' | 'google'): string {
  return known[provider].model ?? '';
}

/** The API root of the provider's own servers; undefined for one that has none. */
export function ownRootOf(provider: Exclude<ProviderName, 'offline'>): string | undefined {
  return known[provider].baseUrl;
}

/** What the provider needs, with its defaults filled in; a ParleyError `model_settings` names what is missing. */
export function providerReach(
  settings: ModelSettings,
  provider: Exclude<ProviderName, 'offline'>,
): ProviderEndpoint {
  const { model, baseUrl, key } = known[provider];
  const missing = (what: string, hint: string): ParleyError =>
    new ParleyError('model_settings', `The model provider ${provider} needs ${what}; none is set.`, { hint });
  const modelID = settings.model ?? model;
  const root = settings.baseUrl ?? baseUrl;
  if (modelID === undefined) throw missing('a model name', 'Set `model.name` in the config.');
  if (root === undefined) throw missing('a base URL', 'Set `model.baseUrl` in the config.');
  if (key !== undefined && !settings.apiKey) throw missing('an API key', `Set ${key} in the environment.`);
  if (!URL.canParse(root)) {
    throw new ParleyError(
      'model_settings',
      `The base URL of the model provider ${provider} is not a URL: ${JSON.stringify(root)}.`,
      { hint: 'Set `model.baseUrl` to something like https://host/v1.' },
    );
  }
  return { modelID, baseUrl: root, apiKey: settings.apiKey ?? '' };
}
