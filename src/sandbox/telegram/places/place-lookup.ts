// Accounts, rooms, topics and messages of the sandbox's Telegram by the ids that a test or the page has.
import { ParleyError } from '#base/errors.ts';
import { type PlaceMessage, textsOf } from '#sandbox/places.ts';
import type { State } from '#sandbox/telegram/world/state.ts';
import type { TgMessage, TgUser } from '#sandbox/telegram/world/wire.ts';
import { messageAt, type Stored } from '#sandbox/telegram/world/world.ts';
import type { Place } from './place-rooms.ts';

export interface PlaceLookup {
  userOf(account: string): TgUser;
  /** `CHAT` or `CHAT/TOPIC`; of a group that moved also by its former id. */
  placeOf(id: string): Place;
  idOf(place: Place): string;
  topicOf(message: TgMessage): number | undefined;
  shownOf(stored: Stored): PlaceMessage;
  storedIn(place: Place, message: string): Stored | undefined;
}

/** The ids of one world. */
export function createPlaceLookup(state: State): PlaceLookup {
  const { world } = state;

  function userOf(account: string): TgUser {
    const user = world.accounts.get(Number(account));
    if (user === undefined) throw new ParleyError('unknown_account', `Telegram has no account ${account}.`);
    return user;
  }

  /** `CHAT` or `CHAT/TOPIC`; of a group that moved also by its former id. */
  function placeOf(id: string): Place {
    const [chat, topic] = id.split('/').map(Number);
    const room = world.byChatID(world.migrated.get(chat ?? 0)?.to ?? chat ?? 0);
    if (room === undefined) throw new ParleyError('unknown_room', `Telegram has no room ${id}.`);
    return { room, topic };
  }

  const idOf = ({ room, topic }: Place): string =>
    topic === undefined ? String(room.chat.id) : `${room.chat.id}/${topic}`;

  const topicOf = (message: TgMessage): number | undefined =>
    message.direct_messages_topic?.topic_id ??
    (message.is_topic_message === true ? message.message_thread_id : undefined);

  const shownOf = ({ message, writtenBy }: Stored): PlaceMessage => {
    const file = state.files.byID(message.document?.file_id ?? '')?.upload;
    return {
      id: String(message.message_id),
      author: String(writtenBy ?? message.from?.id ?? message.chat.id),
      text: message.text ?? message.caption ?? '',
      files: textsOf(file === undefined ? [] : [file]),
    };
  };

  function storedIn({ room, topic }: Place, message: string): Stored | undefined {
    const stored = messageAt(room, Number(message));
    return stored === undefined || topicOf(stored.message) !== topic ? undefined : stored;
  }

  return { userOf, placeOf, idOf, topicOf, shownOf, storedIn };
}
