// Which sends count as unknown, by what the wire shows: the measure for Telegram's repeats.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Call } from '../../bench/harness/tap.ts';
import { unknownSends } from '../../bench/harness/unknown-sends.ts';

const call = (over: Partial<Call>): Call => ({
  kind: 'send',
  path: '/bot1/sendMessage',
  port: 40_000,
  requestedAt: 10_000,
  status: 200,
  effect: 'done',
  messageID: '7',
  answeredAt: 10_010,
  ...over,
});
const count = (one: Call, receipts: string[], kills: number[]): number =>
  unknownSends([one], {
    receipts: new Set(receipts),
    deaths: kills.map((killedAt) => ({ stoppedAt: killedAt - 20, killedAt })),
  }).length;

test('a send that was answered is known, unless the program was killed before it took the answer', () => {
  assert.equal(count(call({}), ['7'], []), 0);
  assert.equal(count(call({}), [], []), 0, 'no receipt and no kill: the program is at fault');
  assert.equal(count(call({}), [], [10_100]), 1);
  assert.equal(count(call({}), ['7'], [10_100]), 0);
  assert.equal(count(call({}), [], [9_000, 60_000]), 0, 'kills of another time');
});

test('a send whose answer never went out is unknown, and one that was refused or is no send is not', () => {
  assert.equal(count(call({ answeredAt: undefined }), [], []), 1);
  assert.equal(count(call({ answeredAt: undefined, effect: 'refused' }), [], []), 0);
  assert.equal(count(call({ answeredAt: undefined, kind: 'edit' }), [], []), 0);
});

test('a send that was answered while the program stood still before its end is unknown, however long it stood', () => {
  const deaths = [{ stoppedAt: 20_000, killedAt: 60_000 }];
  assert.equal(unknownSends([call({ answeredAt: 59_000 })], { receipts: new Set(), deaths }).length, 1);
  assert.equal(unknownSends([call({ answeredAt: 5_000 })], { receipts: new Set(), deaths }).length, 0);
});

test('a send is unknown when its asker was killed before the answer went out, though the socket still took it', () => {
  const asked = call({ requestedAt: 10_000, answeredAt: 10_840 });
  assert.equal(count(asked, [], [10_830]), 1);
  assert.equal(count(asked, ['7'], [10_830]), 0);
  assert.equal(count(asked, [], [9_990]), 0, 'killed before it was asked: another program asked');
});

test('a send whose connection broke before its answer could arrive is unknown, unless its receipt is there', () => {
  const unknown = (one: { port: number; at: number }, receipts: string[] = []): number =>
    unknownSends([call({})], { receipts: new Set(receipts), deaths: [], broken: [one] }).length;
  assert.equal(unknown({ port: 40_000, at: 10_005 }), 1);
  assert.equal(unknown({ port: 40_000, at: 10_600 }), 1, 'the answer was on its way');
  assert.equal(unknown({ port: 40_000, at: 10_005 }, ['7']), 0);
  assert.equal(unknown({ port: 40_001, at: 10_005 }), 0, 'another connection');
  assert.equal(unknown({ port: 40_000, at: 9_000 }), 0, 'an earlier connection from the same port');
  assert.equal(unknown({ port: 40_000, at: 60_000 }), 0, 'long after the answer');
});
