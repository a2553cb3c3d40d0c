// What the ledger holds for lanes and turns: choices of a chat, its sessions, what turns used, and the way of an answer.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { openLedger } from '#adapters/gateway/ledger/ledger.ts';
import { parseAddress } from '#adapters/gateway/terms/address.ts';
import { createActiveProblems } from '#base/active-problems.ts';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { quietLog } from '../../../support/quiet-log.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { begin, here, openedLedger, put } from './open-ledger.ts';

const direct = parseAddress('discord:dm:bot:-:D:-');
const day = 86_400_000;

test('what was chosen for a chat stays until it is taken back, one choice apart from the others, and for that chat alone', (t) => {
  const { laneSettings } = openedLedger(t);
  const chosen = (lane: string) => JSON.parse(JSON.stringify(laneSettings.of(lane)));
  assert.deepEqual(chosen('a'), {});
  laneSettings.set('a', { voice: true });
  assert.deepEqual(chosen('a'), { voice: true });
  laneSettings.set('a', { model: 'large' });
  laneSettings.set('a', { agent: 'scout' });
  assert.deepEqual([chosen('a'), chosen('b')], [{ model: 'large', agent: 'scout', voice: true }, {}]);
  laneSettings.set('b', { model: 'small' });
  assert.deepEqual(chosen('b'), { model: 'small' }, 'a chat that did not choose a voice has none');
  laneSettings.set('a', { voice: undefined, model: undefined });
  assert.deepEqual(chosen('a'), { agent: 'scout' });
});

test('a session counts as spoken in from a lane once someone speaks in it, not when it is only looked at', (t) => {
  const { bindings } = openedLedger(t);
  const bind = (id: string, at: number, more: object = {}) =>
    bindings.bind('a', direct, { id, at, person: 'per_1', ...more });
  assert.deepEqual(
    [bindings.sessionOf('a'), bindings.hasLost('a'), bindings.isAnnounced('a', 's1')],
    [undefined, false, false],
  );
  bind('s1', 1);
  assert.deepEqual([bindings.sessionOf('a'), bindings.isAnnounced('a', 's1')], ['s1', false]);
  assert.deepEqual(
    [bindings.say('a', 's2'), bindings.say('b', 's1'), bindings.say('a', 's1')],
    [false, false, true],
  );
  assert.equal(bindings.isAnnounced('a', 's1'), true);
  bind('s1', 2);
  assert.equal(bindings.isAnnounced('a', 's1'), true, 'another binding takes nothing of it back');
  bind('s3', 3, { announced: true });
  assert.deepEqual([bindings.isAnnounced('a', 's3'), bindings.isAnnounced('b', 's3')], [true, false]);
  bind('s4', 4, { announced: false });
  assert.equal(bindings.isAnnounced('a', 's4'), false);
  const sessions = (lane: string, persons: string[] = []) =>
    bindings.sessionsOf(lane, persons).map(({ sessionID, boundAt }) => `${sessionID} ${boundAt}`);
  assert.deepEqual(sessions('a'), ['s4 4', 's3 3', 's1 2']);
  bindings.bind('c', here, { id: 's5', at: 5, person: 'per_1' });
  assert.deepEqual(sessions('x', ['per_1']), ['s4 4', 's3 3', 's1 2'], 'a room belongs to no account');
  assert.deepEqual(sessions('x', ['per_2']), []);
});

test('what turns used is counted once a turn, by account, room and time, and forgotten after seven days', (t) => {
  const path = join(tempFolder(t), 'gateway.sqlite');
  const ledger = openedLedger(t, path);
  const { turnUsage } = ledger;
  for (const id of ['t1', 't2', 't3', 't4', 't5', 't6']) begin(ledger, id);
  const note = (turnID: string, at: number, more: object = {}) =>
    turnUsage.note({ turnID, person: 'per_1', room: 'r', tokens: 10, costUSD: 0.5, at, ...more });
  note('t1', 1_000);
  note('t1', 1_000);
  note('t2', 2_000, { person: 'per_2', tokens: 7, costUSD: 0 });
  note('t3', 3_000, { room: 'other' });
  assert.deepEqual(turnUsage.byPersons(['per_1'], 0), { tokens: 20, costUSD: 1 });
  assert.deepEqual(
    turnUsage.byPersons(['per_1', 'per_2'], 1_000),
    { tokens: 17, costUSD: 0.5 },
    'later than the moment',
  );
  assert.deepEqual(turnUsage.inRoom('r', 0), { tokens: 17, costUSD: 0.5 });
  assert.deepEqual(turnUsage.inRoom('r', 2_000), { tokens: 0, costUSD: 0 });
  assert.deepEqual(turnUsage.byPersons(['per_9'], 0), { tokens: 0, costUSD: 0 });
  const file = new Database(path, { readonly: true });
  t.after(() => file.close());
  const turns = () =>
    file.prepare<[], string>('SELECT turn_id FROM turn_usage ORDER BY turn_id').pluck().all();
  note('t4', 1_000 + 7 * day);
  assert.deepEqual(turns(), ['t1', 't2', 't3', 't4']);
  note('t5', 1_001 + 7 * day);
  assert.deepEqual(turns(), ['t1', 't2', 't3', 't4', 't5'], 'looked at once an hour');
  note('t6', 1_000 + 7 * day + 3_600_000);
  assert.deepEqual(turns(), ['t4', 't5', 't6']);
});

