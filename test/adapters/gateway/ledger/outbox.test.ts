// The outbox and its parts: what has to be said, until each part has its receipt. And the turns and previews that it answers.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { NewOutboxRow } from '#adapters/gateway/ledger/outbox.ts';
import { parseAddress } from '#adapters/gateway/terms/address.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { begin, here, openedLedger, thread } from './open-ledger.ts';

const part = (text: string) => ({ part: { text, body: { content: text } }, key: `key of ${text}` });
const post = (ledger: Ledger, id: string, outgoing: Partial<NewOutboxRow> = {}): void =>
  ledger.outbox.insert({ id, address: here, parts: [part('one'), part('two')], at: 5, ...outgoing });
const states = (ledger: Ledger, id: string) => ledger.outbox.get(id)?.parts.map(({ state }) => state);

test('the answer of a run is to be handed over with its last receipt, and anything else stays open until it is done', (t) => {
  const path = join(tempFolder(t), 'gateway.sqlite');
  const ledger = openedLedger(t, path);
  begin(ledger, 'trn_1');
  post(ledger, 'out_1', { turnID: 'trn_1', runID: 'run_1', replyTo: '77' });
  post(ledger, 'out_2');
  const open = () => ledger.outbox.open().map(({ id, lane }) => [id, lane]);
  const database = new Database(path, { readonly: true });
  t.after(() => database.close());
  const stateOf = (id: string) => database.prepare('SELECT state FROM outbox WHERE id = ?').pluck().get(id);
  assert.deepEqual(open(), [
    ['out_1', 'lane'],
    ['out_2', undefined],
  ]);
  ledger.outbox.sending('out_1', 0);
  assert.deepEqual(states(ledger, 'out_1'), ['sending', 'unsent']);
  ledger.outbox.unsent('out_1', 0);
  assert.deepEqual(states(ledger, 'out_1'), ['unsent', 'unsent']);
  ledger.outbox.received('out_1', { ordinal: 0, nativeID: 'm1', at: 9 });
  assert.deepEqual(states(ledger, 'out_1'), ['sent', 'unsent']);
  assert.equal(stateOf('out_1'), 'open');
  ledger.outbox.received('out_1', { ordinal: 1, nativeID: 'm2', at: 10 });
  const row = ledger.outbox.get('out_1');
  assert.deepEqual(
    row?.parts.map(({ nativeID }) => nativeID),
    ['m1', 'm2'],
  );
  assert.deepEqual([row?.replyTo, row?.turnID, row?.runID], ['77', 'trn_1', 'run_1']);
  assert.equal(stateOf('out_1'), 'handing over');
  for (const ordinal of [0, 1]) ledger.outbox.received('out_2', { ordinal, nativeID: `n${ordinal}`, at: 10 });
  assert.equal(stateOf('out_2'), 'open');
  assert.equal(ledger.outbox.idOfTurn('trn_1'), 'out_1');
  ledger.outbox.setState('out_1', 'done');
  assert.deepEqual(open(), [['out_2', undefined]]);
});

test('a receipt is the last time that the bot spoke on its platform', (t) => {
  const ledger = openedLedger(t);
  assert.equal(ledger.traffic.lastOutbound('discord').get('bot'), undefined);
  post(ledger, 'out_1');
  ledger.outbox.received('out_1', { ordinal: 0, nativeID: 'm1', at: 9 });
  assert.equal(ledger.traffic.lastOutbound('discord').get('bot'), 9);
  assert.equal(ledger.traffic.lastOutbound('telegram').get('bot'), undefined);
});

test('a part that its preview shows already has its receipt from the beginning', (t) => {
  const ledger = openedLedger(t);
  begin(ledger, 'trn_1');
  const parts = [{ ...part('one'), standing: 'm1' }];
  post(ledger, 'out_1', { turnID: 'trn_1', runID: 'run_1', parts });
  assert.deepEqual(states(ledger, 'out_1'), ['sent']);
  assert.equal(ledger.outbox.get('out_1')?.parts[0]?.nativeID, 'm1');
  assert.equal(ledger.traffic.lastOutbound('discord').get('bot'), 5);
});

test('a part in the place of another is unsent, repeats nothing, and leaves the other parts', (t) => {
  const ledger = openedLedger(t);
  const preview = { key: 'p', nativeID: 'm0' };
  const parts = [{ ...part('one'), preview, possibleRepeat: true }, part('two'), part('three')];
  post(ledger, 'out_1', { parts });
  const shown = () =>
    ledger.outbox
      .get('out_1')
      ?.parts.map((one) => [one.part.text, one.possibleRepeat, one.preview?.nativeID]);
  assert.deepEqual(shown(), [
    ['one', true, 'm0'],
    ['two', false, undefined],
    ['three', false, undefined],
  ]);
  ledger.outbox.mayRepeat('out_1', 1);
  ledger.outbox.sending('out_1', 1);
  assert.equal(ledger.outbox.get('out_1')?.parts[1]?.possibleRepeat, true);
  ledger.outbox.replace('out_1', 1, { text: 'other', body: {} });
  ledger.outbox.replace('out_1', 0, { text: 'first', body: {} });
  assert.deepEqual(shown(), [
    ['first', false, 'm0'],
    ['other', false, undefined],
    ['three', false, undefined],
  ]);
  assert.deepEqual(states(ledger, 'out_1'), ['unsent', 'unsent', 'unsent']);
  ledger.outbox.forgetPreview('out_1', 0);
  assert.deepEqual(shown()?.[0], ['first', false, undefined]);
  ledger.outbox.replace('out_9', 0, { text: 'nothing', body: {} });
});

