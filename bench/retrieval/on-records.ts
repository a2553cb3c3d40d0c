// What each way of finding brings: generated records, looked up exactly, and asked for with one way off, or on, after the other.
import { join } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { createMemory } from '#memory/memory.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { RetrievalWays } from '#memory/types/recall.ts';
import type { Conversation } from './conversations.ts';
import { modelOf } from './models.ts';
import {
  asConversation,
  type Generated,
  generateRecords,
  type MadeRecord,
  type RecordQuestion,
} from './records.ts';

const where = { audience: 'person:bench', restricted: true } as const;
const scope = { audiences: [where.audience], spaces: [], everyone: false };
const by = { name: 'bench' };
const writtenAt = Date.UTC(2026, 0, 1);

const usual: RetrievalWays = {};
const off = { words: false, vectors: false, keys: false, pinned: false, procedures: false } as const;
/** By name: what is used. Those about vectors need a model. */
const variants: Record<string, RetrievalWays> = {
  usual,
  'with association': { association: true },
  'without words': { words: false },
  'without vectors': { vectors: false },
  'without keys': { keys: false },
  'without procedures': { procedures: false },
  'without pinned': { pinned: false },
  'only words': { ...off, words: true },
  'only words, and association': { ...off, words: true, association: true },
  'only vectors': { ...off, vectors: true },
};

type Shares = Record<string, number>;
/** Of the questions of each kind those whose record comes first, and that have it among so many. */
interface Found {
  first: Shares;
  five: Shares;
  ten: Shares;
}

export interface RecordFigures {
  records: number;
  questions: number;
  model: string;
  lookup: Shares;
  ways: Record<string, Found & { pinned: number }>;
}

/** Prints a table and gives the shares of right records that were found: exactly looked up, and for each variant by kind of question. */
export async function onRecords(
  folder: string,
  { model, print }: { model: string; print: (line: string) => void },
): Promise<RecordFigures> {
  const made = generateRecords();
  const conversations: Conversation[] = [asConversation(made)];
  const open = (ways: RetrievalWays) =>
    createMemory({
      path: join(folder, 'records.sqlite'),
      clock: systemClock,
      newId: createIds(systemClock),
      embedder: modelOf(model, conversations),
      ways,
    });
  const filled = open(usual);
  const ids = await fill(filled, made);
  while (model !== 'none' && (await filled.status()).waiting > 0) await systemClock.sleep(200);
  const lookup = await lookedUp(filled, made, ids);
  await filled.close();
  print(`${made.records.length} records; looked up: ${line(lookup)}`);
  const ways: RecordFigures['ways'] = {};
  for (const [name, use] of Object.entries(variants)) {
    if (model === 'none' && name.includes('vectors')) continue;
    const memory = open(use);
    const found = await asked(memory, made.questions, ids);
    const pinned = await pinnedIn(memory, made);
    await memory.close();
    ways[name] = { ...found, pinned };
    print(`${name}: pinned ${pinned}`);
    for (const [among, shares] of Object.entries(found)) print(`  ${among.padEnd(6)}${line(shares)}`);
  }
  return { records: made.records.length, questions: made.questions.length, model, lookup, ways };
}

const line = (shares: Shares): string =>
  Object.entries(shares)
    .map(([name, share]) => `${name} ${share}`)
    .join(', ');

/** Stores all of them; their ids by the names of the records. */
async function fill(memory: Memory, { records }: Generated): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const [index, { name, run = name, reports, ...record }] of records.entries()) {
    const saved = await memory.put({
      ...{ ...record, at: writtenAt + index * 60_000, where },
      ...{ speaker: { person: 'bench', name: 'bench' }, platform: 'bench', chat: 'bench' },
      ...{ sessionID: 'ses_bench', runID: `run_${run}`, messageIDs: [] },
    });
    if (saved.status !== 'stored') throw new Error(`${name}: ${saved.status}`);
    ids.set(name, saved.id);
    for (const outcome of reports ?? []) await memory.signal({ id: saved.id, scope, by, outcome });
  }
  return ids;
}

/** By key, tag, kind and pin: the share of right records that are found, times the share of right ones in what is found. */
async function lookedUp(memory: Memory, { records }: Generated, ids: Map<string, string>): Promise<Shares> {
  const each = async (query: object, right: Generated['records']): Promise<number> => {
    const found = (await memory.records({ scope, limit: 1_000, ...query })).map(({ id }) => id);
    const wanted = new Set(right.map(({ name }) => ids.get(name) ?? ''));
    const hits = found.filter((id) => wanted.has(id)).length;
    return (hits / wanted.size) * (hits / Math.max(1, found.length));
  };
  const tags = [...new Set(records.flatMap((record) => record.tags ?? []))];
  const kinds = [...new Set(records.map(({ kind }) => kind))];
  const sharesOf = async (queries: object[], isRight: (record: MadeRecord, query: object) => boolean) => {
    const shares: number[] = [];
    for (const query of queries)
      shares.push(
        await each(
          query,
          records.filter((record) => isRight(record, query)),
        ),
      );
    return mean(shares);
  };
  const has = (name: 'key' | 'kind' | 'pinned') => (record: MadeRecord, query: object) =>
    record[name] === Reflect.get(query, name);
  return {
    key: await sharesOf(
      records.flatMap(({ key }) => (key === undefined ? [] : [{ key }])),
      has('key'),
    ),
    tag: await sharesOf(
      tags.map((tag) => ({ tag })),
      (record, query) => record.tags?.includes(Reflect.get(query, 'tag')) === true,
    ),
    kind: await sharesOf(
      kinds.map((kind) => ({ kind })),
      has('kind'),
    ),
    pinned: await sharesOf([{ pinned: true }], has('pinned')),
  };
}

async function asked(
  memory: Memory,
  questions: readonly RecordQuestion[],
  ids: Map<string, string>,
): Promise<Found> {
  const places = new Map<string, number[]>();
  for (const { about, question, right } of questions) {
    const { hits } = await memory.search({ text: question, scope, limit: 10 });
    const place = hits.findIndex(({ recordID }) => recordID === ids.get(right));
    places.set(about, [...(places.get(about) ?? []), place]);
  }
  const among = (most: number): Shares =>
    Object.fromEntries(
      [...places].map(([about, all]) => [about, mean(all.map((place) => +(place >= 0 && place < most)))]),
    );
  return { first: among(1), five: among(5), ten: among(10) };
}

/** The share of pinned records that a prompt has which asks for none of them. */
async function pinnedIn(memory: Memory, { records }: Generated): Promise<number> {
  const { block } = await memory.recall({ text: 'Hello there', scope });
  return mean(records.filter(({ pinned }) => pinned).map(({ text }) => +block.includes(text)));
}

function mean(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0);
  return Math.round((1_000 * sum) / Math.max(1, values.length)) / 1_000;
}
