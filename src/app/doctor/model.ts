// The doctor on the models: whether each is reached, takes the key, and has the name that the config gives. Costs no tokens.

import { type AskedModel, askModel } from '#app/compose/ask-models.ts';
import type { Loaded } from '#app/config/load.ts';
import { chooseModel, type ModelChoice } from '#app/model.ts';
import type { Clock } from '#base/clock.ts';
import { cureOf, wordsOf } from '#base/errors.ts';
import { nearestName } from '#base/nearest.ts';
import { ok, type Remark, warning, wrong } from './diagnosis.ts';

/** The model and those that take over from it. */
export async function checkModels({ config, environment }: Loaded, clock: Clock): Promise<Remark[]> {
  const choices = [config.model, ...config.model.fallbacks].map((each) => chooseModel(each, environment));
  return (await Promise.all(choices.map((each) => checkModel(each, clock)))).flat();
}

async function checkModel(choice: ModelChoice, clock: Clock): Promise<Remark[]> {
  const { provider } = choice;
  if (provider === 'offline')
    return [
      warning(
        'No model key is set: the built-in offline model answers, which only recalls.',
        'Set OPENAI_API_KEY, ANTHROPIC_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY, or OPENAI_BASE_URL.',
      ),
    ];
  try {
    return [remarkOn(await askModel({ ...choice, provider }, clock))];
  } catch (error) {
    const cure = cureOf(error);
    return [wrong(wordsOf(error), cure ?? 'Look at `model` in the config.')];
  }
}

function remarkOn({ provider, model, baseUrl, models, trouble }: AskedModel): Remark {
  const name = `${provider}/${model}`;
  if (models === undefined) return unasked({ name, baseUrl, trouble: trouble ?? 'no reason was given' });
  if (models.includes(model)) return ok(`${name} is there and takes the key.`);
  const near = nearestName(model, models);
  const nearest = near === undefined ? '' : ` The nearest name is "${near}".`;
  return warning(
    `The provider does not list ${name}.${nearest}`,
    'Set `model.name` to a name that it lists, unless this one is known to be an alias.',
  );
}

function unasked({ name, baseUrl, trouble }: { name: string; baseUrl: string; trouble: string }): Remark {
  const status = /status (\d{3})/.exec(trouble)?.[1];
  if (status === '401' || status === '403')
    return wrong(
      `${name}: the provider refuses the key. ${trouble}`,
      'Make a new key at the provider and set it in .env; check that its account may use this model.',
    );
  if (status === '404' || status === '405')
    return warning(
      `${name}: the server at ${baseUrl} is there, but lists no models. ${trouble}`,
      'If answers fail: check that the address ends as the server wants it, mostly with /v1.',
    );
  return wrong(
    `${name} cannot be reached at ${baseUrl}. ${trouble}`,
    'Check the network, a proxy, OPENAI_BASE_URL and `model.baseUrl`; start the server if it is one of yours.',
  );
}
