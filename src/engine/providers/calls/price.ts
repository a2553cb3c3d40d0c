// What a model call costs, from its tokens and configured prices. No price list is built in: prices change, and are the owner's to state.
import type { TokenUsage } from '#engine/wire/runs/usage.ts';

/** Tokens as a provider reports them. */
export interface ReportedUsage {
  inputTokens: number | undefined;
  cachedInputTokens: number | undefined;
  outputTokens: number | undefined;
  reasoningTokens: number | undefined;
}

/** In US dollars for a million tokens. */
export interface Prices {
  input: number;
  output: number;
  /** For tokens that the provider had in its cache; as `input` when absent. */
  cachedInput?: number | undefined;
}

export type CallUsage = Omit<TokenUsage, 'calls'>;

/** More tokens than any call has: a larger count is a mistake of the provider's. */
const maxTokens = 1e9;

/**
 * The usage of one call, with its cost when there are prices; undefined when the provider told nothing. A count that cannot be
 * true (negative, broken, too large) is as one that was not told.
 */
export function usageOf(
  reported: ReportedUsage | undefined,
  prices: Prices | undefined,
): CallUsage | undefined {
  const inputTokens = countOf(reported?.inputTokens);
  const outputTokens = countOf(reported?.outputTokens);
  const cachedInputTokens = countOf(reported?.cachedInputTokens);
  const reasoningTokens = countOf(reported?.reasoningTokens);
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const usage = {
    inputTokens: inputTokens ?? 0,
    cachedInputTokens: cachedInputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    reasoningTokens: reasoningTokens ?? 0,
  };
  return prices === undefined ? usage : { ...usage, costUSD: costOf(usage, prices) };
}

function countOf(tokens: number | undefined): number | undefined {
  const isTrue = tokens !== undefined && Number.isInteger(tokens) && tokens >= 0 && tokens <= maxTokens;
  return isTrue ? tokens : undefined;
}

function costOf(usage: CallUsage, prices: Prices): number {
  const cached = Math.min(usage.cachedInputTokens, usage.inputTokens);
  const dollars =
    (usage.inputTokens - cached) * prices.input +
    cached * (prices.cachedInput ?? prices.input) +
    usage.outputTokens * prices.output;
  return dollars / 1e6;
}
