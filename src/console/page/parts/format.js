// Numbers, sizes, durations and times as people read them, in the reader's language and zone.
// @ts-check
import { platformTitle } from '#engine/wire/channels/place-title.ts';

const number = new Intl.NumberFormat();
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const dayAndYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });

const minute = 60_000;
const hour = 60 * minute;
const dayMs = 24 * hour;

/** @param {number} value */
export const count = (value) => number.format(value);
/** @param {number} value */
export const short = (value) => compact.format(value);
/** A noun with its number. @param {number} value @param {string} one @param {string} [many] */
export const plural = (value, one, many = `${one}s`) => `${count(value)} ${value === 1 ? one : many}`;
/** The whole date with its zone. @param {number} ms */
export const fullDate = (ms) => full.format(ms);

/** Hour and minute on the reader's clock. @param {number} ms */
export const clockTime = (ms) => clock.format(ms);
/** A day without its year. @param {number} ms */
export const dayOf = (ms) => day.format(ms);

/** Money in US dollars. @param {number} value */
export function dollars(value) {
  if (value === 0) return '$0';
  return `$${value < 0.01 ? value.toPrecision(2) : value.toFixed(2)}`;
}

/** @param {number} value */
export function bytes(value) {
  if (value < 1024) return `${value} B`;
  const [size, unit] = value < 1024 ** 2 ? [value / 1024, 'KiB'] : [value / 1024 ** 2, 'MiB'];
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}

/** @param {number} ms */
export function duration(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < minute) return `${Math.round(ms / 1000)} s`;
  if (ms < hour) return `${Math.floor(ms / minute)} min ${Math.round((ms % minute) / 1000)} s`;
  return `${Math.floor(ms / hour)} h ${Math.round((ms % hour) / minute)} min`;
}

/** The same in whole seconds, for what has not ended. @param {number} ms */
export const elapsed = (ms) => (ms < minute ? `${Math.floor(ms / 1000)} s` : duration(ms));

/** How long ago, or when: near times as a distance, others as a date. @param {number} ms @param {number} now */
export function when(ms, now) {
  const ago = now - ms;
  if (Math.abs(ago) < 45_000) return ago >= 0 ? 'just now' : 'in a moment';
  if (Math.abs(ago) < hour) return relative.format(-Math.round(ago / minute), 'minute');
  if (Math.abs(ago) < 12 * hour) return relative.format(-Math.round(ago / hour), 'hour');
  const date = new Date(ms);
  const today = new Date(now);
  if (date.toDateString() === today.toDateString()) return clock.format(ms);
  if (Math.abs(ago) < 6 * dayMs) return `${day.format(ms)}, ${clock.format(ms)}`;
  return date.getFullYear() === today.getFullYear() ? day.format(ms) : dayAndYear.format(ms);
}

const clockWithSeconds = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
/** @param {number} ms */
export const timeWithSeconds = (ms) => clockWithSeconds.format(ms);

/** The beginning of a long text. @param {string} text @param {number} limit */
export function cut(text, limit) {
  return text.length <= limit ? text : `${text.slice(0, limit).trimEnd()}…`;
}

/** Names of platforms as they write themselves. @param {string | undefined} platform */
export function platformName(platform) {
  return platform === undefined ? 'API' : platformTitle(platform);
}
