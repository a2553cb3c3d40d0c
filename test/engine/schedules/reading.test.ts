// When and what, read from words: in two languages, in the zone of the person, refused where it is no time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zoneNamed } from '#engine/schedules/zones.ts';
import { iso, next, read, tuesday } from '../support/schedule-kit.ts';

test('what is no time is refused with examples of times', () => {
  for (const text of [
    'hello world',
    'call mum',
    'on 30 February at 9 x',
    '29 February 2027 at 9 x',
    'cron nonsense',
  ])
    assert.throws(() => read(text), /could not read a time/, text);
  assert.throws(() => read('cron 99 9 * * * x'), /"99 9 \* \* \*" is no cron pattern: expected five fields/);
  assert.throws(() => zoneNamed('Berlinn'), /nearest name is Europe\/Berlin/);
});

test('a date is read at the beginning or the end of the words, in English and German', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['in 20 minutes call mum', '2026-11-24T10:20', 'call mum'],
    ['me tomorrow to call mum', '2026-11-25T08:00', 'call mum'],
    ['call mum tomorrow at 9', '2026-11-25T08:00', 'call mum'],
    ['on monday 14:30 stand-up', '2026-11-30T13:30', 'stand-up'],
    ['3/4 at 9 dentist', '2027-04-03T07:00', 'dentist'],
    ['morgen um 9 Mama anrufen', '2026-11-25T08:00', 'Mama anrufen'],
    ['in einer halben Stunde Tee', '2026-11-24T10:30', 'Tee'],
    ['am 31. März um 8 Uhr zahlen', '2027-03-31T06:00', 'zahlen'],
    ['24.12. um 18 Uhr Geschenke', '2026-12-24T17:00', 'Geschenke'],
    ['"tomorrow at 9" monday planning', '2026-11-25T08:00', 'monday planning'],
  ];
  for (const [text, at, rest] of cases) {
    const found = read(text);
    assert.deepEqual([iso(found.at), found.rest], [at, rest], text);
  }
});

test('a month with a day of two figures is the next one and no year, wherever it stands (R21)', () => {
  for (const [text, at, rest] of [
    ['Dec 24 at 6pm gifts', '2026-12-24T17:00', 'gifts'],
    ['on December 24 at 18:00 gifts', '2026-12-24T17:00', 'gifts'],
    ['gifts Dec 24 at 6pm', '2026-12-24T17:00', 'gifts'],
    ['Nov 10 at 9 call', '2027-11-10T08:00', 'call'],
    ['Jan 05 2028 at 9 call', '2028-01-05T08:00', 'call'],
    ['tomorrow at 9 read the Dec 24 issue', '2026-11-25T08:00', 'read the Dec 24 issue'],
  ] as const) {
    const found = read(text);
    assert.deepEqual([iso(found.at), found.rest], [at, rest], text);
  }
});

test('the day of a month is read before the month too, and what would be another rule is refused (R22)', () => {
  for (const text of [
    ...[
      'on the 1st of every month pay rent',
      'pay rent on the 1st of every month',
      'every 1st of the month pay rent',
    ],
    ...[
      'on the first of each month pay rent',
      'am 1. jedes Monats pay rent',
      'am Ersten jedes Monats pay rent',
    ],
  ]) {
    const found = read(text);
    assert.deepEqual(
      [found.words, found.rest],
      ['every month on day 1 at 09:00 (Europe/Berlin)', 'pay rent'],
      text,
    );
  }
  assert.deepEqual(next('on the last day of every month at 17:00 close', 2), [
    '2026-11-30T16:00',
    '2026-12-31T16:00',
  ]);
  assert.deepEqual(next('every other Friday at 10 review', 2), ['2026-11-27T09:00', '2026-12-11T09:00']);
  assert.deepEqual(next('jeden zweiten Freitag um 10 Review', 2), ['2026-11-27T09:00', '2026-12-11T09:00']);
  for (const text of ['every weekday at 8 mail', 'on weekdays at 8 mail', 'an Werktagen um 8 mail'])
    assert.deepEqual(
      [read(text).words, read(text).rest],
      ['Monday to Friday at 08:00 (Europe/Berlin)', 'mail'],
      text,
    );
  assert.throws(() => read('pay on the 1st, 10th or 15th of every month'), /could not read a time/);
});