test('what rooms of a platform refused is listed once a room, the newest first, and without direct messages', (t) => {
  const ledger = openedLedger(t);
  const refuse = (id: string, address: string, at: number, words: string | undefined): void => {
    post(ledger, id, { address: parseAddress(address), at });
    ledger.outbox.setState(id, 'failed', words);
  };
  refuse('out_1', 'discord:channel:bot:G:C:-', 10, 'old words');
  refuse('out_2', 'discord:channel:bot:G:C:-', 20, 'new words');
  refuse('out_3', 'discord:channel:bot:G:C2:-', 30, 'other room');
  refuse('out_4', 'discord:dm:bot:-:D:-', 40, 'in private');
  refuse('out_5', 'telegram:group:bot:-:C:-', 50, 'on another platform');
  refuse('out_6', 'discord:channel:bot:G:C3:-', 60, undefined);
  refuse('out_7', 'discord:channel:bot:G:C4:-', 5, 'at the moment itself');
  assert.deepEqual(ledger.outbox.refused('discord', 5), [
    { account: 'bot', words: 'other room', at: 30 },
    { account: 'bot', words: 'new words', at: 20 },
  ]);
  for (let at = 0; at < 12; at += 1) refuse(`out_m${at}`, `discord:channel:bot:G:M${at}:-`, 100 + at, 'many');
  assert.equal(ledger.outbox.refused('discord', 5).length, 10);
});

test('who waits for an end hears of each, and the backlog of a platform is what has none', (t) => {
  const ledger = openedLedger(t);
  let ends = 0;
  ledger.outbox.onSettled(() => {
    ends += 1;
  });
  const backlog = () => ['discord', 'telegram'].map((at) => ledger.outbox.backlog(at).get('bot') ?? 0);
  assert.deepEqual(backlog(), [0, 0]);
  post(ledger, 'out_1');
  post(ledger, 'out_2');
  post(ledger, 'out_3', { address: parseAddress('telegram:dm:bot:-:7:-') });
  assert.deepEqual(backlog(), [2, 1]);
  ledger.outbox.setState('out_1', 'done');
  ledger.outbox.setState('out_2', 'failed', 'words');
  assert.deepEqual(backlog(), [0, 1]);
  assert.equal(ends, 2);
});

test('a turn counts its attempts, without those that were put off, and never below none', (t) => {
  const ledger = openedLedger(t);
  begin(ledger, 'trn_1', { address: thread });
  begin(ledger, 'trn_2');
  const attempts = () => ledger.turns.get('trn_1')?.attempts;
  ledger.turns.park('trn_1');
  assert.equal(attempts(), 0);
  ledger.turns.begin('trn_1');
  ledger.turns.begin('trn_1');
  assert.equal(attempts(), 2);
  ledger.turns.park('trn_1');
  assert.equal(attempts(), 1);
  assert.equal(ledger.turns.get('trn_2')?.attempts, 0);
  ledger.turns.started('trn_1', { sessionID: 'ses_1', runID: 'run_1' });
  const { sessionID, runID, runKey, state } = ledger.turns.get('trn_1') ?? {};
  assert.deepEqual([sessionID, runID, runKey, state], ['ses_1', 'run_1', 'trn_1', 'running']);
  assert.deepEqual(
    ledger.turns.unanswered().map(({ id }) => id),
    ['trn_1', 'trn_2'],
  );
  ledger.turns.setState('trn_1', 'answered');
  assert.deepEqual(
    ledger.turns.unanswered().map(({ id }) => id),
    ['trn_2'],
  );
  assert.equal(ledger.turns.get('trn_3'), undefined);
});

test('a preview is intended before it is posted, once for each place, and is owned in its chat only', (t) => {
  const ledger = openedLedger(t);
  begin(ledger, 'trn_1');
  begin(ledger, 'trn_2', { address: thread });
  ledger.turns.intendPreview('trn_1', { ordinal: 1, key: 'b' });
  ledger.turns.intendPreview('trn_1', { ordinal: 0, key: 'a' });
  ledger.turns.intendPreview('trn_1', { ordinal: 0, key: 'another' });
  ledger.turns.previewPosted('trn_1', { ordinal: 0, nativeID: 'm1', at: 5 });
  ledger.turns.previewPosted('trn_2', { ordinal: 0, nativeID: 'm2', at: 5 });
  assert.deepEqual(ledger.turns.previews('trn_1'), [
    { ordinal: 0, key: 'a', nativeID: 'm1' },
    { ordinal: 1, key: 'b', nativeID: undefined },
  ]);
  assert.deepEqual(ledger.turns.previews('trn_2'), []);
  assert.equal(ledger.turns.ownsPreview(here, 'm1'), true);
  assert.equal(ledger.turns.ownsPreview(thread, 'm1'), false);
  assert.equal(ledger.turns.ownsPreview(here, 'm2'), false);
  ledger.turns.forgetPreview('trn_1', 0);
  assert.deepEqual(
    ledger.turns.previews('trn_1').map(({ ordinal }) => ordinal),
    [1],
  );
});
