// The world as a person sees it: messages with their blocks, for the page and for tests. Nothing a client library reads.

import { defined } from '#base/json.ts';
import type { SandboxChat, SandboxUser, ShownMessage } from '#sandbox/contract.ts';
import { plainOf, withMentions } from '#sandbox/shown.ts';
import { channelOf, threadsOf, type Whisper, type World, type WorldMessage } from './world/world.ts';

/** Messages of a chat and of the threads in it, oldest first. */
export function shownMessages(world: World, chat: SandboxChat, user: SandboxUser): ShownMessage[] {
  const home = channelOf(world, chat, user);
  return [home, ...threadsOf(world, home.id)]
    .flatMap((channel) => {
      const thread = channel === home ? undefined : channel.id;
      const where = { chat, user: chat === 'dm' ? user : ('you' as const), thread };
      const viewer = world[user].id;
      const whispers = (world.whispers.get(channel.id) ?? []).filter(({ personID }) => personID === viewer);
      return [
        ...(world.messages.get(channel.id) ?? []).map((message) =>
          shown(world, message, { ...where, viewer }),
        ),
        ...whispers.map((whisper) => shownWhisper(world, whisper, where)),
      ];
    })
    .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
}

type Where = Pick<ShownMessage, 'chat' | 'user'> & { thread: string | undefined };

function shownWhisper(world: World, { id, content, at, state }: Whisper, where: Where): ShownMessage {
  const blocks = world.blocksOf(state === 'thinking' ? thinkingText : content);
  const message = { id, author: 'bot', text: plainOf(blocks), blocks, at } as const;
  return { ...message, edited: false, reactions: [], ownReactions: [], onlyYou: true, ...defined(where) };
}

function shown(
  world: World,
  message: WorldMessage,
  { viewer, ...where }: Where & { viewer: string },
): ShownMessage {
  const buttons = message.components.flatMap((row) => row.components.map(({ label }) => label));
  const content = message.reply?.state === 'thinking' ? thinkingText : message.content;
  const blocks = withMentions(world.blocksOf(content), mentions, (found) => nameIn(world, found));
  return {
    id: message.id,
    author: message.webhook === undefined ? authorOf(world, message.authorID) : 'guest',
    text: plainOf(blocks),
    blocks,
    edited: message.editedAt !== undefined,
    reactions: [...message.reactions.keys()],
    ownReactions: [...message.reactions].flatMap(([emoji, people]) => (people.has(viewer) ? emoji : [])),
    at: message.at,
    ...(message.attachments.length === 0 ? {} : { files: message.attachments }),
    ...(buttons.length === 0 ? {} : { buttons }),
    ...defined({ replyTo: message.replyTo?.id, ...where }),
  };
}

/** What stands in the place of an answer that is still being thought of. */
const thinkingText = 'thinking…';

function authorOf(world: World, id: string): ShownMessage['author'] {
  if (id === world.bot.id) return 'bot';
  return id === world.guest.id ? 'guest' : 'you';
}

const mentions = /<(?:@[!&]?|#)\d+>/g;

/** A mention as the client writes it, `@name` or `#room`; undefined when it names nobody. */
function nameIn(world: World, mention: string): string | undefined {
  const id = mention.replace(/\D/g, '');
  if (mention.startsWith('<@&')) return id === world.home.botRoleID ? `@${world.bot.username}` : undefined;
  if (mention.startsWith('<#')) {
    const channel = world.channels.get(id);
    return channel === undefined || channel.kind === 'dm' ? undefined : `#${channel.name}`;
  }
  const person = world.people.get(id);
  return person === undefined ? undefined : `@${person.globalName ?? person.username}`;
}
