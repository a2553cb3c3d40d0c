// Which provider answers: the one the config names, else the one whose key is set, else the built-in offline model. Pure.
import type { Environment, EnvironmentName } from '#app/config/environment.ts';
import type { Config } from '#app/config/schema.ts';
import type { EngineOptions } from '#engine/engine.ts';

type Provider = NonNullable<Config['model']['provider']>;

export interface ModelChoice {
  provider: Provider;
  model: string | undefined;
  baseUrl: string | undefined;
  apiKey: string | undefined;
}

const keyNames: Readonly<Record<Exclude<Provider, 'offline'>, EnvironmentName>> = {
  openai: 'OPENAI_API_KEY',
  'openai-compatible': 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GOOGLE_GENERATIVE_AI_API_KEY',
};

/** The provider, and the key and root that belong to it; the engine reports what is missing. */
export function chooseModel(
  { provider, name, baseUrl }: Partial<Pick<Config['model'], 'provider' | 'name' | 'baseUrl'>>,
  environment: Environment,
): ModelChoice {
  const openAIRoot = baseUrl ?? environment.OPENAI_BASE_URL;
  const chosen = provider ?? inferred(environment, openAIRoot);
  return {
    provider: chosen,
    model: name,
    baseUrl: chosen === 'openai' || chosen === 'openai-compatible' ? openAIRoot : baseUrl,
    apiKey: chosen === 'offline' ? undefined : environment[keyNames[chosen]],
  };
}

function inferred(environment: Environment, openAIRoot: string | undefined): Provider {
  if (openAIRoot !== undefined) return 'openai-compatible';
  if (environment.OPENAI_API_KEY !== undefined) return 'openai';
  if (environment.ANTHROPIC_API_KEY !== undefined) return 'anthropic';
  if (environment.GOOGLE_GENERATIVE_AI_API_KEY !== undefined) return 'google';
  return 'offline';
}

/** A model of the config as the engine reads it: how it is reached, what it takes and what it costs. */
export function modelSettings(
  named: Pick<Config['model'], 'provider' | 'maxImages' | 'tools'> &
    Partial<Pick<Config['model'], 'name' | 'baseUrl' | 'contextTokens' | 'historyTokens' | 'prices'>>,
  environment: Environment,
): EngineOptions['model'] {
  const { maxImages, contextTokens, historyTokens, tools, prices } = named;
  const takes = { maxImages, contextTokens, historyTokens, tools: tools ? undefined : (false as const) };
  return { ...chooseModel(named, environment), ...takes, prices };
}

/** The model that needs no key. */
export const offlineText = 'the built-in offline model';

/** A model's name for people: `openai/gpt-6-luna`. */
export function modelText(model: string): string {
  return model.startsWith('offline/') ? offlineText : model;
}
