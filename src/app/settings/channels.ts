// The channels that a config and its tokens call for. A channel without a token, or switched off, is not made at all.

import type { ChannelAccess } from '#adapters/gateway/access/access-types.ts';
import { profileOf } from '#adapters/gateway/access/profiles.ts';
import type { ChannelRules } from '#adapters/gateway/admission/channel-rules.ts';
import type { Channel } from '#adapters/gateway/channel.ts';
import type { Environment } from '#app/config/environment.ts';
import type { Config } from '#app/config/schema.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log/log.ts';

interface MadeChannel {
  channel: Channel;
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
}: Config['channels']['telegram' | 'discord' | 'slack']): ChannelAccess {
  const own = profileOf(profile, { tools, memory, commands });
  return { directMessages, allowlist, strangers: 'guest', rooms, bots, profile: own };
}

/** Whether what was just said goes along in any room. */
function showsRooms({ context, overrides }: Config['channels']['telegram']['rooms']): boolean {
  return context > 0 || Object.values(overrides).some((room) => (room.context ?? 0) > 0);
}

const talkOf = (channel: Config['channels']['discord' | 'telegram' | 'slack']): ChannelRules => ({
  sessions: channel.sessions,
  access: accessOf(channel),
  indicators: channel.indicators,
  toolProgress: channel.toolProgress,
  reactions: channel.reactions,
  editReruns: channel.editReruns,
});

/** Makes the configured channels; nothing connects yet. A platform's library is loaded only for its channel, since loading takes long. */
export async function createChannels(
  config: () => Config['channels'],
  environment: Environment,
  { clock, log }: { clock: Clock; log: Log },
): Promise<MadeChannel[]> {
  const { discord, telegram, slack } = config();
  const made: MadeChannel[] = [];
  const { DISCORD_BOT_TOKEN, TELEGRAM_BOT_TOKEN, SLACK_BOT_TOKEN, SLACK_APP_TOKEN } = environment;
  if (discord.enabled && DISCORD_BOT_TOKEN !== undefined) {
    const { apiUrl, callsPerSecond, linkPreviews, replyInThread: mentions, shards } = discord;
    const token = DISCORD_BOT_TOKEN;
    const { createDiscordChannel } = await import('#adapters/discord/channel.ts');
    const reach = { token, apiUrl, callsPerSecond, linkPreviews, shards };
    const channel = createDiscordChannel({ ...reach, replyInThread: mentions, clock, log });
    made.push({ channel, talk: () => talkOf(config().discord) });
  }
  if (telegram.enabled && TELEGRAM_BOT_TOKEN !== undefined) {
    const { createTelegramChannel } = await import('#adapters/telegram/channel.ts');
    const channel = createTelegramChannel({
      token: TELEGRAM_BOT_TOKEN,
      apiUrl: telegram.apiUrl,
      pace: telegram.rateLimits === 'documented' ? undefined : [],
      hears: () => showsRooms(config().telegram.rooms),
      clock,
      log,
    });
    made.push({ channel, talk: () => talkOf(config().telegram) });
  }
  if (slack.enabled && SLACK_BOT_TOKEN !== undefined) {
    const { createSlackChannel } = await import('#adapters/slack/channel.ts');
    const channel = createSlackChannel({
      botToken: SLACK_BOT_TOKEN,
      appToken: SLACK_APP_TOKEN,
      apiUrl: slack.apiUrl,
      pace: slack.rateLimits === 'documented' ? undefined : [],
      replyInThread: slack.replyInThread,
      pollMs: slack.pollSeconds * 1000,
      clock,
      log,
    });
    made.push({ channel, talk: () => talkOf(config().slack) });
  }
  return made;
}
