// What keeps words from readers who could not have read them, each as the edit that takes it out.
import { edit, type Fix } from './fix.ts';
import { lookFixes } from './look-fixes.ts';
import { testedFixes } from './tested-fixes.ts';

const reading = 'src/adapters/gateway/readers/reading.ts';
const reach = 'src/adapters/gateway/readers/reach.ts';
const openRooms = 'src/adapters/gateway/readers/open-rooms.ts';
const slackRights = 'src/adapters/slack/rooms/rights.ts';

/** A look at a room, made before it is shown anything of its space, would fix what the adapter said of it. */
const confirmed = '(known?.restricted !== readers.restricted || known.unsure)';
const unconfirmed = `${confirmed} && audience === ''`;

export const fixes: readonly Fix[] = [
  {
    name: 'private-thread',
    ensures: 'a private thread on Discord is a room of its own',
    shows: { chains: ['imported', 'asked'] },
    edits: [
      edit(
        'src/adapters/discord/rooms/channel-context.ts',
        '...(thread?.type === ChannelType.PrivateThread ? { privateThread: true } : {}),',
      ),
    ],
  },
  {
    name: 'unlinked',
    ensures: 'accounts that cease to be one person share no session',
    shows: { chains: ['shared'] },
    edits: [
      edit('src/adapters/gateway/ledger/people/relink.ts', 'return bindings.separate();', 'return [];'),
    ],
  },
  {
    name: 'left',
    ensures: 'someone who left a room is told nothing of it',
    shows: { chains: ['left'] },
    edits: [
      edit(
        reach,
        'const look = looks.of(address)?.ofRoom(address, userID);',
        "const look = Promise.resolve(userID === '' ? ('nothing' as const) : ('everything' as const));",
      ),
      edit(reading, "if (change === 'left') people.left({ userID: actorID, address, audience });"),
    ],
  },
  {
    name: 'slack-private',
    ensures: 'a channel on Slack that an event calls private is restricted',
    shows: { chains: ['closed', 'asked'] },
    edits: [
      edit(
        'src/adapters/slack/rooms/rooms.ts',
        "if (type === 'group' || type === 'mpim') return closed(sighting);",
        "if (type === 'mpim') return closed(sighting);\n      if (type === 'group') return opened(sighting);",
      ),
      edit(
        'src/adapters/slack/rooms/known-rooms.ts',
        "const restricted = kind !== 'channel' || isPrivate === true;",
        "const restricted = kind !== 'channel' || (isPrivate === true && id === '');",
      ),
      edit(openRooms, confirmed, unconfirmed),
    ],
  },
  {
    name: 'slack-guests',
    ensures: 'guests on Slack are told nothing of the space in private',
    shows: { chains: ['asked'] },
    edits: [
      edit(slackRights, 'if (home !== owner) return false;'),
      edit(
        slackRights,
        'if (person === undefined) return false;',
        "if (person === undefined) return home !== '';",
      ),
      edit(
        slackRights,
        'return spaces.some((team) => isFullMember(person, team));',
        'return spaces.length >= 0;',
      ),
    ],
  },
  {
    name: 'outsiders',
    ensures: 'nothing of the space is shown where outsiders read along',
    shows: { chains: ['asked'] },
    edits: [
      edit(
        slackRights,
        'return { restricted, outsiders };',
        'return { restricted, outsiders: outsiders && false };',
      ),
      edit(
        slackRights,
        'return { restricted, outsiders: true };\n      const members',
        'return { restricted, outsiders: false };\n      const members',
      ),
    ],
  },
  {
    name: 'names',
    ensures: 'a name makes nobody another person',
    shows: { mode: 'pairing', chains: ['asked'] },
    edits: [
      edit(
        'src/adapters/gateway/admission/pairing-codes.ts',
        'if (taken !== undefined) throw new PersonExists(taken, name);',
        'if (taken !== undefined) return taken.name;',
      ),
    ],
  },
  {
    name: 'closed-rooms',
    ensures: 'what was written in a public room is not shown elsewhere once the room is private',
    shows: { chains: ['closed', 'renamed'] },
    edits: [
      edit(
        'src/memory/tables/audience.ts',
        '\n    AND NOT EXISTS (SELECT 1 FROM memory_closed_rooms WHERE room = audience)',
      ),
    ],
  },
  {
    name: 'deleted',
    ensures: 'a deleted message is forgotten',
    shows: { chains: ['retold', 'halved'] },
    edits: [
      edit(
        'src/adapters/gateway/intake/amending.ts',
        'amendments.add({ inboxID, was: asWords(row.event.text), now: null, at });',
      ),
    ],
  },
  {
    name: 'edited',
    ensures: 'an edited message is known by its new words alone',
    shows: { chains: ['retold', 'swayed'] },
    edits: [
      edit(
        'src/adapters/gateway/intake/amending.ts',
        'amendments.add({ inboxID, was: asWords(was), now: asWords(masked), at });',
      ),
    ],
  },
  {
    name: 'notes',
    ensures: 'a note goes with the message that saved it',
    shows: { chains: ['noted'] },
    edits: [
      edit(
        'src/adapters/gateway/intake/amending.ts',
        "if (row.kind === 'command') return savedNotes.gone(inboxID);",
        "if (row.kind === 'command') return false;",
      ),
    ],
  },
  {
    name: 'imported-messages',
    ensures: 'an imported message that is changed or deleted is forgotten',
    shows: { chains: ['outdated'] },
    edits: [
      edit(
        'src/adapters/gateway/turns/hand-overs.ts',
        '() => engine.forgetTurns(turns, { signal })',
        '() => Promise.resolve()',
      ),
    ],
  },
  {
    name: 'discord-open',
    ensures: 'a channel on Discord is open only if nobody is denied it, and its history may be read',
    shows: { chains: ['asked', 'closed'] },
    edits: [
      edit(
        'src/adapters/discord/rooms/readers.ts',
        `if (home.permissionsFor(everyone)?.has(bits) !== true) return false;
  return home.permissionOverwrites.cache.every(({ id, deny }) => id === everyone.id || !deny.any(bits));`,
        'return home.permissionsFor(everyone)?.has(ViewChannel) === true && bits > 0n;',
      ),
      edit(openRooms, confirmed, unconfirmed),
    ],
  },
  {
    name: 'newcomers',
    ensures: 'a newcomer is told nothing of what was written before they came',
    shows: { chains: ['joined'] },
    edits: [
      edit(
        reach,
        'return { audience, since: firstSeenAt };',
        'return { audience, since: firstSeenAt > 0 ? undefined : 0 };',
      ),
    ],
  },
  {
    name: 'distilled',
    ensures: 'a distilled fact belongs where its evidence was written',
    shows: { chains: ['shared'] },
    edits: [
      edit(
        'src/engine/distillation/distill-groups.ts',
        'const key = JSON.stringify([audience, space, restricted, partition]);',
        'const key = JSON.stringify([audience, space, restricted, partition]).slice(0, 0);',
      ),
    ],
  },
  {
    name: 'imported-threads',
    ensures: 'an imported private thread is a room of its own',
    shows: { chains: ['imported'] },
    edits: [
      edit(
        'src/memory/import/histories/discord-exporter.ts',
        "new Set(['GuildPublicThread', 'GuildNewsThread'])",
        "new Set(['GuildPublicThread', 'GuildNewsThread', 'GuildPrivateThread'])",
      ),
    ],
  },
  {
    name: 'chat-only',
    ensures: 'where each chat remembers only itself, what is saved there stays in it',
    shows: { mode: 'single', chains: ['saved'] },
    edits: [
      edit(
        'src/adapters/gateway/commands/memory/memory.ts',
        "place.restricted || call.access.profile.memory === 'chat-only'",
        'place.restricted',
      ),
    ],
  },
  {
    name: 'channel-direct',
    ensures: "a channel's direct messages on Telegram have one audience for each who writes",
    shows: { chains: ['asked'] },
    edits: [
      edit('src/adapters/telegram/codecs/inbound-codec.ts', '{ ...room, privateThread: true }', 'room'),
    ],
  },
  {
    name: 'lost-name',
    ensures: 'a group on Telegram that loses its name is looked at before everyone is told of it',
    shows: { mode: 'everyone', chains: ['renamed'] },
    edits: [edit('src/adapters/telegram/rights.ts', 'closesSilently: true,')],
  },
  {
    name: 'pinned',
    ensures: 'what is pinned is in no prompt of another audience',
    shows: { chains: ['recorded'] },
    edits: [
      edit(
        'src/memory/records/records.ts',
        'active(`pinned = 1 AND ${ownAudience}`)',
        "active('(@audiences IS NULL OR pinned = 1) AND @expired IS NOT NULL AND @since IS NOT NULL')",
      ),
      edit(
        'src/memory/records/records.ts',
        "WHERE ${which} AND state = 'active' AND demoted = 0 AND (${readable})",
        "WHERE ${which} AND state = 'active' AND demoted = 0 AND (1 OR ${readable})",
      ),
    ],
  },
  {
    name: 'records',
    ensures: 'records are looked up by key, tag and kind inside what the reader may read',
    shows: { chains: ['recorded'] },
    edits: [
      edit(
        'src/memory/records/records.ts',
        "const admitted = `state = 'active' AND demoted = 0 AND ${readable}",
        "const admitted = `state = 'active' AND demoted = 0 AND (1 OR ${readable})",
      ),
    ],
  },
  {
    name: 'association',
    ensures: 'one step of association stays inside what the reader may read',
    shows: { chains: ['recorded', 'asked'] },
    edits: [
      edit(
        'src/memory/records/records.ts',
        'WHERE (${audience}) AND ordinal = 0',
        'WHERE (1 OR ${audience}) AND ordinal = 0',
      ),
    ],
  },
  {
    name: 'summaries',
    ensures: 'a summary is made of exchanges of one audience',
    shows: { mode: 'budgets' },
    edits: [
      edit(
        'src/memory/budgets/exchanges.ts',
        'AND audience = @of AND partition IS @partition AND space IS @space AND restricted = @restricted',
        'AND (1 OR audience = @of OR partition IS @partition OR space IS @space OR restricted = @restricted)',
      ),
      edit(
        'src/memory/budgets/exchanges.ts',
        "AND ${sameProject('@project')} AND chat = @chat",
        "AND (1 OR ${sameProject('@project')} OR chat = @chat)",
      ),
      edit(
        'src/memory/budgets/usage.ts',
        "make('audience = @audience')",
        "make('(@audience IS NOT NULL OR audience = @audience)')",
      ),
    ],
  },
  {
    name: 'quotes',
    ensures: 'what a prompt quotes of a message goes when that is changed or deleted',
    shows: { chains: ['quoted'] },
    edits: [edit('src/engine/conversations/amend.ts', 'conversation.parts.setText(id, goneNote);')],
  },
  {
    name: 'outdated-answers',
    ensures: 'an answer to words that were taken back is in no memory',
    shows: { chains: ['retold', 'swayed'] },
    edits: [
      edit(
        'src/engine/conversations/archive.ts',
        "assistantText: run.outdated === true ? '' : run.text,",
        'assistantText: run.text,',
      ),
    ],
  },
  {
    name: 'later-answers',
    ensures: 'a later answer that repeats words which were taken back is in no memory',
    shows: { chains: ['retold'] },
    edits: [
      edit(
        'src/engine/conversations/later-answers.ts',
        'if (later === undefined) return;',
        "if (later?.runID !== '') return;",
      ),
    ],
  },
  {
    name: 'later-twice',
    ensures: 'a later answer that tells of several messages is in no memory once the second of them changes',
    shows: { chains: ['retold', 'halved'] },
    edits: [
      edit(
        'src/engine/conversations/later-answers.ts',
        'if (later === undefined) return;',
        'if (later === undefined || later.outdated === true) return;',
      ),
      edit(
        'src/engine/conversations/later-answers.ts',
        'if (isOutdated) events.commit(() => runs.setOutdated',
        'events.commit(() => runs.setOutdated',
      ),
      edit(
        'src/engine/conversations/later-answers.ts',
        'run.outdated !== true && isTold(run.text);',
        'run.runID === undefined && isTold(run.text);',
      ),
      edit(
        'src/engine/runs/tables/run-rows.ts',
        "FROM runs WHERE started_at_ms >= ? AND status = 'completed'",
        "FROM runs WHERE started_at_ms >= ? AND status = 'completed' AND outdated = 0",
      ),
    ],
  },
  ...lookFixes,
  ...testedFixes,
];
