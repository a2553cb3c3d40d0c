// The bots that a config and its tokens call for, each with its channel. One without a token, or switched off, is not made at all.
import { createHash } from 'node:crypto';
import type { ChannelRules } from '#adapters/gateway/admission/channel-rules.ts';
import type { ChannelAccess } from '#adapters/gateway/terms/access-types.ts';
import { type Channel, channelName } from '#adapters/gateway/terms/channel.ts';
import { profileOf } from '#adapters/gateway/terms/profiles.ts';
import { type Environment, namesWithToken, tokenName } from '#app/config/environment.ts';
import type { Config } from '#app/config/schema.ts';
import type { Clock } from '#base/clock.ts';
import { defined } from '#base/json.ts';
import type { Log } from '#base/log/log.ts';

interface MadeChannel {
  channel: Channel;
  /** What the account is for all instances that have its token, or a later one. */
  account: string;
  /** As the config of the moment has it. */
  talk: () => ChannelRules;
}

/** Who may talk to a channel, from its part of the config. By default real platforms ask strangers for a code. */
export function accessOf({
  directMessages = 'pairing',
  allowlist,
  rooms,
  bots,
  profile,
  tools,
  memory,
  commands,
}: ChannelConfig): ChannelAccess {
  const own = profileOf(profile, { tools, memory, commands });
  return { directMessages, allowlist, strangers: 'guest', rooms, bots, profile: own };
}

/** Whether what was just said goes along in any room. */
function showsRooms({ context, overrides }: Config['channels']['telegram']['rooms']): boolean {
  return context > 0 || Object.values(overrides).some((room) => (room.context ?? 0) > 0);
}

const talkOf = (channel: ChannelConfig): ChannelRules => ({
  sessions: channel.sessions,
  access: accessOf(channel),
  indicators: channel.indicators,
  toolProgress: channel.toolProgress,
  reactions: channel.reactions,
  editReruns: channel.editReruns,
});

type Platform = 'discord' | 'telegram' | 'slack';
type ChannelConfig = Config['channels'][Platform];

/** A bot that the config and its token call for. */
export interface Bot {
  platform: Platform;
  /** Its name in `accounts`; undefined for the one without a name. */
  account: string | undefined;
  /** As people and the status name it: `telegram`, or `telegram/counsel`. */
  name: string;
  token: string;
  appToken: string | undefined;
}

/** The variable of each platform's token. */
export const tokenNames = {
  discord: 'DISCORD_BOT_TOKEN',
  telegram: 'TELEGRAM_BOT_TOKEN',
  slack: 'SLACK_BOT_TOKEN',
} as const;

/** The keys of a bot: its own, and for all others those of its channel. */
export function keysOf<P extends Platform>(
  channels: Config['channels'],
  { platform, account }: { platform: P; account: string | undefined },
): Config['channels'][P] {
  const channel = channels[platform];
  const own = account === undefined ? undefined : channel.accounts[account];
  return { ...channel, ...defined(own ?? {}) };
}

/**
 * The account of a token: the bot's id, which tokens of the three platforms have in them and which stays when a token is exchanged; of a
 * token in another form, a digest of it.
 */
export function accountOf({ platform, token }: Pick<Bot, 'platform' | 'token'>): string {
  const [idOfDiscord = ''] = token.split('.');
  const id = {
    discord: () => /^\d+$/.exec(Buffer.from(idOfDiscord, 'base64').toString('latin1'))?.[0],
    telegram: () => /^(\d+):/.exec(token)?.[1],
    slack: () => /^xoxb-(\d+-\d+)-/.exec(token)?.[1],
  }[platform]();
  return `${platform}:${id ?? createHash('sha256').update(token).digest('hex').slice(0, 16)}`;
}

