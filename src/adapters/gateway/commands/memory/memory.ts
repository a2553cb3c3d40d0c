// `/memory`: what is remembered of this chat, searched, added to and deleted. Never more than all who read along may be reminded of.

import type { CommandCall, CommandHandler } from '#adapters/gateway/commands/command-context.ts';
import { messageAudienceIn } from '#adapters/gateway/ledger/lane.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import { formatAddress } from '#adapters/gateway/terms/address.ts';
import {
  codeSpan,
  escapeMarkdown,
  paginate,
  refusal,
  shortOf,
} from '#adapters/gateway/terms/command-reply.ts';
import { codeOf } from '#base/errors.ts';
import { truncate } from '#base/text.ts';
import { type MemoryCorrected, memoryPut } from '#engine/wire/memory/memory-govern.ts';
import { noteFile, showFile } from './memory-files.ts';
import {
  audiencesOf,
  forgetRecords,
  isForgottenBy,
  type MemoryEntry,
  meant,
  pinRecord,
  recordLine,
  records,
  reportOutcome,
  showBudget,
} from './memory-records.ts';

const found = 8;
/** Among so many of the newest, an id may be given by its end. */
const reach = 1_000;

/** `/memory ...`: searches, lists, adds to and deletes what is remembered of this chat. */
export const memoryCommand: CommandHandler = async (call) => {
  const [, action = '', rest = ''] = /^(\S+)\s*([\s\S]*)$/.exec(call.args) ?? [];
  switch (action.toLowerCase()) {
    case 'search':
      return search(call, rest);
    case 'save':
      return save(call, rest);
    case 'correct':
      return correct(call, rest);
    case 'forget':
      return forget(call, rest);
    case 'recent':
      return recent(call, rest);
    case 'pinned':
      return records(call, { pinned: true });
    case 'key':
      return records(call, { key: rest });
    case 'tag':
      return records(call, { tag: rest });
    case 'pin':
    case 'unpin':
      return pinRecord(call, rest, action.toLowerCase() === 'pin');
    case 'worked':
    case 'failed':
      return reportOutcome(call, rest, action.toLowerCase() === 'worked' ? 'success' : 'failure');
    case 'budget':
      return showBudget(call);
    case 'file':
      return showFile(call, audiencesOf(call), rest);
    case 'note':
      return noteFile(call, audiencesOf(call)[0], rest);
    default:
      throw refusal(({ memory: words }, command) => words.how({ command }));
  }
};

