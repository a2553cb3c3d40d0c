// Options of `parley memory` that count only beside others: what an action would pass over in silence is refused before it begins.
import { ParleyError } from '#base/errors.ts';
import { historyFormats } from '#memory/types/import.ts';
import type { MemoryValues } from './memory-options.ts';

type Option = Exclude<keyof MemoryValues, 'typed'>;

interface Condition {
  options: readonly Option[];
  counts: (values: MemoryValues) => boolean;
  /** When they count, as the end of a sentence. */
  when: string;
}

/** By the action, in the order in which they are looked at. */
const conditions: Readonly<Record<string, readonly Condition[]>> = {
  search: [
    { options: ['channel', 'host'], counts: ({ records }) => records, when: 'with --records' },
    { options: ['corpus', 'explain'], counts: ({ records }) => !records, when: 'without --records' },
  ],
  promote: [
    {
      options: ['subject', 'expires', 'family', 'namespace', 'approved'],
      counts: ({ to }) => to === 'knowledge',
      when: 'with --to knowledge',
    },
    { options: ['reason', 'project'], counts: ({ to }) => to !== undefined, when: 'with --to' },
    { options: ['apply', 'revert'], counts: ({ to }) => to === undefined, when: 'without --to' },
    { options: ['apply', 'audience'], counts: ({ revert }) => !revert, when: 'without --revert' },
  ],
  import: [
    {
      options: ['account'],
      counts: ({ format }) => format === undefined || historyFormats.includes(format),
      when: `with an export of a platform (--format ${historyFormats.join(', ')})`,
    },
  ],
  'rem-backfill': [{ options: ['days'], counts: ({ revert }) => !revert, when: 'without --revert' }],
};

/** Throws a ParleyError `invalid_usage` that names the option as it was typed, and when it counts. */
export function refuseUnused(action: string, values: MemoryValues): void {
  const typed: Readonly<Record<string, string>> = { ...values.typed, days: 'from' };
  for (const { options, counts, when } of conditions[action] ?? []) {
    const unused = options.find((name) => values[name] !== undefined && values[name] !== false);
    if (unused !== undefined && !counts(values))
      throw new ParleyError('invalid_usage', `--${typed[unused] ?? unused} counts only ${when}.`, {
        hint: `See "parley memory ${action} --help".`,
      });
  }
}