/** Every bot that is switched on and has a token, that without a name first. */
export function botsOf(channels: Config['channels'], environment: Environment): Bot[] {
  return (['discord', 'telegram', 'slack'] as const).flatMap((platform) =>
    [undefined, ...Object.keys(channels[platform].accounts)].flatMap((account): Bot[] => {
      const token = environment[tokenName(tokenNames[platform], account)];
      const { enabled } = channels[platform];
      if (!enabled || !keysOf(channels, { platform, account }).enabled || token === undefined) return [];
      const appToken = platform === 'slack' ? environment[tokenName('SLACK_APP_TOKEN', account)] : undefined;
      return [{ platform, account, name: channelName({ platform, accountName: account }), token, appToken }];
    }),
  );
}

/** Bots of the config without a token, and tokens of bots that the config does not have, as text. */
export function unusedAccounts(channels: Config['channels'], environment: Environment): string[] {
  const platforms = ['discord', 'telegram', 'slack'] as const;
  const accounts = platforms.flatMap((platform) =>
    Object.keys(channels[platform].accounts).map((account) => ({ platform, account })),
  );
  return [
    ...accounts.flatMap(({ platform, account }) => {
      const variable = tokenName(tokenNames[platform], account);
      return environment[variable] !== undefined || !keysOf(channels, { platform, account }).enabled
        ? []
        : [`channels.${platform}.accounts.${account} is not connected: ${variable} is not set.`];
    }),
    ...namesWithToken(environment).flatMap(({ variable, account }) => {
      const platform = platforms.find((each) => variable.startsWith(each.toUpperCase())) ?? 'slack';
      return Object.hasOwn(channels[platform].accounts, account)
        ? []
        : [`${variable} is not used: channels.${platform}.accounts has no ${account}.`];
    }),
  ];
}

/** Makes the configured channels; nothing connects yet. A platform's library is loaded only for its channel, since loading takes long. */
export async function createChannels(
  config: () => Config['channels'],
  environment: Environment,
  around: { clock: Clock; log: Log },
): Promise<MadeChannel[]> {
  const made: MadeChannel[] = [];
  for (const bot of botsOf(config(), environment)) {
    const channel = await createChannel(bot, config, around);
    const { account } = bot;
    const named = account === undefined ? channel : Object.assign(channel, { accountName: account });
    made.push({ channel: named, account: accountOf(bot), talk: () => talkOf(keysOf(config(), bot)) });
  }
  return made;
}

async function createChannel(
  { platform, account, token, appToken }: Bot,
  config: () => Config['channels'],
  { clock, log }: { clock: Clock; log: Log },
): Promise<Channel> {
  switch (platform) {
    case 'discord': {
      const { apiUrl, callsPerSecond, linkPreviews, replyInThread, shards } = keysOf(config(), {
        platform,
        account,
      });
      const { createDiscordChannel } = await import('#adapters/discord/channel.ts');
      const reach = { token, apiUrl, callsPerSecond, linkPreviews, shards };
      return createDiscordChannel({ ...reach, replyInThread, clock, log });
    }
    case 'telegram': {
      const keys = () => keysOf(config(), { platform, account });
      const { createTelegramChannel } = await import('#adapters/telegram/channel.ts');
      return createTelegramChannel({
        token,
        apiUrl: keys().apiUrl,
        pace: keys().rateLimits === 'documented' ? undefined : [],
        hears: () => showsRooms(keys().rooms),
        clock,
        log,
      });
    }
    case 'slack': {
      const { apiUrl, rateLimits, replyInThread, pollSeconds } = keysOf(config(), { platform, account });
      const { createSlackChannel } = await import('#adapters/slack/channel.ts');
      return createSlackChannel({
        botToken: token,
        appToken,
        apiUrl,
        pace: rateLimits === 'documented' ? undefined : [],
        replyInThread,
        pollMs: pollSeconds * 1000,
        clock,
        log,
      });
    }
  }
}

/** The platforms that are enabled and have a token. */
export function enabledPlatforms({
  config,
  environment,
}: {
  config: Config;
  environment: Environment;
}): ('discord' | 'telegram' | 'slack')[] {
  const bots = botsOf(config.channels, environment);
  return (['discord', 'telegram', 'slack'] as const).filter((name) =>
    bots.some(({ platform }) => platform === name),
  );
}
