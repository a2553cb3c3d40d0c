// `/memory` over records: those with a key, a tag or a pin, shown and forgotten; pinned and unpinned; and how procedures went.

import type { CommandCall } from '#adapters/gateway/commands/command-context.ts';
import { messageAudienceIn } from '#adapters/gateway/ledger/lane.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { NameCommand } from '#adapters/gateway/phrases/forms.ts';
import { formatAddress } from '#adapters/gateway/terms/address.ts';
import { commandNamer } from '#adapters/gateway/terms/command-names.ts';
import {
  byShortID,
  codeSpan,
  escapeMarkdown,
  refusal,
  shortOf,
} from '#adapters/gateway/terms/command-reply.ts';
import { codeOf } from '#base/errors.ts';
import { truncate } from '#base/text.ts';
import {
  type MemoryEntries,
  type MemoryList,
  type MemorySearch,
  memoryKinds,
} from '#engine/wire/memory/memory.ts';

export type MemoryEntry = MemoryEntries['items'][number];
type Audience = NonNullable<MemorySearch['audience']>;

/** Records that one answer shows, and those among which an id may be given by its end. */
const [shown, reach] = [20, 1_000];

/** The audiences whose memory this chat may manage: the room, or in private each account of the person. */
export function audiencesOf({ ledger, row }: CommandCall): [Audience, ...Audience[]] {
  const own = messageAudienceIn(ledger, row).audience as Audience; // `person:` or `room:`, as placeOf makes them
  const { key } = ledger.persons.standingOf(row.person);
  if (row.address.kind !== 'dm' || key === undefined) return [own];
  const others = ledger.persons.idsOf(key).map((id): Audience => `person:${id}`);
  return [own, ...others.filter((audience) => audience !== own)];
}

/** One line of a list: the entry's text, and the end of its id. */
export const recordLine = (
  { id, content, created_at_ms: atMs }: MemoryEntry,
  { memory: words }: Phrases,
): string => `- ${codeSpan(shortOf(id))} ${escapeMarkdown(truncate(content, 200))} (${words.day({ atMs })})`;

/** Lists the records of this chat with a key or a tag, or the pinned ones. */
export async function records(
  call: CommandCall,
  of: Pick<MemoryList, 'key' | 'tag' | 'pinned'>,
): Promise<string> {
  const { memory: words } = call.phrases;
  const typed = of.key ?? of.tag;
  if (typed === '') throw refusal(({ memory: texts }, command) => texts.lookupHow({ command }));
  const narrowed =
    of.tag === undefined
      ? { ...of, ...(of.key && { key: truncate(of.key, 200) }) }
      : { tag: truncate(of.tag, 60) };
  const lists = await Promise.all(
    audiencesOf(call).map((audience) =>
      call.engine.listMemory({ audience, ...narrowed, limit: shown, offset: 0 }),
    ),
  );
  const items = lists.flatMap((list) => list.items).slice(0, shown);
  if (items.length === 0) return of.pinned === true ? words.nothingPinned : words.nothingFound;
  return items.map((item) => recordLine(item, call.phrases)).join('\n');
}

/** What `/memory forget` chooses by, each with the field of the call that it is. */
const forgottenBy = {
  kind: 'kind',
  key: 'key',
  tag: 'tag',
  agent: 'agent',
  person: 'person',
  chat: 'chat',
  project: 'project_id',
  source: 'source',
  session: 'session_id',
  run: 'run_id',
  since: 'from_ms',
  before: 'until_ms',
} as const;
type ForgottenBy = keyof typeof forgottenBy;

export function isForgottenBy(word: string): word is ForgottenBy {
  return Object.hasOwn(forgottenBy, word);
}

/** Records that are shown before they are forgotten, for each audience. */
const sampled = 5;

/**
 * Forgets what this chat remembers of one kind, with a key or a tag, or from one agent, person, chat, project, file, session, run or time, with all
 * that was made of it. It is shown first: only with `apply` is it forgotten.
 */
