// `/recap`, `/decisions`, `/lessons`, `/open`, `/done`, `/park`: the work journal of a chat, read and settled by people. In private it is that of
// all agents and projects of the person, in a room that of the room; of an assistant with its own memory that of this one.

import type { CommandCall, CommandHandler } from '#adapters/gateway/commands/command-context.ts';
import { selfOf } from '#adapters/gateway/commands/people/self.ts';
import { messageAudienceIn } from '#adapters/gateway/ledger/lane.ts';
import { formatAddress } from '#adapters/gateway/terms/address.ts';
import { commandNamer } from '#adapters/gateway/terms/command-names.ts';
import {
  allByShortID,
  byShortID,
  codeSpan,
  escapeMarkdown,
  paginate,
  refusal,
  shortID,
  shortOf,
} from '#adapters/gateway/terms/command-reply.ts';
import { codeOf } from '#base/errors.ts';
import { nearestNames } from '#base/nearest.ts';
import { truncate } from '#base/text.ts';
import type { Reader, ReaderResult } from '#engine/wire/memory/reader.ts';

type Entry = ReaderResult<'listEntries'>['items'][number];
type Kind = Entry['kind'];
type Settled = ReaderResult<'settleEntry'>;
type Side = NonNullable<Settled['holds']>;

const idOf = ({ id }: Entry): string => id;

/** Of each section of a recap. */
const shownItems = 5;
const shownChars = 160;
/** Of what was said when an entry was settled. */
const shownNoteChars = 600;
/** Entries of one list; what is more is said, and found by a filter. */
const maxListed = 1_000;

/** Whose journal entries this chat may read: a room reads its own, a direct message those of the person on all accounts. */
export function chatReader(call: CommandCall): Reader {
  const { ledger, row, access } = call;
  const { address, person, event } = row;
  const place = messageAudienceIn(ledger, row);
  const isChatOnly = access.profile.memory === 'chat-only';
  const own = address.kind === 'dm' && !isChatOnly ? selfOf(call).persons : [];
  return {
    platform: address.platform,
    chat: formatAddress(address),
    kind: address.kind,
    audience: place.audience,
    ...(place.space === undefined || isChatOnly ? {} : { space: place.space }),
    restricted: place.restricted || isChatOnly,
    agent: call.agent,
    speaker: { person, name: event.actor.name },
    outsiders: true,
    reach: { audiences: own.map((one) => `person:${one}`), spaces: [] },
  };
}

/** What the assistant of this chat has open itself: threads, then next steps, each newest first. */
export async function openIn(call: CommandCall): Promise<{ threads: Opened[]; steps: Opened[] }> {
  return {
    threads: await elementsIn(call, 'thread', 'open'),
    steps: await elementsIn(call, 'step', 'pending'),
  };
}

interface Opened {
  id: string;
  title?: unknown;
}

async function elementsIn(call: CommandCall, kind: string, status: string): Promise<Opened[]> {
  const input = { agentID: call.agent, kind, status, limit: 100 };
  return (await call.engine.forReader('listElements', { reader: chatReader(call), input })).items;
}

/** Which agent's entries, and of which project; every one's when absent. */
interface Filter {
  agentID?: string;
  projectID?: string;
}

/** What follows a command: `parley`, `agent:claude`, `project:parley agent:claude`, and a page. */
async function filterOf(call: CommandCall): Promise<{ filter: Filter; words: string; page: string }> {
  const [, words = '', page = ''] = /^(.*?)(?:(?:^|\s+)(\d+))?$/s.exec(call.args.trim()) ?? [];
  if (words === '') return { filter: {}, words, page };
  const [, bare = '', named = ''] = /^(.*?)\s*((?<!\S)(?:agent|project):.*)?$/is.exec(words) ?? [];
  const given = [...named.matchAll(/(agent|project):\s*(.+?)\s*(?=(?:agent|project):|$)/gis)];
  const filter: Filter = {};
  for (const [, what = '', name = ''] of given)
    if (what.toLowerCase() === 'agent') filter.agentID = name;
    else filter.projectID = name;
  const { items } = await call.engine.forReader('listProjects', { reader: chatReader(call), input: {} });
  const agents = unique(items.map(({ agentID }) => agentID));
  const projects = unique(items.flatMap(({ projectID }) => projectID ?? []));
  if (bare !== '' && !isIn(projects, bare) && isIn(agents, bare)) filter.agentID ??= bare;
  else if (bare !== '') filter.projectID ??= bare;
  // a project after the agent, or an agent after the project, in the order in which they come to mind
  split(filter, { agents, projects });
  const { agentID, projectID } = filter;
  if (
    (projectID !== undefined && !isIn(projects, projectID)) ||
    (agentID !== undefined && !isIn(agents, agentID))
  )
    throw refusal(({ journal }) =>
      journal.noSuchPlace({
        named: codeSpan(words),
        projects: projects.map(codeSpan),
        agents: agents.map(codeSpan),
        near: nearIn(filter, { agents, projects }).map(codeSpan),
      }),
    );
  return { filter, words: ` ${words}`, page };
}

