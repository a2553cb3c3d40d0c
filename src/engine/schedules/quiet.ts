// Quiet hours: until when something that is due has to wait for a person. Pure.
import type { PersonTimes } from '#engine/wire/schedules/schedule.ts';
import { momentOfWall, wallAt, wallOf } from './zones.ts';

/** When something that is due at `at` may be sent: then, or when the quiet hours around it end. In milliseconds since the epoch. */
export function releaseAt(at: number, { quiet, zone }: PersonTimes): number {
  if (quiet === null) return at;
  const { from, until } = quiet;
  const wall = wallAt(at, zone ?? 'UTC');
  const time = wall.toPlainTime().toString({ smallestUnit: 'minute' });
  const isOver = from <= until ? time < from || time >= until : time < from && time >= until;
  if (isOver) return at;
  // in the evening of a night they end on the next day
  const day = from > until && time >= from ? wall.add({ days: 1 }) : wall;
  return momentOfWall(wallOf(day.toPlainDate().toString(), until), zone ?? 'UTC');
}
