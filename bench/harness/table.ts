// Counts as small tables of less than 80 columns. Pure.
import type { SandboxPlatform } from '#sandbox/contract.ts';
import { type Problem, problems } from './fault-profile.ts';
import { platforms } from './stage.ts';
import type { Tap } from './tap.ts';

const names: Readonly<Record<Problem, string>> = {
  rate_limit: 'rate limits (429)',
  server_error: 'server errors (500)',
  lost_response: 'lost responses',
  slow: 'slow calls',
  drop_socket: 'dropped sockets',
  invalid_session: 'invalid sessions',
  redelivery: 'redeliveries',
};

/** What was injected on each platform, and what of it the program met on its calls. */
export function problemTable(
  injected: ReadonlyMap<Problem, Record<SandboxPlatform, number>>,
  taps: Readonly<Record<SandboxPlatform, Tap>>,
): string[] {
  const row = (name: string, values: readonly (number | string)[]): string =>
    name.padEnd(28) + values.map((value) => String(value).padStart(10)).join('');
  const met = (name: string, what: keyof Tap['problem']): string =>
    row(
      name,
      platforms.map((platform) => taps[platform].problem[what]),
    );
  return [
    row('injected', platforms),
    ...problems.map((problem) =>
      row(
        names[problem],
        platforms.map((platform) => injected.get(problem)?.[platform] ?? 0),
      ),
    ),
    row('met', platforms),
    met('answers with 429', 'limited'),
    met('answers with 5xx', 'broken'),
    met('answers cut off', 'cut'),
  ];
}

/** A title and the counts of each name. */
export function countsTable<T extends string>(
  title: string,
  order: readonly T[],
  counts: ReadonlyMap<T, number>,
): string[] {
  return [title, ...order.map((name) => `  ${name.padEnd(26)}${String(counts.get(name) ?? 0).padStart(10)}`)];
}
