// Reads the config file and the environment once, whole and checked: a Config that can be trusted, or words.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';
import { faultIn } from '#base/json.ts';
import { useProxy } from '#base/network/proxy.ts';
import { type Environment, envFileOf, readEnvFile, readEnvironment, unreadVariables } from './environment.ts';
import { proxyOf } from './network-schema.ts';
import { type Config, configSchema } from './schema.ts';
import { describeConfigError } from './words.ts';

export interface LoadedConfig {
  /** As it holds now: one that is read again takes its place; see live-config.ts. */
  config: Config;
  /** Absolute path of the config file, which need not be there. */
  file: string;
  environment: Environment;
  /** What works and should be changed: variables of `.env` that nothing reads, and old names of keys. */
  warnings: readonly string[];
  /** Names of the variables that the process itself has: what `.env` says of them does not count. */
  fixed?: readonly string[] | undefined;
  /** Every variable, for what the config refers to by name; the process wins over the file. */
  variables: Readonly<Record<string, string | undefined>>;
  /** Where to listen, as the command line has it; it goes before the config. */
  port?: number | undefined;
  /** Absolute path of the home folder, and of the one that paths in the config are relative to. */
  home: string;
  folder: string;
}

export const configFileName = 'parley.config.json';

/**
 * Loads `configFile` (or parley.config.json in `folder`, if there is one) and the `.env` next to it; throws `config_invalid`. From here on
 * the process goes out through the proxy that they name.
 */
export function loadConfig(options: {
  folder: string;
  configFile?: string | undefined;
  variables: NodeJS.ProcessEnv;
}): LoadedConfig {
  const path = resolve(options.folder, options.configFile ?? configFileName);
  const config = readConfig(path, options.configFile === undefined ? 'may be absent' : 'must exist');
  const folder = dirname(path);
  const environment = readEnvironment(options.variables, join(folder, '.env'));
  useProxy(proxyOf(config.network, environment));
  return {
    config,
    file: path,
    environment,
    warnings: unreadVariables(join(folder, '.env'), environment),
    folder,
    fixed: Object.keys(options.variables).filter((name) => options.variables[name]?.trim() !== ''),
    variables: { ...readEnvFile(join(folder, '.env')), ...options.variables },
    home:
      environment.PARLEY_HOME === undefined
        ? resolve(folder, written(config.home ?? '.parley', 'home'))
        : resolve(options.folder, written(environment.PARLEY_HOME, 'PARLEY_HOME')),
  };
}

/** The path as it stands; one that only a shell would fill in is refused, or a folder named `~` or `%HOME%` would be made. */
function written(path: string, name: string): string {
  if (!/^~|%\w+%|\$\{?\w/.test(path)) return path;
  throw new ParleyError('config_invalid', `${name} expects a path as it stands on the disk, got "${path}".`, {
    hint: 'Write the path out: ~, %HOME% and $HOME are filled in only by shells.',
  });
}

/** The file alone, whole and checked; throws `config_invalid`. */
export function readConfig(path: string, presence: 'may be absent' | 'must exist'): Config {
  if (!existsSync(path)) {
    if (presence === 'may be absent') return configSchema.parse({});
    throw new ParleyError('config_invalid', `There is no config file at ${path}.`, {
      hint: 'Give --config the path of an existing file, or leave it out to run with defaults.',
    });
  }
  const text = textOf(path);
  let value: unknown;
  if (text.trim() === '')
    throw new ParleyError('config_invalid', `${path} is empty.`, {
      hint: 'Write {} for all defaults, or delete it.',
    });
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ParleyError('config_invalid', `${path} is not valid JSON: ${(cause as Error).message}`, {
      cause,
    });
  }
  const fault = faultIn(text);
  if (fault !== undefined) throw new ParleyError('config_invalid', `${path}: ${fault}.`);
  const result = configSchema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const words = describeConfigError(result.error, configSchema, envFileOf(path)).map((line) => `  ${line}`);
  throw new ParleyError('config_invalid', `${path} cannot be used:\n${words.join('\n')}`);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\ufeff/, ''); // some editors begin a file with this mark
  } catch (cause) {
    if (codeOf(cause) !== 'EISDIR')
      throw new ParleyError('config_invalid', `${path} cannot be read: ${errorMessage(cause)}.`, { cause });
    throw new ParleyError('config_invalid', `${path} is a folder, and a config file was expected.`, {
      hint: `Give --config the path of a file, such as ${join(path, configFileName)}.`,
      cause,
    });
  }
}
