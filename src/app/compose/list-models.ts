// Which models the configured providers list, asked without an engine. For the doctor and the wizard.
import type { ModelChoice } from '#app/settings/model.ts';
import type { Clock } from '#base/clock.ts';
import { ownRootOf, providerReach } from '#engine/providers/calls/settings.ts';
import { listProviders } from '#engine/providers/model-list.ts';

export interface AskedModel {
  provider: string;
  model: string;
  /** Where it was asked. */
  baseUrl: string;
  /** What it lists; undefined when it could not be asked. */
  models?: string[] | undefined;
  problem?: string | undefined;
}

/** Asks one provider, at most 5 s. A ParleyError `model_settings` names a key or an address that is missing. */
export async function listProviderModels(
  choice: ModelChoice & { provider: Exclude<ModelChoice['provider'], 'offline'> },
  clock: Clock,
): Promise<AskedModel> {
  const { modelID, baseUrl } = providerReach(choice, choice.provider);
  const { all } = await listProviders([choice], clock);
  return {
    provider: choice.provider,
    model: modelID,
    baseUrl,
    models: all[0]?.models,
    problem: all[0]?.problem,
  };
}

/** The API root at which a model is asked; undefined for the one that is built in, and where the address is missing. */
export function rootOf({ provider, baseUrl }: ModelChoice): string | undefined {
  return provider === 'offline' ? undefined : (baseUrl ?? ownRootOf(provider));
}
