// The doctor on the models: whether each is reached, takes the key, and has the name that the config gives. Costs no tokens.

import { join } from 'node:path';
import { type AskedModel, listProviderModels } from '#app/compose/list-models.ts';
import type { LoadedConfig } from '#app/config/load.ts';
import { answeringModels } from '#app/settings/assistants.ts';
import { chooseModel, type ModelChoice } from '#app/settings/model.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage, hintOf } from '#base/errors.ts';
import { nearestNames, nearestWords } from '#base/nearest.ts';
import { type Diagnostic, errorFinding, ok, warning } from './diagnostic.ts';

/** A model that the config names, and the key under which it does. */
interface NamedChoice {
  what: string;
  key: string;
  choice: ModelChoice;
  /** Where its key is set. */
  envFile: string;
}

/** Asks the providers of all models that answer, of every assistant and its fallbacks, each once. */
export async function checkModels(loaded: LoadedConfig, clock: Clock): Promise<Diagnostic[]> {
  const { config, environment, folder } = loaded;
  const looks = chooserOf(config, environment);
  const checks = [
    ...answering(loaded).map((each) => checkModel(each, clock)),
    ...(looks === undefined
      ? []
      : [
          checkModel(
            {
              ...{ what: 'The model of looks', key: 'memory.active.model', choice: looks },
              envFile: join(folder, '.env'),
            },
            clock,
          ),
        ]),
  ];
  return (await Promise.all(checks)).flat();
}

/** A warning for each model that answers whose provider lists its models, and not this one. Of a provider that cannot be asked it says that. */
export async function checkModelNames(loaded: LoadedConfig, clock: Clock): Promise<Diagnostic[]> {
  const asked = answering(loaded).map(async ({ key, choice }): Promise<Diagnostic[]> => {
    const { provider } = choice;
    if (provider === 'offline') return [];
    try {
      const { model, models, problem } = await listProviderModels({ ...choice, provider }, clock);
      if (models === undefined)
        return [ok(`Whether there is ${provider}/${model} could not be asked. ${problem ?? ''}`.trim())];
      return models.includes(model) ? [] : [unlisted({ name: `${provider}/${model}`, model, models }, key)];
    } catch (error) {
      // a key or an address that is missing here may be in the environment of the start
      const name = [provider, choice.model].filter((each) => each !== undefined).join('/');
      return [ok(`Whether there is ${name} could not be asked. ${errorMessage(error)}`)];
    }
  });
  return (await Promise.all(asked)).flat();
}

/** Those that are reached alike once, under the first key. */
function answering({ config, environment, folder }: LoadedConfig): NamedChoice[] {
  const all = answeringModels(config).map(({ what, key, model }) => ({
    ...{ what, key, envFile: join(folder, '.env') },
    choice: chooseModel(model, environment),
  }));
  const ids = all.map(({ choice }) => JSON.stringify(choice));
  return all.filter((_, at) => ids.indexOf(ids[at] ?? '') === at);
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

async function checkModel({ what, key, choice, envFile }: NamedChoice, clock: Clock): Promise<Diagnostic[]> {
  const { provider } = choice;
  if (provider === 'offline' && key !== 'model.name')
    return [ok(`${what} is the built-in offline model, which only recalls.`)];
  if (provider === 'offline')
    return [
      warning(
        'No model key is set: the built-in offline model answers, which only recalls.',
        'Set OPENAI_API_KEY, ANTHROPIC_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY, or OPENAI_BASE_URL.',
      ),
    ];
  try {
    return [remarkOn(await listProviderModels({ ...choice, provider }, clock), { key, envFile })];
  } catch (error) {
    const hint = hintOf(error);
    return [errorFinding(errorMessage(error), hint ?? 'Look at `model` in the config.')];
  }
}

function remarkOn(
  { provider, model, baseUrl, models, problem }: AskedModel,
  { key, envFile }: Pick<NamedChoice, 'key' | 'envFile'>,
): Diagnostic {
  const name = `${provider}/${model}`;
  if (models === undefined)
    return unasked({ name, baseUrl, envFile, problem: problem ?? 'no reason was given' });
  if (models.includes(model)) return ok(`${name} is there and takes the key.`);
  return unlisted({ name, model, models }, key);
}

function unlisted(
  { name, model, models }: { name: string; model: string; models: readonly string[] },
  key: string,
): Diagnostic {
  const nearest = nearestWords(nearestNames(model, models, 3));
  return warning(
    `The provider does not list ${name}.${nearest === '' ? '' : ` ${nearest}`}`,
    `Set \`${key}\` to a name that it lists, unless this one is known to be an alias.`,
  );
}

function unasked({
  name,
  baseUrl,
  envFile,
  problem,
}: {
  name: string;
  baseUrl: string;
  envFile: string;
  problem: string;
}): Diagnostic {
  const status = /status (\d{3})/.exec(problem)?.[1];
  if (status === '401' || status === '403')
    return errorFinding(
      `${name}: the provider refuses the key. ${problem}`,
      `Make a new key at the provider and set it in ${envFile}; check that its account may use this model.`,
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