interface Known {
  agents: readonly string[];
  projects: readonly string[];
}

function isIn(names: readonly string[], name: string): boolean {
  return names.some((each) => each.toLowerCase() === name.toLowerCase());
}

/** `agent:claude parley` is the agent and the project, where no agent has that name. */
function split(filter: Filter, { agents, projects }: Known): void {
  const of = [
    { own: 'agentID', other: 'projectID', names: agents, others: projects },
    { own: 'projectID', other: 'agentID', names: projects, others: agents },
  ] as const;
  for (const { own, other, names, others } of of) {
    const given = filter[own];
    if (given === undefined || filter[other] !== undefined || isIn(names, given)) continue;
    for (const { index } of given.matchAll(/\s+/g)) {
      const [head, tail] = [given.slice(0, index), given.slice(index).trim()];
      if (!isIn(others, tail)) continue;
      filter[own] = head;
      filter[other] = tail;
      return;
    }
  }
}

/** What a name may have meant that is not known. */
function nearIn({ agentID, projectID }: Filter, { agents, projects }: Known): string[] {
  const near = (name: string | undefined, names: readonly string[]): string[] =>
    name === undefined || isIn(names, name) ? [] : nearestNames(name, names, 3);
  return unique([...near(agentID, agents), ...near(projectID, projects)]);
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}

/** Entries of every agent and project of those who read this chat, newest first. */
async function entriesIn(
  call: CommandCall,
  kinds: readonly Kind[],
  more: Filter & { statuses?: readonly string[]; limit?: number } = {},
) {
  const input = { kinds, limit: maxListed, ...more };
  return call.engine.forReader('listEntries', { reader: chatReader(call), input });
}

const openStates = ['open', 'pending'];

/** `/recap [FILTER]`: shows the latest session, what is open and what comes next, decisions and lessons, of every agent and project. */
export const recapCommand: CommandHandler = async (call) => {
  const { phrases, row } = call;
  const words = phrases.journal;
  const command = commandNamer(row.address, phrases);
  const { filter, words: typed } = await filterOf(call);
  const section = async (
    title: string,
    kind: Kind,
    { more, statuses }: { more: string; statuses?: string[] },
  ) => {
    const { items, total } = await entriesIn(call, [kind], {
      ...{ ...filter, limit: shownItems },
      ...(statuses !== undefined && { statuses }),
    });
    if (items.length === 0) return [];
    const left = total - items.length;
    const foot = left > 0 ? [`_(${words.moreThere({ n: left, command: more })})_`] : [];
    const lines = items.map((entry) => `${lineOf(entry)}${whereOf(call, entry)}`);
    return [[`**${title}**`, ...lines, ...foot].join('\n')];
  };
  const { items: sessions } = await entriesIn(call, ['session'], { ...filter, limit: 1 });
  const open = command(`open${typed}`);
  const parts = [
    ...sessions.map(
      (latest) =>
        `**${words.latest}:** ${escapeMarkdown(truncate(`${latest.title}. ${latest.text}`, 600))}${whereOf(call, latest)}`,
    ),
    ...(await section(words.open, 'thread', { more: open, statuses: openStates })),
    ...(await section(words.next, 'step', { more: open, statuses: openStates })),
    ...(await section(words.decided, 'decision', { more: command(`decisions${typed}`) })),
    ...(await section(words.context, 'context', { more: command('memory search WORDS') })),
    ...(await section(words.learned, 'lesson', { more: command(`lessons${typed}`), statuses: ['active'] })),
  ];
  return parts.length === 0 ? words.nothingYet({ command }) : parts.join('\n\n');
};

