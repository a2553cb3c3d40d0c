import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cronSchedule } from '#base/cron.ts';

const at = (text: string): number => Date.parse(text);
const shown = (ms: number | undefined): string | undefined =>
  ms === undefined ? ms : new Date(ms).toISOString();

test('a pattern that is none is refused by what was expected', () => {
  assert.throws(() => cronSchedule('every day'), {
    code: 'invalid_schedule',
    message: /"every day" is no schedule/,
  });
  assert.throws(() => cronSchedule('0 3 * * *', 'Nowhere/City').next(0), /Nowhere/);
});

test('the last time of a schedule is at or before now, and the next one after it', () => {
  const { last, next } = cronSchedule('0 3 * * *');
  assert.equal(shown(last(at('2026-11-24T10:00:00Z'))), '2026-11-24T03:00:00.000Z');
  assert.equal(shown(last(at('2026-11-24T03:00:00Z'))), '2026-11-24T03:00:00.000Z');
  assert.equal(shown(last(at('2026-11-24T02:59:59.999Z'))), '2026-11-23T03:00:00.000Z');
  assert.equal(shown(next(at('2026-11-24T03:00:00Z'))), '2026-11-25T03:00:00.000Z');
});

test('a time is that of the zone, also on days with a change of the clocks', () => {
  const { next, last } = cronSchedule('0 3 * * *', 'Europe/Berlin');
  assert.equal(shown(next(at('2026-11-24T10:00:00Z'))), '2026-11-25T02:00:00.000Z');
  assert.equal(shown(last(at('2026-03-29T12:00:00Z'))), '2026-03-29T01:00:00.000Z');
  assert.equal(shown(last(at('2026-10-25T12:00:00Z'))), '2026-10-25T02:00:00.000Z');
});
