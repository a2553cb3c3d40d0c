// A slash command as Slack sends it over Socket Mode, and as the event that writing it would have been. Not its answer.
import { z } from 'zod';
import { commandMeant } from '#adapters/gateway/terms/command-table.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import { defined } from '#base/json.ts';
import type { Identity } from './change.ts';
import { addressIn, roomOf, type SlackConversation } from './inbound.ts';
import { actorIDOf } from './organisation.ts';

export const slashSchema = z.object({
  command: z.string().regex(/^\/\S+$/),
  text: z.string().default(''),
  team_id: z.string(),
  channel_id: z.string(),
  user_id: z.string(),
  user_name: z.string().optional(),
  trigger_id: z.string().min(1),
  response_url: z.string().optional(),
});
export type Slash = z.infer<typeof slashSchema>;

interface SlashPlace {
  bot: Identity;
  room: SlackConversation;
  /** Display names by user id. */
  names: ReadonlyMap<string, string>;
  /** The language of the person's app, where it is known. */
  locale: string | undefined;
  at: number;
  /** Whether the bot is not in that conversation: commands are run in all. */
  outside: boolean;
}

/**
 * The event. An app's own commands are the operator's to name: one that is named like a command of Parley is that command; under any other name
 * (`/parley`) the text that follows is the command, or the message.
 */
export function slashEvent(
  slash: Slash,
  { bot, room, names, locale, at, outside }: SlashPlace,
): MessageEvent {
  const { team_id: team, user_id: user, user_name: shown, response_url: answerAt } = slash;
  return {
    type: 'message',
    address: addressIn({ bot, room }, undefined),
    nativeID: `slash:${slash.trigger_id}`,
    at,
    actor: {
      id: actorIDOf(bot, { team, user }),
      name: names.get(user) ?? shown ?? user,
      isBot: false,
      ...defined({ locale }),
    },
    addressed: room.kind === 'dm' ? 'dm' : 'mention',
    text: textOf(slash),
    files: [],
    ...defined({ answerAt, outside: outside ? (true as const) : undefined, room: roomOf({ bot, room }) }),
  };
}

function textOf({ command, text }: Slash): string {
  const args = text.trim();
  const name = commandMeant(command.slice(1));
  if (name !== undefined) return `/${name} ${args}`.trim();
  if (args === '') return '/help';
  const typed = args.replace(/^[/!]/, '');
  const [first = ''] = typed.split(/\s/);
  return commandMeant(first) !== undefined ? `/${typed}` : args;
}
