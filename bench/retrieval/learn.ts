// `npm run learn:ranking -- --data FILE`: learns the weights of the ranking, tells what they reach on conversations they have not seen, writes them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { createMemory } from '#memory/memory.ts';
import { type Look, lookAt } from '#memory/search/find.ts';
import { firstFeatures } from '#memory/search/first-look.ts';
import { firstVectors, secondNames, secondVectors } from '#memory/search/learned.ts';
import { createPools } from '#memory/search/pool.ts';
import { readableBy } from '#memory/store/audience.ts';
import { messageIDsOf } from '#memory/store/chunk-row.ts';
import { openStore } from '#memory/store/store.ts';
import { loadSqliteVec } from '#memory/store/vectors.ts';
import { importConversations, readConversations, scopeOf } from './conversations.ts';
import { type Answered, figuresOf, lineOf, tableHead } from './figures.ts';
import { type List, learnSoftmax } from './softmax.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    /** Leaves features out by name, to see what they are worth; nothing is written then. */
    without: { type: 'string', multiple: true, default: [] },
    penalty: { type: 'string', default: '0.001' },
    'no-write': { type: 'boolean', default: false },
  },
});
if (values.data === undefined) throw new Error('Expected --data FILE with conversations and questions.');
const penalty = Number(values.penalty);
const left = new Set(values.without);

/** A word of the question that is met, or a neighbour's, can help a passage and never hurt it. */
const helping =
  'words subject coverage count rarest sentence told pairs about around1 around2 around4 leadingUp session sessionBest answersMatch month day year';
const helpingFirst = placesOf(Object.keys(firstFeatures), helping);
const helpingSecond = placesOf(secondNames, 'score share sessionLog');

function placesOf(names: readonly string[], wanted: string): ReadonlySet<number> {
  return new Set(wanted.split(' ').map((name) => names.indexOf(name)));
}

/** Candidates of a question that are learned from, beside the right ones. */
const mostLearned = 80;
/** An order to begin with, before anything is learned. */
function guessed({ look }: Case): readonly number[] {
  const { words, around2, session, named } = look.evidence();
  const of = (column: Float64Array, place: number): number => column[place] ?? 0;
  return [...words].map(
    (own, place) => own + (of(around2, place) + of(session, place)) / 2 + 0.4 * of(named, place),
  );
}

interface Case {
  conversation: string;
  category: string;
  evidence: readonly string[];
  look: Look;
  ids: readonly string[];
  mayAnswer: readonly boolean[];
  first: number[][];
}

