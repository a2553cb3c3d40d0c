// Chats by the names of their places: listed with their titles, and found by what a person typed. Pure.
import { ParleyError } from '#base/errors.ts';
import { defined } from '#base/json.ts';
import type { NamedChat, PlaceNames } from './place-names.ts';
import { isChat, placeKeys, placeTitle } from './place-title.ts';

/** Names of spaces, rooms and threads by their keys. */
export type NamesByKey = ReadonlyMap<string, string>;

/** The names of a chat; none where it has none. */
export function namesOfChat(chat: string, all: Pick<NamesByKey, 'get'>): PlaceNames {
  const { space, channel, thread } = placeKeys(chat);
  const nameOf = (key: string | undefined) => (key === undefined ? undefined : all.get(key));
  return defined({ space: nameOf(space), channel: nameOf(channel), thread: nameOf(thread) });
}

/** The rooms and threads among the keys, with their titles, by title. */
export function namedChatsOf(keys: Iterable<string>, all: NamesByKey): NamedChat[] {
  return [...keys]
    .filter(isChat)
    .map((chat) => {
      const names = namesOfChat(chat, all);
      return { chat, names, title: placeTitle({ chat, names }) };
    })
    .sort((a, b) => a.title.localeCompare(b.title, 'en') || a.chat.localeCompare(b.chat));
}

/** Candidates that an error names. */
const maxNamed = 10;

/**
 * The address of the one room or thread that is called so: `#engine-room`, `discord:#engine-room`, or a whole title, in any case. Undefined
 * where none is; a ParleyError `ambiguous_chat` with the candidates where several are.
 */
export function chatNamed(word: string, chats: readonly NamedChat[]): string | undefined {
  const [, platform, rest = word] = /^(discord|telegram|slack):(.+)$/s.exec(word.trim()) ?? [];
  const wanted = rest.trim().replace(/^#/, '').toLowerCase();
  const isCalled = ({ chat, names, title }: NamedChat): boolean =>
    (platform === undefined || chat.startsWith(`${platform}:`)) &&
    [chat.endsWith(':-') ? names.channel : names.thread, title.replace(/^#/, '')].some(
      (name) => name?.toLowerCase() === wanted,
    );
  const found = chats.filter(isCalled);
  if (found.length < 2) return found[0]?.chat;
  throw new ParleyError('ambiguous_chat', `${found.length} chats are called ${JSON.stringify(word)}.`, {
    hint: `Name one by its address: ${found
      .slice(0, maxNamed)
      .map(({ chat, title }) => `${chat} (${title})`)
      .join(', ')}${found.length > maxNamed ? ', …' : ''}`,
  });
}
