// Two programs compared: medians, ratios, their bounds and the table. Measures nothing.
import { ParleyError } from '#base/errors.ts';
import { atLeast, atMost } from '../harness/conclude.ts';
import { median, type RatioName, ratioBounds, round } from './figures.ts';

/** One figure of this checkout and of another one. */
export interface Compared {
  name: RatioName;
  /** Medians. */
  here: number;
  there: number;
  /** The first divided by the second; over turns, the median of their ratios. */
  ratio: number;
  /** The ratio of each turn; empty where both were compared message by message. */
  turns: number[];
}

export type Bounds = Readonly<Record<RatioName, number>>;

/** A comparison of two medians. */
export function compared(name: RatioName, here: number, there: number): Compared {
  return { name, here: round(here), there: round(there), ratio: digits(here / there), turns: [] };
}

/** A comparison over turns. */
export function comparedInTurns(name: RatioName, pairs: readonly { one: number; other: number }[]): Compared {
  const turns = pairs.map(({ one, other }) => digits(one / other));
  const medians = compared(
    name,
    median(pairs.map(({ one }) => one)),
    median(pairs.map(({ other }) => other)),
  );
  return { ...medians, ratio: digits(median(turns)), turns };
}

/** Three digits after the point: a bound is compared with what is printed. */
const digits = (value: number): number => Math.round(value * 1000) / 1000;

/** The bounds of `figures.ts`, changed by words such as `p50-discord=1`. */
export function boundsWith(given: readonly string[]): Bounds {
  const bounds = Object.fromEntries(
    Object.entries(ratioBounds).map(([name, { bound }]) => [name, bound]),
  ) as Record<RatioName, number>; // every name was mapped
  for (const words of given) {
    const [, name = '', ratio] = /^([\w-]+)=(\d*\.?\d+)$/.exec(words) ?? [];
    if (ratio === undefined || !Object.hasOwn(bounds, name))
      throw new ParleyError(
        'wrong_arguments',
        `--bound expects NAME=RATIO with one of ${Object.keys(bounds).join(', ')}, got "${words}".`,
      );
    bounds[name as RatioName] = Number(ratio); // it is a name of the bounds
  }
  return bounds;
}

/** What `conclude` says of the ratios that miss their bounds. */
export function missedRatios(all: readonly Compared[], bounds: Bounds): string[] {
  return all.flatMap(({ name, ratio }) => {
    const holds = ratioBounds[name].better === 'less' ? atMost : atLeast;
    return holds(`ratio ${name}`, ratio, bounds[name]);
  });
}

/** The table, at most 80 columns wide. */
export function ratioTable(all: readonly Compared[], bounds: Bounds, there: string): string[] {
  const row = (name: string, ...cells: string[]): string =>
    name.padEnd(26) + cells.map((cell, at) => cell.padStart([10, 10, 8, 15, 9][at] ?? 0)).join('');
  return [
    row('', 'here', there, 'ratio', 'of its turns', 'bound'),
    ...all.map(({ name, here, there: other, ratio, turns }) => {
      const range = [Math.min(...turns), Math.max(...turns)].map((each) => each.toFixed(2)).join(' to ');
      const sign = ratioBounds[name].better === 'less' ? '<=' : '>=';
      return row(
        ratioBounds[name].about,
        ...[here.toFixed(2), other.toFixed(2), ratio.toFixed(3), turns.length === 0 ? '' : range],
        `${sign} ${bounds[name]}`,
      );
    }),
  ];
}
