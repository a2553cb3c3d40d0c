// `npm run learn:ranking -- --data FILE...`: learns the weights of the ranking from turns and exchanges alike, tells what they reach on
// conversations that they have not seen, and writes them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { finish } from '#base/sql/work.ts';
import { messageIDsOf } from '#memory/chunks/chunk-row.ts';
import { createMemory } from '#memory/memory.ts';
import { features } from '#memory/search/features.ts';
import { lookAt } from '#memory/search/find.ts';
import { openStore } from '#memory/store/store.ts';
import { readableBy } from '#memory/tables/audience.ts';
import { argumentsOf, refuseArguments } from '../harness/arguments.ts';
import {
  archiveConversations,
  type Conversation,
  exchangeOfTurn,
  importConversations,
  readConversations,
  scopeOf,
} from './conversations.ts';
import { type Answered, figuresOf, lineOf, tableHead } from './figures.ts';
import { learnSoftmax } from './softmax.ts';

/** A word of the question that is met can help a candidate and never hurt it. */
const helping =
  'words subject coverage count sentence told pairs about around1 around2 around4 leadingUp session sessionBest answersMatch saidWords answeredWords month day year'.split(
    ' ',
  );

const { values } = argumentsOf({
  name: 'learn:ranking',
  about:
    'Learns the weights of the ranking from conversations, reports what they reach on those that they have not seen, and writes them.',
  options: {
    data: { value: 'FILE', isMany: true, about: 'conversations with questions' },
    without: {
      value: 'FEATURE',
      isMany: true,
      about: 'leaves it out, to see what it is worth; nothing is written then',
    },
    penalty: { standard: '0.003', about: 'on large weights' },
    'no-write': { isSwitch: true, about: 'writes nothing' },
  },
});
if (values.data.length === 0)
  refuseArguments('learn:ranking', 'Expected --data FILE with conversations and questions, got none.');
const penalty = Number(values.penalty);
if (!(penalty >= 0)) refuseArguments('learn:ranking', `--penalty expects a number, got "${values.penalty}".`);
const names = Object.keys(features).filter((name) => !values.without.includes(name));
const helpful = new Set(helping.map((name) => names.indexOf(name)).filter((place) => place >= 0));

interface Case extends Pick<Answered, 'category' | 'evidence'> {
  kind: string;
  conversation: string;
  ids: readonly string[];
  rows: readonly (readonly number[])[];
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const folder = mkdtempSync(join(tmpdir(), 'parley-learn-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const cases: Case[] = [];
for (const [index, path] of values.data.entries())
  for (const as of ['turns', 'exchanges'] as const)
    cases.push(...(await readCases(readConversations(path), as, `${index}-${as}`)));

print(`leave one conversation out, penalty ${penalty}, ${names.length} features`);
const scores = new Map<Case, readonly number[]>();
for (const conversation of new Set(cases.map((one) => one.conversation))) {
  const weights = learn(cases.filter((one) => one.conversation !== conversation));
  for (const one of cases) if (one.conversation === conversation) scores.set(one, scoresOf(one, weights));
}
print(tableHead);
const judged: Record<string, unknown> = {};
for (const [kind, list] of Map.groupBy(cases, (one) => one.kind)) {
  const figures = figuresOf(list.map((one) => answered(one, scores.get(one) ?? [])));
  judged[kind] = figures;
  print(lineOf(kind, figures));
}
if (values.without.length === 0 && !values['no-write']) {
  const weights = learn(cases);
  const ranking = Object.fromEntries(
    names.map((name, place) => [name, Math.round(1000 * (weights[place] ?? 0)) / 1000]),
  );
  const path = join(import.meta.dirname, '../../src/memory/search/ranking.json');
  writeFileSync(path, `${JSON.stringify(ranking, null, 2)}\n`);
}
print(JSON.stringify({ judged: 'leave one conversation out', ...judged }));

/** Every candidate is learned from: from only the most promising ones, the ranking never learns to tell what looks bad at first sight from what is right. */
function learn(from: readonly Case[]): Float64Array {
  const lists = from.flatMap(({ ids, rows, evidence }) => {
    const right = ids.filter((id) => evidence.includes(id)).length;
    return right === 0 ? [] : [{ rows, right: ids.map((id) => (evidence.includes(id) ? 1 / right : 0)) }];
  });
  return learnSoftmax(lists, { penalty, helping: helpful });
}

function scoresOf({ rows }: Case, weights: Float64Array): number[] {
  return rows.map((row) => row.reduce((sum, value, place) => sum + value * (weights[place] ?? 0), 0));
}

function answered({ category, evidence, ids }: Case, of: readonly number[]): Answered {
  const order = [...ids.keys()].sort((a, b) => (of[b] ?? 0) - (of[a] ?? 0));
  return { category, evidence, found: [...new Set(order.map((place) => ids[place] ?? ''))] };
}

async function readCases(
  conversations: readonly Conversation[],
  as: 'turns' | 'exchanges',
  name: string,
): Promise<Case[]> {
  const path = join(folder, `${name}.sqlite`);
  const memory = createMemory({ path, clock: systemClock, newId: createIds(systemClock) });
  if (as === 'turns') await importConversations(memory, conversations, join(folder, name));
  else await archiveConversations(memory, conversations);
  await memory.close();
  const store = openStore({ path, clock: systemClock, newId: createIds(systemClock) });
  const found = conversations.flatMap((conversation) => {
    const { id, questions } = conversation;
    const exchanges = as === 'turns' ? undefined : exchangeOfTurn(conversation);
    const readable = readableBy(scopeOf(id), { projectID: id });
    return questions.map(({ question, category, evidence }): Case => {
      const look = finish(lookAt(store.searched, { text: question, readable, limit: 20 }))?.evidence;
      if (look === undefined) throw new Error('Expected candidates to be looked at, whatever they meet.');
      const places = [...look.entries.keys()].filter((place) => look.mayAnswer[place]);
      const idOf = (place: number): string => {
        const chunk = look.entries[place]?.chunk;
        return (chunk && messageIDsOf(chunk)[0]) ?? '';
      };
      const vectors = places.map((place) =>
        names.map((feature) => {
          const entry = look.entries[place];
          return entry === undefined ? 0 : (features[feature]?.(look, place, entry) ?? 0);
        }),
      );
      return {
        kind: name,
        conversation: id,
        category,
        evidence: [...new Set(evidence.map((turn) => exchanges?.get(turn) ?? turn))],
        ids: places.map(idOf),
        rows: vectors,
      };
    });
  });
  store.close();
  return found;
}
