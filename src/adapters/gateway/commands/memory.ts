// `/memory`: what is remembered of this chat, searched, added to and deleted. Never more than anyone who reads along may be reminded of.
import { formatAddress } from '#adapters/gateway/address.ts';
import { placeIn } from '#adapters/gateway/turns/lane.ts';
import { codeOf } from '#base/errors.ts';
import { truncate } from '#base/text.ts';
import type { MemoryEntries, MemorySearch } from '#engine/wire/memory.ts';
import { memoryPut } from '#engine/wire/memory-govern.ts';
import type { CommandCall, CommandHandler } from './command-context.ts';
import { noteFile, showFile } from './memory-files.ts';
import { type CommandPlace, named } from './naming.ts';
import { byShortID, escapeMarkdown, paginate, refusal, shortOf } from './reply.ts';

type Entry = MemoryEntries['items'][number];
type Audience = NonNullable<MemorySearch['audience']>;

const found = 8;
/** Among so many of the newest, an id may be given by its end. */
const reach = 1_000;

export const memory: CommandHandler = async (call) => {
  const [, action = '', rest = ''] = /^(\S+)\s*([\s\S]*)$/.exec(call.args) ?? [];
  switch (action.toLowerCase()) {
    case 'search':
      return search(call, rest);
    case 'save':
      return save(call, rest);
    case 'forget':
      return forget(call, rest);
    case 'recent':
      return recent(call, rest);
    case 'file':
      return showFile(call, audiencesOf(call), rest);
    case 'note':
      return noteFile(call, audiencesOf(call)[0], rest);
    default:
      throw refusal(howIn(call.row.address));
  }
};

function howIn(at: CommandPlace): string {
  const [search, save, forget, recent, file, note] = [
    named(at, 'memory search WORDS'),
    named(at, 'memory save TEXT'),
    named(at, 'memory forget ID'),
    named(at, 'memory recent'),
    named(at, 'memory file'),
    named(at, 'memory note TEXT'),
  ];
  return `Write ${search}, ${save}, ${forget}, ${recent}, ${file} or ${note}.`;
}

/** Whose memory this chat's is: the room's, or in private the person's on all of their accounts. */
function audiencesOf({ ledger, row }: CommandCall): [Audience, ...Audience[]] {
  const own = placeIn(ledger, row).audience as Audience; // `person:` or `room:`, as placeOf makes them
  const { key } = ledger.persons.standingOf(row.person);
  if (row.address.kind !== 'dm' || key === undefined) return [own];
  const others = ledger.persons.idsOf(key).map((id): Audience => `person:${id}`);
  return [own, ...others.filter((audience) => audience !== own)];
}

const lineOf = ({ id, content, created_at_ms }: Entry): string =>
  `- \`${shortOf(id)}\` ${escapeMarkdown(truncate(content, 200))} (${new Date(created_at_ms).toISOString().slice(0, 10)})`;

/** Of each exchange the piece in which someone speaks: the others are pieces of a long answer, and say nothing on their own. */
function oncePerRun(items: readonly Entry[]): Entry[] {
  const first = new Map<string, Entry>();
  for (const item of items) {
    const key = item.source_type === 'exchange' && item.run_id !== '' ? item.run_id : item.id;
    const known = first.get(key);
    if (known === undefined || (!spoken.test(known.content) && spoken.test(item.content)))
      first.set(key, item);
  }
  return [...first.values()];
}

/** How memory writes down an exchange: who said what, and what was answered. */
const spoken = /^([^\n]{1,100}?) said: /;

/** What was written, without the answer. */
function saidLine(item: Entry): string {
  const [said = ''] = item.content.split(/\s*^assistant answered: /m);
  const words = item.source_type === 'exchange' && said !== '' ? said.replace(spoken, '$1: ') : item.content;
  return lineOf({ ...item, content: words });
}

