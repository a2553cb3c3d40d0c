// Slash commands in the sandbox's world: what the application registered, what a person runs, what becomes of it. No routes.

import { randomBytes } from 'node:crypto';
import { ParleyError } from '#base/errors.ts';
import type { AppCommand, CommandForm } from './app-command.ts';
import { post } from './speech.ts';
import { whisper } from './whispers.ts';
import type { Interaction, Reply, World } from './world.ts';

export interface Interactions {
  commands: readonly AppCommand[];
  /** Sets these commands: a command that exists has the same id as before, and the same version if nothing in it changed. */
  register(commands: readonly CommandForm[]): void;
  /** Runs a registered command as a person and sends it to the application; a ParleyError `unknown_command` for another. */
  run(
    run: Pick<Interaction, 'person' | 'channel' | 'installed'> & { name: string; text?: string | undefined },
  ): Interaction;
  byID(id: string): Interaction | undefined;
  byToken(token: string): Interaction | undefined;
  /** Puts up the reply: a text, or the sign that the application is thinking. */
  reply(interaction: Interaction, content: string | 'thinking', readers: Reply['readers']): void;
  /** The reply, once it is posted. */
  replyTo(interaction: Interaction): Reply | undefined;
}

/** How long an interaction may go without an answer, and how long its token is good for ("Receiving and Responding"). */
export const acknowledgeMs = 3_000;
export const tokenLifeMs = 15 * 60_000;

/** Interactions that are remembered; the oldest go first. */
const maxEntries = 1_000;

/** What of a command can change. */
function formText({ name, description, type, contexts, options, handler, ...rest }: CommandForm): string {
  return JSON.stringify([name, description, type, contexts, options, handler, rest.integration_types]);
}

/** No commands and no interactions yet. */
export function createInteractions(world: World): Interactions {
  const saved = new Map<string, Interaction>();
  let registered: readonly AppCommand[] = [];
  return {
    get commands() {
      return registered;
    },
    register(commands) {
      registered = commands.map((form) => {
        const before = registered.find(({ name, type }) => name === form.name && type === form.type);
        if (before === undefined) return { ...form, id: world.newID(), version: world.newID() };
        const { id, version } = before;
        return { ...form, id, version: formText(before) === formText(form) ? version : world.newID() };
      });
    },
    run({ name, text, person, channel, installed }) {
      const context = channel.kind === 'dm' ? 1 : 0;
      const command = registered.find(
        (one) => one.name === name && one.type === 1 && (one.contexts ?? [context]).includes(context),
      );
      if (command === undefined)
        throw new ParleyError('unknown_command', `Expected a registered command, got "/${name}".`, {
          hint: `Wait until the bot has registered its commands; now there are: ${registered.map((one) => one.name).join(', ') || 'none'}.`,
        });
      if (text !== undefined && command.options.length === 0)
        throw new ParleyError('unknown_option', `The command "/${name}" takes nothing.`);
      const token = randomBytes(96).toString('base64url');
      const interaction: Interaction = {
        id: world.newID(),
        token,
        at: world.clock.now(),
        command: { id: command.id, name },
        text,
        person,
        channel,
        installed,
        reply: undefined,
      };
      saved.set(interaction.id, interaction);
      for (const oldest of saved.keys()) if (saved.size > maxEntries) saved.delete(oldest);
      world.notify({ type: 'command run', interaction });
      return interaction;
    },
    byID: (id) => saved.get(id),
    byToken: (token) => [...saved.values()].find((one) => one.token === token),
    reply(interaction, content, readers) {
      const { id, command, person, channel } = interaction;
      const thinking = content === 'thinking';
      if (readers === 'asker') {
        const answer = { content: thinking ? '' : content, state: thinking ? 'thinking' : 'said' } as const;
        interaction.reply = { readers, whisper: whisper(world, { channel, person }, answer) };
        return;
      }
      const message = post(world, {
        channel,
        authorID: world.bot.id,
        content: thinking ? '' : content,
        pings: { people: [], roles: [], everyone: 'no', repliedUser: 'no' },
        reply: {
          interactionID: id,
          personID: person.id,
          name: command.name,
          state: thinking ? 'thinking' : 'said',
        },
      });
      interaction.reply = { readers, message };
    },
    replyTo({ reply }) {
      if (reply === undefined || reply === 'gone') return undefined;
      return reply.readers === 'asker' || world.byID.has(reply.message.id) ? reply : undefined;
    },
  };
}
