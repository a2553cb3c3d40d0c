// Slack's events about people and channels as the gateway's. Not messages, and not the looks at who may read what.
import type { InboundEvent, MemberEvent } from '#adapters/gateway/terms/inbound.ts';
import { millisOf } from '#adapters/slack/calls/wire.ts';
import type { Identity } from '#adapters/slack/codecs/change.ts';
import { namedEvent, type SlackConversation } from '#adapters/slack/codecs/inbound.ts';
import {
  belongsTo,
  isFullMember,
  memberOfRoom,
  memberOfSpace,
  type News,
  type SlackPerson,
  slackPersonOf,
  spaceAddress,
} from '#adapters/slack/codecs/members.ts';
import { actorIDOf } from '#adapters/slack/codecs/organisation.ts';
import type { SlackPeople } from '#adapters/slack/rooms/people.ts';
import type { SlackRooms } from '#adapters/slack/rooms/rooms.ts';
import type { Clock } from '#base/clock.ts';

interface NewsOptions {
  bot: Identity;
  clock: Clock;
  rooms: SlackRooms;
  people: Pick<SlackPeople, 'changed'>;
}

/** The changes of access and of names that follow from an event; empty when there are none. */
export async function eventsOf(
  news: News,
  { bot, clock, rooms, people }: NewsOptions,
): Promise<InboundEvent[]> {
  const at = news.event_ts === undefined ? clock.now() : millisOf(news.event_ts);
  const known = (channel: string): Promise<SlackConversation> => rooms.room({ channel, since: 0 });
  switch (news.type) {
    case 'user_change':
    case 'team_join': {
      const before = people.changed(news.user);
      const now = slackPersonOf(news.user);
      const spaces = bot.workspaces ?? [bot.team];
      return [...spaces].flatMap((team) => {
        const joins = news.type === 'team_join' && (bot.workspaces === undefined || belongsTo(now, team));
        const change = joins ? 'joined' : changeOf(before, now, team);
        return change === undefined ? [] : [memberOfSpace({ user: news.user, change, at, team }, bot)];
      });
    }
    case 'member_joined_channel':
    case 'member_left_channel': {
      if (news.user === bot.botUser) return [];
      const change = news.type === 'member_joined_channel' ? 'joined' : 'left';
      const actorID = actorIDOf(bot, { team: news.team, user: news.user });
      return [memberOfRoom({ actorID, change, at }, { bot, room: await known(news.channel) })];
    }
    case 'channel_left':
    case 'group_left': {
      // after this nothing more is learned of it, so that it may close unnoticed
      const room = await known(news.channel);
      await rooms.lost(news.channel, room.kind);
      return [memberOfRoom({ actorID: undefined, change: 'rights', at }, { bot, room })];
    }
    case 'channel_rename':
    case 'group_rename': {
      const { id, name } = news.channel;
      rooms.renamed(id);
      const room = { ...(await known(id)), name };
      return [namedEvent({ bot, room })];
    }
    case 'team_rename': {
      const team = news.workspace ?? bot.team;
      bot.spaceNames.set(team, news.name);
      return [{ type: 'named', address: spaceAddress(bot, team), names: { space: news.name } }];
    }
    case 'channel_shared':
    case 'channel_unshared': {
      const room = await known(news.channel);
      return [memberOfRoom({ actorID: undefined, change: 'rights', at }, { bot, room })];
    }
  }
}

function changeOf(
  before: SlackPerson | undefined,
  after: SlackPerson,
  team: string,
): MemberEvent['change'] | undefined {
  if (!after.active) return before?.active === false ? undefined : 'left';
  if (before === undefined) return isFullMember(after, team) || after.bot ? undefined : 'rights';
  if (!before.active) return belongsTo(after, team) ? 'joined' : 'rights';
  const was = belongsTo(before, team);
  if (was !== belongsTo(after, team)) return was ? 'left' : 'joined';
  return before.guest !== after.guest || before.team !== after.team ? 'rights' : undefined;
}
