// Chaos with schedules passes only where each firing was sent once, over made-up outcomes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ScheduleFacts, scheduleVerdict } from '../../bench/chaos/schedule-verdict.ts';

const due = {
  token: 'tok90001xab',
  platform: 'telegram',
  kind: 'text',
  recurring: false,
  sourceID: 's1',
} as const;
const row = { id: 'fir_1', sourceID: 's1', state: 'sent', isOver: true, turn: undefined };
const message = { platform: 'telegram', lane: 'dm of you', text: '⏰ say tok90001xab' } as const;
const repeat = { ...message, text: `(This may be a repeat.)\n${message.text}` };
const facts: ScheduleFacts = {
  made: [due],
  existed: [message],
  rows: [row],
  atRest: true,
  exitCode: 0,
  unknown: 0,
};
const faults = (changes: Partial<ScheduleFacts>): string[] =>
  scheduleVerdict({ ...facts, ...changes }).faults;

test('a firing that was sent once passes, and one that is lost, open, repeated or unlabelled does not (S18)', () => {
  assert.deepEqual(faults({}), []);
  assert.match(faults({ existed: [] }).join(), /0 messages for 1 firings/);
  assert.match(faults({ rows: [{ ...row, state: 'taken', isOver: false }] }).join(), /is taken/);
  assert.match(faults({ existed: [message, repeat] }).join(), /1 repeats for 0 sends/);
  assert.deepEqual(faults({ existed: [message, repeat], unknown: 1 }), []);
  assert.match(faults({ existed: [message, message], unknown: 1 }).join(), /without its label/);
  const discord = { ...due, platform: 'discord' };
  assert.match(faults({ made: [discord], existed: [message, message] }).join(), /2 messages for 1 firings/);
});

test('a recurring job has one message for each of its firings', () => {
  const recurring = { ...due, recurring: true };
  const rows = [row, { ...row, id: 'fir_2' }];
  assert.match(faults({ made: [recurring], rows }).join(), /1 messages for 2 firings/);
  assert.deepEqual(faults({ made: [recurring], rows, existed: [message, message] }), []);
  const merged = rows.map((each) => ({ ...each, turn: 'trn_1' }));
  assert.deepEqual(faults({ made: [recurring], rows: merged }), []);
});