/** Of each exchange the piece in which someone speaks: the others are pieces of a long answer, and say nothing on their own. */
function oncePerRun(items: readonly MemoryEntry[]): MemoryEntry[] {
  const first = new Map<string, MemoryEntry>();
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

/** The label of an answer in the text of an exchange. */
const answered = /\s*^assistant answered: /m;

/** What was written, without the answer. */
function entryLine(item: MemoryEntry, phrases: Phrases): string {
  const [userText = ''] = item.content.split(answered);
  const words =
    item.source_type === 'exchange' && userText !== '' ? userText.replace(spoken, '$1: ') : item.content;
  return recordLine({ ...item, content: words }, phrases);
}

/**
 * What was said, before what was only asked: of an exchange the person's words; of a question its answer, since who searches has a question
 * already; the answer also where only that has the words. A question without an answer tells nothing, and is left out.
 */
function whatWasSaid<Item extends MemoryEntry>(items: readonly Item[], query: string): Item[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  const has = (text: string): boolean => words.some((word) => text.toLowerCase().includes(word));
  const told: Item[] = [];
  const asked: Item[] = [];
  for (const item of items) {
    const [userText = '', answer = ''] = item.content.split(answered);
    if (item.source_type !== 'exchange' || userText === '') told.push(item);
    else if (!isQuestion(userText.replace(spoken, '')))
      told.push({
        ...item,
        content: has(userText) || !has(answer) ? userText.replace(spoken, '$1: ') : answer,
      });
    else if (answer !== '') asked.push({ ...item, content: answer });
  }
  return [...told, ...asked];
}

/** Whether all sentences are questions. */
function isQuestion(text: string): boolean {
  return /^(?:[^.!?]*\?\s*)+$/.test(text.trim());
}

async function search(call: CommandCall, words: string): Promise<string> {
  if (words === '') throw refusal(({ memory: texts }, command) => texts.searchHow({ command }));
  const query = truncate(words, 1_000);
  const all = await Promise.all(
    audiencesOf(call).map((audience) =>
      call.engine.searchMemory({ query, audience, agent: call.agent, limit: found }),
    ),
  );
  const results = all
    .flatMap((each) => each.results)
    .sort((a, b) => b.score - a.score)
    .slice(0, found);
  const shown = whatWasSaid(results, query);
  if (shown.length === 0) return call.phrases.memory.nothingFound;
  return shown.map((item) => recordLine(item, call.phrases)).join('\n');
}

async function save(call: CommandCall, text: string): Promise<string> {
  const { engine, ledger, row } = call;
  const words = call.phrases.memory;
  if (text === '') throw refusal(({ memory: texts }, command) => texts.saveHow({ command }));
  const place = messageAudienceIn(ledger, row);
  const { space } = place;
  // where each chat remembers only itself, a note saved there stays in it too
  const restricted = place.restricted || call.access.profile.memory === 'chat-only';
  const [audience] = audiencesOf(call);
  const sessionID = ledger.bindings.sessionOf(row.lane);
  const put = {
    content: truncate(text, 20_000),
    audience,
    // what is saved is for the assistant that answers here
    agent: call.agent,
    said: saidIn(call),
    ...(sessionID === undefined ? {} : { session_id: sessionID }),
    private: restricted,
    channel_tag: row.address.platform,
    metadata: { said_by: row.event.actor.name },
    ...(space === undefined || restricted ? {} : { space }),
  };
  const { status, id, redacted } = await engine.putMemory(memoryPut.parse(put));
  if (status !== 'stored' || id === null) return notStored(status, words);
  await ledger.commit(() => ledger.savedNotes.add({ inboxID: row.id, memoryID: id, audience }), 'written');
  const at = { id: codeSpan(shortOf(id)) };
  return redacted.length === 0 ? words.saved(at) : words.savedMasked(at);
}

/** Who says what is stored, and in which message: it is forgotten with them. */
const saidIn = ({ row }: CommandCall) => ({
  person: row.person,
  platform: row.address.platform,
  chat: formatAddress(row.address),
  message_ids: [row.event.nativeID],
});

/** Why nothing was stored. */
function notStored(status: MemoryCorrected['status'], words: Phrases['memory']): string {
  switch (status) {
    case 'stored':
    case 'duplicate':
      return words.known;
    case 'forgotten':
    case 'retracted':
      return words.deletedBefore;
    case 'nothing to store':
      return words.nothingToSave;
  }
}

/** Writes a new version of what was saved here; the former ones stay readable. In a room only owners may. */
async function correct(call: CommandCall, typed: string): Promise<string> {
  const { engine, ledger, row, role } = call;
  const words = call.phrases.memory;
  const [, shortID = '', text = ''] = /^(\S*)\s*([\s\S]*)$/.exec(typed) ?? [];
  if (text === '') throw refusal(({ memory: texts }, command) => texts.correctHow({ command }));
  if (row.address.kind !== 'dm' && role !== 'owner')
    throw refusal(({ memory: texts }) => texts.ownersCorrect);
  const { item, audience } = await meant(call, shortID);
  const content = truncate(text, 20_000);
  if (content === item.content) return words.known;
  try {
    const done = await engine.correctMemory({ id: item.id, audience, content, said: saidIn(call) });
    const { id, version, status } = done;
    if (status !== 'stored' || id === null || version === null) return notStored(status, words);
    await ledger.commit(() => ledger.savedNotes.add({ inboxID: row.id, memoryID: id, audience }), 'written');
    return words.corrected({ version, id: codeSpan(shortOf(id)) });
  } catch (error) {
    if (codeOf(error) !== 'not_correctable' && codeOf(error) !== 'memory_not_found') throw error;
    throw refusal(({ memory: texts }) => texts.notCorrectable);
  }
}

async function forget(call: CommandCall, typed: string): Promise<string> {
  const { engine, row, role } = call;
  if (typed === '') throw refusal(({ memory: words }, command) => words.forgetHow({ command }));
  if (row.address.kind !== 'dm' && role !== 'owner') throw refusal(({ memory: words }) => words.ownersForget);
  const [, yes, word = '', value = ''] = /^(yes\s+)?(\w+)(?:\s+([\s\S]*))?$/i.exec(typed) ?? [];
  const by = word.toLowerCase();
  if (isForgottenBy(by))
    return forgetRecords(call, {
      by,
      value: value.trim(),
      apply: yes !== undefined,
    });
  const { item, audience } = await meant(call, typed);
  try {
    await engine.deleteMemory({ id: item.id, audience, reason: 'asked in the chat' });
  } catch (error) {
    if (codeOf(error) !== 'memory_not_found') throw error; // deleted a moment ago
  }
  return call.phrases.memory.deleted({ text: escapeMarkdown(truncate(item.content, 100)) });
}

async function recent(call: CommandCall, typed: string): Promise<string> {
  const lists = await Promise.all(
    audiencesOf(call).map((audience) => call.engine.listMemory({ audience, limit: reach, offset: 0 })),
  );
  const all = lists.flatMap((list) => list.items).sort((a, b) => b.created_at_ms - a.created_at_ms);
  const { phrases, command } = call;
  if (all.length === 0) return phrases.memory.nothingYet;
  const items = oncePerRun(all);
  const { shown, foot } = paginate(items, { typed, words: 'memory recent', phrases, command });
  return [
    shown.map((item) => entryLine(item, phrases)).join('\n'),
    ...(foot === undefined ? [] : [foot]),
  ].join('\n\n');
}
