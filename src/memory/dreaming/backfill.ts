// Summaries of days before dreaming was switched on or while Parley did not run, by what was recalled on each of them.
import type { Store } from '#memory/store/store.ts';
import type { BackfilledDay } from '#memory/types/dreaming.ts';
import type { Audience } from '#memory/types/scope.ts';
import type { Deep } from './deep.ts';
import { promotedLine } from './promote.ts';
import type { DreamReports } from './reports.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** The days from so many ago until yesterday on which something was recalled; what is no longer in its source is left out. */
export async function backfill(
  {
    reports,
    deep,
    dayOf,
    now,
  }: { store: Store; reports: DreamReports; deep: Deep; dayOf(at: number): string; now: number },
  { days, audiences }: { days: number; audiences: readonly Audience[] },
): Promise<BackfilledDay[]> {
  const wanted = new Set(Array.from({ length: days }, (_, index) => dayOf(now - (index + 1) * dayMs)));
  const found: BackfilledDay[] = [];
  for (const audience of audiences) {
    const ranked = (await deep.ranked(audience)).filter(({ found: source }) => source !== undefined);
    for (const day of [...wanted].sort()) {
      const recalled = ranked.filter((each) => each.days.includes(day));
      if (recalled.length === 0) continue;
      const lines = recalled.flatMap(({ found: source, row }) =>
        source === undefined ? [] : [{ text: promotedLine(audience, source), claims: [row.claim] }],
      );
      const written = await reports.backfill(audience, day, lines);
      found.push({ audience, day, statements: recalled.map(({ text }) => text ?? ''), written });
    }
  }
  return found;
}
