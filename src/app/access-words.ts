// What the config says about who may talk to a channel, in sentences for whoever runs it. Pure; who is an owner is in owners.ts.
import type { Answers, ChannelAccess, Who } from '#adapters/gateway/access/terms.ts';

type Platform = 'discord' | 'telegram' | 'slack';

/** What the platforms call what the config calls spaces and rooms. */
const nouns: Readonly<Record<Platform, { space: string; room: string }>> = {
  discord: { space: 'server', room: 'channel' },
  telegram: { space: 'group', room: 'group' },
  slack: { space: 'workspace', room: 'channel' },
};

/** Ids, and rooms with rules of their own, that are named one by one; of more the number is told. */
const mostNamed = 3;

const whoWords: Readonly<Record<Who, string>> = {
  anyone: 'anyone there',
  known: 'people who are known',
  owners: 'owners alone',
};

const answerWords: Readonly<Record<Answers, string>> = {
  addressed: 'when they mention or answer the bot, and in threads between it and one person',
  threads: 'when they mention or answer the bot, and in threads that it takes part in',
  mentions: 'when they mention or answer the bot',
  everything: 'whatever they say',
};

/** Sentences on direct messages, rooms, and other bots where there are any, in this order. */
export function accessWords(
  platform: Platform,
  { directMessages, allowlist, rooms, bots }: Omit<ChannelAccess, 'profile' | 'strangers'>,
): string[] {
  const { space, room } = nouns[platform];
  const { who, answers, spaces, only, each } = rooms;
  const places = [
    ...(spaces === undefined ? [] : [`in ${named(space, spaces)}`]),
    ...(only === undefined ? [] : [`in ${named(room, only)}`]),
  ];
  return [
    `In private: ${privateWords(directMessages, allowlist.length)}.`,
    `In rooms: ${whoWords[who]}, ${answerWords[answers]}${places.length === 0 ? '' : `; only ${places.join(', ')}`}.`,
    ...exceptions(room, Object.entries(each), { who, answers }),
    ...(bots.allowed.length === 0
      ? []
      : [
          `Other bots: ${named('account', bots.allowed)}, when called, at most ${bots.perHour} times an hour in a room.`,
        ]),
  ];
}

function privateWords(rule: ChannelAccess['directMessages'], listed: number): string {
  const accounts = listed === 1 ? 'the account of `allowlist`' : `the ${listed} accounts of \`allowlist\``;
  switch (rule) {
    case 'pairing':
      return `people who are known${listed === 0 ? '' : `, and ${accounts}`}; a stranger is given a code for "parley people approve"`;
    case 'allowlist':
      return `owners, and ${accounts}`;
    case 'open':
      return 'everyone';
    case 'off':
      return 'nobody';
  }
}

/** Rooms that have other rules than the rest. */
function exceptions(
  room: string,
  each: readonly (readonly [string, { who?: Who | undefined; answers?: Answers | undefined }])[],
  rest: { who: Who; answers: Answers },
): string[] {
  const told = each
    .slice(0, mostNamed)
    .map(
      ([id, { who = rest.who, answers = rest.answers }]) =>
        `In ${room} ${id}: ${whoWords[who]}, ${answerWords[answers]}.`,
    );
  const more = each.length - told.length;
  return more === 0
    ? told
    : [
        ...told,
        `${more} more ${room}${more === 1 ? ' has' : 's have'} rules of ${more === 1 ? 'its' : 'their'} own.`,
      ];
}

/** `server 12`, `the servers 12, 34`, `5 servers`. */
function named(what: string, ids: readonly string[]): string {
  if (ids.length > mostNamed) return `${ids.length} ${what}s`;
  return ids.length === 1 ? `${what} ${ids[0]}` : `the ${what}s ${ids.join(', ')}`;
}
