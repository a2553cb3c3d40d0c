// What happens to members of guilds and of private threads, as events for the gateway.
import { ChannelType, type Client, GatewayDispatchEvents } from 'discord.js';
import {
  type ChannelPayload,
  memberPayloadSchema,
  threadMembersPayload,
} from '#adapters/discord/payloads/guild-payload.ts';
import type { ReadyClient } from '#adapters/discord/shards/ready-client.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { MemberEvent, Sink } from '#adapters/gateway/terms/inbound.ts';
import type { Clock } from '#base/clock.ts';
import type { EventLanes } from './lanes.ts';

export type MemberChange = Pick<MemberEvent, 'of' | 'actorID' | 'change'> & { at?: number | undefined };

interface MemberChanges {
  notify(place: { space: string; chat: string; thread?: string }, change: MemberChange): void;
  /** What everyone, or one member, may read in the whole guild may have changed. */
  inSpace(guildID: string, actorID: string | undefined, change: MemberEvent['change'], at?: number): void;
  threadGone(channel: ChannelPayload): void;
  threadMembers(data: unknown, client: Client): void;
  member(name: string, data: unknown, client: Client): void;
}

/** Changes go to the sink once a client is ready, those of one guild in order. */
export function createMemberChanges({
  sink,
  lanes,
  readyClient,
  clock,
}: {
  sink: Sink;
  lanes: EventLanes;
  readyClient: ReadyClient;
  clock: Clock;
}): MemberChanges {
  const notify = (place: { space: string; chat: string; thread?: string }, change: MemberChange): void => {
    const { at = clock.now(), ...rest } = change;
    lanes.push(`members ${place.space}`, async () => {
      const { user } = await readyClient.get();
      const address: Address = { platform: 'discord', account: user.id, kind: 'channel', ...place };
      await sink.accept({ type: 'member', address, at, ...rest });
    });
  };

  /** The guild's own id means all of its rooms: only the space of the event counts. */
  const inSpace = (
    guildID: string,
    actorID: string | undefined,
    change: MemberEvent['change'],
    at?: number,
  ) => notify({ space: guildID, chat: guildID }, { of: 'space', actorID, change, at });

  const onThreadGone = ({ id, type, guild_id: space, parent_id: chat }: ChannelPayload): void => {
    if (type !== ChannelType.PrivateThread || space === undefined || chat === undefined || chat === null)
      return;
    notify({ space, chat, thread: id }, { of: 'room', actorID: undefined, change: 'rights' });
  };

  const onThreadMembers = (data: unknown, client: Client): void => {
    const { id, guild_id: space, ...members } = threadMembersPayload.parse(data);
    const thread = client.channels.cache.get(id);
    const isPrivate = thread?.type === ChannelType.PrivateThread && thread.parentId !== null;
    if (!isPrivate || thread.parentId === null) return;
    const place = { space, chat: thread.parentId, thread: id };
    for (const { user_id: actorID } of members.added_members)
      if (actorID !== undefined) notify(place, { of: 'room', actorID, change: 'joined' });
    for (const actorID of members.removed_member_ids) notify(place, { of: 'room', actorID, change: 'left' });
  };

  const onMember = (name: string, data: unknown, client: Client): void => {
    const { guild_id: guildID, user, joined_at: joinedAt } = memberPayloadSchema.parse(data);
    if (user.id === client.user?.id) return;
    if (name === GatewayDispatchEvents.GuildMemberAdd) {
      const at = Date.parse(joinedAt ?? '');
      inSpace(guildID, user.id, 'joined', Number.isNaN(at) ? undefined : at);
    } else inSpace(guildID, user.id, name === GatewayDispatchEvents.GuildMemberUpdate ? 'rights' : 'left');
  };

  return { notify, inSpace, threadGone: onThreadGone, threadMembers: onThreadMembers, member: onMember };
}
