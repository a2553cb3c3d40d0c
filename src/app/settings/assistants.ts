// From the assistants of the config to what engine and gateway know of them. Pure.

import type { AssistantRules } from '#adapters/gateway/admission/assistants.ts';
import type { Environment } from '#app/config/environment.ts';
import type { Config } from '#app/config/schema.ts';
import type { EngineOptions } from '#engine/engine.ts';
import { modelSettings } from './model.ts';

type Assistant = Config['assistants'][string];
type NamedModel = Omit<Config['model']['fallbacks'][number], 'provider'> &
  Pick<Config['model'], 'provider' | 'prices'>;

/** The model of an assistant and those that take over; undefined for one that answers with the usual ones. */
export function ownModels(
  { model, fallbacks }: Pick<Assistant, 'model' | 'fallbacks'>,
  usual: Config['model'],
): [NamedModel, ...NamedModel[]] | undefined {
  if (model === undefined && fallbacks === undefined) return undefined;
  return [firstModel(model, usual), ...(fallbacks ?? usual.fallbacks)];
}

function firstModel(model: Assistant['model'], usual: Config['model']): NamedModel {
  if (model === undefined) return usual;
  if (typeof model !== 'string') return model;
  if (model === usual.name) return usual;
  const { provider, baseUrl } = usual;
  return { provider, baseUrl, name: model, maxImages: usual.maxImages, tools: true };
}

/** Every model that the config names for answers, with what it is and the key of its name. */
export function answeringModels({
  model,
  assistants,
}: Pick<Config, 'model' | 'assistants'>): { what: string; key: string; model: NamedModel }[] {
  const chain = (
    [first, ...others]: readonly [NamedModel, ...NamedModel[]],
    { of, at }: { of: string; at: { first: string; fallbacks: string } },
  ) => [
    { what: `The model${of}`, key: at.first, model: first },
    ...others.map((each, index) => ({
      ...{ what: `Fallback ${index + 1}${of}`, key: `${at.fallbacks}.${index}.name`, model: each },
    })),
  ];
  return [
    ...chain([model, ...model.fallbacks], {
      of: '',
      at: { first: 'model.name', fallbacks: 'model.fallbacks' },
    }),
    ...Object.entries(assistants).flatMap(([name, one]) => {
      const own = ownModels(one, model);
      const at = { first: `assistants.${name}.model`, fallbacks: `assistants.${name}.fallbacks` };
      return own === undefined ? [] : chain(own, { of: ` of ${name}`, at });
    }),
  ];
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });

/** The assistants as the engine knows them, as its agents. */
export function assistantSettings(
  config: Config,
  environment: Environment,
): Pick<EngineOptions, 'agent' | 'agents'> {
  return {
    agent: config.agent,
    agents: Object.entries(config.assistants).map(([name, one]) => {
      const { systemPrompt, tools, deniedTools, memory, partition, language } = one;
      const own = ownModels(one, config.model)?.map((each) => modelSettings(each, environment)) ?? [];
      const [first, ...others] = own;
      return {
        ...{ name, systemPrompt, tools, deniedTools, memory, partition },
        language: language && languageNames.of(language),
        models: first && [first, ...others],
      };
    }),
  };
}

/** The assistants as the gateway knows them: who may choose each, and where each is bound. */
export function assistantRules({
  agent,
  assistants,
  bindings,
}: Pick<Config, 'agent' | 'assistants' | 'bindings'>): AssistantRules {
  const others = Object.entries(assistants).map(([name, { choosableBy, language }]) => ({
    ...{ name, choosableBy, language },
  }));
  return { all: [{ name: agent.name, choosableBy: agent.choosableBy }, ...others], bindings };
}
