// The doctor on the models: whether each is reached, takes the key, and has the name that the config gives. Costs no tokens.

import { type AskedModel, listProviderModels } from '#app/compose/list-models.ts';
import type { LoadedConfig } from '#app/config/load.ts';
import { chooseModel, type ModelChoice } from '#app/settings/model.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage, hintOf } from '#base/errors.ts';
import { nearestName } from '#base/nearest.ts';
import { type Diagnostic, errorFinding, ok, warning } from './diagnostic.ts';

/** Asks the providers of the model and of its fallbacks. */
export async function checkModels(
  { config, environment }: LoadedConfig,
  clock: Clock,
): Promise<Diagnostic[]> {
  const choices = [config.model, ...config.model.fallbacks].map((each) => chooseModel(each, environment));
  const looks = chooserOf(config, environment);
  const checks = [
    ...choices.map((each) => checkModel(each, 'model.name', clock)),
    ...(looks === undefined ? [] : [checkModel(looks, 'memory.active.model', clock)]),
  ];
  return (await Promise.all(checks)).flat();
}

/** The model that looks into memory before answers, where one is asked. */
function chooserOf(
  { memory: { active }, model }: LoadedConfig['config'],
  environment: LoadedConfig['environment'],
): ModelChoice | undefined {
  if (!active.enabled || active.model === undefined) return undefined;
  const choice = chooseModel({ ...model, name: active.model }, environment);
  return choice.provider === 'offline' ? undefined : choice;
}

async function checkModel(choice: ModelChoice, key: string, clock: Clock): Promise<Diagnostic[]> {
  const { provider } = choice;
  if (provider === 'offline')
    return [
      warning(
        'No model key is set: the built-in offline model answers, which only recalls.',
        'Set OPENAI_API_KEY, ANTHROPIC_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY, or OPENAI_BASE_URL.',
      ),
    ];
  try {
    return [remarkOn(await listProviderModels({ ...choice, provider }, clock), key)];
  } catch (error) {
    const hint = hintOf(error);
    return [errorFinding(errorMessage(error), hint ?? 'Look at `model` in the config.')];
  }
}

function remarkOn({ provider, model, baseUrl, models, problem }: AskedModel, key: string): Diagnostic {
  const name = `${provider}/${model}`;
  if (models === undefined) return unasked({ name, baseUrl, problem: problem ?? 'no reason was given' });
  if (models.includes(model)) return ok(`${name} is there and takes the key.`);
  const near = nearestName(model, models);
  const nearest = near === undefined ? '' : ` The nearest name is "${near}".`;
  return warning(
    `The provider does not list ${name}.${nearest}`,
    `Set \`${key}\` to a name that it lists, unless this one is known to be an alias.`,
  );
}

function unasked({ name, baseUrl, problem }: { name: string; baseUrl: string; problem: string }): Diagnostic {
  const status = /status (\d{3})/.exec(problem)?.[1];
  if (status === '401' || status === '403')
    return errorFinding(
      `${name}: the provider refuses the key. ${problem}`,
      'Make a new key at the provider and set it in .env; check that its account may use this model.',
    );
  if (status === '404' || status === '405')
    return warning(
      `${name}: the server at ${baseUrl} is there, but lists no models. ${problem}`,
      'If answers fail: check that the address ends as the server wants it, mostly with /v1.',
    );
  return errorFinding(
    `${name} cannot be reached at ${baseUrl}. ${problem}`,
    'Check the network, a proxy, OPENAI_BASE_URL and `model.baseUrl`; start the server if it is yours.',
  );
}