test('a weekday of the month is read in the forms in which people say it, and comes on that day (R22)', () => {
  for (const [text, words, rest] of [
    ['first Monday of every month review', 'every month on the first Monday', 'review'],
    ['review on the first Monday of every month', 'every month on the first Monday', 'review'],
    ['on the first Monday of the month at 10 review', 'every month on the first Monday', 'review'],
    ['every first Monday review', 'every month on the first Monday', 'review'],
    ['every month on the 1st Monday review', 'every month on the first Monday', 'review'],
    ['monthly on the first Monday review', 'every month on the first Monday', 'review'],
    ['last Friday of the month drinks', 'every month on the last Friday', 'drinks'],
    ['every last Friday of the month drinks', 'every month on the last Friday', 'drinks'],
    ['the 2nd Tuesday of each month at 10 council', 'every month on the second Tuesday', 'council'],
    ['every 1st and 3rd Thursday of the month bins', 'every month on the first and third Thursday', 'bins'],
    ['first Monday of every other month review', 'every 2 months on the first Monday', 'review'],
    ['first Monday of every 3 months review', 'every 3 months on the first Monday', 'review'],
    ['every 2nd Tuesday council', 'every 2 weeks on Tuesday', 'council'],
    ['every second Friday review', 'every 2 weeks on Friday', 'review'],
    ['ersten Montag im Monat Kasse', 'every month on the first Monday', 'Kasse'],
    ['jeden ersten Montag im Monat um 10 Uhr Kasse', 'every month on the first Monday', 'Kasse'],
    ['am ersten Montag jedes Monats Kasse', 'every month on the first Monday', 'Kasse'],
    ['Kasse jeden 1. Montag im Monat', 'every month on the first Monday', 'Kasse'],
    ['jeden Monat am letzten Freitag Kasse', 'every month on the last Friday', 'Kasse'],
    ['jeden letzten Freitag Kasse', 'every month on the last Friday', 'Kasse'],
    [
      'am ersten und dritten Donnerstag im Monat Tonne',
      'every month on the first and third Thursday',
      'Tonne',
    ],
    ['jeden zweiten Dienstag Rat', 'every 2 weeks on Tuesday', 'Rat'],
  ] as const) {
    const found = read(text);
    const time = / (?:at|um) 10\b/.test(text) ? '10:00' : '09:00';
    assert.deepEqual([found.words, found.rest], [`${words} at ${time} (Europe/Berlin)`, rest], text);
  }
  assert.deepEqual(next('first Monday of every month x', 3), [
    '2026-12-07T08:00',
    '2027-01-04T08:00',
    '2027-02-01T08:00',
  ]);
  assert.deepEqual(next('last Friday of the month x', 3), [
    '2026-11-27T08:00',
    '2026-12-25T08:00',
    '2027-01-29T08:00',
  ]);
  assert.deepEqual(next('every 2 months on the last Tuesday x', 3), [
    '2027-01-26T08:00',
    '2027-03-30T07:00',
    '2027-05-25T07:00',
  ]);
  assert.deepEqual(next('fifth Monday of every month x', 2), ['2026-11-30T08:00', '2027-03-29T07:00']);
  assert.deepEqual(next('first and third Thursday of the month x', 3), [
    '2026-12-03T08:00',
    '2026-12-17T08:00',
    '2027-01-07T08:00',
  ]);
  for (const text of ['every first Monday in December party', 'jeden ersten Montag im Dezember Feier'])
    assert.throws(() => read(text), /could not read a time/, text);
});

test('a rule may end: directly behind it with a day or a time, at the end of the words with a day (R22)', () => {
  for (const [text, words, rest] of [
    ['every 3 hours until Sunday drink', 'every 3 hours until Sunday, 29 November 2026 at 23:59', 'drink'],
    [
      'alle 3 Stunden bis Sonntag trinken',
      'every 3 hours until Sunday, 29 November 2026 at 23:59',
      'trinken',
    ],
    ['every hour until 18:00 stretch', 'every hour until Tuesday, 24 November 2026 at 18:00', 'stretch'],
    [
      'drink every 3 hours until Friday at 18:00',
      'every 3 hours until Friday, 27 November 2026 at 18:00',
      'drink',
    ],
    [
      'every day at 8 open a door until Dec 24',
      'every day at 08:00 until Thursday, 24 December 2026 at 23:59',
      'open a door',
    ],
    ['jeden Tag bis 24.12. Advent', 'every day at 09:00 until Thursday, 24 December 2026 at 23:59', 'Advent'],
    ['every day work until 6pm', 'every day at 09:00', 'work until 6pm'],
    ['every day read until the end', 'every day at 09:00', 'read until the end'],
  ] as const) {
    const found = read(text);
    assert.deepEqual([found.words, found.rest], [`${words} (Europe/Berlin)`, rest], text);
  }
  assert.deepEqual(next('every 12 hours until Wednesday at 23:00 x', 9), [
    '2026-11-24T22:00',
    '2026-11-25T10:00',
    '2026-11-25T22:00',
  ]);
  assert.throws(() => read('every month on the 31st until tomorrow x'), /never comes/);
});

