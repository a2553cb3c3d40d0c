// The doctor on schedules: those that are on time are counted, and what is overdue is a problem with a hint.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scheduleRemarks } from '#app/doctor/running.ts';

const minute = 60_000;
const now = 100 * minute;
const well = { active: 2, nextAtMs: now + minute, waiting: [], failedLastDay: 0 };
const words = (standing: Parameters<typeof scheduleRemarks>[0]) =>
  scheduleRemarks(standing, now).map(({ level, what }) => `${level}: ${what}`);

test('schedules that are on time are counted, also in quiet hours and a moment after their time', () => {
  assert.deepEqual(words(undefined), []);
  assert.deepEqual(words({ ...well, active: 0, nextAtMs: null }), []);
  assert.deepEqual(words(well), ['ok: 2 schedules are active.']);
  const waiting = [
    { platform: 'slack', count: 1, sinceMs: now + 60 * minute },
    { platform: 'discord', count: 1, sinceMs: now - 5 * minute },
  ];
  assert.deepEqual(words({ ...well, waiting }), ['ok: 2 schedules are active.']);
});

test('what is overdue by more than five minutes and what failed is a problem with a hint', () => {
  const waiting = [{ platform: 'slack', count: 3, sinceMs: now - 6 * minute }];
  const remarks = { ...well, waiting, nextAtMs: now - 7 * minute, failedLastDay: 1 };
  assert.deepEqual(words(remarks), [
    'error: 3 scheduled messages wait for slack, the oldest for 6 minutes.',
    'error: A schedule has been overdue for 7 minutes.',
    'warning: 1 scheduled message could not be sent within the last day.',
  ]);
  for (const remark of scheduleRemarks(remarks, now))
    assert.match(
      'hint' in remark ? String(remark.hint) : '',
      /enabled and connected|in the log|parley hook list/,
    );
});
