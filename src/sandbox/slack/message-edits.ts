// Changing and deleting what people said, as their clients do it.

import type { Director } from './events/event-dispatcher.ts';
import { encodeText } from './world/entities.ts';
import { messageShape } from './world/shapes.ts';
import { bot } from './world/workspace.ts';
import type { Stored, World } from './world/world.ts';

interface Stage {
  world: World;
  director: Director;
}

/** Gives the message another text; a mention of the bot in front stays. */
export function editMessage({ world, director }: Stage, message: Stored, text: string): void {
  const before = messageShape(world, message);
  const mention = message.text.startsWith(`<@${bot.user}> `) ? `<@${bot.user}> ` : '';
  message.text = mention + encodeText(text);
  message.edited = { user: message.user, ts: world.nextTs() };
  director.changed({ before, after: message, kind: 'edit' });
}

/** Deletes the files of a message: each leaves a tombstone in it. */
export function tombstoneFiles({ world, director }: Stage, message: Stored): void {
  const before = messageShape(world, message);
  for (const file of message.files ?? []) world.files.delete(file.id);
  message.files = message.files?.map((file) => ({ ...file, origin: 'deleted' as const }));
  director.changed({ before, after: message, kind: 'unfurl' });
}

/** Deletes the message. One that has replies leaves a tombstone, and Slack says `message_changed` (slack-edge#10). */
export function deleteMessage({ world, director }: Stage, message: Stored): void {
  if (world.repliesTo(message.room.id, message.ts).length === 0) {
    world.remove(message);
    director.deleted(message);
    return;
  }
  const before = messageShape(world, message);
  message.subtype = 'tombstone';
  message.user = 'USLACKBOT';
  message.text = 'This message was deleted.';
  message.blocks = undefined;
  message.attachments = undefined;
  message.files = undefined;
  message.edited = undefined;
  director.changed({ before, after: message, kind: 'unfurl' });
}