test('a rule is read in English and German, and comes at its next times', () => {
  assert.deepEqual(next('every Monday and Thursday at 9 sport', 3), [
    '2026-11-26T08:00',
    '2026-11-30T08:00',
    '2026-12-03T08:00',
  ]);
  assert.deepEqual(next('jeden Montag und Donnerstag um 9 Uhr Sport', 2), [
    '2026-11-26T08:00',
    '2026-11-30T08:00',
  ]);
  assert.deepEqual(next('alle zwei Wochen am Montag um 10 x', 3), [
    '2026-11-30T09:00',
    '2026-12-14T09:00',
    '2026-12-28T09:00',
  ]);
  assert.deepEqual(next('werktags um 8 Mails', 4), [
    '2026-11-25T07:00',
    '2026-11-26T07:00',
    '2026-11-27T07:00',
    '2026-11-30T07:00',
  ]);
  assert.deepEqual(next('cron 0 9 * * 1-5 hi', 2), ['2026-11-25T08:00', '2026-11-26T08:00']);
  assert.deepEqual(next('call mum every other day at 9', 2), ['2026-11-26T08:00', '2026-11-28T08:00']);
  assert.equal(read('every Monday at 9 stand-up').words, 'every Monday at 09:00 (Europe/Berlin)');
});

test('what is shown as the time of a schedule is read as the same time again', () => {
  for (const text of [
    ...['werktags um 8', 'every 2 weeks on weekdays at 9', 'every 2 weeks on Monday at 10', 'tomorrow at 9'],
    ...['every month on the 31st at 9', 'every month on the last day at 9', 'every year on 29 February at 9'],
    ...['every weekend at 10', 'every Mon, Tue and Wed at 9', 'every 20 minutes', 'every 3 days at 7'],
    ...['every 3 hours until Sunday', 'every day at 7 until 3 May at 10', 'on the 5th of every month'],
    ...['every month on the first and third Monday at 9', 'every 2 months on the last Friday at 9'],
    ...['am 3. Mai um 10 Uhr', 'every 2 years on 3 May at 9', 'Montag bis Freitag um 8'],
  ]) {
    const first = read(text);
    const again = read(first.words.replace(/ \([^()]*\)/g, ''));
    assert.deepEqual(again, first, text);
  }
});

test('daylight saving, the 31st and 29 February come as a person would expect, in their zone (S17)', () => {
  assert.deepEqual(next('every month on the 31st at 9 rent', 4), [
    '2026-11-30T08:00',
    '2026-12-31T08:00',
    '2027-01-31T08:00',
    '2027-02-28T08:00',
  ]);
  assert.deepEqual(next('every 3 months on the 31st at 9 rent', 3), [
    '2026-11-30T08:00',
    '2027-02-28T08:00',
    '2027-05-31T07:00',
  ]);
  assert.deepEqual(next('every year on 29 February at 9 party', 2), ['2027-02-28T08:00', '2028-02-29T08:00']);
  const march = { now: Date.UTC(2027, 2, 27, 12), zone: 'Europe/Berlin' };
  // 02:30 does not exist on the 28th; 09:00 stays 09:00 on the wall
  assert.deepEqual(next('every day at 2:30 backup', 2, march), ['2027-03-28T01:00', '2027-03-29T00:30']);
  assert.deepEqual(next('every day at 9 tea', 2, march), ['2027-03-28T07:00', '2027-03-29T07:00']);
  assert.equal(iso(read('tomorrow at 2:30 backup', march).at), '2027-03-28T01:30');
  // a day that has 25 hours: 02:30 comes twice, and fires once; "in 24 hours" is 24 hours
  const october = { now: Date.UTC(2026, 9, 24, 12), zone: 'Europe/Berlin' };
  assert.deepEqual(next('every day at 2:30 backup', 2, october), ['2026-10-25T00:30', '2026-10-26T01:30']);
  assert.equal(iso(read('in 24 hours tea', october).at), '2026-10-25T12:00');
  assert.equal(iso(read('tomorrow at 14:00 tea', october).at), '2026-10-25T13:00');
  const tokyo = { now: tuesday, zone: 'Asia/Tokyo' };
  const shown = read('tomorrow at 9 tea', tokyo);
  assert.deepEqual(
    [iso(shown.at), shown.words],
    ['2026-11-25T00:00', 'Wednesday, 25 November 2026 at 09:00 (Asia/Tokyo)'],
  );
});

