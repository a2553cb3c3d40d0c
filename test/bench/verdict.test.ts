// Chaos passes only a run that kept the whole promise, over made-up outcomes; its last line has the keys that are promised.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Facts, type Plan, verdictOf } from '../../bench/chaos/verdict.ts';
import { windows } from '../../bench/chaos/windows.ts';
import type { Outcome } from '../../bench/harness/account.ts';
import type { Call } from '../../bench/harness/tap.ts';

const plan: Plan = {
  messages: 300,
  kills: 20,
  seed: 1,
  processes: 1,
  operators: false,
  links: false,
  machines: 1,
};
const outcome: Outcome = {
  sent: 300,
  answered: 300,
  lost: 0,
  duplicated: { discord: 0, slack: 0, telegram: 0 },
  outOfOrder: 0,
  archived: 300,
  archivedTwice: 0,
  unlabelled: 0,
  astray: 0,
  faults: [],
};
const facts: Facts = {
  atRest: true,
  exitCode: 0,
  kills: 20,
  deaths: [],
  broken: [],
  hits: new Map(windows.map((window) => [window, 1])),
  telegram: [],
  receipts: new Set(),
  others: [],
};
const unanswered: Call = {
  kind: 'send',
  path: '/bot1/sendMessage',
  port: 40_000,
  requestedAt: 0,
  status: 0,
  effect: 'done',
  messageID: undefined,
  answeredAt: undefined,
};
const faults = (change: { outcome?: Partial<Outcome>; facts?: Partial<Facts>; plan?: Partial<Plan> }) =>
  verdictOf({ ...plan, ...change.plan }, { ...outcome, ...change.outcome }, { ...facts, ...change.facts })
    .faults;

test('a run that kept the promise has no fault, and its numbers have the promised keys in order', () => {
  const { faults, summary } = verdictOf(plan, outcome, facts);
  assert.deepEqual(faults, []);
  const promised =
    '{"sent":300,"answered":300,"lost":0,"duplicated":{"discord":0,"slack":0,"telegram":0},"unknownTelegramSends":0,"outOfOrder":0,"archived":300,"archivedTwice":0,"kills":20';
  assert.ok(JSON.stringify(summary).startsWith(promised), JSON.stringify(summary));
});

test('what the account of the messages found wrong is wrong', () => {
  assert.deepEqual(faults({ outcome: { faults: ['one is lost'] } }), ['one is lost']);
});

test('duplicates on Telegram are allowed as far as sends had no answer, and no further', () => {
  const duplicated = { discord: 0, slack: 0, telegram: 2 };
  assert.deepEqual(faults({ outcome: { duplicated }, facts: { telegram: [unanswered, unanswered] } }), []);
  assert.match(faults({ outcome: { duplicated }, facts: { telegram: [unanswered] } }).join(), /2 .* 1 /);
});

test('fewer kills or messages than planned, a bad end and unrest are wrong', () => {
  assert.equal(faults({ facts: { kills: 19 } }).length, 1);
  assert.equal(faults({ outcome: { sent: 299 } }).length, 1);
  assert.equal(faults({ facts: { exitCode: 1 } }).length, 1);
  assert.equal(faults({ facts: { exitCode: null } }).length, 1);
  assert.equal(faults({ facts: { atRest: false } }).length, 1);
});

test('a long run without a kill between a send and its receipt, before an ack, or in an archive proves too little', () => {
  for (const missed of ['sent, no receipt', 'accepted, not confirmed', 'received, not archived'] as const) {
    const hits = new Map(facts.hits);
    hits.delete(missed);
    assert.match(faults({ facts: { hits } }).join(), new RegExp(missed));
    assert.deepEqual(faults({ plan: { kills: 4 }, facts: { hits, kills: 4 } }), []);
  }
});