/** `/decisions [FILTER] [PAGE]`: lists what was decided, by project and agent. */
export const decisionsCommand: CommandHandler = (call) =>
  listed(call, { kinds: ['decision'], name: 'decisions', nothing: call.phrases.journal.nothingDecided });

/** `/lessons [FILTER] [PAGE]`: lists what was learned and still holds, by project and agent. */
export const lessonsCommand: CommandHandler = (call) =>
  listed(call, {
    ...{ kinds: ['lesson'], name: 'lessons', nothing: call.phrases.journal.nothingLearned },
    statuses: ['active'],
  });

/** `/open [FILTER] [PAGE]`: lists open threads and next steps, by project and agent. */
export const openCommand: CommandHandler = (call) =>
  listed(call, {
    ...{ kinds: ['thread', 'step'], name: 'open', nothing: call.phrases.journal.nothingOpen },
    statuses: openStates,
  });

async function listed(
  call: CommandCall,
  of: { kinds: readonly Kind[]; name: string; nothing: string; statuses?: readonly string[] },
): Promise<string> {
  const { phrases, row } = call;
  const { filter, words, page } = await filterOf(call);
  const statuses = of.statuses === undefined ? {} : { statuses: of.statuses };
  const { items, total } = await entriesIn(call, of.kinds, { ...filter, ...statuses });
  if (items.length === 0) return of.nothing;
  const command = commandNamer(row.address, phrases);
  const places = unique(items.map(placeOf));
  const all = places.flatMap((place) =>
    of.kinds.flatMap((kind) => items.filter((each) => each.kind === kind && placeOf(each) === place)),
  );
  const { shown, foot } = paginate(all, { typed: page, words: `${of.name}${words}`, phrases, command });
  const isOwn = places.length === 1 && shown.every((entry) => whereOf(call, entry) === '');
  const groups = unique(shown.map(placeOf)).map((place) => {
    const entries = shown.filter((each) => placeOf(each) === place);
    const heads = isOwn ? [] : entries.slice(0, 1).map((entry) => `**${placeName(call, entry)}**`);
    return [...heads, ...entries.map(lineOf)].join('\n');
  });
  const more =
    total > items.length ? [`_(${phrases.journal.narrow({ n: total - items.length, command })})_`] : [];
  return [...groups, ...(foot === undefined ? [] : [foot]), ...more].join('\n\n');
}

function placeOf({ projectID, agentID }: Entry): string {
  return JSON.stringify([projectID, agentID]);
}

function placeName({ phrases }: CommandCall, { projectID, agentID }: Entry): string {
  return escapeMarkdown(`${projectID ?? phrases.journal.noProject} · ${agentID}`);
}

/** Where an entry is from that this chat's assistant did not write. */
function whereOf(call: CommandCall, entry: Entry): string {
  const isOwn = entry.projectID === null && entry.agentID === call.agent;
  return isOwn ? '' : ` (${placeName(call, entry)})`;
}

/** `/done ID [NOTE]`: marks an open or parked entry of any agent as resolved. */
export const doneCommand: CommandHandler = (call) => settle(call, 'resolved');

/** `/park ID [NOTE]`: sets an open entry of any agent aside. */
export const parkCommand: CommandHandler = (call) => settle(call, 'parked');

/** Settled by an earlier try of the same command, it is settled still. */
async function settle(call: CommandCall, action: 'resolved' | 'parked'): Promise<string> {
  const { phrases, args } = call;
  const [, typed = '', note = ''] = /^(\S+)\s*([\s\S]*)$/.exec(args) ?? [];
  if (typed === '') throw refusal(({ journal }, command) => journal.whichOne({ command }));
  const unsettled = await unsettledIn(call, action);
  const before =
    allByShortID(typed, unsettled, idOf).length === 0 ? await settledBefore(call, typed) : undefined;
  if (before !== undefined) return before;
  const { id, title } = byShortID(typed, unsettled, idOf);
  const { choices } = await settled(call, { id, action, note });
  if (choices !== undefined) return [phrases.journal.asksWhich, chooseHow(call, id, choices)].join(' ');
  const shown = escapeMarkdown(truncate(title, shownChars));
  return action === 'resolved'
    ? phrases.journal.isDone({ title: shown })
    : phrases.journal.isParked({ title: shown });
}

