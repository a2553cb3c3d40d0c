// Who is admitted where, by every rule there is; names and codes as people write them; limits and profiles at their bounds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideDirect, decideRoom, roleOf, rulesFor } from '#adapters/gateway/admission/admission-rules.ts';
import { byPlatform } from '#adapters/gateway/admission/channel-rules.ts';
import { type Limit, limitUsedUp } from '#adapters/gateway/admission/limits.ts';
import { looksLike, takenFor } from '#adapters/gateway/admission/look-alike.ts';
import { phrasesFor } from '#adapters/gateway/phrases/phrases.ts';
import { type ChannelAccess, openAccess } from '#adapters/gateway/terms/access-types.ts';
import { parseAddress } from '#adapters/gateway/terms/address.ts';
import { codeIn, newCode } from '#adapters/gateway/terms/code.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import { isToolOf, profileOf } from '#adapters/gateway/terms/profiles.ts';
import { isAtLeast, type Role, withArticle } from '#adapters/gateway/terms/role.ts';
import { askingWho, isSharedName } from '#adapters/gateway/terms/shared-names.ts';
import { eventOf, here } from '../ledger/open-ledger.ts';

const direct = parseAddress('discord:dm:bot:-:D:-');
type Standing = { key: string | undefined; name: string | undefined; role: Role | undefined };
const standingOf = (role: Role | undefined): Standing => ({ key: role && 'k', name: role && 'k', role });
const accessOf = (
  more: Partial<ChannelAccess> = {},
  rooms: Partial<ChannelAccess['rooms']> = {},
): ChannelAccess => {
  const open = openAccess('guest');
  return { ...open, ...more, rooms: { ...open.rooms, ...rooms } };
};
const short = (result: ReturnType<typeof decideDirect>): string =>
  result.kind === 'admitted'
    ? result.role
    : result.kind === 'refused'
      ? `refused: ${result.why}`
      : result.kind;

test('in private each rule admits those that it names, in the role that they have, and refuses the others with the reason', () => {
  const strangers = [undefined, 'guest', 'member', 'owner'] as const;
  for (const [directMessages, listed, expected] of [
    ['open', false, ['guest', 'guest', 'member', 'owner']],
    ['open', true, ['member', 'guest', 'member', 'owner']],
    ['off', false, ['refused: off', 'refused: off', 'refused: off', 'refused: off']],
    ['off', true, ['refused: off', 'refused: off', 'refused: off', 'refused: off']],
    ['allowlist', false, ['refused: not listed', 'refused: not listed', 'refused: not listed', 'owner']],
    ['allowlist', true, ['member', 'guest', 'member', 'owner']],
    ['pairing', false, ['refused: code', 'guest', 'member', 'owner']],
    ['pairing', true, ['member', 'guest', 'member', 'owner']],
  ] as const) {
    const access = accessOf({ directMessages, allowlist: listed ? ['u1'] : ['u2'] });
    const event = eventOf('1', { address: direct });
    assert.deepEqual(
      strangers.map((role) => short(decideDirect(event, { standing: standingOf(role), access }))),
      expected,
      `${directMessages} ${listed}`,
    );
  }
});

test('in a room what is meant for the bot goes by the rule of the room, and who may begin an answer by another', () => {
  const room = (
    rooms: Partial<ChannelAccess['rooms']>,
    {
      role,
      engaged = 'none',
      ...event
    }: Partial<MessageEvent> & { role?: Role; engaged?: 'alone' | 'others' | 'none' } = {},
    more: Partial<ChannelAccess> = {},
  ) =>
    short(
      decideRoom(eventOf('1', { addressed: 'none', ...event }), {
        ...{ standing: standingOf(role), access: accessOf(more, rooms), engaged },
      }),
    );
  for (const [respondTo, none, single, others] of [
    ['mentions', 'unmeant', 'unmeant', 'unmeant'],
    ['addressed', 'unmeant', 'guest', 'unmeant'],
    ['threads', 'unmeant', 'guest', 'guest'],
    ['everything', 'guest', 'guest', 'guest'],
  ] as const) {
    assert.deepEqual(
      (['none', 'alone', 'others'] as const).map((engaged) => room({ respondTo }, { engaged })),
      [none, single, others],
      respondTo,
    );
    assert.equal(room({ respondTo }, { addressed: 'mention' }), 'guest', 'a mention is meant everywhere');
  }
  const called = { addressed: 'mention' } as const;
  assert.equal(room({ allow: 'known' }, called), 'refused: not known here');
  assert.equal(room({ allow: 'known' }, { ...called, role: 'guest' }), 'guest');
  assert.equal(room({ allow: 'known' }, called, { allowlist: ['u1'] }), 'member');
  assert.equal(room({ allow: 'owners' }, { ...called, role: 'member' }), 'refused: not an owner');
  assert.equal(room({ allow: 'owners' }, { ...called, role: 'owner' }), 'owner');
  assert.equal(room({ allow: 'known' }, { ...called, role: 'owner' }), 'owner');
  assert.equal(
    room({ allow: 'known', respondTo: 'threads' }, { engaged: 'others' }),
    'unmeant',
    'a refusal answers a call alone',
  );
  assert.equal(room({ overrides: { C: { allow: 'owners' } } }, called), 'refused: not an owner');
  assert.equal(room({ overrides: { X: { allow: 'owners' } } }, called), 'guest');
  for (const [rooms, expected] of [
    [{ include: ['C'] }, 'guest'],
    [{ include: ['X'] }, 'outside'],
    [{ spaces: ['G'] }, 'guest'],
    [{ spaces: ['H'] }, 'outside'],
    [{ spaces: ['G'], include: ['X'] }, 'outside'],
  ] as const) {
    assert.equal(room(rooms, called), expected, JSON.stringify(rooms));
    for (const asks of [{ placeholder: 'p' }, { answerAt: 'a' }] as object[])
      assert.equal(
        room(rooms, { ...called, ...asks }),
        expected === 'outside' ? 'refused: not here' : 'guest',
      );
  }
  const group = parseAddress('telegram:group:bot:-:7:-');
  assert.equal(room({ spaces: ['7'] }, { ...called, address: group }), 'guest', 'a group is its own space');
});

