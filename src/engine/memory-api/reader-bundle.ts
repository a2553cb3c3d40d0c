// What memory adds to the bundle with which an agent wakes: what its person pinned, and what is known of what the agent is about to do.
import { truncate } from '#base/text.ts';
import type { ReaderResult } from '#engine/wire/memory/reader.ts';
import type { BundleMemory } from '#engine/wire/memory/reader-memory.ts';
import type { ReaderOperation } from '#engine/wire/memory/reader-operations.ts';
import type { Memory } from '#memory/types/contract.ts';
import {
  type JournalCaller,
  type JournalEntry,
  journalPlatform,
  type LeftOut,
} from '#memory/types/journal.ts';
import type { SearchResult } from '#memory/types/recall.ts';
import { sourceOf } from '#memory/types/record.ts';
import { readerEntryOf } from './reader-lookup.ts';
import { itemOf, maxLooked } from './reader-memory.ts';

/** Items of each part, and characters of the text of one. */
const [maxItems, maxText] = [8, 500];
/** Results that are looked at: those of the journal are in its own sections. */
const maxHits = 24;

/** Over the memory of the engine; `may` says whether the policy lets a caller do an operation: what it may not look up or search is not here either. What is sensitive comes up by no bundle; each item says who said it, when and where, or which source it has. */
export function createReaderBundle(
  memory: Pick<Memory, 'journal' | 'marked' | 'search' | 'records'>,
  may: (operation: ReaderOperation) => (caller: JournalCaller) => boolean,
): (caller: JournalCaller, input: unknown) => Promise<ReaderResult<'bundle'>> {
  return async (caller, input) => {
    const bundle = await memory.journal.bundle(caller, input);
    const { intent } = input as { intent?: string }; // the journal checked it
    const pins = may('memoryLookup')(caller) ? await pinnedBy(caller, memory) : [];
    const pinned = bundle.depth === 'brief' ? [] : pins.slice(0, maxItems);
    const isAsked = intent !== undefined && intent !== '' && may('memorySearch')(caller);
    const hits = !isAsked
      ? undefined
      : bundle.intentSaysNothing === true
        ? { hits: [], degraded: [] }
        : await hitsOf(caller, memory, intent);
    return {
      ...bundle,
      sections: { ...bundle.sections, ...rankedGotchas(bundle.sections.gotchas, hits) },
      memory: {
        pinned: pinned.map(({ record }) => itemOf(record, maxText)),
        ...(hits !== undefined && knownOf(hits)),
      },
      leftOut: [...bundle.leftOut, ...leftOfPins(pins, pinned.length)],
    };
  };
}

/** As many as one lookup shows. */
const maxPage = 50;

/** What a lookup of the pins shows after the first so many of a bundle: it has those of others too, so that its pages count them. */
function leftOfPins(pins: Awaited<ReturnType<typeof pinnedBy>>, shown: number): LeftOut[] {
  const all = pins.length - shown;
  if (all <= 0) return [];
  const from = shown === 0 ? {} : { cursor: String((pins[shown - 1]?.place ?? 0) + 1) };
  const call = { tool: 'memory_lookup', arguments: { pinned: true, limit: maxPage, ...from } };
  return [{ section: 'pinned', items: all, ...(pins.length >= maxLooked && { more: true as const }), call }];
}

/** What the reader itself pinned: preferences, facts and notes, changed last first, each with its place among all pins that it may read. */
async function pinnedBy({ scope, where, own = [] }: JournalCaller, memory: Pick<Memory, 'marked'>) {
  const mine = new Set<string>([where.audience, ...own]);
  const records = await memory.marked({ scope, pinned: true, limit: maxLooked });
  return records
    .map((record, place) => ({ record, place }))
    .filter(({ record }) => mine.has(record.audience) && record.sensitivity !== 'sensitive');
}

/** Not of a project alone: what a person says in chats has none. */
async function hitsOf(
  { scope }: JournalCaller,
  memory: Pick<Memory, 'search' | 'records'>,
  intent: string,
): Promise<Found> {
  const found = await memory.search({ text: truncate(intent, 1_000), scope, limit: maxHits });
  const ids = found.hits.flatMap(({ recordID }) => recordID ?? []);
  const records = ids.length === 0 ? [] : await memory.records({ scope, ids });
  const byID = new Map(records.map((record) => [record.id, record]));
  const shown = found.hits.flatMap((hit) => {
    const record = byID.get(hit.recordID ?? '');
    if (record?.sensitivity === 'sensitive') return [];
    return [{ ...hit, ...(record !== undefined && { from: sourceOf(record) }) }];
  });
  return { ...found, hits: shown };
}

/** What a search found, of a record with what it comes from. */
type Found = Omit<SearchResult, 'hits'> & { hits: (SearchResult['hits'][number] & { from?: string })[] };

function knownOf({ hits, degraded }: Found): Pick<BundleMemory, 'aboutIntent' | 'degraded'> {
  const found = hits.filter(({ platform }) => platform !== journalPlatform).slice(0, maxItems);
  return {
    aboutIntent: found.map((hit) => ({
      ...readerEntryOf(hit, maxText),
      ...(hit.from !== undefined && { source: hit.from }),
    })),
    ...(degraded.length > 0 && { degraded }),
  };
}

/** The gotchas in the order that memory's own ranking gives them; those that it has not among its best come after, as they were. */
function rankedGotchas(gotchas: JournalEntry[] | undefined, found: Found | undefined) {
  if (gotchas === undefined || found === undefined) return {};
  const places = found.hits.filter(({ platform }) => platform === journalPlatform);
  const placeOf = ({ id }: JournalEntry): number => {
    const place = places.findIndex(({ sessionID }) => sessionID === id);
    return place === -1 ? places.length : place;
  };
  return { gotchas: gotchas.toSorted((a, b) => placeOf(a) - placeOf(b)) };
}
