// What a person clicks on each platform to get a bot, and what a token of it is called. Only texts; the pages in docs say more.
import { manifestLink, slackManifest } from '#adapters/slack/setup/manifest.ts';
import type { EnvironmentName } from '#app/config/environment.ts';

export const platforms = ['discord', 'telegram', 'slack'] as const;
export type GuidedPlatform = (typeof platforms)[number];

interface Guide {
  title: string;
  steps: string;
  /** A page to open for the first step. */
  link?: string;
  tokens: readonly GuidedToken[];
}

export interface GuidedToken {
  name: EnvironmentName;
  ask: string;
  optional?: true;
  looks: RegExp;
  /** An example, for people. */
  like: string;
}

/** Why a text cannot be this token; undefined where it may be. */
export function wrongToken(
  { optional, looks, like }: Pick<GuidedToken, 'optional' | 'looks' | 'like'>,
  text: string,
): string | undefined {
  if (text.trim() === '') return optional === true ? undefined : 'It is needed.';
  return looks.test(text.trim()) ? undefined : `A token of this kind looks like ${like}`;
}

export const guides: Readonly<Record<GuidedPlatform, Guide>> = {
  discord: {
    title: 'Discord',
    steps: [
      '1. discord.com/developers/applications, New Application, then "Bot"',
      '2. Reset Token, and copy it',
      '3. on the same page switch on "Message Content Intent" and save',
      'The link that invites it to your server comes once the token works.',
    ].join('\n'),
    tokens: [
      {
        name: 'DISCORD_BOT_TOKEN',
        ask: 'Bot token',
        looks: /^[\w-]+\.[\w-]+\.[\w-]+$/,
        like: 'MTE4NzQ....GhK3xY.9dR2k...',
      },
    ],
  },
  telegram: {
    title: 'Telegram',
    steps: [
      '1. in Telegram write /newbot to @BotFather and copy the token',
      '2. to follow groups without being mentioned: /setprivacy, Disable,',
      '   then add the bot to the group again',
      '3. if you like, make it an administrator of its groups: it then knows',
      '   for certain who joins and leaves, and receives every message there',
    ].join('\n'),
    tokens: [
      {
        name: 'TELEGRAM_BOT_TOKEN',
        ask: 'Bot token',
        looks: /^\d+:[\w-]{20,}$/,
        like: '1234567890:AAE-x7...',
      },
    ],
  },
  slack: {
    title: 'Slack',
    steps: [
      '1. open the link below, choose the workspace, and Create',
      '   (or: Create New App, From a manifest, and paste what',
      '   "parley slack manifest" prints)',
      '2. Basic Information, App-Level Tokens, with connections:write:',
      '   it begins with xapp-',
      '3. Install App; its Bot User OAuth Token begins with xoxb-',
    ].join('\n'),
    link: manifestLink(slackManifest({ name: 'Parley', kind: 'bot' })),
    tokens: [
      { name: 'SLACK_BOT_TOKEN', ask: 'Bot token', looks: /^xoxb-.+/, like: 'xoxb-1234-5678-...' },
      {
        name: 'SLACK_APP_TOKEN',
        ask: 'App-level token; empty: history is polled instead',
        optional: true,
        looks: /^xapp-.+/,
        like: 'xapp-1-A0...',
      },
    ],
  },
};

/** What is wrong with the form of the tokens that are set, by platform, as the questions of `parley init` refuse it. */
export function wrongTokens(
  variables: Readonly<Record<string, string | undefined>>,
): { platform: GuidedPlatform; what: string }[] {
  return platforms.flatMap((platform) =>
    guides[platform].tokens.flatMap((token) => {
      const value = variables[token.name];
      const wrong = value === undefined ? undefined : wrongToken(token, value);
      return wrong === undefined ? [] : [{ platform, what: `${token.name}: ${wrong}` }];
    }),
  );
}

export const providers = {
  openai: { title: 'OpenAI', key: 'OPENAI_API_KEY' },
  anthropic: { title: 'Anthropic', key: 'ANTHROPIC_API_KEY' },
  google: { title: 'Google', key: 'GOOGLE_GENERATIVE_AI_API_KEY' },
  'openai-compatible': { title: 'Another server (Ollama, vLLM, OpenRouter...)', key: 'OPENAI_API_KEY' },
  offline: { title: 'None: the built-in offline model, which only recalls', key: undefined },
} as const;
export type ProviderChoice = keyof typeof providers;
