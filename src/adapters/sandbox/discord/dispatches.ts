// What the gateway says about each happening, and who hears it: event names, payloads, intents. No sockets, no sessions.
import { interactionPayload, pressPayload } from './interaction-payload.ts';
import {
  channelPayload,
  concernsBot,
  dispatchedMessage,
  guildOf,
  withoutContent,
} from './message-payload.ts';
import { applicationPayload, botSees, guildPayload, memberPayload, userPayload } from './people-payload.ts';
import type { Happening, Message, World } from './world.ts';

/** Bits of the intents that the sandbox knows. */
export const intentBits = {
  guilds: 1 << 0,
  guildMessages: 1 << 9,
  guildReactions: 1 << 10,
  directMessages: 1 << 12,
  directReactions: 1 << 13,
  messageContent: 1 << 15,
} as const;

export interface Dispatch {
  t: string;
  d: object;
}

/** The dispatch for a session with these intents, or undefined where it is not told. */
export function dispatchOf(world: World, happening: Happening, intents: number): Dispatch | undefined {
  switch (happening.type) {
    case 'posted':
      return told(world, { message: happening.message, t: 'MESSAGE_CREATE', intents });
    case 'changed':
      return told(world, { message: happening.message, t: 'MESSAGE_UPDATE', intents });
    case 'removed': {
      const { id, channelID } = happening.message;
      if (!hears(world, channelID, { intents, room: 'guildMessages', dm: 'directMessages' }))
        return undefined;
      return { t: 'MESSAGE_DELETE', d: { id, channel_id: channelID, ...guildField(world, channelID) } };
    }
    case 'thread opened': {
      if ((intents & intentBits.guilds) === 0 || !botSees(world, happening.thread)) return undefined;
      return { t: 'THREAD_CREATE', d: { ...channelPayload(world, happening.thread), newly_created: true } };
    }
    case 'reacted':
    case 'unreacted': {
      const { message, emoji, personID } = happening;
      if (!hears(world, message.channelID, { intents, room: 'guildReactions', dm: 'directReactions' }))
        return undefined;
      return {
        t: happening.type === 'reacted' ? 'MESSAGE_REACTION_ADD' : 'MESSAGE_REACTION_REMOVE',
        d: {
          user_id: personID,
          channel_id: message.channelID,
          message_id: message.id,
          ...guildField(world, message.channelID),
          emoji: { id: null, name: emoji },
          burst: false,
          type: 0,
        },
      };
    }
    case 'typing':
    case 'whispered':
      return undefined;
    case 'command run':
      return { t: 'INTERACTION_CREATE', d: interactionPayload(world, happening.interaction) };
    case 'button pressed':
      return { t: 'INTERACTION_CREATE', d: pressPayload(world, happening.press) };
  }
}

/** What a new session is told first. */
export function readyOf(world: World, session: { id: string; resumeURL: string }): Dispatch {
  const { id, flags } = applicationPayload(world, 'allowed');
  return {
    t: 'READY',
    d: {
      v: 10,
      user: { ...userPayload(world.bot), mfa_enabled: false, verified: true, email: null },
      guilds: [{ id: world.guildID, unavailable: true }],
      session_id: session.id,
      resume_gateway_url: session.resumeURL,
      shard: [0, 1],
      application: { id, flags },
    },
  };
}

/** The guild as it comes after READY, with its rooms and open threads. */
export function guildCreateOf(world: World): Dispatch {
  const channels = [...world.channels.values()];
  const rooms = channels.filter((channel) => channel.kind === 'room');
  const threads = channels.filter((channel) => channel.kind === 'thread' && botSees(world, channel));
  return {
    t: 'GUILD_CREATE',
    d: {
      ...guildPayload(world),
      joined_at: '2024-01-01T00:00:00.000000+00:00',
      large: false,
      unavailable: false,
      member_count: world.people.size,
      voice_states: [],
      members: [memberPayload(world, world.bot)],
      channels: rooms.map((channel) => channelPayload(world, channel)),
      threads: threads.map((channel) => channelPayload(world, channel)),
      presences: [],
      stage_instances: [],
      guild_scheduled_events: [],
      soundboard_sounds: [],
    },
  };
}

function told(world: World, event: { message: Message; t: string; intents: number }): Dispatch | undefined {
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
  return (by.intents & intentBits[guildOf(world, channelID) === undefined ? by.dm : by.room]) !== 0;
}

function guildField(world: World, channelID: string): { guild_id?: string } {
  const guild = guildOf(world, channelID);
  return guild === undefined ? {} : { guild_id: guild };
}
