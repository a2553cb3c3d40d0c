// The transcription model, as the config names it.
import type { LoadedConfig } from '#app/config/load.ts';
import { chooseModel } from '#app/model.ts';
import type { EngineOptions } from '#engine/engine.ts';

/** The settings of the engine; nothing where no model is configured. */
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
