// Buttons in a message of the bot's, and how Slack reports a press.
import { z } from 'zod';
import type { Button } from '#adapters/gateway/terms/channel.ts';
import type { ButtonPressEvent } from '#adapters/gateway/terms/inbound.ts';
import { bodySchema } from '#adapters/slack/calls/wire.ts';
import type { MessagePart } from '#adapters/text/part.ts';
import { defined, type Json } from '#base/json.ts';
import type { Identity } from './change.ts';
import { addressIn, type SlackConversation, threadOf } from './inbound.ts';
import { actorIDOf } from './organisation.ts';

/** Slack's own limits of a button's words and of an `actions` block. */
const labelChars = 75;
const maxButtons = 25;

/** The part with these buttons; with an empty list it has none. Slack does not change blocks that an edit leaves out. */
export function withChoices(part: MessagePart, choices: readonly Button[]): MessagePart {
  const { text, blocks = [{ type: 'markdown', text: part.text }] } = bodySchema.parse(part.body);
  const rest = blocks.filter(({ type }) => type !== 'actions') as Json[]; // read from JSON
  const elements = choices.slice(0, maxButtons).map(({ id, label }, at) => ({
    type: 'button',
    action_id: `choice-${at}`,
    value: id,
    text: { type: 'plain_text', text: [...label].slice(0, labelChars).join(''), emoji: false },
  }));
  const buttons: Json[] = elements.length === 0 ? [] : [{ type: 'actions', elements }];
  return { text: part.text, body: { text, blocks: [...rest, ...buttons] } };
}

/** The `block_actions` payload of one pressed button. */
export const pressSchema = z.object({
  type: z.literal('block_actions'),
  user: z.object({ id: z.string(), name: z.string().optional(), team_id: z.string().optional() }),
  channel: z.object({ id: z.string() }),
  message: z.object({ ts: z.string(), thread_ts: z.string().optional() }),
  trigger_id: z.string().min(1),
  actions: z.tuple([z.object({ action_id: z.string(), value: z.string() })]),
});
export type PressPayload = z.infer<typeof pressSchema>;

/** The event of a button press. */
export function choiceEvent(
  { user, message, actions: [pressed], trigger_id: trigger }: PressPayload,
  {
    bot,
    room,
    names,
    locale,
    at,
    settle,
  }: {
    bot: Identity;
    room: SlackConversation;
    names: ReadonlyMap<string, string>;
    locale: string | undefined;
    at: number;
    settle: ButtonPressEvent['settle'];
  },
): ButtonPressEvent {
  return {
    type: 'choice',
    address: addressIn({ bot, room }, threadOf(message)),
    nativeID: trigger,
    at,
    actor: {
      id: actorIDOf(bot, { team: user.team_id, user: user.id }),
      name: names.get(user.id) ?? user.name ?? user.id,
      isBot: false,
      ...defined({ locale }),
    },
    choice: pressed.value,
    settle,
  };
}