test('a room without separate rules has those of all, and one with some has these and the rest', () => {
  const access = accessOf({}, { context: 5, overrides: { C: { context: 9 }, D: { respondTo: 'mentions' } } });
  assert.deepEqual(rulesFor({ address: here }, access), {
    allow: 'anyone',
    respondTo: 'addressed',
    context: 9,
  });
  const other = rulesFor({ address: { ...here, chat: 'toString' } }, access);
  assert.deepEqual(other, { allow: 'anyone', respondTo: 'addressed', context: 5 });
  assert.equal(
    roleOf('u1', { ...standingOf(undefined), userID: 'u1' } as never, accessOf({ allowlist: ['u1'] })),
    'member',
  );
});

test('a channel that is switched off narrows nothing, and is no chat that remembers only itself', () => {
  const talk = (access: ChannelAccess) => () => ({ sessions: 'room' as const, access });
  const rules = byPlatform([
    {
      channel: { platform: 'discord' },
      talk: talk(accessOf({ profile: profileOf('public_demo', {}) }, { context: 3 })),
    },
    { channel: { platform: 'slack' }, talk: talk(accessOf()) },
  ]);
  assert.deepEqual(
    ['discord', 'slack', 'telegram'].map((platform) => rules.isChatOnly(platform)),
    [true, false, false],
  );
  assert.equal(rules.accessOf({ platform: 'telegram', account: 'bot' }), undefined);
  assert.equal(rules.profileOf(parseAddress('telegram:dm:bot:-:D:-')).memory, 'shared');
  assert.deepEqual([rules.roomContextOf(here).messages, rules.profileOf(here).memory], [3, 'chat-only']);
  assert.equal(rules.roomContextOf(parseAddress('telegram:group:bot:-:7:-')).messages, 0);
});

test('roles have an order and an article', () => {
  const roles = ['owner', 'member', 'guest'] as const;
  assert.deepEqual(
    roles.map((role) => roles.map((least) => isAtLeast(role, least))),
    [
      [true, true, true],
      [false, true, true],
      [false, false, true],
    ],
  );
  assert.deepEqual(roles.map(withArticle), ['an owner', 'a member', 'a guest']);
});

test('a tool belongs to a profile by its name or a pattern, whole, and every tool does where there is none', () => {
  for (const [tools, name, expected] of [
    [undefined, 'shell', true],
    [[], 'shell', false],
    [['todo_*'], 'todo_write', true],
    [['todo_*'], 'my_todo_write', false],
    [['todo'], 'todo_write', false],
    [['*'], 'x.y', true],
    [['a.b'], 'axb', false],
    [['*_read', 'x'], 'file_read', true],
  ] as const)
    assert.equal(isToolOf({ tools }, name), expected, `${tools} ${name}`);
  const own = profileOf('public_demo', { memory: 'shared', tools: ['shell'] });
  assert.deepEqual([own.memory, own.tools, own.commands?.includes('help')], ['shared', ['shell'], true]);
});

test('a code is read whatever its case, spaces and dashes, and nothing else is one', () => {
  const code = newCode();
  assert.match(code, /^[A-HJKMNP-TV-Z2-9]{8}$/);
  for (const typed of [
    code,
    code.toLowerCase(),
    `${code.slice(0, 4)}-${code.slice(4)}`,
    ` \`${code.slice(0, 2)} ${code.slice(2)}\` `,
  ])
    assert.equal(codeIn(typed), code, typed);
  for (const typed of ['', code.slice(1), `${code}A`, 'ABCDEFG0', 'ABCDEFGI', 'ABCDEFGU'])
    assert.equal(codeIn(typed), undefined, typed);
});

