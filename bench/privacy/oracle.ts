// Who could read what: from the messages that exist on the simulated platforms now and the platforms' own rules. It knows nothing of the program.
import type { SandboxPlatform } from '#sandbox/contract.ts';
import type { PlaceMessage, Places } from '#sandbox/places.ts';
import { attributionsIn, canary } from './repeating-model.ts';

export interface Account {
  platform: SandboxPlatform;
  id: string;
}

/** A room of a platform; `home` is the room whose memory it shares: of a public thread its parent. */
export interface PlacedRoom {
  platform: SandboxPlatform;
  id: string;
  home: string;
}

/** Something that was shown to someone who could not read it, or as if another had said it. */
export interface Leak {
  canary: string;
  /** An account, or someone at the console. */
  reader: { platform: string; id: string };
  shownIn: { platform: string; id: string };
  saidIn: PlacedRoom[];
}

export interface Oracle {
  /**
   * The message holds its canaries in this room. `passing`: it is said to others of the room, so that an answer which it was shown to is
   * remembered as any other, also when the message is changed.
   */
  said(room: PlacedRoom, messageID: string, how?: 'passing'): void;
  /** From this moment these accounts are one person; a single account is a separate person again. */
  linked(accounts: readonly Account[]): void;
  personOf(account: Account): readonly Account[];
  /** What of a message of the bot one of its readers could not have read before it. */
  judge(room: PlacedRoom, message: PlaceMessage, readers: readonly Account[]): Leak[];
  /** What of these words someone who reads open rooms only could not read anywhere now. */
  notOpen(words: readonly string[]): Omit<Leak, 'reader' | 'shownIn'>[];
  /** Where the word was said. */
  saidIn(word: string): PlacedRoom[];
  /** What of the message is told as the words of a person who did not write them. */
  misattributed(message: PlaceMessage): { canary: string; to: Account }[];
  /** How many canaries of the message were never said in this room. */
  fromElsewhere(room: PlacedRoom, message: PlaceMessage): number;
}

export interface OracleOptions {
  places: Readonly<Record<SandboxPlatform, Places>>;
  /** Whether everyone the bot talks to may be told what is open: `memory.sharing` is `everyone`. */
  everyone: boolean;
  /** The platform on which each chat remembers only itself: nothing of it is open to everyone. */
  single?: SandboxPlatform | undefined;
  /** An account that may open all that is open in the room's space and is in no room; undefined where there is none. */
  witnessOf: (room: PlacedRoom) => string | undefined;
  /** Whether a person has this account; what the bot writes is no word of a person's. */
  isPerson: (account: Account) => boolean;
  /** Whether the room is between one account and the bot. */
  isDirect: (room: PlacedRoom) => boolean;
  /** Guests and people of other workspaces. */
  isOutsider: (account: Account) => boolean;
  /** Whether the platform reports to nobody that the room was closed. */
  closesSilently: (room: PlacedRoom) => boolean;
  /** The accounts that have this name. */
  named: (name: string) => readonly Account[];
}

/** A message that held a word when it was written or changed. */
interface Said {
  room: PlacedRoom;
  messageID: string;
  author: string;
}

/** The canaries of the message and of its files. */
export const wordsIn = (message: PlaceMessage | undefined): readonly string[] =>
  [message?.text ?? '', ...(message?.files ?? [])].join('\n').match(canary) ?? [];

const keyOf = ({ platform, id }: Account): string => `${platform}:${id}`;

