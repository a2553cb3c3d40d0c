// Buttons below a message of the bot's: how they are written, what a press says, and how it is answered.
import {
  ButtonStyle,
  ComponentType,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
  Routes,
  SnowflakeUtil,
} from 'discord.js';
import { z } from 'zod';
import type { Rest } from '#adapters/discord/calls/rest.ts';
import type { ChannelContext } from '#adapters/discord/rooms/channel-context.ts';
import type { Button } from '#adapters/gateway/terms/channel.ts';
import type { ButtonPressEvent } from '#adapters/gateway/terms/inbound.ts';
import { defined, type Json } from '#base/json.ts';

/** Discord's own limits of a button's words, of a row, and of a message ("Component Reference"). */
const labelChars = 80;
const inRow = 5;
const maxRows = 5;

/** A message's buttons as rows of components; an empty list removes the present ones. */
export function componentsOf(choices: readonly Button[]): Json[] {
  const buttons = choices.slice(0, inRow * maxRows).map(({ id, label }) => ({
    type: ComponentType.Button,
    style: ButtonStyle.Secondary,
    label: [...label].slice(0, labelChars).join(''),
    custom_id: id,
  }));
  const rows: Json[] = [];
  for (let at = 0; at < buttons.length; at += inRow)
    rows.push({ type: ComponentType.ActionRow, components: buttons.slice(at, at + inRow) });
  return rows;
}

const user = z.looseObject({
  id: z.string(),
  username: z.string(),
  global_name: z.string().nullish(),
  bot: z.boolean().optional(),
});

export const pressPayloadSchema = z.looseObject({
  id: z.string().regex(/^\d+$/),
  token: z.string().regex(/^\S+$/),
  type: z.literal(InteractionType.MessageComponent),
  channel_id: z.string(),
  /** The language of the app of the person who pressed. */
  locale: z.string().nullish(),
  guild_id: z.string().optional(),
  data: z.looseObject({ custom_id: z.string(), component_type: z.literal(ComponentType.Button) }),
  user: user.optional(),
  member: z.looseObject({ nick: z.string().nullish(), user }).optional(),
});
export type PressPayload = z.infer<typeof pressPayloadSchema>;

/** The event of a press; undefined where Discord names nobody who pressed. */
export function readPress(
  press: PressPayload,
  { address }: ChannelContext,
  settle: ButtonPressEvent['settle'],
): ButtonPressEvent | undefined {
  const actor = press.member?.user ?? press.user;
  if (actor === undefined) return undefined;
  return {
    type: 'choice',
    address,
    nativeID: press.id,
    at: SnowflakeUtil.timestampFrom(press.id),
    actor: {
      id: actor.id,
      name: press.member?.nick ?? actor.global_name ?? actor.username,
      isBot: actor.bot === true,
      ...defined({ locale: press.locale ?? undefined }),
    },
    choice: press.data.custom_id,
    settle,
  };
}

/** Answers a press within Discord's three seconds: silently, or with a text that only the person who pressed it sees. */
export async function answerPress(
  rest: Rest,
  { id, token }: Pick<PressPayload, 'id' | 'token'>,
  words: string | undefined,
): Promise<void> {
  const data = { content: words, flags: MessageFlags.Ephemeral, allowed_mentions: { parse: [] } };
  const body =
    words === undefined
      ? { type: InteractionResponseType.DeferredMessageUpdate }
      : { type: InteractionResponseType.ChannelMessageWithSource, data: data };
  await rest().post(Routes.interactionCallback(id, token), { body, auth: false });
}
