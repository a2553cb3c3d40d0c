// Who joins and leaves conversations and the workspace of the sandbox's Slack, with the events and notices of each.
import { ParleyError } from '#base/errors.ts';
import type { Membership } from '#sandbox/places.ts';
import type { Director } from './events/event-dispatcher.ts';
import { memberEvent, ownLeaveEvent, sharedEvent, userEvent } from './events/membership-events.ts';
import { mayOpen } from './world/reading.ts';
import { bot, otherTeam, type Room, type SlackAccount, team } from './world/workspace.ts';
import type { Subtype, World } from './world/world.ts';

interface PlaceMembers {
  at(id: string): { room: Room; thread: string | undefined };
  notice(room: Room, user: string, message: { subtype: Subtype; text: string }): void;
  share(room: Room): void;
  enter(room: Room, account: SlackAccount): void;
  exit(room: Room, account: SlackAccount, how: 'left' | 'kicked' | 'banned'): void;
  /** Tells the bot, where it is a member. */
  happenedIn(room: Room, event: Parameters<Director['happened']>[0]): void;
  /** Where a person can write: a member of the workspace joins a public channel on the way. */
  writableBy(account: SlackAccount, room: Room): void;
  joinSpace(account: SlackAccount, as: Membership): void;
  leaveSpace(account: SlackAccount, how: 'left' | 'kicked' | 'banned'): void;
}

/** The members of one sandbox. */
export function createPlaceMembers({ world, director }: { world: World; director: Director }): PlaceMembers {
  const { workspace } = world;

  function at(id: string): { room: Room; thread: string | undefined } {
    const [channel = '', thread] = id.split('/');
    const room = workspace.room(channel);
    if (room === undefined)
      throw new ParleyError('unknown_room', `Expected the id of a room of this Slack, got ${id}.`);
    return { room, thread };
  }

  function notice(room: Room, user: string, { subtype, text }: { subtype: Subtype; text: string }): void {
    director.posted(world.add({ room, user, text, subtype }));
  }

  function share(room: Room): void {
    room.shared = true;
    director.happened(sharedEvent(room, world.nextTs()));
  }

  function enter(room: Room, account: SlackAccount): void {
    if (room.members.has(account.id)) return;
    if (account.standing === 'none' || account.standing === 'gone')
      throw new ParleyError(
        'not_in_space',
        `${account.name} has no account in the workspace to join ${room.id} with.`,
      );
    if (account.standing === 'stranger' && !room.shared) share(room);
    workspace.enter(room, account);
    // its own joining the bot hears as well (docs.slack.dev, member_joined_channel)
    happenedIn(room, memberEvent('joined', { room, account, eventTs: world.nextTs() }));
    if (room.kind !== 'mpim')
      notice(room, account.id, {
        subtype: `${noticeKind(room)}_join`,
        text: `<@${account.id}> has joined the ${noticeKind(room)}`,
      });
  }

  function exit(room: Room, account: SlackAccount, how: 'left' | 'kicked' | 'banned'): void {
    if (room.kind === 'im' || !room.members.has(account.id)) return;
    workspace.leave(room, account);
    if (account.id === bot.user) {
      director.happened(ownLeaveEvent(room, world.nextTs()));
      return;
    }
    happenedIn(room, memberEvent('left', { room, account, eventTs: world.nextTs() }));
    const text =
      how === 'left'
        ? `<@${account.id}> has left the ${noticeKind(room)}`
        : `<@${account.id}> was removed from the ${noticeKind(room)}`;
    if (room.kind !== 'mpim') notice(room, account.id, { subtype: `${noticeKind(room)}_leave`, text });
  }

  function happenedIn(room: Room, event: Parameters<Director['happened']>[0]): void {
    if (room.members.has(bot.user)) director.happened(event);
  }

  /** Where a person can write: a member of the workspace joins a public channel on the way. */
  function writableBy(account: SlackAccount, room: Room): void {
    if (!mayOpen(account, room))
      throw new ParleyError('not_a_member', `${account.name} cannot see ${room.id}, so cannot write there.`);
    enter(room, account);
  }

  function joinSpace(account: SlackAccount, as: Membership): void {
    const before = account.standing;
    if (before === 'none' && as === 'stranger') account.home = otherTeam.id;
    // an account of another workspace is never a member or a guest of this one, nor the other way round
    const next = account.home === otherTeam.id ? 'stranger' : as === 'member' ? 'member' : 'guest';
    if (next === before) return;
    account.standing = next;
    if (next === 'stranger') return;
    director.happened(
      userEvent(before === 'none' ? 'team_join' : 'user_change', {
        account,
        install: world.install,
        eventTs: world.nextTs(),
      }),
    );
  }

  function leaveSpace(account: SlackAccount, how: 'left' | 'kicked' | 'banned'): void {
    const { home, standing } = account;
    if (standing === 'none' || standing === 'gone') return;
    // a deactivated account stays in the list of the channels that it was in; nothing but `user_change` tells of it
    if (home === otherTeam.id) for (const room of account.rooms) exit(at(room).room, account, how);
    account.standing = 'gone';
    if (home === team.id)
      director.happened(
        userEvent('user_change', { account, install: world.install, eventTs: world.nextTs() }),
      );
  }

  return { at, notice, share, enter, exit, happenedIn, writableBy, joinSpace, leaveSpace };
}

export function noticeKind(room: Room): 'channel' | 'group' {
  return room.kind === 'channel' ? 'channel' : 'group';
}
