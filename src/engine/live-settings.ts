// What of the engine's settings may change while it works, as it is now: who answers, with which model, tools and bounds.
import type { Clock } from '#base/clock.ts';
import { defined } from '#base/json.ts';
import type { Sharing } from '#memory/types/scope.ts';
import { type Agent, type Agents, createAgents } from './context/agents.ts';
import { defaultLimits, type EngineLimits } from './limits.ts';
import type { Policy } from './permissions/policy.ts';
import type { ModelClient } from './providers/calls/model-call.ts';
import type { ModelSettings } from './providers/calls/settings.ts';
import type { MediaSettings } from './providers/media.ts';
import { createProviders, type Providers } from './providers/provider.ts';
import type { SearchSettings } from './tools/web/search-web.ts';
import type { TeamSettings } from './wire/teams/team-policy.ts';

export interface EngineSettings {
  sharing: Sharing;
  /** IANA name of the zone of people who set none; UTC when absent. */
  timeZone?: string | undefined;
  model: ModelSettings;
  /** Models that take over when that one is out, in order. */
  fallbacks?: readonly ModelSettings[] | undefined;
  /** Who answers where nothing else is set. */
  agent: Agent;
  /** Further agents, which answer where they are named. */
  agents?: readonly Agent[] | undefined;
  /** Which tools may be used where; what is not named holds as each tool says. */
  policy?: Partial<Policy> | undefined;
  /** Lets models read pages of the web; off when absent. */
  web?: { privateHosts?: readonly string[] | undefined } | undefined;
  /** Lets models search the web by this service; off when absent. */
  search?: SearchSettings | undefined;
  /** Models that speak and draw; the tools for it are there while they are. */
  media?: MediaSettings | undefined;
  limits?: Partial<EngineLimits> | undefined;
  /** Which agents may start others; none may when absent. */
  team?: TeamSettings | undefined;
  /** Names and patterns of tools that the config uses anywhere: those of an MCP server are compared with what it offers. */
  namedTools?: readonly string[] | undefined;
}

/** What can be prepared before it holds. */
export interface Reconfigurable {
  /**
   * Looks at other settings and gives what puts them into force, for all that begins from then on; a run in progress keeps its agent
   * and model. Throws what is wrong with them as the start does, and then nothing has changed.
   */
  prepare(next: EngineSettings): () => void;
}

export interface LiveSettings extends Reconfigurable {
  now(): EngineSettings;
  agents: Agents;
  providers: Providers;
  policy: Policy;
  /** The same object for ever, so that every holder reads the settings of this moment. */
  limits: EngineLimits;
}

/** The settings of an engine that begins with these; throws `model_settings` and `unknown_agent`. */
export function createLiveSettings(
  first: EngineSettings,
  { models, clock }: { models: Pick<ModelClient, 'ask'>; clock: Clock },
): LiveSettings {
  const made = (settings: EngineSettings) => {
    const limits: EngineLimits = { ...defaultLimits, ...defined(settings.limits ?? {}) };
    const { model, fallbacks, agent, agents = [] } = settings;
    const chains = [agent, ...agents].flatMap(({ name, models: own }) =>
      own === undefined ? [] : [[name, own] as const],
    );
    return {
      settings,
      limits,
      agents: createAgents([agent, ...agents]),
      providers: createProviders({
        ...{ settings: model, fallbacks, chains: new Map(chains) },
        ...{ models, clock, connectMs: limits.connectMs },
      }),
      policy: { tools: {}, channels: {}, ...defined(settings.policy ?? {}) },
    };
  };
  let now = made(first);
  const limits = { ...now.limits };
  return {
    now: () => now.settings,
    limits,
    agents: {
      at: (place) => now.agents.at(place),
      all: () => now.agents.all(),
      named: (name) => now.agents.named(name),
    },
    providers: { resolve: (wanted, agent) => now.providers.resolve(wanted, agent) },
    policy: {
      get tools() {
        return now.policy.tools;
      },
      get channels() {
        return now.policy.channels;
      },
    },
    prepare(settings) {
      const next = made(settings);
      return () => {
        now = next;
        Object.assign(limits, next.limits);
      };
    },
  };
}
