// How far short-term memory has come, and what is wrong with its schedule. Reads only.
import { z } from 'zod';
import type { CronSchedule } from '#base/cron.ts';
import { parseJson } from '#base/json.ts';
import type { Store } from '#memory/store/store.ts';
import type { DreamingStatus } from '#memory/types/dreaming.ts';

const reportSchema = z.object({ problem: z.string().optional() });
/** A sweep that is due is run within this time, in milliseconds. */
const graceMs = 60 * 60_000;

export function readDreamingStatus({
  store,
  schedule,
  isOn,
  now,
}: {
  store: Store;
  schedule: CronSchedule;
  isOn: boolean;
  now: number;
}): DreamingStatus {
  const { sweeps, last } = store.sweeps.counts();
  // The last one whose hour is over: in the hour of one, the sweep that was missed the day before is still named.
  const slot = schedule.last(now - graceMs);
  const next = isOn ? schedule.next(now) : undefined;
  const late = store.recalls.audiences().filter(({ audience, since }) => {
    if (!isOn || slot === undefined || since >= slot) return false;
    const swept = store.sweeps.last(audience);
    return swept === undefined || swept.slot < slot;
  });
  const left = store.sweeps.unfinished().filter(({ claimedAt }) => Math.abs(now - claimedAt) > graceMs);
  const half = store.promotions.unfinished().length;
  const failed = store.recalls.audiences().flatMap(({ audience }) => {
    const last = store.sweeps.last(audience);
    const words = last?.report == null ? undefined : parseJson(last.report, reportSchema, 'report').problem;
    return words === undefined ? [] : [`the last sweep of ${audience} promoted nothing: ${words}`];
  });
  return {
    ...store.recalls.counts(),
    ...store.promotions.counts(),
    sweeps,
    ...(last === null ? {} : { lastSweep: last }),
    ...(next === undefined ? {} : { next }),
    problems: [
      ...(late.length === 0 || slot === undefined
        ? []
        : [`the sweep of ${shownTime(slot)} was not run for ${late.length} of the audiences`]),
      ...left.map(
        (row) => `the sweep of ${row.audience} of ${shownTime(row.slot)} was begun and not finished`,
      ),
      ...failed,
      ...(half === 0 ? [] : [`${half} promotions were begun and not finished`]),
    ],
  };
}

function shownTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
