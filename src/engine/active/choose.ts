// What of memory an answer should know: a model chooses among what is found, or the ranking does where no model is named.
import type { ModelMessage, ToolResultPart } from 'ai';
import type { ZodType } from 'zod';
import { checkInput } from '#base/check-input.ts';
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';
import type { Parent } from '#base/tracing.ts';
import type { LookRequest } from '#engine/context/look-ahead.ts';
import { type CallContext, callModel } from '#engine/providers/call-model.ts';
import type { CallUsage } from '#engine/providers/calls/price.ts';
import type { Provider } from '#engine/providers/provider.ts';
import { linesOfFile } from '#engine/tools/memory-files.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { Hit } from '#memory/types/recall.ts';
import { choice, fileText, lookPrompt, lookSystem, lookTools, numbered, wanted } from './look-prompt.ts';

/** What was chosen of that which is found for some words. */
export interface LookChoice {
  query: string;
  ids: readonly string[];
}

export type LookMemory = Pick<Memory, 'recall' | 'readFile'>;

interface Parts {
  memory: LookMemory;
  /** Memories that may be chosen. */
  most: number;
}

interface Candidate {
  number: number;
  hit: Hit;
  query: string;
}

/** Calls of the model in one look, of its tools in each, and memories that it is shown for one query. */
const maxTurns = 3;
const maxCalls = 4;
const shownPerQuery = 8;
/** The messages of people before this one that the ranking looks with. */
const rankedMessages = 2;

/**
 * Asks the model, which may search again in other words. What it calls wrongly gets an error as its result; an answer without a call
 * chooses nothing. Throws what the call of the model throws.
 */
export async function chooseByModel(
  ask: LookRequest,
  parts: Parts & {
    provider: Provider;
    calls: CallContext;
    signal: AbortSignal;
    under: Parent;
    used(usage: CallUsage): void;
  },
): Promise<LookChoice[]> {
  const { most, provider, calls, signal, under } = parts;
  const found: Candidate[] = [];
  const tools = lookTools({ files: ask.scope.partition === undefined });
  const first = await search(ask, { ...parts, found }, ask.text);
  const messages: ModelMessage[] = [{ role: 'user', content: lookPrompt(ask, first) }];
  for (let turn = 1; turn <= maxTurns; turn += 1) {
    const called: { callID: string; tool: string; args: unknown }[] = [];
    const call = { provider, system: lookSystem(most), messages, tools, remembers: false, signal, under };
    for await (const piece of callModel({ ...call, toolChoice: 'auto' }, calls)) {
      if (piece.type === 'tool call') called.push(piece);
      if (piece.type !== 'end') continue;
      messages.push(...piece.messages);
      if (piece.usage !== undefined) parts.used(piece.usage);
    }
    if (called.length === 0) return [];
    const content: ToolResultPart[] = [];
    for (const [at, { callID, tool, args }] of called.entries()) {
      const outcome =
        at < maxCalls
          ? await outcomeOf(ask, { ...parts, found }, { tool, args })
          : `At most ${maxCalls} calls at once.`;
      if (typeof outcome !== 'string') return outcome;
      const output = { type: 'text' as const, value: outcome };
      content.push({ type: 'tool-result', toolCallId: callID, toolName: tool, output });
    }
    messages.push({ role: 'tool', content });
  }
  return [];
}

/** What the last messages of people before this one call for, as far as it meets so much of one of them. */
export async function chooseByRanking(
  ask: LookRequest,
  { memory, most, threshold }: Parts & { threshold: number },
): Promise<LookChoice[]> {
  const chosen: LookChoice[] = [];
  const texts = ask.earlier.flatMap(({ role, text }) => (role === 'user' ? [text] : []));
  for (const text of texts.slice(-rankedMessages).reverse()) {
    const ids = chosen.flatMap((each) => each.ids);
    if (ids.length >= most) break;
    const admit = { most: most - ids.length, meets: threshold };
    const { hits } = await memory.recall({ ...lookMaterial(ask, ids), text, admit });
    if (hits.length > 0) chosen.push({ query: text, ids: hits.map(({ id }) => id) });
  }
  return chosen;
}

/** What every question of a look has in common: it reads what the run may read, and nothing that the prompt holds. */
export function lookMaterial({ scope, currentSession, inPrompt, except }: LookRequest, known: string[] = []) {
  return { scope, currentSession, inPrompt, except: { ...except, ids: [...except.ids, ...known] } };
}

/** The choice that a call is, or the text of its result. */
async function outcomeOf(
  ask: LookRequest,
  parts: Parts & { found: Candidate[] },
  { tool, args }: { tool: string; args: unknown },
): Promise<LookChoice[] | string> {
  const read = <T>(schema: ZodType<T>): T =>
    checkInput(schema, args, { code: 'invalid_look_call', what: 'The call' });
  try {
    if (tool === 'memory_search') return await search(ask, parts, read(wanted).query);
    if (tool === 'memory_get')
      return fileText((await parts.memory.readFile({ ...read(linesOfFile), scope: ask.scope })).text);
    const { numbers } = read(choice);
    const given = numbers.flatMap((number) => parts.found.find((each) => each.number === number) ?? []);
    if (given.length === 0)
      throw new ParleyError('invalid_look_call', 'None of these numbers is a memory that you were shown.');
    return choicesOf([...new Set(given)].slice(0, parts.most));
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return errorMessage(error);
  }
}

/** Finds what was not found before, with the next numbers. */
async function search(
  ask: LookRequest,
  { memory, found }: Pick<Parts, 'memory'> & { found: Candidate[] },
  query: string,
): Promise<string> {
  const known = found.map(({ hit }) => hit.id);
  const { hits } = await memory.recall({
    ...lookMaterial(ask, known),
    text: query,
    admit: { most: shownPerQuery },
  });
  const fresh = hits.map((hit, at) => ({ number: known.length + at + 1, hit, query }));
  found.push(...fresh);
  return numbered(fresh);
}

function choicesOf(chosen: readonly Candidate[]): LookChoice[] {
  const byQuery = Map.groupBy(chosen, ({ query }) => query);
  return [...byQuery].map(([query, of]) => ({ query, ids: of.map(({ hit }) => hit.id) }));
}
