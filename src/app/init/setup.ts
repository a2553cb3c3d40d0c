// What `parley init` arrives at: variables and config keys, checked live, then written, each to its file.
import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Finding } from '#adapters/gateway/terms/channel.ts';
import { withVariables } from '#app/config/env-file.ts';
import { type Environment, envFileOf, secretsOf } from '#app/config/environment.ts';
import { configSchema } from '#app/config/schema.ts';
import { describeConfigError } from '#app/config/words.ts';
import { checkModels } from '#app/doctor/model.ts';
import type { GuidedPlatform, ProviderChoice } from '#app/screen/guide.ts';
import { createChannels } from '#app/settings/channels.ts';
import { systemClock } from '#base/clock.ts';
import { errorMessage, ParleyError } from '#base/errors.ts';
import { writeWhole } from '#base/files/files.ts';
import { createLog } from '#base/log/log.ts';
import { createMask } from '#base/secrets.ts';
import { withTimeout } from '#base/waiting/async.ts';

export interface Setup {
  /** Into `.env`. */
  variables: Environment;
  /** Into the config, next to what is there. */
  model: { provider?: ProviderChoice | undefined; name?: string | undefined };
  /** A local embedding model by its name on the hub, for a config that has none. */
  embedding?: string | undefined;
}

/** The config file as it is now. */
export interface StandingConfig {
  path: string;
  /** Its JSON, unchecked; empty when there is no file. */
  config: Readonly<Record<string, unknown>>;
}

const timeoutMs = 20_000;

/** The present config file. Throws a ParleyError when it is no JSON object. */
export function standingConfig(path: string): StandingConfig {
  return { path, config: existsSync(path) ? objectIn(path) : {} };
}

function objectIn(path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>; // an object of whatever
    throw new Error('expected an object');
  } catch (cause) {
    throw new ParleyError('config_invalid', `${path} cannot be added to: ${errorMessage(cause)}.`, {
      hint: 'Fix it, or move it away; "parley init" then writes a new one.',
      cause,
    });
  }
}

/** The present config with the setup added. Throws a ParleyError, with the file and its keys, when it cannot be used. */
export function configWith(
  { path, config: standing }: StandingConfig,
  { model, embedding }: Setup,
): Record<string, unknown> {
  const before = typeof standing.model === 'object' && standing.model !== null ? standing.model : {};
  const chosen = Object.fromEntries(Object.entries(model).filter(([, value]) => value !== undefined));
  const merged = { ...before, ...chosen };
  const config = {
    ...standing,
    ...(Object.keys(merged).length === 0 ? {} : { model: merged }),
    ...(embedding === undefined
      ? {}
      : { memory: { ...memoryOf(standing), embedding: { provider: 'local', model: embedding } } }),
  };
  const checked = configSchema.safeParse(config, { reportInput: true });
  if (checked.success) return config;
  const words = describeConfigError(checked.error, configSchema, envFileOf(path)).join('; ');
  throw new ParleyError('config_invalid', `${path} cannot be used: ${words}`, {
    hint: 'Correct the keys that are named, then call it again.',
  });
}

/** The `memory` part of a config; empty when there is none. */
export function memoryOf({ memory }: StandingConfig['config']): Record<string, unknown> {
  return typeof memory === 'object' && memory !== null ? { ...memory } : {};
}

/** Asks the platform whether it accepts the tokens; opens no connection. */
export async function checkPlatform(
  platform: GuidedPlatform,
  { variables }: Pick<Setup, 'variables'>,
  standing: StandingConfig,
): Promise<Finding[]> {
  const { channels } = configSchema.parse(configWith(standing, { variables, model: {} }));
  const only = (name: GuidedPlatform) => ({ enabled: name === platform });
  const made = await createChannels(
    () => ({
      discord: { ...channels.discord, ...only('discord') },
      telegram: { ...channels.telegram, ...only('telegram') },
      slack: { ...channels.slack, ...only('slack') },
    }),
    variables,
    { clock: systemClock, log: createLog({ level: 'silent', mask: (line) => line }) },
  );
  const channel = made[0]?.channel;
  if (channel === undefined) return [{ level: 'error', what: 'There is no token.', hint: 'Give one.' }];
  const mask = createMask(secretsOf(variables));
  const findings = await withTimeout(
    { clock: systemClock, ms: timeoutMs, what: 'The answer of the platform' },
    () => channel.check(),
  ).catch((error: unknown): Finding[] => [
    { level: 'error', what: errorMessage(error), hint: 'Check the network and try again.' },
  ]);
  return findings.map(({ hint, ...finding }) => ({
    ...finding,
    what: mask(finding.what),
    ...(hint === undefined ? {} : { hint: mask(hint) }),
  }));
}

/** Asks the model's provider whether it accepts the key and knows the model. */
export async function checkModel(setup: Setup, standing: StandingConfig): Promise<Finding[]> {
  const config = configSchema.parse(configWith(standing, setup));
  const files = { home: '', folder: dirname(standing.path), file: standing.path };
  const loaded = { config, environment: setup.variables, warnings: [], variables: {}, ...files };
  const mask = createMask(secretsOf(setup.variables));
  const remarks = await checkModels(loaded, systemClock);
  return remarks.map(({ fix: _, ...finding }) => ({ ...finding, what: mask(finding.what) }));
}

/** Writes the files that differ, each atomically and readable only for its owner. Resolves with their paths. */
export async function writeSetup(setup: Setup, configPath: string): Promise<string[]> {
  const written: string[] = [];
  const standing = standingConfig(configPath);
  const config = configWith(standing, setup);
  if (!existsSync(configPath) || JSON.stringify(config) !== JSON.stringify(standing.config)) {
    await writeWhole(configPath, `${JSON.stringify(config, null, 2)}\n`);
    written.push(configPath);
  }
  const envPath = envFileOf(configPath);
  const before = existsSync(envPath) ? readFileSync(envPath, 'utf8') : '';
  const after = withVariables(before, setup.variables as Record<string, string>); // its values are never undefined
  if (after !== before) {
    await writeWhole(envPath, after);
    written.push(envPath);
  }
  return written;
}
