// Asks what a channel and its workspace are called.
import { z } from 'zod';
import type { Channel } from '#adapters/gateway/terms/channel.ts';
import type { ReadCall } from '#adapters/slack/calls/calls.ts';
import { channelSchema } from '#adapters/slack/calls/wire.ts';
import type { Identity } from '#adapters/slack/codecs/change.ts';
import { placeNamesOf } from '#adapters/slack/codecs/inbound.ts';
import { ParleyError } from '#base/errors.ts';

const infoSchema = z.object({ channel: channelSchema });
const testSchema = z.object({ team: z.string().nullish() });

/** The looks of an account; `identity` is the bot as the present connection knows it. Slack names no threads. */
export function createNameLook(
  call: ReadCall,
  identity: () => Identity | undefined,
): NonNullable<Channel['placeNames']> {
  return {
    threads: false,
    async of({ chat: channel, kind, space: team }, signal) {
      const bot = identity();
      if (bot === undefined) throw new ParleyError('slack_not_connected', 'Slack is not connected yet.');
      if (bot.workspaces === undefined) {
        const { team: name } = await call({ method: 'auth.test', args: {}, schema: testSchema }, signal);
        if (name) bot.spaceNames.set(bot.team, name);
      }
      const info = await call(
        { method: 'conversations.info', args: { channel }, schema: infoSchema },
        signal,
      );
      const name = info.channel.name || channel;
      return placeNamesOf({ bot, room: { channel, kind, name, restricted: true, team } });
    },
  };
}