const folder = mkdtempSync(join(tmpdir(), 'parley-learn-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const cases = await readCases(values.data);
const conversations = [...new Set(cases.map((one) => one.conversation))];

// a first score is always one that did not see its own conversation, in learning the second look as in judging it
const firstScores = heldOut((one) => one.first, guessed, helpingFirst);
const seconds = new Map(
  cases.map((one) => {
    const vectors = secondVectors(one.look.dialogue(), one.first, firstScores.get(one) ?? []);
    return [one, without(vectors, secondNames)];
  }),
);
const secondOf = (one: Case): number[][] => seconds.get(one) ?? [];
const firstOf = (one: Case): readonly number[] => firstScores.get(one) ?? [];
const secondScores = heldOut(secondOf, firstOf, helpingSecond);

const print = (line: string): void => void process.stdout.write(`${line}\n`);
print(
  `leave one conversation out, penalty ${penalty}${left.size > 0 ? `, without ${[...left].join(' ')}` : ''}`,
);
print(tableHead);
print(lineOf('first look', figuresOf(cases.map((one) => answered(one, firstOf(one))))));
const second = cases.map((one) => answered(one, secondScores.get(one) ?? []));
print(lineOf('second look', figuresOf(second)));
for (const [category, list] of Map.groupBy(second, (one) => one.category))
  print(lineOf(`  ${category}`, figuresOf(list)));
const reached = figuresOf(
  cases.map((one) => {
    const candidates = one.ids.filter((_, place) => one.mayAnswer[place]);
    const found = one.evidence.filter((id) => candidates.includes(id));
    return { category: one.category, evidence: one.evidence, found };
  }),
);
print(`evidence among the candidates: ${reached.recall20}`);

if (left.size === 0 && !values['no-write']) {
  const lists = listsOf(cases, (one) => one.first, guessed);
  const first = learnSoftmax(lists, { penalty, helping: helpingFirst });
  const learned = learnSoftmax(listsOf(cases, secondOf, firstOf), { penalty, helping: helpingSecond });
  const ranking = {
    first: rounded(Object.keys(firstFeatures), first),
    second: rounded(secondNames, learned),
  };
  const path = join(import.meta.dirname, '../../src/memory/search/ranking.json');
  writeFileSync(path, `${JSON.stringify(ranking, null, 2)}\n`);
}
print(JSON.stringify({ judged: 'leave one conversation out', ...figuresOf(second) }));

/** Scores of every case by weights that were learned from the other conversations. */
function heldOut(
  vectors: (one: Case) => number[][],
  promise: (one: Case) => readonly number[],
  helping: ReadonlySet<number>,
): Map<Case, number[]> {
  const scores = new Map<Case, number[]>();
  for (const held of conversations) {
    const seen = cases.filter((one) => one.conversation !== held);
    const weights = learnSoftmax(listsOf(seen, vectors, promise), { penalty, helping });
    for (const one of cases) {
      if (one.conversation !== held) continue;
      scores.set(
        one,
        vectors(one).map((vector) => dot(vector, weights)),
      );
    }
  }
  return scores;
}

function rounded(names: readonly string[], weights: Float64Array): Record<string, number> {
  return Object.fromEntries(
    names.map((name, index) => [name, Math.round(1000 * (weights[index] ?? 0)) / 1000]),
  );
}

async function readCases(path: string): Promise<Case[]> {
  const read = readConversations(path);
  const file = join(folder, 'memory.sqlite');
  const memory = createMemory({ path: file, clock: systemClock, newId: createIds(systemClock) });
  await importConversations(memory, read, join(folder, 'transcripts'));
  await memory.close();
  const store = openStore({
    path: file,
    clock: systemClock,
    newId: createIds(systemClock),
    loadVectorExtension: loadSqliteVec,
  });
  const pools = createPools(store.chunks);
  const found = read.flatMap(({ id, questions }) =>
    questions.map(({ question, category, evidence }): Case => {
      const readable = readableBy(scopeOf(id), { projectID: id });
      const now = store.chunks.changes();
      const pool = pools(readable, now);
      const look = lookAt({ chunks: store.chunks, pool }, { text: question, readable, now, limit: 20 });
      const rows = look.dialogue().passages.map((passage) => passage.row);
      const chunks = pool.read(rows);
      const messageOf = (row: number): string => {
        const chunk = chunks.get(row);
        return (chunk && messageIDsOf(chunk)[0]) ?? '';
      };
      return {
        conversation: id,
        category,
        evidence,
        look,
        ids: rows.map((row) => messageOf(row)),
        mayAnswer: rows.map((row) => look.answers.has(row)),
        first: without(firstVectors(look.evidence(), look.question()), Object.keys(firstFeatures)),
      };
    }),
  );
  store.close();
  return found;
}

/** The right answers and the most promising of the others: those are what a ranking is confused by. */
function listsOf(
  of: readonly Case[],
  vectors: (one: Case) => number[][],
  promise: (one: Case) => readonly number[],
): List[] {
  return of.flatMap((one) => {
    const all = vectors(one);
    const worth = promise(one);
    const isRight = (place: number): boolean => one.evidence.includes(one.ids[place] ?? '');
    const places = [...one.ids.keys()].filter((place) => one.mayAnswer[place]);
    const ranked = places.sort((a, b) => (worth[b] ?? 0) - (worth[a] ?? 0));
    const kept = ranked.filter((place, rank) => rank < mostLearned || isRight(place));
    const right = kept.filter(isRight).length;
    if (right === 0) return [];
    return [
      {
        rows: kept.map((place) => all[place] ?? []),
        right: kept.map((place) => (isRight(place) ? 1 / right : 0)),
      },
    ];
  });
}

function without(vectors: number[][], names: readonly string[]): number[][] {
  if (left.size === 0) return vectors;
  return vectors.map((vector) => vector.map((value, index) => (left.has(names[index] ?? '') ? 0 : value)));
}

function answered(one: Case, scores: readonly number[]): Answered {
  const order = [...one.ids.keys()]
    .filter((index) => one.mayAnswer[index])
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
  return {
    category: one.category,
    evidence: one.evidence,
    found: order.map((index) => one.ids[index] ?? ''),
  };
}

function dot(a: readonly number[], b: Float64Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}
