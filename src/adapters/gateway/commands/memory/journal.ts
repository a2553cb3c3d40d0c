// `/recap`, `/decisions`, `/open`, `/done`, `/park`: the work journal of a chat, read and settled by people. Never more than the chat itself wrote.
import { formatAddress } from '#adapters/gateway/address.ts';
import type { CommandCall, CommandHandler } from '#adapters/gateway/commands/command-context.ts';
import { commandNamer } from '#adapters/gateway/commands/naming.ts';
import { selfOf } from '#adapters/gateway/commands/people/self.ts';
import { byShortID, escapeMarkdown, paginate, refusal, shortOf } from '#adapters/gateway/commands/reply.ts';
import { messageAudienceIn } from '#adapters/gateway/lanes/lane.ts';
import { truncate } from '#base/text.ts';
import type { Reader } from '#engine/wire/memory/reader.ts';

/** An entry of the journal, as far as a chat shows it. */
interface Entry {
  id: string;
  title?: unknown;
  body?: unknown;
  summary?: unknown;
  lesson?: unknown;
}

/** Of each section of a recap. */
const shownItems = 5;
const shownChars = 160;
/** Open entries of one chat that are looked at. */
const maxOpen = 100;

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
    speaker: { person, name: event.actor.name },
    outsiders: true,
    reach: { audiences: own.map((one) => `person:${one}`), spaces: [] },
  };
}

/** The open entries of the chat: threads, then next steps, each newest first. */
export async function openIn(call: CommandCall): Promise<{ threads: Entry[]; steps: Entry[] }> {
  return {
    threads: await elementsIn(call, 'thread', 'open'),
    steps: await elementsIn(call, 'step', 'pending'),
  };
}

/** What was set aside in this chat. */
async function parkedIn(call: CommandCall): Promise<Entry[]> {
  return [...(await elementsIn(call, 'thread', 'parked')), ...(await elementsIn(call, 'step', 'parked'))];
}

async function elementsIn(call: CommandCall, kind: string, status: string): Promise<Entry[]> {
  const input = { agentID: call.agent, kind, status, limit: maxOpen };
  return (await call.engine.forReader('listElements', { reader: chatReader(call), input })).items;
}

/** `/recap`: shows the latest session of this chat's work journal, what is open and what comes next. */
export const recapCommand: CommandHandler = async (call) => {
  const { phrases, engine, agent, row } = call;
  const words = phrases.journal;
  const command = commandNamer(row.address, phrases);
  const { sections } = await engine.forReader('bundle', {
    reader: chatReader(call),
    input: { agentID: agent, depth: 'work' },
  });
  const section = (title: string, entries: readonly Entry[] = [], more: string): string[] => {
    if (entries.length === 0) return [];
    const left = entries.length - shownItems;
    const foot = left > 0 ? [`_(${words.moreThere({ n: left, command: more })})_`] : [];
    return [[`**${title}**`, ...entries.slice(0, shownItems).map(lineOf), ...foot].join('\n')];
  };
  const [latest] = sections.latestSession ?? [];
  const open = command('open');
  const parts = [
    ...(latest === undefined
      ? []
      : [`**${words.latest}:** ${escapeMarkdown(truncate(`${latest.title}. ${latest.summary}`, 600))}`]),
    ...section(words.open, sections.openThreads, open),
    ...section(words.next, sections.nextSteps, open),
    ...section(words.decided, sections.decisions, command('decisions')),
    ...section(words.context, sections.context, command('memory search WORDS')),
    ...section(words.learned, sections.lessons, command('memory search WORDS')),
  ];
  return parts.length === 0 ? words.nothingYet({ command }) : parts.join('\n\n');
};

/** `/decisions [PAGE]`: lists the decisions in this chat's work journal. */
export const decisionsCommand: CommandHandler = async (call) => {
  const { phrases, engine, agent } = call;
  const input = { agentID: agent, kind: 'decision', limit: 100 };
  const { items } = await engine.forReader('listElements', { reader: chatReader(call), input });
  if (items.length === 0) return phrases.journal.nothingDecided;
  const { shown, foot } = paginate(items, pageOf(call, 'decisions'));
  return [shown.map(lineOf).join('\n'), ...(foot === undefined ? [] : [foot])].join('\n\n');
};

/** `/open [PAGE]`: lists the open threads and next steps of this chat. */
export const openCommand: CommandHandler = async (call) => {
  const { threads, steps } = await openIn(call);
  const all = [...threads, ...steps];
  if (all.length === 0) return call.phrases.journal.nothingOpen;
  const { shown, foot } = paginate(all, pageOf(call, 'open'));
  return [shown.map(lineOf).join('\n'), ...(foot === undefined ? [] : [foot])].join('\n\n');
};

function pageOf({ args: typed, phrases, row }: CommandCall, words: string) {
  return { typed, words, phrases, command: commandNamer(row.address, phrases) };
}

/** `/done ID [NOTE]`: marks an open entry as resolved. */
export const doneCommand: CommandHandler = (call) => settle(call, 'resolved');

/** `/park ID [NOTE]`: sets an open entry aside. */
export const parkCommand: CommandHandler = (call) => settle(call, 'parked');

/** Settled by an earlier try of the same command, it is settled still. */
async function settle(call: CommandCall, action: 'resolved' | 'parked'): Promise<string> {
  const { phrases, engine, agent, args } = call;
  const [, typed = '', note = ''] = /^(\S+)\s*([\s\S]*)$/.exec(args) ?? [];
  if (typed === '') throw refusal(({ journal }, command) => journal.whichOne({ command }));
  const { threads, steps } = await openIn(call);
  const parked = action === 'parked' ? [] : await parkedIn(call);
  const { id, title } = byShortID(typed, [...threads, ...steps, ...parked], (entry) => entry.id);
  const input = { agentID: agent, id, action, ...(note !== '' && { note: truncate(note, 2_000) }) };
  await engine.forReader('updateElement', { reader: chatReader(call), input });
  const shown = escapeMarkdown(truncate(String(title), shownChars));
  return action === 'resolved'
    ? phrases.journal.isDone({ title: shown })
    : phrases.journal.isParked({ title: shown });
}

function lineOf({ id, title, body, lesson }: Entry): string {
  const text = lesson ?? [title, body].filter((each) => each !== undefined).join(': ');
  return `- \`${shortOf(id)}\` ${escapeMarkdown(truncate(String(text), shownChars))}`;
}
