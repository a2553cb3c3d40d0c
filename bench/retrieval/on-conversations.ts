// Questions about conversations, put to search and to recall, with the rank at which their evidence came.
import { performance } from 'node:perf_hooks';
import type { Memory } from '#memory/types/contract.ts';
import { createBaseline } from './baseline.ts';
import { type Conversation, exchangeOfTurn, scopeOf, talksOf } from './conversations.ts';
import { type Answered, figuresOf, lineOf, percentile, tableHead } from './figures.ts';

export interface Measured {
  memory: Memory;
  conversations: readonly Conversation[];
  everywhere: boolean;
  print: (line: string) => void;
}

/** Prints a table and gives its figures. */
export async function onConversations(
  { memory, conversations, everywhere, print }: Measured,
  as: 'turns' | 'exchanges',
): Promise<Record<string, unknown>> {
  const [found, plain]: [Answered[], Answered[]] = [[], []];
  const [times, plainTimes]: [number[], number[]] = [[], []];
  const audiences = conversations.flatMap(({ id }) => scopeOf(id).audiences);
  for (const conversation of conversations) {
    const { id, questions } = conversation;
    const exchanges = as === 'turns' ? undefined : exchangeOfTurn(conversation);
    const baseline = createBaseline(plainTexts(conversation, as));
    for (const { question, category, evidence } of questions) {
      const wanted = [...new Set(evidence.map((turn) => exchanges?.get(turn) ?? turn))];
      const scope = everywhere ? { ...scopeOf(id), audiences } : scopeOf(id);
      const began = performance.now();
      const { hits } = await memory.search({ text: question, scope, limit: 20 });
      times.push(performance.now() - began);
      // turns of different conversations are numbered alike
      const own = new Set<string>(scopeOf(id).audiences);
      const ids = hits.map(({ audience, messageIDs: [first = ''] }) =>
        own.has(audience) ? first : `of another: ${first}`,
      );
      found.push({ category, evidence: wanted, found: ids });
      const before = performance.now();
      plain.push({ category, evidence: wanted, found: baseline.search(question, 20) });
      plainTimes.push(performance.now() - before);
    }
    baseline.close();
  }
  const [ours, theirs] = [figuresOf(found), figuresOf(plain)];
  print(`${as}${everywhere ? ', all conversations in one store' : ''}\n${tableHead}`);
  print(lineOf('plain FTS5 (porter, OR, dates)', theirs));
  print(lineOf('parley', ours));
  for (const [category, list] of Map.groupBy(found, (one) => one.category))
    print(lineOf(`  ${category}`, figuresOf(list)));
  const p95ms = percentile(times, 0.95);
  print(
    `milliseconds a query: p50 ${percentile(times, 0.5)}, p95 ${p95ms}; plain FTS5 p95 ${percentile(plainTimes, 0.95)}`,
  );
  return { everywhere, ...named(ours), p95ms, plain: named(theirs) };
}

/** What recall gives: how much of the evidence, in how many characters, and how often something for a question of another conversation. */
export async function onRecall({ memory, conversations, print }: Measured): Promise<Record<string, unknown>> {
  let [evidence, questions, wrong, strange] = [0, 0, 0, 0];
  const characters: number[] = [];
  const times: number[] = [];
  for (const [index, conversation] of conversations.entries()) {
    const exchanges = exchangeOfTurn(conversation);
    const scope = scopeOf(conversation.id);
    for (const { question, evidence: turns } of conversation.questions) {
      if (turns.length === 0) continue;
      const began = performance.now();
      const { block, hits } = await memory.recall({ text: question, scope });
      times.push(performance.now() - began);
      const given = new Set(hits.map(({ messageIDs: [first = ''] }) => first));
      const wanted = [...new Set(turns.map((turn) => exchanges.get(turn) ?? turn))];
      evidence += wanted.filter((id) => given.has(id)).length / wanted.length;
      characters.push(block.length);
      questions += 1;
    }
    const other = conversations[(index + 1) % conversations.length];
    for (const { question } of other === conversation ? [] : (other?.questions ?? [])) {
      strange += 1;
      if ((await memory.recall({ text: question, scope })).block !== '') wrong += 1;
    }
  }
  const rounded = (value: number): number => Math.round(1000 * value) / 1000;
  const result = {
    evidence: rounded(evidence / Math.max(1, questions)),
    characters: {
      mean: Math.round(characters.reduce((sum, one) => sum + one, 0) / Math.max(1, questions)),
      p95: percentile(characters, 0.95),
    },
    falseRecall: rounded(wrong / Math.max(1, strange)),
    p95ms: percentile(times, 0.95),
  };
  print(`recall over exchanges: ${questions} questions`);
  print(
    `evidence ${result.evidence}; characters ${result.characters.mean} on average, p95 ${result.characters.p95}`,
  );
  print(`questions of another conversation that bring anything: ${result.falseRecall} of ${strange}`);
  return result;
}

function named({ questions, recall5, recall10, recall20, mrr, ndcg10 }: ReturnType<typeof figuresOf>) {
  return { questions, r5: recall5, r10: recall10, r20: recall20, mrr, ndcg10 };
}

function plainTexts(conversation: Conversation, as: 'turns' | 'exchanges'): { id: string; text: string }[] {
  if (as === 'turns')
    return conversation.turns.map((turn) => ({
      id: turn.id,
      text: `${turn.text} ${turn.caption ?? ''} ${dayOf(turn.at)}`,
    }));
  return talksOf(conversation).map(({ ids, said, answered, at }) => ({
    id: ids[0] ?? '',
    text: `${said.join(' ')} ${answered.join(' ')} ${dayOf(at)}`,
  }));
}

function dayOf(at: string): string {
  return new Date(at).toLocaleDateString('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
}
