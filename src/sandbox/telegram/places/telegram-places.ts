// What the places of the sandbox's Telegram offer. A shape only.
import type { Places } from '#sandbox/places.ts';

/** With what only Telegram's administrators can do. */
export interface TelegramPlaces extends Places {
  /** Makes the bot an administrator of the room, or a plain member again. */
  setAdministrator(room: string, administrator: boolean): void;
  /** Shows newcomers of a private supergroup what was written before, or hides it. */
  setVisibleHistory(room: string, visible: boolean): void;
  /** Makes a supergroup the place where a channel's posts are discussed. */
  setDiscussion(room: string, channel: number): void;
  /** Lets only administrators ask about the room's members. */
  setHiddenMembers(room: string, hidden: boolean): void;
  /** Throws the bot out of the room, or admits it again. */
  setBot(room: string, inside: boolean): void;
  /** Says something under the name of a chat: as an anonymous administrator of the room, or as a channel of that id and title. */
  sayAs(message: {
    account: string;
    room: string;
    text: string;
    channel?: { id: number; title: string };
  }): Promise<string>;
}