async function search(call: CommandCall, words: string): Promise<string> {
  if (words === '') throw refusal(`For what? ${named(call.row.address, 'memory search WORDS')}.`);
  const query = truncate(words, 1_000);
  const all = await Promise.all(
    audiencesOf(call).map((audience) => call.engine.searchMemory({ query, audience, limit: found })),
  );
  const results = all
    .flatMap((each) => each.results)
    .sort((a, b) => b.score - a.score)
    .slice(0, found);
  if (results.length === 0) return 'I remember nothing of that here.';
  return results.map(lineOf).join('\n');
}

async function save(call: CommandCall, text: string): Promise<string> {
  const { engine, ledger, row } = call;
  if (text === '') throw refusal(`What? ${named(row.address, 'memory save TEXT')}.`);
  const place = placeIn(ledger, row);
  const { space } = place;
  // where each chat remembers itself only, so does what is saved there
  const restricted = place.restricted || call.access.profile.memory === 'chat-only';
  const [audience] = audiencesOf(call);
  const sessionID = ledger.bindings.sessionOf(row.lane);
  const { platform } = row.address;
  const put = {
    content: truncate(text, 20_000),
    audience,
    said: {
      person: row.person,
      platform,
      chat: formatAddress(row.address),
      message_ids: [row.event.nativeID],
    },
    ...(sessionID === undefined ? {} : { session_id: sessionID }),
    private: restricted,
    channel_tag: platform,
    metadata: { said_by: row.event.actor.name },
    ...(space === undefined || restricted ? {} : { space }),
  };
  const { status, id, redacted } = await engine.putMemory(memoryPut.parse(put));
  if (status === 'stored' && id !== null)
    await ledger.commit(() => ledger.savedNotes.add({ inboxID: row.id, memoryID: id, audience }), 'written');
  switch (status) {
    case 'stored':
      return `I retain that${id === null ? '' : ` (\`${shortOf(id)}\`)`}${redacted.length === 0 ? '' : ', without the secret in it'}.`;
    case 'duplicate':
      return 'I retain that already.';
    case 'forgotten':
    case 'retracted':
      return 'Just that was forgotten here before, and is not brought back.';
    case 'nothing to store':
      return 'There is nothing in that to store.';
  }
}

async function forget(call: CommandCall, typed: string): Promise<string> {
  const { engine, row, role } = call;
  if (typed === '')
    throw refusal(
      `Which one? ${named(row.address, 'memory recent')} lists them; then ${named(row.address, 'memory forget ID')}.`,
    );
  if (row.address.kind !== 'dm' && role !== 'owner')
    throw refusal("What a room remembers is everyone's: only owners delete it.");
  const lists = await Promise.all(
    audiencesOf(call).map(async (audience) => {
      const { items } = await engine.listMemory({ audience, limit: reach, offset: 0 });
      return items.map((item) => ({ item, audience }));
    }),
  );
  const { item, audience } = byShortID(typed, lists.flat(), (one) => one.item.id);
  try {
    await engine.deleteMemory(item.id, { audience, reason: 'asked in the chat' });
  } catch (error) {
    if (codeOf(error) !== 'memory_not_found') throw error; // deleted a moment ago
  }
  return `That is forgotten permanently: ${escapeMarkdown(truncate(item.content, 100))}`;
}

async function recent(call: CommandCall, asked: string): Promise<string> {
  const lists = await Promise.all(
    audiencesOf(call).map((audience) => call.engine.listMemory({ audience, limit: reach, offset: 0 })),
  );
  const all = lists.flatMap((list) => list.items).sort((a, b) => b.created_at_ms - a.created_at_ms);
  if (all.length === 0) return 'I remember nothing of this chat yet.';
  const items = oncePerRun(all);
  const { shown, foot } = paginate(items, { asked, command: 'memory recent', place: call.row.address });
  return [shown.map(saidLine).join('\n'), ...(foot === undefined ? [] : [foot])].join('\n\n');
}
