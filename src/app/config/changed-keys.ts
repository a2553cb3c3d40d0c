// Which keys of the config differ between two of them, and which of those hold at once while the program runs. Pure.
import { isDeepStrictEqual } from 'node:util';
import { type Config, configSchema } from './schema.ts';
import { keysAt } from './words.ts';

const everyChannel = [
  ...['sessions', 'directMessages', 'allowlist', 'rooms', 'bots'],
  ...['profile', 'tools', 'memory', 'commands', 'indicators', 'toolProgress'],
  ...['reactions', 'editReruns'],
];

/** What holds at once, with all that is below it; everything else at the next start. */
const liveKeys: readonly string[] = [
  ...[
    'language',
    'timeZone',
    'agent',
    'agents',
    'assistants',
    'bindings',
    'model',
    'tools',
    'memory.sharing',
    'people',
    'approvals',
    'limits',
    'schedules',
  ],
  ...['discord', 'telegram', 'slack'].flatMap((name) => everyChannel.map((key) => `channels.${name}.${key}`)),
  ...[
    'gateway.debounceMs',
    'gateway.giveUpMinutes',
    'gateway.shutdownSeconds',
    'uploads.maxSizeMiB',
    'log.level',
  ],
];

/** Whether a change of this key applies without a restart. */
export function isLive(key: string): boolean {
  return isIn(liveKeys, key);
}

function isIn(keys: readonly string[], key: string): boolean {
  return keys.some((each) => key === each || key.startsWith(`${each}.`));
}

/** What channels that run apart read, and what an engine without them does not. */
const readBy = {
  channels: [
    'home',
    'language',
    'agent.name',
    'agent.choosableBy',
    'assistants',
    'bindings',
    'channels',
    'people',
    'approvals',
    'limits',
    'gateway',
    'uploads',
    'retention',
    'storage',
    'engine',
    'network',
    'log',
  ],
  engine: [
    'home',
    'timeZone',
    'agent',
    'agents',
    'assistants',
    'model',
    'channels.voice',
    'tools',
    'mcp',
    'engine',
    'network',
    'memory',
    'uploads',
    'runs',
    'sessions',
    'schedules',
    'retention',
    'log',
    'gateway.shutdownSeconds',
  ],
};

/** Whether the engine, or the channels, read this key when both run apart. */
export function isReadBy(part: keyof typeof readBy, key: string): boolean {
  return isIn(readBy[part], key);
}

/** The keys whose values differ, as docs/configuration.md names them, in the order of the schema. */
export function changedKeys(before: Config, after: Config): string[] {
  return differences(before, after, []).filter((key) => key !== '$schema');
}

function differences(before: unknown, after: unknown, path: readonly string[]): string[] {
  const keys = isNamed(path) ? namesIn(before, after) : keysAt(configSchema, path);
  if (keys.length === 0) return isDeepStrictEqual(before, after) ? [] : [path.join('.')];
  return keys.flatMap((key) => differences(valueIn(before, key), valueIn(after, key), [...path, key]));
}

/** Assistants have any names. */
function isNamed(path: readonly string[]): boolean {
  return path.join('.') === 'assistants';
}

function namesIn(before: unknown, after: unknown): string[] {
  return [...new Set([before, after].flatMap((value) => Object.keys((value as object | undefined) ?? {})))];
}

function valueIn(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
