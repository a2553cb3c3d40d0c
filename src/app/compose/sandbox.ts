// The three sandbox servers as one: what the channels need to reach them, and the newcomer as one person on all of them.
import { join } from 'node:path';
import type { Environment } from '#app/config/environment.ts';
import type { Config } from '#app/config/schema.ts';
import { sandboxFile } from '#app/home/folders.ts';
import type { Clock } from '#base/clock.ts';
import { defined } from '#base/json.ts';
import { displayNames, type SandboxPlatform } from '#sandbox/contract.ts';
import { createSandboxControl } from '#sandbox/control.ts';
import {
  createDiscordSandbox,
  type DiscordSandbox,
  type DiscordSandboxOptions,
} from '#sandbox/discord/server.ts';
import { pageLink, savedKey } from '#sandbox/key.ts';
import { createSlackSandbox, type SlackSandbox, type SlackSandboxOptions } from '#sandbox/slack/server.ts';
import { noShelf, openSandboxStore, type Shelf } from '#sandbox/store.ts';
import {
  createTelegramSandbox,
  type TelegramSandbox,
  type TelegramSandboxOptions,
} from '#sandbox/telegram/server.ts';

export interface Sandbox {
  discord: DiscordSandbox;
  telegram: TelegramSandbox;
  slack: SlackSandbox;
  /** Tokens as the environment would have them. */
  environment: Environment;
  /**
   * The config with the platforms' roots set to the sandbox's, the person at the page as an owner on all of them, and, where it does not say who may
   * write in private, everyone.
   */
  configure(config: Config): Config;
  /** What the page and its interface ask for. */
  key: string;
  /** The address that opens the page, where the engine's server is at `url`. */
  link(url: string): string;
  /** The page and the control interface, for the engine's server. */
  control(options: {
    hosts: () => string[];
    /** Which model answers, as text. */
    model: () => Promise<string>;
    /** The address below the server's that signs a browser in to the console as an owner, once. */
    consolePath: () => string;
    /** Of the engine: its owner may do everything on the page. */
    serverToken?: string | undefined;
    signal: AbortSignal;
  }): ReturnType<typeof createSandboxControl>;
  close(): Promise<void>;
}

/** What is wrong with the platforms from the start, for tests. */
export interface SandboxFaults {
  discord?: Partial<DiscordSandboxOptions>;
  telegram?: Partial<TelegramSandboxOptions>;
  slack?: Partial<SlackSandboxOptions>;
}

/**
 * Starts the three servers on 127.0.0.1. With `home` they keep there what is written, and begin with what was written before; without it
 * everything ends with the process.
 */
export async function startSandbox(
  clock: Clock,
  { home, ...faults }: SandboxFaults & { home?: string } = {},
): Promise<Sandbox> {
  const store = home === undefined ? undefined : openSandboxStore(join(home, sandboxFile), clock);
  const shelf = (platform: SandboxPlatform): Shelf => store?.of(platform) ?? noShelf;
  const [discord, telegram, slack] = await Promise.all([
    createDiscordSandbox({ clock, shelf: shelf('discord'), ...faults.discord }),
    createTelegramSandbox({ clock, shelf: shelf('telegram'), ...faults.telegram }),
    createSlackSandbox({ clock, shelf: shelf('slack'), ...faults.slack }),
  ]);
  const servers = [discord, telegram, slack];
  const { app } = slack.tokens;
  const key = savedKey(store?.of('page') ?? noShelf);
  return {
    key,
    link: (url) => pageLink(url, key),
    discord,
    telegram,
    slack,
    environment: {
      DISCORD_BOT_TOKEN: discord.tokens.bot,
      TELEGRAM_BOT_TOKEN: telegram.tokens.bot,
      SLACK_BOT_TOKEN: slack.tokens.bot,
      ...(app === undefined ? {} : { SLACK_APP_TOKEN: app }),
    },
    configure: (config) => ({
      ...config,
      channels: {
        ...defined({ voice: config.channels.voice }),
        discord: { directMessages: 'open', ...defined(config.channels.discord), apiUrl: discord.url },
        telegram: { directMessages: 'open', ...defined(config.channels.telegram), apiUrl: telegram.url },
        slack: { directMessages: 'open', ...defined(config.channels.slack), apiUrl: slack.url },
      },
      people: {
        ...config.people,
        // only who has the link is at the page
        [displayNames.you]: {
          role: 'owner',
          accounts: servers.map((server) => `${server.platform}:${server.userID('you')}`),
        },
      },
    }),
    control: ({ model, ...rest }) =>
      createSandboxControl({
        ...rest,
        servers,
        key,
        clock,
        about: async () => ({ you: displayNames.you, model: await model() }),
      }),
    async close() {
      await Promise.all(servers.map((server) => server.close()));
      store?.close();
    },
  };
}
