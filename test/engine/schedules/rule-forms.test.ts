// Rules of several days, of quarters and with the time before them, read from words in two languages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { next, read } from '../support/schedule-kit.ts';

test('several days of a month are read, before the month and behind it, and come on each of them (R22)', () => {
  for (const [text, words, rest] of [
    ['on the 1st and 15th of every month pay', 'every month on days 1 and 15', 'pay'],
    ['pay on the 1st and the 15th of every month', 'every month on days 1 and 15', 'pay'],
    ['every 1st and 15th of the month pay', 'every month on days 1 and 15', 'pay'],
    ['every month on the 1st and 15th pay', 'every month on days 1 and 15', 'pay'],
    ['on the 15th and 1st of each month pay', 'every month on days 1 and 15', 'pay'],
    ['on the 5th, 15th and 25th of every month pay', 'every month on days 5, 15 and 25', 'pay'],
    ['on the first and last day of every month pay', 'every month on day 1 and the last day', 'pay'],
    ['am 1. und 15. jedes Monats zahlen', 'every month on days 1 and 15', 'zahlen'],
    ['am 1. und am 15. jeden Monats zahlen', 'every month on days 1 and 15', 'zahlen'],
    ['jeden Monat am 1. und 15. zahlen', 'every month on days 1 and 15', 'zahlen'],
    ['zahlen jeden 1. und 15. im Monat', 'every month on days 1 and 15', 'zahlen'],
    [
      'every month on the 1st and 31st pay',
      'every month on days 1 and 31 (on the last day of a shorter month)',
      'pay',
    ],
  ] as const) {
    const found = read(text);
    assert.deepEqual([found.words, found.rest], [`${words} at 09:00 (Europe/Berlin)`, rest], text);
  }
  assert.deepEqual(next('on the 1st and 15th of every month at 8 pay', 4), [
    '2026-12-01T07:00',
    '2026-12-15T07:00',
    '2027-01-01T07:00',
    '2027-01-15T07:00',
  ]);
  assert.deepEqual(next('every 2 months on the 1st and last day pay', 4), [
    '2026-11-30T08:00',
    '2027-01-01T08:00',
    '2027-01-31T08:00',
    '2027-03-01T08:00',
  ]);
  assert.throws(() => read('every month on the 1st and 32nd pay'), /could not read a time/);
});

test('quarters and half years are read as the months that they are (R22)', () => {
  for (const [text, words, rest] of [
    ['every quarter taxes', 'every 3 months on day 24', 'taxes'],
    ['quarterly taxes', 'every 3 months on day 24', 'taxes'],
    ['every quarter on the 1st taxes', 'every 3 months on day 1', 'taxes'],
    ['on the 1st of every quarter taxes', 'every 3 months on day 1', 'taxes'],
    ['taxes every quarter', 'every 3 months on day 24', 'taxes'],
    ['every two quarters taxes', 'every 6 months on day 24', 'taxes'],
    ['every half year taxes', 'every 6 months on day 24', 'taxes'],
    ['jedes Quartal Steuer', 'every 3 months on day 24', 'Steuer'],
    ['alle zwei Quartale Steuer', 'every 6 months on day 24', 'Steuer'],
    ['am 1. jedes Quartals Steuer', 'every 3 months on day 1', 'Steuer'],
    ['vierteljährlich Steuer', 'every 3 months on day 24', 'Steuer'],
    ['quartalsweise Steuer', 'every 3 months on day 24', 'Steuer'],
    ['jedes halbe Jahr Steuer', 'every 6 months on day 24', 'Steuer'],
    ['halbjährlich Steuer', 'every 6 months on day 24', 'Steuer'],
  ] as const) {
    const found = read(text);
    assert.deepEqual([found.words, found.rest], [`${words} at 09:00 (Europe/Berlin)`, rest], text);
  }
});

test('a time that stands before its rule is the time of the rule, and no word of the task (R22)', () => {
  for (const [text, words, rest] of [
    ['at 9 every Monday stand-up', 'every Monday at 09:00', 'stand-up'],
    ['at 7:30 every Monday stand-up', 'every Monday at 07:30', 'stand-up'],
    ['at 5pm every weekday mail', 'Monday to Friday at 17:00', 'mail'],
    ['9am every day tea', 'every day at 09:00', 'tea'],
    ['18:15 daily tea', 'every day at 18:15', 'tea'],
    ['call mum at 10 every Sunday', 'every Sunday at 10:00', 'call mum'],
    ['at noon every Friday lunch', 'every Friday at 12:00', 'lunch'],
    ['at 8 on the 1st of every month pay', 'every month on day 1 at 08:00', 'pay'],
    ['at 8 on weekdays mail', 'Monday to Friday at 08:00', 'mail'],
    ['um 9 jeden Montag Runde', 'every Monday at 09:00', 'Runde'],
    ['um 17:30 Uhr jeden Freitag Kasse', 'every Friday at 17:30', 'Kasse'],
    ['Mama anrufen um 18 Uhr jeden Sonntag', 'every Sunday at 18:00', 'Mama anrufen'],
    ['um 8 montags Runde', 'every Monday at 08:00', 'Runde'],
    ['at 7 every morning run', 'every day at 07:00', 'run'],
    ['at 8 every evening read', 'every day at 20:00', 'read'],
    // a number of its own is of the task
    ['buy 9 every Monday', 'every Monday at 09:00', 'buy 9'],
    ['meet at 10 Main Street every Monday at 8', 'every Monday at 08:00', 'meet at 10 Main Street'],
    ['meet at 10 every Monday at 8', 'every Monday at 08:00', 'meet at 10'],
  ] as const) {
    const found = read(text);
    assert.deepEqual([found.words, found.rest], [`${words} (Europe/Berlin)`, rest], text);
  }
});