/**
 * `/answer ID TEXT` where the id is that of an open or parked entry: its agent reads it in its next bundle, and what it chooses between two
 * memories holds. Undefined for any other id.
 */
export async function answerEntry(
  call: CommandCall,
  { id: typed, text }: { id: string; text: string },
): Promise<string | undefined> {
  if (!shortID.test(typed) || text === '') return undefined;
  const mine = allByShortID(typed, await unsettledIn(call, 'answered'), idOf);
  if (mine.length === 0) return settledBefore(call, typed);
  const { id, title, agentID } = byShortID(typed, mine, idOf);
  const { holds, superseded = [], choices } = await settled(call, { id, action: 'answered', note: text });
  const { journal } = call.phrases;
  if (holds !== undefined)
    return journal.isChosen({ holds: sideOf(holds), superseded: superseded.map(sideOf) });
  const words = journal.isAnswered({
    title: escapeMarkdown(truncate(title, shownChars)),
    agent: escapeMarkdown(agentID),
  });
  return choices === undefined ? words : [words, chooseHow(call, id, choices)].join('\n\n');
}

/** The memories of a question that is open still, and how one is chosen. */
function chooseHow({ row, phrases }: CommandCall, id: string, choices: readonly Side[]): string {
  const command = commandNamer(row.address, phrases);
  const lines = choices.map((side, index) => `${index + 1}. ${sideOf(side)}`);
  return [phrases.journal.chooseHow({ command: command(`answer ${shortOf(id)} 1`) }), lines.join('\n')].join(
    '\n\n',
  );
}

/** What was decided about an entry that is settled, and by whom; undefined for an id of none. */
async function settledBefore(call: CommandCall, typed: string): Promise<string | undefined> {
  const { items } = await entriesIn(call, ['thread', 'step'], { statuses: ['resolved', 'dropped'] });
  const [entry] = allByShortID(typed, items, idOf);
  if (entry === undefined) return undefined;
  const { title, note, settledBy } = entry;
  const how = note === null ? '' : escapeMarkdown(truncate(note, shownNoteChars));
  // an answer is signed already
  const isSigned = settledBy !== null && note?.startsWith(`${settledBy}: `) === true;
  const memory = /\bmem_\w+/.exec(note ?? '')?.[0];
  return call.phrases.journal.wasSettled({
    title: escapeMarkdown(truncate(title, shownChars)),
    how: [
      ...(isSigned || settledBy === null ? [] : [escapeMarkdown(settledBy)]),
      ...(how === '' ? [] : [how]),
    ].join(': '),
    holds: memory === undefined ? undefined : await memoryText(call, memory),
  });
}

/** The text of a memory that an answer chose; undefined for one that is gone. */
async function memoryText(call: CommandCall, id: string): Promise<string | undefined> {
  try {
    const { item } = await call.engine.forReader('memoryRead', { reader: chatReader(call), input: { id } });
    return escapeMarkdown(truncate(item.text, shownChars));
  } catch (error) {
    if (['memory_not_found', 'memory_forgotten', 'memory_expired'].includes(codeOf(error) ?? ''))
      return undefined;
    throw error;
  }
}

/** A memory with where it comes from and its day. */
function sideOf({ text, source, at }: Side): string {
  return `${escapeMarkdown(truncate(text, shownChars))} _(${escapeMarkdown(source)}, ${at.slice(0, 10)})_`;
}

async function unsettledIn(call: CommandCall, action: string): Promise<Entry[]> {
  const statuses = action === 'parked' ? openStates : [...openStates, 'parked'];
  return (await entriesIn(call, ['thread', 'step'], { statuses })).items;
}

async function settled(
  call: CommandCall,
  { note, ...how }: { id: string; action: string; note: string },
): Promise<Settled> {
  const input = { ...how, ...(note !== '' && { note: truncate(note, 2_000) }) };
  return call.engine.forReader('settleEntry', { reader: chatReader(call), input });
}

function lineOf({ id, kind, title, text, status, note }: Entry): string {
  const said = kind === 'lesson' ? text : [title, text].filter((each) => each !== '').join(': ');
  const state = kind === 'lesson' || note === null || status === null ? '' : ` (${note})`;
  return `- \`${shortOf(id)}\` ${escapeMarkdown(truncate(`${said}${state}`, shownChars))}`;
}
