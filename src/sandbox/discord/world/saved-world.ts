// What of the world outlasts the process: the page's guild under its ids, and what was written there and in its direct messages.
import type { Shelf } from '#sandbox/store.ts';
import type { NewSnowflake } from './snowflake.ts';
import type { Attachment, Thread, Whisper, World, WorldChannel, WorldEvent, WorldMessage } from './world.ts';

/** The ids that a world is made with: those of the last time in the same order, then new ones. */
export function savedIDs(shelf: Shelf, newID: NewSnowflake): NewSnowflake {
  const saved = shelf.all<string>('id').map(({ value }) => value);
  let count = 0;
  return () => {
    const at = count++;
    const id = saved[at] ?? newID();
    if (saved[at] === undefined) shelf.put('id', String(at), id);
    return id;
  };
}

type AttachmentRow = Omit<Attachment, 'bytes'>;
type MessageRow = Omit<WorldMessage, 'reactions' | 'attachments'> & {
  reactions: [string, string[]][];
  attachments: AttachmentRow[];
};
type ThreadRow = Omit<Thread, 'members'> & { members: [string, number][] };

/** The newest id that was stored, or undefined. */
export function newestSaved(shelf: Shelf): bigint | undefined {
  const ids = ['id', 'message', 'thread', 'whisper'].flatMap((kind) =>
    shelf.all(kind).map(({ key, value }) => BigInt(kind === 'id' ? String(value) : key)),
  );
  return ids.reduce<bigint | undefined>(
    (most, id) => (most === undefined || id > most ? id : most),
    undefined,
  );
}

/** Puts into the world what the shelf has, and stores there what happens from this moment in the channels that exist. */
export function keepWorld(world: World, shelf: Shelf): void {
  const lasting = new Set([...world.channels.values()].map(({ id }) => id));
  for (const { value } of shelf.all<ThreadRow>('thread')) {
    const thread: Thread = { ...value, members: new Map(value.members) };
    world.channels.set(thread.id, thread);
    const siblings = world.threads.get(thread.parentID) ?? new Set();
    world.threads.set(thread.parentID, siblings.add(thread.id));
  }
  const bytes = new Map(shelf.all('file').map(({ key, bytes }) => [key, bytes]));
  for (const { value } of shelf.all<MessageRow>('message')) putBack(world, messageOf(value, bytes));
  for (const { value } of shelf.all<Whisper>('whisper'))
    world.whispers.set(value.channelID, [...(world.whispers.get(value.channelID) ?? []), value]);
  const isSaved = (channelID: string): boolean => lasting.has(homeOf(world.channels.get(channelID)));
  world.listen((happening) => record(shelf, happening, isSaved));
}

/** The id of the channel in which a thread is, or of the channel itself. */
function homeOf(channel: WorldChannel | undefined): string {
  return channel?.kind === 'thread' ? channel.parentID : (channel?.id ?? '');
}

function putBack(world: World, message: WorldMessage): void {
  const channel = world.channels.get(message.channelID);
  if (channel === undefined) return;
  channel.lastMessageID = message.id;
  world.byID.set(message.id, message);
  const all = world.messages.get(channel.id) ?? [];
  all.push(message);
  world.messages.set(channel.id, all);
}

function messageOf(row: MessageRow, bytes: ReadonlyMap<string, Uint8Array>): WorldMessage {
  return {
    ...row,
    // what JSON left out was undefined
    editedAt: row.editedAt,
    replyTo: row.replyTo,
    nonce: row.nonce,
    reply: row.reply,
    reactions: new Map(row.reactions.map(([emoji, people]) => [emoji, new Set(people)])),
    attachments: row.attachments.map((one) => ({ ...one, bytes: bytes.get(one.id) ?? new Uint8Array(0) })),
  };
}

function record(shelf: Shelf, happening: WorldEvent, isSaved: (channelID: string) => boolean): void {
  switch (happening.type) {
    case 'posted':
    case 'changed':
    case 'reacted':
    case 'unreacted': {
      const { message } = happening;
      if (!isSaved(message.channelID)) return;
      if (happening.type === 'posted')
        for (const { id, bytes } of message.attachments) shelf.put('file', id, {}, bytes);
      shelf.put('message', message.id, rowOf(message));
      return;
    }
    case 'thread opened':
    case 'thread changed': {
      const { thread } = happening;
      if (isSaved(thread.id)) shelf.put('thread', thread.id, { ...thread, members: [...thread.members] });
      return;
    }
    case 'whispered':
      if (isSaved(happening.whisper.channelID)) shelf.put('whisper', happening.whisper.id, happening.whisper);
      return;
    case 'whisper gone':
      shelf.remove('whisper', happening.whisper.id);
      return;
    default: // what nobody can do on the page
      return;
  }
}

function rowOf(message: WorldMessage): MessageRow {
  return {
    ...message,
    reactions: [...message.reactions].map(([emoji, people]) => [emoji, [...people]]),
    attachments: message.attachments.map(({ bytes: _, ...about }) => about),
  };
}

/** Takes a message and its files out of the shelf. */
export function forgetSaved(shelf: Shelf, { id, attachments }: WorldMessage): void {
  shelf.remove('message', id);
  for (const attachment of attachments) shelf.remove('file', attachment.id);
}
