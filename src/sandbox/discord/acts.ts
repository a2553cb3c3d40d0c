// What people do on the simulated Discord: they write, change, delete, open threads and run commands.
import { ParleyError } from '#base/errors.ts';
import type { SandboxServer, Say } from '#sandbox/contract.ts';
import { refuseUnsayable } from '#sandbox/refuse-unsayable.ts';
import type { DiscordGateway } from './gateway/gateway.ts';
import { type MessageObject, messagePayload } from './payloads/message-payload.ts';
import { placeOf } from './place-of.ts';
import type { Interactions } from './world/interactions.ts';
import { allPings, openThread, post, remove, rewrite, unfurl } from './world/speech.ts';
import { channelOf, type Interaction, type World, type WorldMessage } from './world/world.ts';

export interface DiscordActs
  extends Pick<SandboxServer, 'say' | 'editMessage' | 'deleteMessage' | 'redeliver'> {
  /** The message as the API writes it. */
  payload(id: string): MessageObject;
  /** Opens a thread as `you`, at a message or free, and resolves with its id. */
  openThread(thread: { chat: 'room' | 'private'; name: string; from?: string; privacy?: 'private' }): {
    id: string;
  };
  /** A moderator locks and closes a thread. */
  lockThread(id: string): void;
  /** Names of the commands that the bot has registered. */
  commands(): string[];
  /** Runs a registered slash command as someone and sends it to the bot; resolves with the interaction at once. */
  slash(
    run: Pick<Say, 'chat' | 'user' | 'thread'> & { name: string; text?: string; installed?: 'person' },
  ): Pick<Interaction, 'id' | 'token'>;
  /** Sends an interaction to the bot once more. */
  redeliverSlash(id: string): void;
  /** Adds a link's preview to a message, which is sent as an update without an edit. */
  unfurl(id: string): void;
}

/** Units of a person's longest text: 4000 with Nitro. Bots may write 2000. */
const maxText = 4000;

/** The acts over a world. */
export function createActs(on: {
  world: World;
  gateway: DiscordGateway;
  interactions: Interactions;
}): DiscordActs {
  const { world, gateway, interactions } = on;
  const found = (id: string): WorldMessage => {
    const message = world.byID.get(id);
    if (message === undefined)
      throw new ParleyError('unknown_message', `Expected the id of a message in the sandbox, got "${id}".`);
    return message;
  };

  /** A message of a person: people change their own, not the bot's. */
  const messageWithID = (id: string): WorldMessage => {
    const message = found(id);
    if (message.authorID === world.bot.id)
      throw new ParleyError(
        'not_a_users_message',
        `The message ${id} is the bot's; people change their own.`,
      );
    return message;
  };

  return {
    payload: (id) => messagePayload(world, found(id)),
    async say(say) {
      if (say.text !== '' || (say.files ?? []).length === 0) refuseUnsayable(say.text, maxText);
      const { id } = post(world, {
        channel: placeOf(world, say),
        authorID: world[say.user].id,
        content: say.mention === true ? `<@${world.bot.id}> ${say.text}` : say.text,
        pings: allPings,
        replyTo: say.replyTo === undefined ? undefined : found(say.replyTo).id,
        files: say.files,
      });
      return { id };
    },
    async editMessage(id, text) {
      refuseUnsayable(text, maxText);
      rewrite(world, messageWithID(id), { content: text, pings: allPings });
    },
    async deleteMessage(id) {
      remove(world, messageWithID(id));
    },
    async redeliver(id) {
      gateway.repeat({ type: 'posted', message: found(id) });
    },
    openThread({ chat, name, from, privacy = 'public' as const }) {
      return openThread(world, {
        name,
        privacy,
        parentID: channelOf(world, chat, 'you').id,
        ownerID: world.you.id,
        members: [world.bot.id],
        from: from === undefined ? undefined : found(from),
      });
    },
    lockThread(id) {
      const thread = world.channels.get(id);
      if (thread?.kind !== 'thread')
        throw new ParleyError('unknown_thread', `Expected the id of a thread in the sandbox, got "${id}".`);
      thread.locked = true;
      world.notify({ type: 'thread changed', thread });
    },
    commands: () => interactions.commands.map(({ name }) => name),
    slash({ name, text, installed = 'guild' as const, ...where }) {
      const channel = placeOf(world, { ...where, text: '' });
      return interactions.run({ name, text, person: world[where.user], channel, installed });
    },
    redeliverSlash(id) {
      const interaction = interactions.byID(id);
      if (interaction === undefined)
        throw new ParleyError('unknown_interaction', `Expected the id of an interaction, got "${id}".`);
      gateway.repeat({ type: 'command run', interaction });
    },
    unfurl: (id) => unfurl(world, found(id)),
  };
}
