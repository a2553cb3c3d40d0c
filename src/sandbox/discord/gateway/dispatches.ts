// What the gateway says about messages and interactions, and who hears it: event names, payloads, intents. No sockets, no sessions.

import { interactionPayload, pressPayload } from '#sandbox/discord/payloads/interaction-payload.ts';
import { concernsBot, dispatchedMessage, withoutContent } from '#sandbox/discord/payloads/message-payload.ts';
import { applicationPayload, type Switches, userPayload } from '#sandbox/discord/payloads/people-payload.ts';
import { botSees } from '#sandbox/discord/world/permissions.ts';
import {
  type ChatEvent,
  guildOf,
  type World,
  type WorldEvent,
  type WorldMessage,
} from '#sandbox/discord/world/world.ts';
import type { Dispatch } from './dispatch.ts';
import { guildDispatchOf } from './guild-dispatches.ts';
import { intentBits } from './intents.ts';
import { guildsOf, type ShardPair } from './sharding.ts';

/** The dispatch for a session with these intents, or undefined where it is not told. */
export function dispatchOf(world: World, happening: WorldEvent, intents: number): Dispatch | undefined {
  return 'guild' in happening || 'room' in happening || 'thread' in happening
    ? guildDispatchOf(world, happening, intents)
    : ofChat(world, happening, intents);
}

function ofChat(world: World, happening: ChatEvent, intents: number): Dispatch | undefined {
  switch (happening.type) {
    case 'posted':
      return dispatchFor(world, { message: happening.message, t: 'MESSAGE_CREATE', intents });
    case 'changed':
      return dispatchFor(world, { message: happening.message, t: 'MESSAGE_UPDATE', intents });
    case 'removed': {
      const { id, channelID } = happening.message;
      if (!hears(world, channelID, { intents, room: 'guildMessages', dm: 'directMessages' }))
        return undefined;
      return { t: 'MESSAGE_DELETE', d: { id, channel_id: channelID, ...guildField(world, channelID) } };
    }
    case 'removed together': {
      const { ids, channelID } = happening;
      if (!hears(world, channelID, { intents, room: 'guildMessages', dm: 'directMessages' }))
        return undefined;
      return { t: 'MESSAGE_DELETE_BULK', d: { ids, channel_id: channelID, ...guildField(world, channelID) } };
    }
    case 'reacted':
    case 'unreacted': {
      const { message, emoji, personID } = happening;
      const isNew = happening.type === 'reacted';
      if (!hears(world, message.channelID, { intents, room: 'guildReactions', dm: 'directReactions' }))
        return undefined;
      return {
        t: isNew ? 'MESSAGE_REACTION_ADD' : 'MESSAGE_REACTION_REMOVE',
        d: {
          user_id: personID,
          channel_id: message.channelID,
          message_id: message.id,
          ...guildField(world, message.channelID),
          // only with a new one (discord.com/developers/docs/events/gateway-events, "Message Reaction Add")
          ...(isNew ? { message_author_id: message.authorID } : {}),
          emoji: { id: null, name: emoji },
          burst: false,
          type: 0,
        },
      };
    }
    case 'typing':
    case 'whispered':
    case 'whisper gone':
      return undefined;
    case 'command run':
      return { t: 'INTERACTION_CREATE', d: interactionPayload(world, happening.interaction) };
    case 'button pressed':
      return { t: 'INTERACTION_CREATE', d: pressPayload(world, happening.press) };
  }
}

/** The first dispatch of a new session. */
export function readyOf(
  world: World,
  session: { id: string; shard: ShardPair; resumeURL: string; switches: Switches },
): Dispatch {
  const { id, flags } = applicationPayload(world, session.switches);
  return {
    t: 'READY',
    d: {
      v: 10,
      user: { ...userPayload(world.bot), mfa_enabled: false, verified: true, email: null },
      guilds: guildsOf(world, session.shard).map((guildID) => ({ id: guildID, unavailable: true })),
      session_id: session.id,
      resume_gateway_url: session.resumeURL,
      shard: session.shard,
      application: { id, flags },
    },
  };
}

function dispatchFor(
  world: World,
  event: { message: WorldMessage; t: string; intents: number },
): Dispatch | undefined {
  const { message, t, intents } = event;
  if (!hears(world, message.channelID, { intents, room: 'guildMessages', dm: 'directMessages' }))
    return undefined;
  const payload = dispatchedMessage(world, message);
  const whole = (intents & intentBits.messageContent) !== 0 || concernsBot(world, message);
  return { t, d: whole ? payload : withoutContent(payload) };
}

function hears(
  world: World,
  channelID: string,
  by: { intents: number; room: keyof typeof intentBits; dm: keyof typeof intentBits },
): boolean {
  const channel = world.channels.get(channelID);
  if (channel === undefined || !botSees(world, channel)) return false;
  const guild = guildOf(world, channelID);
  if (guild !== undefined && guild.state !== 'available') return false;
  return (by.intents & intentBits[guild === undefined ? by.dm : by.room]) !== 0;
}

function guildField(world: World, channelID: string): { guild_id?: string } {
  const guild = guildOf(world, channelID);
  return guild === undefined ? {} : { guild_id: guild.id };
}
