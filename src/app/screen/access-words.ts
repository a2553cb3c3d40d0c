// What the config says about who may talk to a channel, in sentences for the operator. Pure; who is an owner is in owners.ts.
import type { ChannelAccess, RoomAccess, RoomTrigger } from '#adapters/gateway/terms/access-types.ts';

type Platform = 'discord' | 'telegram' | 'slack';

/** What the platforms call what the config calls spaces and rooms. */
const nouns: Readonly<Record<Platform, { space: string; room: string }>> = {
  discord: { space: 'server', room: 'channel' },
  telegram: { space: 'group', room: 'group' },
  slack: { space: 'workspace', room: 'channel' },
};

/** Ids, and rooms with their own rules, that are named one by one; of more only the number. */
const maxNamed = 3;

const whoText: Readonly<Record<RoomAccess, string>> = {
  anyone: 'anyone there',
  known: 'people who are known',
  owners: 'owners only',
};

const answerText: Readonly<Record<RoomTrigger, string>> = {
  addressed: 'when they mention or answer the bot, and in threads between it and one person',
  threads: 'when they mention or answer the bot, and in threads that it takes part in',
  mentions: 'when they mention or answer the bot',
  everything: 'whatever they say',
};

/** Sentences on who may talk to a channel: direct messages, rooms, then other bots if any are allowed. */
export function accessMessage(
  platform: Platform,
  { directMessages, allowlist, rooms, bots }: Omit<ChannelAccess, 'profile' | 'strangers'>,
): string[] {
  const { space, room } = nouns[platform];
  const { allow: who, respondTo: answers, spaces, include: only, overrides: each } = rooms;
  const places = [
    ...(spaces === undefined ? [] : [`in ${named(space, spaces)}`]),
    ...(only === undefined ? [] : [`in ${named(room, only)}`]),
  ];
  return [
    `In private: ${privateWords(directMessages, allowlist.length)}.`,
    `In rooms: ${whoText[who]}, ${answerText[answers]}${places.length === 0 ? '' : `; only ${places.join(', ')}`}.`,
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
  each: readonly (readonly [
    string,
    { allow?: RoomAccess | undefined; respondTo?: RoomTrigger | undefined },
  ])[],
  rest: { who: RoomAccess; answers: RoomTrigger },
): string[] {
  const sentences = each
    .slice(0, maxNamed)
    .map(
      ([id, { allow: who = rest.who, respondTo: answers = rest.answers }]) =>
        `In ${room} ${id}: ${whoText[who]}, ${answerText[answers]}.`,
    );
  const more = each.length - sentences.length;
  return more === 0
    ? sentences
    : [...sentences, `${more} more ${room}${more === 1 ? ' has' : 's have'} other rules.`];
}

/** `server 12`, `the servers 12, 34`, `5 servers`. */
function named(what: string, ids: readonly string[]): string {
  if (ids.length > maxNamed) return `${ids.length} ${what}s`;
  return ids.length === 1 ? `${what} ${ids[0]}` : `the ${what}s ${ids.join(', ')}`;
}
