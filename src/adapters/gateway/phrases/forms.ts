// The forms that numbers, lists and times have in a language, by Intl.

import { memoize } from '#base/caches/memoize.ts';
import { asCalledInChat } from '#base/called-as.ts';
import { lazy } from '#base/lazy.ts';

/** Writes a command as it is typed in one place, as code in Markdown: `/memory recent`, on Slack `!memory recent`. */
export type NameCommand = (words: string) => string;

/** A command of the program, for the person who runs it, as code in Markdown: `parley people`. */
export function programCommand(words: string): string {
  return asCalledInChat(`\`parley ${words}\``);
}

interface Forms {
  /** The number and the noun in its form: `1 message`, `2 messages`. */
  count(n: number, nouns: { one: string; other: string }): string;
  number(n: number): string;
  /** US dollars, with four decimals where there are cents of cents. */
  dollars(amount: number): string;
  /** `a, b and c`. */
  and(items: readonly string[]): string;
  /** `a, b or c`. */
  or(items: readonly string[]): string;
  /** A day, of milliseconds since the epoch, in UTC. */
  day(atMs: number): string;
  /** A day and a time to the minute, of milliseconds since the epoch, with its zone, which is UTC. */
  minute(atMs: number): string;
  /** A number of bytes: `12 KiB`, `1.5 MiB`. */
  size(bytes: number): string;
  /** A length in seconds: below a minute and a half in seconds, else as `duration`. */
  length(seconds: number): string;
  /** A length in milliseconds, as one says it: minutes, and hours from about one on. */
  about(ms: number): string;
  /** A length in milliseconds, in whole minutes, and in hours from two hours on; at least a minute. */
  duration(ms: number): string;
}

const minuteMs = 60_000;
const minutesInHours = 120;
/** Minutes from which a length is given in hours. */
const minutesAsHour = 50;

/** Languages whose forms stay made: every page of a catalogue asks for the same. */
const maxLocales = 20;

/** Plurals, dates, lists and numbers in the language of a locale, by `Intl`. Its objects are made at their first use: all take a start 10 ms. */
export const formsOf: (locale: string) => Forms = memoize(maxLocales, (locale) => {
  const plural = lazy(() => new Intl.PluralRules(locale));
  const number = lazy(() => new Intl.NumberFormat(locale));
  const dollars = lazy(
    () =>
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency: 'USD',
        maximumFractionDigits: 4,
      }),
  );
  const and = lazy(() => new Intl.ListFormat(locale, { type: 'conjunction' }));
  const or = lazy(() => new Intl.ListFormat(locale, { type: 'disjunction' }));
  const day = lazy(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }));
  const minute = lazy(
    () =>
      new Intl.DateTimeFormat(locale, {
        ...{ year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
        ...{ hourCycle: 'h23', timeZone: 'UTC', timeZoneName: 'short' },
      }),
  );
  const unit = (of: 'second' | 'minute' | 'hour' | 'byte') =>
    lazy(() => new Intl.NumberFormat(locale, { style: 'unit', unit: of, unitDisplay: 'long' }));
  const [seconds, minutes, hours, bytesWord] = [unit('second'), unit('minute'), unit('hour'), unit('byte')];
  const short = lazy(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 1, useGrouping: false }));
  const duration = (ms: number): string => {
    const whole = Math.max(1, Math.round(ms / minuteMs));
    return whole < minutesInHours ? minutes().format(whole) : hours().format(Math.round(whole / 60));
  };
  return {
    count: (n, { one, other }) => `${number().format(n)} ${plural().select(n) === 'one' ? one : other}`,
    number: (n) => number().format(n),
    dollars: (amount) => dollars().format(amount),
    and: (items) => and().format(items),
    or: (items) => or().format(items),
    day: (atMs) => day().format(atMs),
    minute: (atMs) => minute().format(atMs),
    size(bytes) {
      if (bytes < 1024) return bytesWord().format(bytes);
      const kib = bytes / 1024;
      return kib < 1023.5 ? `${short().format(kib)} KiB` : `${short().format(kib / 1024)} MiB`;
    },
    about: (ms) =>
      ms < minutesAsHour * minuteMs
        ? duration(ms)
        : hours().format(Math.max(1, Math.round(ms / (60 * minuteMs)))),
    duration,
    length: (s) => (s < 90 ? seconds().format(Math.round(s)) : duration(s * 1_000)),
  };
});