test('names look alike to the eye by letters of other scripts, marks and case, and a name without letters is like none', () => {
  for (const [one, other] of [
    ['Anna', 'аnnа'],
    ['Zoë', 'ZOE'],
    ['modern', 'modem'],
    ['vvilli', 'willi'],
    ['l33t', 'leet'],
    ['***', '***'],
  ] as const)
    assert.equal(looksLike(one, other), true, one);
  for (const [one, other] of [
    ['Anna', 'Anne'],
    ['Ann', 'Anna'],
    ['***', '!!!'],
    ['', '*'],
  ] as const)
    assert.equal(looksLike(one, other), false, one);
  const person = (name: string, ...shownAs: string[]) => ({
    name,
    accounts: shownAs.map((each) => ({ shownAs: each })),
  });
  const persons = [person('Anna', 'Annie'), person('Ben', 'аnna'), person('unnamed:per_1', 'Anna')] as never; // what is read of persons
  assert.deepEqual(takenFor('anna', undefined, persons), ['Anna', 'Ben']);
  assert.deepEqual(takenFor('anna', 'Anna', persons), ['Ben'], 'nobody is taken for themselves');
  assert.deepEqual(takenFor('Annie', undefined, persons), ['Anna']);
});

test('a name that several people write under on Telegram is asked to show who writes, and no other name is', () => {
  for (const [platform, userID, expected] of [
    ['telegram', '-100', true],
    ['telegram', '7/-100', true],
    ['telegram', '100', false],
    ['discord', '-100', false],
    ['slack', 'T0/U1', false],
  ] as const)
    assert.equal(isSharedName({ platform, userID }), expected, `${platform} ${userID}`);
  const phrases = phrasesFor('en');
  const asked = (id: string) =>
    askingWho('No.', { platform: 'telegram', actor: { id, name: 'A*dm_in' }, phrases });
  assert.equal(asked('5'), 'No.');
  assert.equal(asked('-5'), `No. ${phrases.access.sharedName({ name: 'Admin' })}`);
});

test('a limit is used up with its last message, token or cent, the limit of a person before that of the room', () => {
  const spent = { tokens: 0, costUSD: 0 };
  const use = (
    person: Limit,
    room: Limit,
    used: { said?: number; tokens?: number; costUSD?: number; in?: typeof here } = {},
  ) => {
    const { said = 0, in: address = here, ...own } = used;
    const since: number[] = [];
    const saidSince = (at: number): number => {
      since.push(at);
      return said;
    };
    const ledger = {
      inbox: {
        fromPersons: (_: unknown, at: number) => saidSince(at),
        countIn: (_: unknown, at: number) => saidSince(at),
      },
      persons: { standingOf: () => ({ key: undefined }), idsOf: () => [] },
      turnUsage: { byPersons: () => ({ ...spent, ...own }), inRoom: () => ({ ...spent, ...own }) },
    } as never; // what limits read of a ledger
    const what = limitUsedUp(eventOf('1', { address }), {
      ...{ ledger, limits: { person, room }, person: 'per_1', role: 'member' as const, now: 86_400_007 },
      ...{ lane: () => assert.fail('no assistant has a limit'), nameIn: () => '' },
    });
    assert.ok(
      since.every((at) => at === 7),
      'within a day',
    );
    return what && `${what.by} ${what.unit} ${what.limit}`;
  };
  assert.equal(use({}, {}), undefined);
  assert.equal(use({ messages: 3 }, {}, { said: 2 }), undefined);
  assert.equal(use({ messages: 3 }, {}, { said: 3 }), 'person messages 3');
  assert.equal(use({ tokens: 10 }, {}, { tokens: 9 }), undefined);
  assert.equal(use({ tokens: 10 }, {}, { tokens: 10 }), 'person tokens 10');
  assert.equal(use({ costUSD: 0.5 }, {}, { costUSD: 0.49 }), undefined);
  assert.equal(use({ costUSD: 0.5 }, {}, { costUSD: 0.5 }), 'person dollars 0.5');
  assert.equal(use({}, { messages: 1 }, { said: 1 }), 'room messages 1');
  assert.equal(use({}, { messages: 1 }, { said: 1, in: direct }), undefined, 'a direct message is no room');
  assert.equal(use({ tokens: 5 }, { messages: 1 }, { said: 1, tokens: 5 }), 'person tokens 5');
  assert.equal(use({ tokens: 5 }, { messages: 1 }, { said: 1, tokens: 4 }), 'room messages 1');
  assert.equal(use({ messages: 0 }, {}), 'person messages 0');
});
