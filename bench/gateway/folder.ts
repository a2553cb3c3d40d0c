// The folder of a config that points a checkout's program at a stage, in the names that this checkout knows.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '#base/json.ts';
import type { PlatformName, Stage } from './stage.ts';

export const debounceMs = 0;

const keysOf = z.object({ properties: z.record(z.string(), z.unknown()) });
const schema = z.object({
  properties: z.object({
    channels: z.object({
      properties: z.object({ discord: keysOf, telegram: keysOf, slack: keysOf }),
    }),
  }),
});

/** Writes `folder`/parley.config.json for the checkout at `root`; resolves with the home, which does not exist yet. */
export function writeFolder(
  folder: string,
  { root, urls, model }: { root: string; urls: Stage['urls']; model: object },
): string {
  mkdirSync(folder);
  const file = join(root, 'parley.config.schema.json');
  const { channels } = parseJson(readFileSync(file, 'utf8'), schema, file).properties;
  /** The first of the entries, newest name first, whose key the checkout has. */
  const named = (platform: PlatformName, ...entries: (readonly [key: string, value: string])[]) => {
    const entry = entries.find(([key]) => Object.hasOwn(channels.properties[platform].properties, key));
    if (entry === undefined)
      throw new Error(
        `Expected channels.${platform} to have ${entries.map(([key]) => key).join(' or ')}, ${file} has neither.`,
      );
    return Object.fromEntries([entry]);
  };
  const { discord, telegram, slack } = urls;
  const unhurried = [
    ['rateLimits', 'reactive'],
    ['pace', 'on refusal'],
  ] as const;
  const config = {
    home: 'home',
    engine: { port: 0 },
    gateway: { debounceMs },
    model,
    channels: {
      discord: { directMessages: 'open', apiUrl: discord, callsPerSecond: 1_000_000 },
      telegram: {
        directMessages: 'open',
        ...named('telegram', ['apiUrl', telegram], ['apiRoot', telegram]),
        ...named('telegram', ...unhurried),
      },
      slack: { directMessages: 'open', apiUrl: slack, ...named('slack', ...unhurried) },
    },
  };
  writeFileSync(join(folder, 'parley.config.json'), JSON.stringify(config));
  return join(folder, 'home');
}