export async function forgetRecords(
  call: CommandCall,
  { by, value, apply }: { by: ForgottenBy; value: string; apply: boolean },
): Promise<string> {
  const { memory: words } = call.phrases;
  if (value === '') throw refusal(({ memory: texts }, command) => texts.forgetHow({ command }));
  const isHere = by === 'chat' && /^(?:here|hier)$/i.test(value);
  const of = selectionOf(by, isHere ? formatAddress(call.row.address) : value);
  const reason = 'asked in the chat';
  const found = await Promise.all(
    audiencesOf(call).map((audience) => call.engine.forgetMemory({ audience, ...of, apply, reason })),
  );
  const sum = (read: (each: (typeof found)[number]) => number): number =>
    found.reduce((total, each) => total + read(each), 0);
  const n = sum(({ entries }) => entries);
  if (n === 0) return words.nothingSuch;
  if (apply)
    return [
      words.recordsForgotten({ n }),
      sum(({ remains }) => remains.length) === 0 ? words.erasedAll : words.tracesLeft,
    ].join(' ');
  const lines = found.flatMap(({ samples }) => samples.slice(0, sampled));
  const command: NameCommand = commandNamer(call.row.address, call.phrases);
  return [
    words.forgetPreview({ n, pinned: sum(({ pinned }) => pinned) }),
    lines.map((item) => recordLine(item, call.phrases)).join('\n'),
    words.forgetConfirm({ command, words: `memory forget yes ${by} ${value}` }),
  ].join('\n\n');
}

function selectionOf(by: ForgottenBy, value: string) {
  if (by === 'since' || by === 'before') {
    const at = Date.parse(value);
    if (!Number.isFinite(at))
      throw refusal(({ memory }) => memory.noDate({ typed: codeSpan(truncate(value, 60)) }));
    return { [forgottenBy[by]]: at };
  }
  if (by !== 'kind') return { [forgottenBy[by]]: truncate(value, by === 'tag' ? 60 : 200) };
  const kind = memoryKinds.find((each) => each === value.toLowerCase());
  if (kind === undefined) throw refusal(({ memory }) => memory.kinds({ kinds: memoryKinds }));
  return { kind };
}

/** Pins a record of this chat to every prompt, or unpins it; in a room only owners may. */
export async function pinRecord(call: CommandCall, typed: string, pinned: boolean): Promise<string> {
  const { engine, row, role } = call;
  if (typed === '') throw refusal(({ memory: words }, command) => words.pinHow({ command }));
  if (row.address.kind !== 'dm' && role !== 'owner') throw refusal(({ memory: words }) => words.ownersPin);
  const { item, audience } = await meant(call, typed);
  try {
    await engine.pinMemory({ id: item.id, audience, pinned });
  } catch (error) {
    if (codeOf(error) !== 'memory_not_found') throw error;
    throw refusal(({ memory: words }) => words.noRecord);
  }
  const { memory: words } = call.phrases;
  const text = escapeMarkdown(truncate(item.content, 100));
  return pinned ? words.pinned({ text }) : words.unpinned({ text });
}

/** Stores that a procedure worked or failed, with the text behind the id as the reason. */
export async function reportOutcome(
  call: CommandCall,
  typed: string,
  outcome: 'success' | 'failure',
): Promise<string> {
  const [, id = '', note = ''] = /^(\S*)\s*([\s\S]*)$/.exec(typed) ?? [];
  if (id === '') throw refusal(({ memory: words }, command) => words.reportHow({ command }));
  const { item, audience } = await meant(call, id);
  const withNote = note === '' ? {} : { note: truncate(note, 2_000) };
  try {
    const { successes, failures } = await call.engine.signalMemory({
      ...{ id: item.id, audience, outcome },
      ...withNote,
    });
    return call.phrases.memory.reported({ successes, failures });
  } catch (error) {
    if (codeOf(error) !== 'not_a_procedure' && codeOf(error) !== 'memory_not_found') throw error;
    throw refusal(({ memory: words }) => words.noProcedure);
  }
}

/** Shows how much of its budget this chat's memory uses, and which records would be removed next. */
export async function showBudget(call: CommandCall): Promise<string> {
  const { memory: words } = call.phrases;
  const lists = await Promise.all(
    audiencesOf(call).map((audience) => call.engine.memoryBudgets({ audience })),
  );
  const reports = lists.flatMap(({ budgets }) => budgets);
  if (reports.length === 0) return words.noBudget;
  return reports
    .flatMap(({ uses, next }) => [
      ...uses.map(({ bound, used, limit }) => `- ${words.budgetUse({ bound, used, limit })}`),
      ...(next === null ? [] : [words.budgetNext({ step: next.step, n: next.memory_ids.length })]),
    ])
    .join('\n');
}

/** The entry of this chat's memory with this id, or with this end of an id. */
export async function meant(
  call: CommandCall,
  typed: string,
): Promise<{ item: MemoryEntry; audience: Audience }> {
  const lists = await Promise.all(
    audiencesOf(call).map(async (audience) => {
      const { items } = await call.engine.listMemory({ audience, limit: reach, offset: 0 });
      return items.map((item) => ({ item, audience }));
    }),
  );
  return byShortID(typed, lists.flat(), (one) => one.item.id);
}
