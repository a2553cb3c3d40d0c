// Whether a row of samples grows, against noise. Pure.

export interface Sample {
  /** Seconds since the beginning. */
  at: number;
  value: number;
}

export interface Growth {
  /** What is gained in an hour at the measured pace: the median of the slopes between all pairs of samples. */
  perHour: number;
  /** What was gained over the samples at that pace. */
  gained: number;
  verdict: 'flat' | 'grows';
}

/** The part at the beginning that is left out: caches fill, code is compiled. */
const warmUp = 0.3;
/** From the median of the distances to a standard deviation, for noise that is normal. */
const deviationOfMedian = 1.4826;

/**
 * Samples grow when what they gain over the time, less twice its own uncertainty, is more than `allowance`. The gain is the
 * median slope (Theil and Sen), which wild samples do not move; the uncertainty comes from how far the samples lie around
 * that slope.
 */
export function growthOf(samples: readonly Sample[], allowance: number): Growth {
  const begin = samples[0]?.at ?? 0;
  const span = (samples.at(-1)?.at ?? 0) - begin;
  const settled = samples.filter(({ at }) => at >= begin + span * warmUp);
  const slope = median(
    settled.flatMap((from, index) =>
      settled.slice(index + 1).map((to) => (to.value - from.value) / (to.at - from.at)),
    ),
  );
  const gained = slope * span * (1 - warmUp);
  const levels = settled.map(({ at, value }) => value - slope * at);
  const level = median(levels);
  const deviation = deviationOfMedian * median(levels.map((one) => Math.abs(one - level)));
  const uncertain = settled.length === 0 ? 0 : deviation * Math.sqrt(12 / settled.length);
  return { perHour: slope * 3600, gained, verdict: gained - 2 * uncertain > allowance ? 'grows' : 'flat' };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
