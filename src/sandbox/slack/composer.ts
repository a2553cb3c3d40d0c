// What Slack's composer does with words that begin with "/": it runs them as a command, or refuses them; none is sent as a message.
import { ParleyError } from '#base/errors.ts';
import type { AppCommands } from './methods/app-commands.ts';
import type { Room, SlackAccount } from './world/workspace.ts';

/** Slack's own ("Use shortcuts to take actions in Slack", slack.com/help/articles/360057554553); no app hears of them. */
const builtIn: ReadonlySet<string> = new Set(
  (
    'active apps archive away call collapse dm dnd expand feed feedback invite invite_people join kick leave me msg mute open part ' +
    'people prefs remind remove rename search shortcuts shrug star status topic who'
  ).split(' '),
);

interface Typed {
  room: Room;
  by: Pick<SlackAccount, 'id' | 'name'>;
  text: string;
  inThread: boolean;
}

/**
 * Runs what was typed if it is a command of the app's, and gives its id. Undefined for an ordinary message, such as one that begins with
 * a space or a mention. A ParleyError `not_sent` with the client's words for everything else that begins with "/". Slash commands of
 * apps "cannot be invoked in message threads" (docs.slack.dev/interactivity/implementing-slash-commands).
 */
export function runTyped({ room, by, text, inThread }: Typed, commands: AppCommands): string | undefined {
  const [, name = '', args = ''] = /^\/(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  if (!text.startsWith('/')) return undefined;
  const command = `/${name}`;
  if (builtIn.has(name.toLowerCase()))
    throw new ParleyError('not_sent', `${command} is one of Slack's own commands: no app receives it.`);
  if (!commands.has(command))
    throw new ParleyError('not_sent', `${command} is not a valid command.`, {
      hint: 'Slack takes every message that begins with "/" for a command. To send it as a message, put a space before the "/".',
    });
  if (inThread) throw new ParleyError('not_sent', `${command} is not supported in threads. Sorry!`);
  return commands.run({ room, by, command, text: args });
}
