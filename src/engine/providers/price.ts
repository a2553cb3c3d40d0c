// What a model call costs, from its tokens and configured prices. No price list is built in: prices change, and are the owner's to state.
import type { TokenUsage } from '#engine/wire/usage.ts';
import type { ReportedUsage } from './told.ts';

/** In US dollars for a million tokens. */
export interface Prices {
  input: number;
  output: number;
  /** For tokens that the provider had in its cache; as `input` when absent. */
  cachedInput?: number | undefined;
}

export type CallUsage = Omit<TokenUsage, 'calls'>;

/** The usage of one call, with its cost when there are prices; undefined when the provider told nothing. */
export function usageOf(
  reported: ReportedUsage | undefined,
  prices: Prices | undefined,
): CallUsage | undefined {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = reported ?? {};
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const usage = {
    inputTokens: inputTokens ?? 0,
    cachedInputTokens: cachedInputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    reasoningTokens: reasoningTokens ?? 0,
  };
  return prices === undefined ? usage : { ...usage, costUSD: costOf(usage, prices) };
}

function costOf(usage: CallUsage, prices: Prices): number {
  const cached = Math.min(usage.cachedInputTokens, usage.inputTokens);
  const dollars =
    (usage.inputTokens - cached) * prices.input +
    cached * (prices.cachedInput ?? prices.input) +
    usage.outputTokens * prices.output;
  return dollars / 1e6;
}
