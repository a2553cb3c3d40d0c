// What people see of the workspace, for the page and the tests.
import type { SandboxChat, SandboxUser, ShownBlock, ShownMessage } from '#sandbox/contract.ts';
import { plainOf, withMentions } from '#sandbox/shown.ts';
import { mentionName, textBlocks } from './world/entities.ts';
import { buttonsOf } from './world/presses.ts';
import { bot, pagePeople } from './world/workspace.ts';
import { roomFor, type Stored, type World } from './world/world.ts';

/** How long Slack shows a thinking line that nobody clears. */
const statusMs = 120_000;

/** Marks an escaped bracket until all is drawn: escaped text mentions nobody. */
const inert = '\u{E000}';

/** Messages of a chat as the user sees them, oldest first; none where the user is not a member. */
export function shownMessages(world: World, chat: SandboxChat, user: SandboxUser): ShownMessage[] {
  if (chat === 'private' && user !== 'you') return [];
  const room = roomFor(world, chat, user);
  return world
    .messagesIn(room.id)
    .filter((message) => message.onlyFor === undefined || message.onlyFor === pagePeople[user].id)
    .map((message) => shown(world, message, { chat, user: chat === 'dm' ? user : 'you', viewer: user }));
}

function shown(
  world: World,
  message: Stored,
  { chat, user, viewer }: Pick<ShownMessage, 'chat' | 'user'> & { viewer: SandboxUser },
): ShownMessage {
  const blocks = blocksOf(world, message);
  return {
    id: message.ts,
    chat,
    user,
    author: message.user === bot.user ? 'bot' : message.user === pagePeople.you.id ? 'you' : 'guest',
    text: plainOf(blocks),
    blocks,
    edited: message.edited !== undefined,
    reactions: message.reactions.map((reaction) => reaction.name),
    ownReactions: message.reactions.flatMap(({ name, users }) =>
      users.includes(pagePeople[viewer].id) ? name : [],
    ),
    ...(message.thread === undefined ? {} : { thread: message.thread }),
    ...(message.files === undefined ? {} : { files: message.files }),
    ...(message.onlyFor === undefined ? {} : { onlyYou: true }),
    ...shownButtons(message),
    at: Math.floor(Number(message.ts) * 1000),
  };
}

function shownButtons(message: Stored): Pick<ShownMessage, 'buttons'> {
  const buttons = buttonsOf(message).map(({ text }) => text.text);
  return buttons.length === 0 ? {} : { buttons };
}

function blocksOf(world: World, message: Stored): ShownBlock[] {
  const markdown = (message.blocks ?? []).flatMap((block) =>
    block.type === 'markdown' && typeof block.text === 'string' ? [block.text] : [],
  );
  if (markdown.length === 0) return textBlocks(world, message.text);
  const marked = markdown.map((text) => text.replaceAll('&lt;@', `&lt;${inert}@`));
  const drawn = withMentions(marked.flatMap(world.blocksOf), /<@[A-Z0-9]+(?:\|[^>]*)?>/g, (mention) =>
    mentionName(world, mention),
  );
  return drawn.map((block) =>
    block.kind === 'code'
      ? { ...block, text: block.text.replaceAll(inert, '') }
      : { ...block, runs: block.runs.map((run) => ({ ...run, text: run.text.replaceAll(inert, '') })) },
  );
}

/** Whether the bot is seen at work: by a thinking line in any thread of the chat, or by its reaction to a message. */
export function isThinking(
  world: World,
  chat: SandboxChat,
  options: { user: SandboxUser; now: number },
): boolean {
  if (chat === 'private' && options.user !== 'you') return false;
  const room = roomFor(world, chat, options.user);
  const isMarked = world
    .messagesIn(room.id)
    .some(({ reactions }) =>
      reactions.some(({ name, users }) => name === 'eyes' && users.includes(bot.user)),
    );
  return (
    isMarked ||
    [...world.status].some(
      ([key, status]) => key.split(':')[0] === room.id && options.now - status.at < statusMs,
    )
  );
}