test('what people type of a single time is read as they mean it, in English and German', () => {
  for (const [text, at, rest] of [
    ['tomorrow morning call mum', '2026-11-25T07:00', 'call mum'],
    ['Monday morning at 7 gym', '2026-11-30T06:00', 'gym'],
    ['in an hour and a half check oven', '2026-11-24T11:30', 'check oven'],
    ['in anderthalb Stunden Ofen', '2026-11-24T11:30', 'Ofen'],
    ['heute in einer Stunde Anruf', '2026-11-24T11:00', 'Anruf'],
    ['next week Monday at 10 review', '2026-11-30T09:00', 'review'],
    ['nächste Woche Montag um 10 Durchsicht', '2026-11-30T09:00', 'Durchsicht'],
    ['am Samstagabend um 19 Uhr Feier', '2026-11-28T18:00', 'Feier'],
    ['halb acht Abendessen', '2026-11-25T06:30', 'Abendessen'],
    ['morgen um halb acht Abendessen', '2026-11-25T06:30', 'Abendessen'],
    ['um viertel vor eins essen', '2026-11-24T11:45', 'essen'],
    ['um dreiviertel acht los', '2026-11-25T06:45', 'los'],
    ['tomorrow at half past seven dinner', '2026-11-25T06:30', 'dinner'],
    ['at quarter to one lunch', '2026-11-24T11:45', 'lunch'],
    ['on the 1st pay rent', '2026-12-01T08:00', 'pay rent'],
    ['on the 31st pay', '2026-12-31T08:00', 'pay'],
    ['on the 1st of December at 8 open', '2026-12-01T07:00', 'open'],
    ['on the 24th of December at 6pm gifts', '2026-12-24T17:00', 'gifts'],
    ['am 1. Miete', '2026-12-01T08:00', 'Miete'],
    ['am 20. um 8 gehen', '2026-12-20T07:00', 'gehen'],
    ['am 1. Dezember um 8 gehen', '2026-12-01T07:00', 'gehen'],
    ['on the last day of the month at 17:00 report', '2026-11-30T16:00', 'report'],
    ['am letzten Tag des Monats um 17 Uhr Bericht', '2026-11-30T16:00', 'Bericht'],
    // words of what is to be done stay as they are
    ['in 20 minutes buy tickets for half past seven', '2026-11-24T10:20', 'buy tickets for half past seven'],
    ['in 10 minutes ask about Monday morning', '2026-11-24T10:10', 'ask about Monday morning'],
    ['morgen um 9 Samstagabend planen', '2026-11-25T08:00', 'Samstagabend planen'],
  ] as const) {
    const found = read(text);
    assert.deepEqual([iso(found.at), found.rest, found.rule], [at, rest, undefined], text);
  }
});

test('what people type of a rule is read as they mean it, and an end that cannot be read is refused (R22)', () => {
  for (const [text, first, second, rest] of [
    ['jeden Werktag um 9 Runde', '2026-11-25T08:00', '2026-11-26T08:00', 'Runde'],
    ['every weekday at 9 stand-up', '2026-11-25T08:00', '2026-11-26T08:00', 'stand-up'],
    ['montags um 9 Sport', '2026-11-30T08:00', '2026-12-07T08:00', 'Sport'],
    ['Mondays at 9 gym', '2026-11-30T08:00', '2026-12-07T08:00', 'gym'],
    ['on Fridays at 17:00 bins', '2026-11-27T16:00', '2026-12-04T16:00', 'bins'],
    ['on weekends at 10 pancakes', '2026-11-28T09:00', '2026-11-29T09:00', 'pancakes'],
    ['jeden dritten Tag um 8 gießen', '2026-11-27T07:00', '2026-11-30T07:00', 'gießen'],
    ['jeden zweiten Freitag um 17 Uhr Müll', '2026-11-27T16:00', '2026-12-11T16:00', 'Müll'],
    ['every 2nd Friday at 17:00 bins', '2026-11-27T16:00', '2026-12-11T16:00', 'bins'],
    ['every 3h until Sunday water', '2026-11-24T13:00', '2026-11-24T16:00', 'water'],
    ['alle 3 Stunden bis Sonntag trinken', '2026-11-24T13:00', '2026-11-24T16:00', 'trinken'],
    ['every 90min stretch', '2026-11-24T11:30', '2026-11-24T13:00', 'stretch'],
    ['jeden Montag um halb acht Sport', '2026-11-30T06:30', '2026-12-07T06:30', 'Sport'],
    ['every day at half past seven vitamins', '2026-11-25T06:30', '2026-11-26T06:30', 'vitamins'],
  ] as const) {
    assert.deepEqual(next(text, 2), [first, second], text);
    assert.equal(read(text).rest, rest, text);
  }
  for (const text of [
    'every other Friday until the end of the year bins',
    'jeden Tag bis auf Weiteres gießen',
  ])
    assert.throws(() => read(text), /could not read a time/, text);
});
