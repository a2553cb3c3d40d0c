// The chat that `--chat` means: an address, or the name of a room or thread.
import { ParleyError } from '#base/errors.ts';
import { nearestNames } from '#base/nearest.ts';
import type { ParleyClient } from '#engine/client/client.ts';
import { chatNamed } from '#engine/wire/channels/named-chats.ts';
import type { NamedChat } from '#engine/wire/channels/place-names.ts';
import { isChat, wantedIn } from '#engine/wire/channels/place-title.ts';

/** Rooms that an error names. */
const maxNamed = 5;

/** Where the words after `--chat` come from. */
export const whereFrom =
  'A room has a name once something was said to the bot there: "parley sessions list" shows it, as in discord:#engine-room. "/status" in a chat shows its address.';

/**
 * The address. A ParleyError `unknown_chat` for a name that no room has, with rooms that have it in theirs or are called nearly so, and
 * `ambiguous_chat` for one that several have.
 */
export async function chatMeant(client: Pick<ParleyClient, 'places'>, word: string): Promise<string> {
  if (word === '' || isChat(word)) return word;
  const all = await client.places.named();
  const found = chatNamed(word, all);
  if (found !== undefined) return found;
  const part = wantedIn(word.replace(/^\w+:/, ''));
  const having = all.filter(({ title }) => title.toLowerCase().includes(part));
  const ownName = ({ chat, names: { channel, thread } }: NamedChat): string =>
    ((chat.endsWith(':-') ? channel : thread) ?? '').toLowerCase();
  const near = nearestNames(part, [...new Set(all.map(ownName))], maxNamed);
  const alike = having.length > 0 ? having : all.filter((each) => near.includes(ownName(each)));
  throw new ParleyError('unknown_chat', `No room or thread is called ${JSON.stringify(word)}.`, {
    hint:
      alike.length > 0
        ? `${having.length > 0 ? 'These have it in their names' : 'These are called nearly so'}: ${alike
            .slice(0, maxNamed)
            .map(({ title }) => title)
            .join(', ')}.`
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
