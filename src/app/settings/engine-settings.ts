// The engine's settings for tools, memory and limits, made from the config. Pure.

import { join } from 'node:path';
import { isPlain, passwordsIn, secretsOf } from '#app/config/environment.ts';
import type { LoadedConfig } from '#app/config/load.ts';
import { namedTools } from '#app/config/named-tools.ts';
import type { Config } from '#app/config/schema.ts';
import { answeringModels } from '#app/settings/assistants.ts';
import { storageSecrets } from '#app/settings/storage.ts';
import { tracingSecrets } from '#app/telemetry/tracing-settings.ts';
import { ParleyError } from '#base/errors.ts';
import type { EngineOptions } from '#engine/engine.ts';

const variable = /\$\{(\w+)\}/g;

type Settings = Pick<EngineOptions, 'policy' | 'namedTools' | 'web' | 'mcp' | 'limits' | 'memorySettings'>;
type Variables = Readonly<Record<string, string | undefined>>;
type MemorySettings = NonNullable<EngineOptions['memorySettings']>;
type McpServers = NonNullable<EngineOptions['mcp']>;

/**
 * The engine's part of the config. A ParleyError `config_invalid` names a variable that an MCP server needs and that is not set; `folder` is
 * where its `.env` would be.
 */
export function engineSettings(config: Config, variables: Variables, folder: string): Settings {
  const { tools, mcp, model, memory } = config;
  return {
    ...policySettings(config),
    web: tools.web ? { privateHosts: tools.webPrivateHosts } : undefined,
    mcp: Object.fromEntries(
      Object.entries(mcp).map(([name, server]): [string, McpServers[string]] => {
        const filled = (values: Record<string, string>) => fill(values, { server: name, variables, folder });
        return [
          name,
          'command' in server
            ? { ...server, env: filled(server.env) }
            : { ...server, headers: filled(server.headers) },
        ];
      }),
    ),
    memorySettings: {
      ...sharedMemorySettings(config),
      active: activeOf(config),
      dreams: memory.dreaming.enabled,
      budgets: memory.budgets !== undefined,
      autoDistill: memory.distill && { silentMs: memory.distill.idleMinutes * 60_000 },
      flush: memory.flush.enabled ? { modelID: memory.flush.model, ...usualFlush } : undefined,
    },
    limits: {
      totalMs: model.totalSeconds * 1000,
      idleMs: model.idleSeconds * 1000,
      connectMs: model.connectSeconds * 1000,
      firstTokenMs: model.firstTokenSeconds * 1000,
      schedulesPerPerson: config.schedules.perPerson,
      scheduleGapMs: config.schedules.minMinutes * 60_000,
      ...runLimits(config),
      compactAfterMs: config.sessions.compactAfter && config.sessions.compactAfter * 60_000,
    },
  };
}

/** What tools may do, also where no Parley runs: programs work on the files then, by the same policy. */
export function policySettings(config: Config): Pick<Settings, 'policy' | 'namedTools'> {
  const { policy, channels } = config.tools;
  return {
    policy: { tools: policy, channels: withoutAbsent(channels) },
    namedTools: namedTools(config).map(({ name }) => name),
  };
}

/** A conversation is flushed before the prompt is full, so that one more answer still fits; the model has as long as a slow one needs. */
const usualFlush = { threshold: 0.8, timeoutMs: 60_000 };

/** Three looks in a row that were late are no accident; a model that restarts is back within a minute. */
const usualBreaker = { failures: 3, pauseMs: 60_000 };

/** The look into memory before answers; undefined where it is off. */
function activeOf({ memory: { active } }: Config): MemorySettings['active'] {
  if (!active.enabled) return undefined;
  const { model: modelID, timeoutSeconds, maxMemories, cacheSeconds, enabled: _, ...rest } = active;
  return {
    ...rest,
    ...{ modelID, timeoutMs: timeoutSeconds * 1000, memories: maxMemories, cacheMs: cacheSeconds * 1000 },
    breaker: usualBreaker,
  };
}

/** What holds for commands without a running Parley too: when the memory of a session ends, for how long and how many answers are stored. */
export function sharedMemorySettings({ memory }: Pick<Config, 'memory'>): MemorySettings {
  const { responseCache, sessionTier } = memory;
  const endArchived = sessionTier.endsWhen === 'archived';
  if (responseCache === undefined) return { endArchived };
  return {
    endArchived,
    responseCache: { keepMs: responseCache.minutes * 60_000, most: responseCache.entries },
  };
}

/** How long, and how many, files of runs are kept. */
export function runLimits({ runs }: Pick<Config, 'runs'>): {
  maxRuns: number;
  runRetentionDays: number | undefined;
} {
  return { maxRuns: runs.maxCount, runRetentionDays: runs.retentionDays };
}

/** All secrets of the configuration, which are masked everywhere. */
export function configuredSecrets(loaded: Omit<LoadedConfig, 'home'>): string[] {
  const { config, environment, variables } = loaded;
  return [
    ...secretsOf(environment),
    ...passwordsIn(answeringModels(config).map(({ model: { baseUrl } }) => baseUrl)),
    ...passwordsIn([config.network.proxy || undefined]),
    ...mcpSecrets(config, variables),
    ...storageSecrets(loaded),
    ...tracingSecrets(variables),
  ];
}

/**
 * What MCP servers are given that must never be shown: the variables that the config names, and what it holds itself
 * that looks like a token. Paths, addresses, numbers and plain words are none: they would be missed in every answer.
 */
export function mcpSecrets({ mcp }: Config, variables: Variables): string[] {
  const given = Object.values(mcp).flatMap((server) =>
    Object.values('command' in server ? server.env : server.headers),
  );
  const named = given.flatMap((text) =>
    [...text.matchAll(variable)].map(([, name = '']) => variables[name] ?? ''),
  );
  const held = given
    .flatMap((text) => text.split(/\s+/))
    .filter((word) => /^(?=.*\d)(?=.*[a-z])\S{16,}$/i.test(word));
  return [...named, ...held.filter((word) => word.search(variable) < 0)].filter((value) => !isPlain(value));
}

function withoutAbsent<T>(values: Partial<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** The variables that the config names where a secret belongs: those of MCP servers. */
export const namedVariables = ({ mcp }: Pick<Config, 'mcp'>): string[] => [
  ...new Set(
    Object.values(mcp).flatMap((server) =>
      Object.values('command' in server ? server.env : server.headers).flatMap((text) =>
        [...text.matchAll(variable)].map(([, name = '']) => name),
      ),
    ),
  ),
];

/** The values with `${NAME}` replaced from the environment, so that the config holds no secret. */
function fill(
  values: Record<string, string>,
  { server, variables, folder }: { server: string; variables: Variables; folder: string },
): Record<string, string> {
  const filled = (text: string): string =>
    text.replace(variable, (_, name: string) => {
      const value = variables[name];
      if (value !== undefined) return value;
      throw new ParleyError('config_invalid', `mcp.${server} needs the variable ${name}, which is not set.`, {
        hint: `Set ${name} in the environment or in ${join(folder, '.env')}.`,
      });
    });
  return Object.fromEntries(Object.entries(values).map(([name, text]) => [name, filled(text)]));
}
