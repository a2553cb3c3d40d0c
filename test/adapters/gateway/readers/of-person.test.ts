// What a person may be shown outside of any chat: what all their accounts together may be shown in private.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Looks } from '#adapters/gateway/readers/looks.ts';
import { createReading } from '#adapters/gateway/readers/reading.ts';
import type { ReadingOptions } from '#adapters/gateway/readers/reading-options.ts';
import { formatAddress } from '#adapters/gateway/terms/address.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { room } from '../scripted-channel.ts';

const audience = `room:${formatAddress(room)}`;
const sighting = { audience, userID: 'u1', space: 'discord:bot:G1', firstSeenAt: 1 };
const discord = {
  platform: 'discord',
  userID: 'u1',
  person: 'discord:u1',
  shownAs: 'Ann',
  by: 'link',
} as const;
const telegram = {
  platform: 'telegram',
  userID: '7',
  person: 'telegram:7',
  shownAs: 'Ann',
  by: 'link',
} as const;

/** A reading in which `discord:u1` was seen in a room. `says` is what the platforms answer. */
function readingOf(says: {
  outsider: boolean | undefined;
  readers: 'known' | 'unknown';
  chatOnly?: string[];
  /** What each account may read of the room, where both were seen. */
  each?: Record<string, 'everything' | 'since joining'>;
}) {
  const looks = {
    closesSilently: true,
    ofRoom: async (_: unknown, userID: string) => says.each?.[userID] ?? 'everything',
    ofSpace: async () => true,
    isOutsider: async () => says.outsider,
    readers: async () => (says.readers === 'known' ? { restricted: false, outsiders: false } : undefined),
  };
  const ledger = {
    identities: {
      sightings: (of: string[]) =>
        Object.keys(says.each ?? { u1: '' }).flatMap((userID, index) =>
          of.includes(`discord:${userID}`) ? [{ ...sighting, userID, firstSeenAt: index + 1 }] : [],
        ),
    },
    rooms: {
      get: () => ({ restricted: false, address: room }),
      open: () => [{ audience, address: room }],
    },
    chatMigrations: { originalAddress: (address: unknown) => address },
  };
  return createReading({
    ledger: ledger as unknown as ReadingOptions['ledger'],
    looks: {
      of: ({ platform }) => (platform === 'discord' ? (looks as unknown as Looks) : undefined),
      silent: () => (looks.closesSilently ? ['discord'] : []),
    },
    everyone: () => true,
    isChatOnly: (platform) => says.chatOnly?.includes(platform) ?? false,
    roomsChanged: () => undefined,
    clock: createManualClock(),
    signal: new AbortController().signal,
  });
}

test('a person is no outsider where one of their accounts is none and all open rooms are known', async () => {
  const cases = [
    { outsider: false, readers: 'known', outsiders: false },
    { outsider: true, readers: 'known', outsiders: true },
    { outsider: undefined, readers: 'known', outsiders: true },
    { outsider: false, readers: 'unknown', outsiders: true },
    { outsider: true, readers: 'unknown', outsiders: true },
  ] as const;
  for (const { outsiders, ...says } of cases) {
    const given = await readingOf(says).ofPerson([discord, telegram]);
    assert.equal(given.outsiders, outsiders, JSON.stringify(says));
    assert.deepEqual(given.reach, {
      audiences: ['person:discord:u1', 'person:telegram:7', audience],
      spaces: ['discord:bot:G1'],
      since: {},
    });
  }
});

test('a person of platforms whose chats remember only themselves is shown their own words', async () => {
  const reading = readingOf({ outsider: false, readers: 'known', chatOnly: ['discord', 'telegram'] });
  assert.deepEqual(await reading.ofPerson([discord, telegram]), {
    reach: { audiences: ['person:discord:u1', 'person:telegram:7'], spaces: [] },
    outsiders: true,
  });
});

test('an account whose platform remembers only its chats says nothing of whether its person is an outsider', async () => {
  const reading = readingOf({ outsider: false, readers: 'known', chatOnly: ['discord'] });
  assert.equal((await reading.ofPerson([discord, telegram])).outsiders, true);
});

test('a person may read of a room what the account that may read most of it may read', async () => {
  const second = { ...discord, userID: 'u2', person: 'discord:u2' } as const;
  const sinceOf = async (each: Record<string, 'everything' | 'since joining'>): Promise<unknown> =>
    (await readingOf({ outsider: false, readers: 'known', each }).ofPerson([discord, second])).reach.since;
  assert.deepEqual(await sinceOf({ u1: 'since joining', u2: 'since joining' }), { [audience]: 1 });
  assert.deepEqual(await sinceOf({ u1: 'since joining', u2: 'everything' }), {});
  assert.deepEqual(await sinceOf({ u1: 'everything', u2: 'since joining' }), {});
});
