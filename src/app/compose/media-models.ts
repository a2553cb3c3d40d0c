// The models for speech and pictures, as the config names them.
import type { LoadedConfig } from '#app/config/load.ts';
import { chooseModel } from '#app/settings/model.ts';
import type { EngineOptions } from '#engine/engine.ts';
import type { EngineSettings } from '#engine/live-settings.ts';

/** The engine's settings for transcription; undefined when no model is configured. */
export function transcriptionOf({
  config,
  environment,
}: Pick<LoadedConfig, 'config' | 'environment'>): EngineOptions['transcription'] {
  const { voice } = config.channels;
  if (voice === undefined) return undefined;
  const { provider, model, baseUrl, maxMinutes, maxMiB, timeoutSeconds } = voice;
  const reach = chooseModel({ provider, name: model, baseUrl }, environment);
  return {
    provider,
    model,
    baseUrl: reach.baseUrl,
    apiKey: reach.apiKey,
    maxSeconds: maxMinutes * 60,
    maxBytes: Math.floor(maxMiB * 2 ** 20),
    timeoutMs: timeoutSeconds * 1000,
  };
}

/** The engine's settings for the models of speech and pictures; those that are not configured are absent. */
export function mediaOf({
  config,
  environment,
}: Pick<LoadedConfig, 'config' | 'environment'>): NonNullable<EngineSettings['media']> {
  const reached = <
    Model extends { provider: 'openai' | 'openai-compatible'; model: string; baseUrl?: string | undefined },
  >(
    model: Model | undefined,
  ) => {
    if (model === undefined) return undefined;
    const { provider, model: name, baseUrl } = model;
    const reach = chooseModel({ provider, name, baseUrl }, environment);
    return { ...model, baseUrl: reach.baseUrl, apiKey: reach.apiKey };
  };
  return { speech: reached(config.tools.speech), image: reached(config.tools.image) };
}
