// The arithmetic of budgets: what is left, what is less, what is used up. Pure; whole numbers.
import { type Budget, type Dimension, dimensions, type Spent } from '#engine/wire/teams/team-policy.ts';

export const nothingSpent: Spent = { tokens: 0, steps: 0, toolCalls: 0, ms: 0, microUSD: 0 };

/** Every dimension by `each`; those for which it gives undefined are absent. */
function budget(each: (dimension: Dimension) => number | undefined): Budget {
  const made: Budget = {};
  for (const dimension of dimensions) {
    const value = each(dimension);
    if (value !== undefined) made[dimension] = value;
  }
  return made;
}

/** What was used in all of these. */
export function sumOf(all: readonly (Spent | Budget)[]): Spent {
  const sum = { ...nothingSpent };
  for (const one of all) for (const dimension of dimensions) sum[dimension] += one[dimension] ?? 0;
  return sum;
}

/** What is left of a budget; never less than nothing. */
export function leftOf(total: Budget, spent: Spent): Budget {
  return budget((dimension) => {
    const bound = total[dimension];
    return bound === undefined ? undefined : Math.max(0, bound - spent[dimension]);
  });
}

/** In each dimension the least that any of them allows. */
export function tightestOf(...all: readonly Budget[]): Budget {
  return budget((dimension) => {
    const bounds = all.flatMap((one) => one[dimension] ?? []);
    return bounds.length === 0 ? undefined : Math.min(...bounds);
  });
}

/** So many percent of it, rounded down. */
export function shareOf(whole: Budget, percent: number): Budget {
  return budget((dimension) => {
    const bound = whole[dimension];
    return bound === undefined ? undefined : Math.floor((bound * percent) / 100);
  });
}

/** The first dimension in which nothing is left. */
export function spentDimension(left: Budget): Dimension | undefined {
  return dimensions.find((dimension) => (left[dimension] ?? 1) < 1);
}

/** The first dimension in which `wanted` is more than `left`. */
export function beyond(wanted: Budget, left: Budget): Dimension | undefined {
  return dimensions.find(
    (dimension) => (wanted[dimension] ?? 0) > (left[dimension] ?? Number.POSITIVE_INFINITY),
  );
}

const names: Record<Dimension, string> = {
  tokens: 'tokens',
  steps: 'steps',
  toolCalls: 'tool calls',
  ms: 'working time',
  microUSD: 'cost',
};

/** The dimension as people read it. */
export function nameOf(dimension: Dimension): string {
  return names[dimension];
}
