// Time zones: which there are, and wall times in them as moments. Pure.
import { Temporal } from 'temporal-polyfill';
import { defined } from '#base/json.ts';
import { nearestName } from '#base/nearest.ts';
import { isTimeZone } from '#base/time-zone.ts';
import { scheduleError } from '#engine/wire/schedules/schedule-problem.ts';

export type { Temporal } from 'temporal-polyfill';

/** Names that the list of the system leaves out. */
const others = ['UTC'];

/**
 * The zone that someone means, as its IANA name: by that name in any case, or by its city. A ParleyError `unknown_zone` names the
 * nearest one.
 */
export function zoneNamed(typed: string): string {
  const wanted = typed.trim().replaceAll(' ', '_').toLowerCase();
  const zones = [...Intl.supportedValuesOf('timeZone'), ...others];
  const cityOf = (zone: string): string => zone.slice(zone.lastIndexOf('/') + 1).toLowerCase();
  const found =
    zones.find((zone) => zone.toLowerCase() === wanted) ?? zones.find((zone) => cityOf(zone) === wanted);
  if (found !== undefined) return found;
  // links such as Asia/Calcutta are zones that the list does not name
  if (typed.includes('/') && isTimeZone(typed.trim())) return typed.trim();
  const nearest = nearestName(wanted, zones.map(cityOf));
  const meant = zones.find((zone) => cityOf(zone) === nearest);
  throw scheduleError({
    code: 'unknown_zone',
    typed: typed.trim().slice(0, 60),
    ...defined({ nearest: meant }),
  });
}

/** The wall time at a moment, in milliseconds since the epoch. */
export function wallAt(ms: number, zone: string): Temporal.PlainDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDateTime();
}

/** The moment of a wall time: one that clocks skip is as much later, and of one that comes twice it is the first. */
export function momentOfWall(wall: Temporal.PlainDateTime, zone: string): number {
  return wall.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds;
}

/** A wall time of a day. */
export function wallOf(date: string, time: string): Temporal.PlainDateTime {
  return Temporal.PlainDateTime.from(`${date}T${time}`);
}
