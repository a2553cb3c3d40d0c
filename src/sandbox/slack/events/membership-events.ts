// The Events API payloads about people and channels, by their pages at docs.slack.dev/reference/events. Pure; not messages.
import { channelShape, userShape } from '#sandbox/slack/world/shapes.ts';
import { otherTeam, type Room, type SlackAccount } from '#sandbox/slack/world/workspace.ts';
import type { Wire, World } from '#sandbox/slack/world/world.ts';

/** The letter says nothing of privacy: channels made after March 2021 have a C, also private ones. */
export function memberEvent(
  what: 'joined' | 'left',
  { room, account, eventTs }: { room: Room; account: SlackAccount; eventTs: string },
): Wire {
  return {
    type: `member_${what}_channel`,
    user: account.id,
    channel: room.id,
    channel_type: 'C',
    team: account.home,
    event_ts: eventTs,
  };
}

/** What the bot hears of its own removal: nothing else of the channel reaches it any more. */
export function ownLeaveEvent(room: Room, eventTs: string): Wire {
  const type = room.kind === 'channel' ? 'channel_left' : 'group_left';
  return { type, channel: room.id, actor_id: 'USLACKBOT', event_ts: eventTs };
}

/** `user_change` also for who is deactivated, activated again, or made a guest or a member. */
export function userEvent(
  type: 'user_change' | 'team_join',
  { account, install, eventTs }: { account: SlackAccount; install: World['install']; eventTs: string },
): Wire {
  return {
    type,
    user: userShape(account, install),
    cache_ts: Math.floor(Number(eventTs)),
    event_ts: eventTs,
  };
}

export function renameEvent(room: Room, eventTs: string): Wire {
  const { id, name, created } = channelShape(room);
  const channel = { id: id ?? '', name: name ?? '', created: created ?? 0 };
  return {
    type: room.kind === 'channel' ? 'channel_rename' : 'group_rename',
    channel,
    event_ts: eventTs,
  };
}

/** A workspace was connected to a channel that was none of Slack Connect. */
export function sharedEvent(room: Room, eventTs: string): Wire {
  return {
    type: 'channel_shared',
    connected_team_id: otherTeam.id,
    channel: room.id,
    event_ts: eventTs,
  };
}