test('what is committed soon is on the disk when the ledger is closed at once', async (t) => {
  const path = join(tempFolder(t), 'gateway.sqlite');
  const ledger = openLedger({
    ...{ path, clock: systemClock, newId: createIds(systemClock), log: quietLog().log },
    problems: createActiveProblems(systemClock),
  });
  const soon = ledger.commit(() => ledger.laneSettings.set('a', { model: 'large' }), 'soon');
  await ledger.close();
  await soon;
  assert.equal(openedLedger(t, path).laneSettings.of('a').model, 'large');
});

test('a change of a message reaches the run that answers it, waits while there is none, and is dropped where none ever was', (t) => {
  const ledger = openedLedger(t);
  const open = () =>
    ledger.amendments.open(10).map(({ runID, amendment }) => [runID, amendment.nativeID, amendment.now]);
  for (const n of ['1', '2', '3']) {
    put(ledger, n);
    begin(ledger, `trn_${n}`);
    ledger.inbox.take([`inb_${n}`], `trn_${n}`);
    ledger.turns.begin(`trn_${n}`);
    ledger.amendments.add({ inboxID: `inb_${n}`, was: 'a', now: n === '2' ? null : 'b', at: 1 });
  }
  assert.deepEqual(open(), [], 'no run has begun');
  ledger.turns.started('trn_1', { sessionID: 's', runID: 'run_1' });
  ledger.turns.started('trn_2', { sessionID: 's', runID: 'run_2' });
  assert.deepEqual(open(), [
    ['run_1', '1', 'b'],
    ['run_2', '2', null],
  ]);
  const [first] = ledger.amendments.open(1);
  ledger.amendments.done(first?.id ?? 0);
  assert.deepEqual(open(), [['run_2', '2', null]]);
  ledger.turns.setState('trn_3', 'failed');
  assert.deepEqual(open(), [['run_2', '2', null]]);
  ledger.turns.started('trn_3', { sessionID: 's', runID: 'run_3' });
  assert.deepEqual(open(), [['run_2', '2', null]], 'it was dropped with its turn');
});

test('the way of an answer is its messages, its turn and its parts, as far as they are there', (t) => {
  const ledger = openedLedger(t);
  const { deliveries } = ledger;
  assert.deepEqual(deliveries.ofRun('run_9'), { messages: [], turn: null, delivery: null });
  put(ledger, '1');
  put(ledger, '2');
  begin(ledger, 'trn_1');
  ledger.inbox.take(['inb_1', 'inb_2'], 'trn_1');
  ledger.turns.begin('trn_1');
  ledger.turns.started('trn_1', { sessionID: 's', runID: 'run_1' });
  const begun = deliveries.ofRun('run_1');
  assert.deepEqual(
    [begun.messages.map(({ id }) => id), begun.turn?.id, begun.turn?.attempts, begun.delivery],
    [['inb_1', 'inb_2'], 'trn_1', 1, null],
  );
  const parts = ['one', 'two'].map((key, ordinal) => ({
    part: { text: key, body: {} },
    key,
    possibleRepeat: ordinal === 1,
  }));
  ledger.outbox.insert({
    id: 'out_1',
    address: here,
    replyTo: undefined,
    turnID: 'trn_1',
    runID: 'run_1',
    parts,
    at: 5,
  });
  ledger.outbox.received('out_1', { ordinal: 0, nativeID: 'm', at: 6 });
  const { delivery } = deliveries.ofRun('run_1');
  assert.deepEqual(
    delivery?.parts.map(({ ordinal, nativeID, receivedAtMs, possibleRepeat }) => [
      ordinal,
      nativeID,
      receivedAtMs,
      possibleRepeat,
    ]),
    [
      [0, 'm', 6, false],
      [1, null, null, true],
    ],
  );
  const undelivered = (openSince: number) =>
    deliveries.undelivered({ since: 0, openSince }).map(({ id, parts: all, sent }) => [id, all, sent]);
  assert.deepEqual([undelivered(5), undelivered(6)], [[], [['out_1', 2, 1]]]);
});