/** The oracle of one world. */
export function createOracle(options: OracleOptions): Oracle {
  const { places, everyone, single, witnessOf, isPerson, isDirect, isOutsider, closesSilently, named } =
    options;
  const said = new Map<string, Said[]>();
  const persons = new Map<string, readonly Account[]>();
  const passing = new Set<string>();

  const found = ({ platform, id }: PlacedRoom, messageID: string): PlaceMessage | undefined =>
    places[platform].messages(id).find((message) => message.id === messageID);

  /** Where the canary can be read now. */
  const standing = (word: string, except: { room: PlacedRoom; messageID: string }) =>
    (said.get(word) ?? []).filter(
      ({ room, messageID }) =>
        !(
          room.platform === except.room.platform &&
          room.id === except.room.id &&
          messageID === except.messageID
        ) && wordsIn(found(room, messageID)).includes(word),
    );

  const personOf: Oracle['personOf'] = (account) => persons.get(keyOf(account)) ?? [account];

  const isAuthor = (reader: Account, word: string): boolean =>
    (said.get(word) ?? []).some(({ room, author }) =>
      personOf(reader).some(({ platform, id }) => platform === room.platform && id === author),
    );

  const isReadable = (
    reader: Account,
    where: { room: PlacedRoom; messageID: string },
    shownIn: PlacedRoom,
  ): boolean => {
    const { room, messageID } = where;
    // what a room remembers is shown in the room
    if (room.platform === shownIn.platform && room.home === shownIn.home) return true;
    const rules = places[room.platform];
    if (
      personOf(reader).some(
        (one) => one.platform === room.platform && rules.mayRead(one.id, room.id, messageID),
      )
    )
      return true;
    const isOpen = everyone && room.platform !== single && !isOutsider(reader);
    const witness = isOpen ? witnessOf(room) : undefined;
    return witness !== undefined && rules.mayRead(witness, room.id, messageID);
  };

  /**
   * Where a word may be taken from: where a person says it; one that nobody says any more, as its author has changed or deleted it, stands
   * only in answers, and these stay in their chats.
   */
  const sourcesOf = (word: string, shown: { room: PlacedRoom; messageID: string }): Said[] => {
    const wheres = standing(word, shown);
    const byPeople = wheres.filter(({ room, author }) => isPerson({ platform: room.platform, id: author }));
    if (byPeople.length > 0 || wheres.length === 0 || passing.has(word)) return wheres;
    return wheres.filter(
      ({ room }) =>
        (room.platform === shown.room.platform && room.home === shown.room.home) ||
        // a conversation in private goes on, on each account of its person
        (isDirect(room) && isDirect(shown.room)),
    );
  };

  const placesOf = (word: string): PlacedRoom[] => (said.get(word) ?? []).map(({ room }) => room);

  /** Nothing is a message that was shown: all that stand count. */
  const nowhere = { room: { platform: 'discord', id: '', home: '' }, messageID: '' } as const;

  return {
    saidIn: placesOf,
    notOpen: (words) =>
      words
        .filter(
          (word) =>
            !standing(word, nowhere).some(({ room, messageID }) => {
              const witness = witnessOf(room);
              if (witness === undefined) return false;
              return closesSilently(room) || places[room.platform].mayRead(witness, room.id, messageID);
            }),
        )
        .map((word) => ({ canary: word, saidIn: placesOf(word) })),
    misattributed(message) {
      return attributionsIn(message.text).flatMap(({ name, word }) => {
        const to = named(name);
        const writers = (said.get(word) ?? []).filter(({ room, author }) =>
          isPerson({ platform: room.platform, id: author }),
        );
        const [first] = to;
        if (first === undefined || writers.length === 0 || to.some((account) => isAuthor(account, word)))
          return [];
        return [{ canary: word, to: first }];
      });
    },
    said(room, messageID, how) {
      const message = found(room, messageID);
      for (const word of new Set(wordsIn(message))) {
        if (how === 'passing') passing.add(word);
        const known = said.get(word) ?? [];
        said.set(word, known);
        if (!known.some((one) => one.room.id === room.id && one.messageID === messageID))
          known.push({ room, messageID, author: message?.author ?? '' });
      }
    },
    linked(accounts) {
      for (const account of accounts) persons.set(keyOf(account), accounts);
    },
    personOf,
    judge(room, message, readers) {
      const leaks: Leak[] = [];
      const inText: readonly string[] = message.text.match(canary) ?? [];
      for (const word of new Set(wordsIn(message))) {
        const wheres = sourcesOf(word, { room, messageID: message.id });
        for (const reader of readers) {
          if (wheres.some((where) => isReadable(reader, where, room))) continue;
          // a file of all that is stored about a person has what they wrote, even in places that they have left
          if (!inText.includes(word) && isAuthor(reader, word)) continue;
          const saidIn = placesOf(word);
          leaks.push({ canary: word, reader, shownIn: room, saidIn });
        }
      }
      return leaks;
    },
    fromElsewhere: (room, message) =>
      [...new Set(wordsIn(message))].filter(
        (word) => !(said.get(word) ?? []).some((where) => where.room.home === room.home),
      ).length,
  };
}
