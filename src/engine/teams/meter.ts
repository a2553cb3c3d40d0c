// What one instance uses while it runs, and what it may still use: asked before each call of a model or a tool, settled after it.
import { ParleyError } from '#base/errors.ts';
import type { Budget, Dimension, Spent } from '#engine/wire/teams/team-policy.ts';
import { leftOf, nameOf } from './budget.ts';

/** What a call of a model costs, in millionths of a US dollar; undefined where nothing says it. */
export type CostOf = (tokens: { inputTokens: number; outputTokens: number }) => number | undefined;

interface CallBounds {
  /** Tokens that the model may write. */
  maxTokens?: number | undefined;
  /** It has to answer now: no further call, or no tool, is within the budget. */
  mustAnswer: boolean;
}

export interface Meter {
  /**
   * Bounds of the next call, whose prompt has so many characters; throws a ParleyError `BUDGET_EXHAUSTED` where none is possible. An agent
   * that has tools, and may call none of them any more, has used up its budget: its answer is a partial one.
   */
  beforeCall(promptChars: number, has?: { tools: boolean }): CallBounds;
  /** The answer ended in the middle, at the bound of its call. */
  cut(): void;
  /** The call is over; what a provider does not report is estimated. */
  afterCall(
    usage: { inputTokens: number; outputTokens: number; costUSD?: number | undefined } | undefined,
    answerChars: number,
  ): void;
  /** Counts a call of a tool; what is wrong, as a message for the model, where there is none left. */
  beforeTool(): string | undefined;
  /** Milliseconds that it may still work. */
  ms(): number | undefined;
  /** The time is over. */
  timeOver(): ParleyError;
  /** All that was used, after so many milliseconds of work; a call that is not over, or was broken off, counts with its prompt. */
  spent(workedMs: number): Spent;
}

/** Fewer characters than this are no token: an estimate that is rather too high. */
const charsPerToken = 3;
/** An answer that could not have even so many tokens is not asked for. */
const minAnswerTokens = 32;

/** A meter that begins with what was used before; `exhausted` is called once, with the first dimension in which nothing is left. */
export function createMeter(options: {
  granted: Budget;
  before: Spent;
  costOf: CostOf;
  exhausted: (dimension: Dimension) => void;
}): Meter {
  const { granted, costOf } = options;
  const spent = { ...options.before };
  let pending: { inputTokens: number } | undefined;
  /** What bounds the answer of the newest call. */
  let bound: Dimension = 'tokens';
  let over: Dimension | undefined;

  const exhaust = (dimension: Dimension): ParleyError => {
    if (over === undefined) options.exhausted(dimension);
    over ??= dimension;
    return new ParleyError('BUDGET_EXHAUSTED', `The budget of ${nameOf(dimension)} is used up.`);
  };
  const add = (inputTokens: number, outputTokens: number, microUSD: number | undefined): void => {
    spent.steps += 1;
    spent.tokens += inputTokens + outputTokens;
    spent.microUSD += microUSD ?? costOf({ inputTokens, outputTokens }) ?? 0;
    pending = undefined;
  };
  /** Tokens of an answer that the cost leaves room for. */
  const affordable = (inputTokens: number, left: number): number => {
    const prompt = costOf({ inputTokens, outputTokens: 0 });
    const million = costOf({ inputTokens: 0, outputTokens: 1_000_000 });
    if (prompt === undefined || million === undefined) return Number.POSITIVE_INFINITY;
    if (prompt > left) return 0;
    return million === 0 ? Number.POSITIVE_INFINITY : Math.floor(((left - prompt) / million) * 1_000_000);
  };

  return {
    beforeCall(promptChars, has = { tools: true }) {
      const left = leftOf(granted, spent);
      if ((left.steps ?? 1) < 1) throw exhaust('steps');
      const inputTokens = Math.ceil(promptChars / charsPerToken);
      const byTokens = (left.tokens ?? Number.POSITIVE_INFINITY) - inputTokens;
      if (byTokens < minAnswerTokens) throw exhaust('tokens');
      const byCost = left.microUSD === undefined ? byTokens : affordable(inputTokens, left.microUSD);
      if (byCost < minAnswerTokens) throw exhaust('microUSD');
      pending = { inputTokens };
      bound = byCost < byTokens ? 'microUSD' : 'tokens';
      const maxTokens = Math.min(byTokens, byCost);
      const last = (left.toolCalls ?? 1) < 1 ? 'toolCalls' : left.steps === 1 ? 'steps' : undefined;
      if (last !== undefined && has.tools) exhaust(last);
      return { mustAnswer: last !== undefined, ...(Number.isFinite(maxTokens) ? { maxTokens } : {}) };
    },
    cut: () => void exhaust(bound),
    afterCall(usage, answerChars) {
      if (usage === undefined)
        add(pending?.inputTokens ?? 0, Math.ceil(answerChars / charsPerToken), undefined);
      else
        add(
          usage.inputTokens,
          usage.outputTokens,
          usage.costUSD === undefined ? undefined : Math.ceil(usage.costUSD * 1e6),
        );
    },
    beforeTool() {
      const left = leftOf(granted, spent);
      if ((left.toolCalls ?? 1) < 1) return exhaust('toolCalls').message;
      spent.toolCalls += 1;
      return undefined;
    },
    ms: () => leftOf(granted, options.before).ms,
    timeOver: () => exhaust('ms'),
    spent(workedMs) {
      const ms = options.before.ms + Math.ceil(workedMs);
      if (pending === undefined) return { ...spent, ms };
      const cost = costOf({ ...pending, outputTokens: 0 }) ?? 0;
      const [steps, tokens] = [spent.steps + 1, spent.tokens + pending.inputTokens];
      return { ...spent, steps, tokens, microUSD: spent.microUSD + cost, ms };
    },
  };
}
