// The chat that `--chat` means: an address, or the name of a room or thread.
import { ParleyError } from '#base/errors.ts';
import type { ParleyClient } from '#engine/client/client.ts';
import { chatNamed } from '#engine/wire/channels/named-chats.ts';
import { isChat } from '#engine/wire/channels/place-title.ts';

/** Where the words after `--chat` come from. */
export const whereFrom =
  'A room has a name once something was said to the bot there: "parley sessions list" shows it, as in discord:#engine-room. "/status" in a chat shows its address.';

/**
 * The address. A ParleyError `unknown_chat` for a name that no room has, with rooms that have it in theirs, and `ambiguous_chat` for one
 * that several have.
 */
export async function chatMeant(client: Pick<ParleyClient, 'places'>, word: string): Promise<string> {
  if (word === '' || isChat(word)) return word;
  const all = await client.places.named();
  const found = chatNamed(word, all);
  if (found !== undefined) return found;
  const part = word.replace(/^\w+:/, '').replace(/^#/, '').toLowerCase();
  const alike = all.filter(({ title }) => title.toLowerCase().includes(part)).slice(0, 5);
  throw new ParleyError('unknown_chat', `No room or thread is called ${JSON.stringify(word)}.`, {
    hint:
      alike.length > 0
        ? `These have it in their names: ${alike.map(({ title }) => title).join(', ')}.`
        : whereFrom,
  });
}

/** Throws a ParleyError `unknown_chat` for an address where nothing was said to the bot: it may be mistyped, or the bot may not be there. */
export async function requireKnownChat(
  client: Pick<ParleyClient, 'places' | 'sessions'>,
  chat: string,
): Promise<void> {
  const [sessions, places] = await Promise.all([
    client.sessions.list({ chat, page_size: 1 }),
    client.places.named(),
  ]);
  if (sessions.length > 0 || places.some((place) => place.chat === chat)) return;
  throw new ParleyError('unknown_chat', `Nothing was said to the bot in ${chat} yet.`, {
    hint: `Write to it there once, or add --unchecked if the address is right. ${whereFrom}`,
  });
}
