// The channels that someone is in, and who is in a channel, as Slack has it now.
import { z } from 'zod';
import type { ReadCall } from '#adapters/slack/calls/calls.ts';
import { errorWord } from '#adapters/slack/calls/error-word.ts';
import { channelSchema, type SlackChannel } from '#adapters/slack/calls/wire.ts';

export interface Memberships {
  /** The channels of this workspace (named where the token is an organisation's) that someone is in, by id; of private ones those that the bot is in as well. */
  channelsOf(user: string, workspace?: string): Promise<ReadonlyMap<string, SlackChannel>>;
  /** The conversation; undefined where the bot sees none. */
  channel(id: string): Promise<SlackChannel | undefined>;
  /** Pages of those who are in the conversation. */
  membersOf(channel: string): AsyncIterable<readonly string[]>;
}

const pageSize = 999;
/** Pages of one list: 50 000 members, 50 000 channels. */
const maxPages = 50;

const cursorSchema = z.object({ next_cursor: z.string().optional() }).nullish();
const channelsSchema = z.object({
  channels: z.array(channelSchema).default([]),
  response_metadata: cursorSchema,
});
const membersSchema = z.object({ members: z.array(z.string()), response_metadata: cursorSchema });
const infoSchema = z.object({ channel: channelSchema });

/** Asks Slack who is in which channel, by `call`, until the signal aborts. */
export function createMemberships(call: ReadCall, signal: AbortSignal): Memberships {
  return {
    async channelsOf(user, workspace) {
      const found = new Map<string, SlackChannel>();
      let cursor: string | undefined;
      for (let pages = 1; pages <= maxPages; pages += 1) {
        const args = {
          user,
          types: 'public_channel,private_channel',
          limit: pageSize,
          cursor,
          team_id: workspace,
        };
        const page = await call({ method: 'users.conversations', args, schema: channelsSchema }, signal);
        for (const channel of page.channels) found.set(channel.id, channel);
        cursor = page.response_metadata?.next_cursor || undefined;
        if (cursor === undefined) break;
      }
      return found;
    },
    async channel(id) {
      try {
        const args = { channel: id };
        return (await call({ method: 'conversations.info', args, schema: infoSchema }, signal)).channel;
      } catch (error) {
        if (errorWord(error) === 'channel_not_found') return undefined;
        throw error;
      }
    },
    async *membersOf(channel) {
      let cursor: string | undefined;
      for (let pages = 1; pages <= maxPages; pages += 1) {
        const args = { channel, limit: pageSize, cursor };
        const page = await call({ method: 'conversations.members', args, schema: membersSchema }, signal);
        yield page.members;
        cursor = page.response_metadata?.next_cursor || undefined;
        if (cursor === undefined) return;
      }
    },
  };
}
