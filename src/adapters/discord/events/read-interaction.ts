// A slash command as it comes from Discord, and as the inbound event that typing it would have been. Pure; answers nothing.
import {
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  InteractionType,
  SnowflakeUtil,
} from 'discord.js';
import { z } from 'zod';
import type { ChannelContext } from '#adapters/discord/rooms/channel-context.ts';
import { seenBy } from '#adapters/gateway/commands/memory/seen.ts';
import { type CommandName, commandTable } from '#adapters/gateway/terms/command-table.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import { defined } from '#base/json.ts';
import { type Deferred, placeholderOf } from './deferred-replies.ts';

const user = z.looseObject({
  id: z.string(),
  username: z.string(),
  global_name: z.string().nullish(),
  bot: z.boolean().optional(),
});

/** Buttons, forms and other kinds of commands come in the same dispatch and have another form. */
const interactionKind = z.looseObject({
  type: z.int(),
  data: z.looseObject({ type: z.int().optional() }).optional(),
});

export const slashPayload = z.looseObject({
  id: z.string().regex(/^\d+$/),
  application_id: z.string().regex(/^\d+$/),
  token: z.string().regex(/^\S+$/),
  channel_id: z.string(),
  /** The language of the app of the person who ran it. */
  locale: z.string().nullish(),
  guild_id: z.string().optional(),
  context: z.int().nullish(),
  /** By the kind of installation: the guild's is there where the bot is. */
  authorizing_integration_owners: z.record(z.string(), z.unknown()).nullish(),
  data: z.looseObject({
    name: z.string(),
    options: z.array(z.looseObject({ name: z.string(), value: z.unknown().optional() })).default([]),
  }),
  user: user.optional(),
  member: z.looseObject({ nick: z.string().nullish(), user }).optional(),
});
export type SlashPayload = z.infer<typeof slashPayload>;

/** Whether a dispatch of an interaction is a slash command that Parley offers. */
export function isSlashCommand(data: unknown): boolean {
  const { type, data: command } = interactionKind.parse(data);
  return type === InteractionType.ApplicationCommand && command?.type === ApplicationCommandType.ChatInput;
}

/** Whether the command is one of those that are registered; an old one may be run until Discord's clients forget it. */
export function isRegisteredCommand({ data }: SlashPayload): boolean {
  return Object.hasOwn(commandTable, data.name);
}

/**
 * Whether the command was run where the bot is. An application that people install for themselves is run anywhere: in guilds and
 * groups where the bot cannot know who reads along.
 */
export function isWhereTheBotIs(slash: SlashPayload): boolean {
  const { context, authorizing_integration_owners: owners } = slash;
  if (context === InteractionContextType.PrivateChannel) return false;
  return owners === undefined || owners === null || ApplicationIntegrationType.GuildInstall in owners;
}

/** The event; undefined where Discord names nobody who ran it. */
export function readSlash(slash: SlashPayload, { address, room }: ChannelContext): MessageEvent | undefined {
  const actor = slash.member?.user ?? slash.user;
  if (actor === undefined) return undefined;
  return {
    type: 'message',
    address,
    nativeID: slash.id,
    at: SnowflakeUtil.timestampFrom(slash.id),
    actor: {
      id: actor.id,
      name: slash.member?.nick ?? actor.global_name ?? actor.username,
      isBot: actor.bot === true,
      ...defined({ locale: slash.locale ?? undefined }),
    },
    addressed: address.kind === 'dm' ? 'dm' : 'mention',
    text: `/${slash.data.name} ${argumentsOf(slash).trim()}`.trim(),
    files: [],
    placeholder: placeholderOf(deferredOf(slash)),
    ...defined({ room }),
  };
}

/** The reply that is put off until the command is carried out: in a server, what only the asker needs to see only they do. */
export function deferredOf(slash: SlashPayload): Deferred {
  const name = slash.data.name as CommandName; // see `isOffered`
  const isTheirs =
    slash.guild_id !== undefined && seenBy({ name, args: argumentsOf(slash).trim() }) !== 'room';
  const { id, application_id, token } = slash;
  return { id, application_id, token, readers: isTheirs ? 'asker' : 'everyone' };
}

/** What was put into the command's option. */
function argumentsOf({ data }: SlashPayload): string {
  const value = data.options.find(({ name }) => name === 'text')?.value;
  return typeof value === 'string' ? value : '';
}
