// The inbox: each message once, found by its place, its lane, its turn and its author, and by nothing else.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InboxRow } from '#adapters/gateway/ledger/inbox/inbox-row.ts';
import { parseAddress } from '#adapters/gateway/terms/address.ts';
import { begin, here, openedLedger, put, thread } from '../open-ledger.ts';

const ids = (rows: readonly InboxRow[]): string[] => rows.map(({ id }) => id);
const others = ['telegram:channel:bot:G:C:-', 'discord:channel:bot2:G:C:-', 'discord:channel:bot:G:C2:-'];

test('a message is inserted once for its platform, account and chat, threads included', (t) => {
  const ledger = openedLedger(t);
  assert.equal(put(ledger, '1'), true);
  assert.equal(put(ledger, '1', { id: 'inb_again' }), false);
  assert.equal(put(ledger, '1', { id: 'inb_thread', event: { address: thread } }), false);
  for (const [at, other] of others.entries())
    assert.equal(
      put(ledger, '1', { id: `inb_o${at}`, event: { address: parseAddress(other) } }),
      true,
      other,
    );
  assert.equal(ledger.inbox.find(here, '1')?.id, 'inb_1');
  assert.equal(ledger.inbox.find(thread, '1')?.id, 'inb_1');
  for (const [at, other] of others.entries())
    assert.equal(ledger.inbox.find(parseAddress(other), '1')?.id, `inb_o${at}`);
  assert.equal(ledger.inbox.find(here, '2'), undefined);
});

test('what was written to the bot is counted from just after a moment, by room and by author, without commands where it says so', (t) => {
  const ledger = openedLedger(t);
  put(ledger, '1', { receivedAt: 10 });
  put(ledger, '2', { receivedAt: 11 });
  put(ledger, '3', { receivedAt: 12, event: { address: thread } });
  put(ledger, '4', { receivedAt: 12, kind: 'command' });
  put(ledger, '5', { receivedAt: 12, person: 'per_2' });
  for (const [at, other] of others.entries())
    put(ledger, '6', { id: `inb_o${at}`, receivedAt: 12, event: { address: parseAddress(other) } });
  const { fromPersonIn, fromPersons, countIn } = ledger.inbox;
  assert.equal(fromPersonIn(here, { person: 'per_1', since: 10 }), 3);
  assert.equal(fromPersonIn(thread, { person: 'per_1', since: 11 }), 2);
  assert.equal(fromPersonIn(here, { person: 'per_2', since: 0 }), 1);
  assert.equal(fromPersonIn(here, { person: 'per_3', since: 0 }), 0);
  assert.equal(fromPersons(['per_1'], 10), 5);
  assert.equal(fromPersons(['per_1', 'per_2'], 11), 5);
  assert.equal(fromPersons([], 0), 0);
  assert.equal(countIn(here, 10), 3);
  assert.equal(countIn(here, 12), 0);
  for (const other of others) assert.equal(countIn(parseAddress(other), 0), 1, other);
});

test('a lane has its waiting messages in the order in which they were written, and its commands apart', (t) => {
  const ledger = openedLedger(t);
  put(ledger, '3', { event: { at: 5 } });
  put(ledger, '1', { event: { at: 7 } });
  put(ledger, '2', { event: { at: 7 } });
  put(ledger, '4', { kind: 'command' });
  put(ledger, '5', { lane: 'other lane' });
  put(ledger, '6');
  ledger.inbox.settle(['inb_6'], 'refused');
  assert.deepEqual(ids(ledger.inbox.waiting('lane')), ['inb_3', 'inb_1', 'inb_2']);
  assert.deepEqual(ids(ledger.inbox.commandsWaiting()), ['inb_4']);
  assert.deepEqual(ledger.inbox.lanesWaiting().sort(), ['lane', 'other lane']);
  begin(ledger, 'trn_1');
  ledger.inbox.take(['inb_3', 'inb_1', 'inb_2', 'inb_4'], 'trn_1');
  assert.deepEqual(ids(ledger.inbox.waiting('lane')), []);
  assert.deepEqual(ids(ledger.inbox.commandsWaiting()), []);
  assert.deepEqual(ledger.inbox.lanesWaiting(), ['other lane']);
  assert.deepEqual(ids(ledger.inbox.ofTurn('trn_1')), ['inb_3', 'inb_1', 'inb_2']);
  assert.deepEqual(ledger.inbox.find(here, '3')?.turnID, 'trn_1');
});

test('the last turn of a person in a lane is that of the newest of their messages that was answered', (t) => {
  const ledger = openedLedger(t);
  for (const id of ['trn_1', 'trn_2', 'trn_3', 'trn_4']) begin(ledger, id);
  const answered = (nativeID: string, turnID: string, row: Parameters<typeof put>[2] = {}): void => {
    put(ledger, nativeID, row);
    ledger.inbox.take([`inb_${nativeID}`], turnID);
    ledger.inbox.settle([`inb_${nativeID}`], 'answered');
  };
  assert.equal(ledger.inbox.lastTurn('lane', 'per_1'), undefined);
  answered('1', 'trn_1', { receivedAt: 5 });
  answered('2', 'trn_2', { receivedAt: 4 });
  answered('3', 'trn_3', { receivedAt: 9, person: 'per_2' });
  answered('4', 'trn_3', { receivedAt: 9, lane: 'other lane' });
  answered('5', 'trn_3', { receivedAt: 9, kind: 'command' });
  put(ledger, '6', { receivedAt: 9 });
  ledger.inbox.take(['inb_6'], 'trn_4');
  put(ledger, '7', { receivedAt: 9 });
  ledger.inbox.settle(['inb_7'], 'answered'); // by a command, without a turn
  const last = ledger.inbox.lastTurn('lane', 'per_1');
  assert.deepEqual([last?.turnID, ids(last?.rows ?? [])], ['trn_1', ['inb_1']]);
  ledger.inbox.settleTurn('trn_4', 'cancelled');
  assert.equal(ledger.inbox.lastTurn('lane', 'per_1')?.turnID, 'trn_1');
  ledger.inbox.settleTurn('trn_4', 'answered');
  assert.equal(ledger.inbox.lastTurn('lane', 'per_1')?.turnID, 'trn_4');
  assert.equal(ledger.inbox.find(here, '1')?.state, 'answered');
});

test('a deleted message stays in its place and loses its words, files, what it quotes and what hung on it', (t) => {
  const ledger = openedLedger(t);
  const file = { id: 'f', name: 'a.txt' } as never; // as an adapter names it
  const quoted = { nativeID: '9', author: 'Ben', text: 'quoted words' } as never; // as an adapter names it
  put(ledger, '1', { event: { files: [file], quoted, shared: ['a page'] } });
  put(ledger, '2', { event: { quoted } });
  ledger.inbox.erase('inb_1', 77);
  const row = ledger.inbox.find(here, '1');
  assert.equal(row?.deletedAt, 77);
  assert.deepEqual(
    [row?.event.text, row?.event.files, row?.event.quoted, row?.event.shared],
    ['', [], undefined, undefined],
  );
  const other = ledger.inbox.find(here, '2');
  assert.deepEqual([other?.deletedAt, other?.event.text], [undefined, 'text of 2']);
  ledger.inbox.setText('inb_2', 'other words');
  assert.equal(ledger.inbox.find(here, '2')?.event.text, 'other words');
  for (const other of others) ledger.inbox.unquote(parseAddress(other), '9');
  ledger.inbox.unquote(here, '8');
  assert.match(JSON.stringify(ledger.inbox.find(here, '2')?.event.quoted), /quoted words/);
  ledger.inbox.unquote(here, '9');
  assert.deepEqual(ledger.inbox.find(here, '2')?.event.quoted, { nativeID: '9', author: 'Ben' });
});

test('files that come later are added to a message that waits and had none, and to no other', (t) => {
  const ledger = openedLedger(t);
  const file = (name: string): never => ({ id: name, name }) as never; // as an adapter names it
  const later = (nativeID: string, address = here) =>
    ledger.inbox.addFiles({
      ...(ledger.inbox.find(here, nativeID)?.event as never as object),
      address,
      nativeID,
      files: [file('b')],
    } as never); // the event again, with a file
  const names = (nativeID: string) => ledger.inbox.find(here, nativeID)?.event.files.map(({ name }) => name);
  put(ledger, '1');
  put(ledger, '2', { event: { files: [file('a')] } });
  put(ledger, '3');
  ledger.inbox.settle(['inb_3'], 'answered');
  put(ledger, '4');
  for (const nativeID of ['1', '2', '3']) later(nativeID);
  for (const other of others) later('4', parseAddress(other));
  assert.deepEqual(['1', '2', '3', '4'].map(names), [['b'], ['a'], [], []]);
});

test('what hangs on a message is added while it waits, each once, and it says whether any was new', (t) => {
  const ledger = openedLedger(t);
  put(ledger, '1');
  put(ledger, '2');
  ledger.inbox.settle(['inb_2'], 'answered');
  put(ledger, '3', { kind: 'command' });
  put(ledger, '4', { id: 'inb_4', event: { nativeID: '1~2' } });
  const add = (nativeID: string, shared: string[], address = here): boolean =>
    ledger.inbox.addShared({ type: 'preview', address, nativeID, shared } as never); // the fields that it reads
  const shared = (nativeID: string) => ledger.inbox.find(here, nativeID)?.event.shared;
  assert.equal(add('1', ['a page']), true);
  assert.equal(add('1', ['a page']), false);
  assert.equal(add('1', ['a page', 'another']), true);
  assert.deepEqual(shared('1'), ['a page', 'another']);
  for (const [nativeID, address] of [
    ['2', here],
    ['3', here],
    ['5', here],
    ...others.map((one) => ['1', parseAddress(one)] as const),
  ] as const)
    assert.equal(add(nativeID, ['a third'], address), false, nativeID);
  assert.equal(shared('2'), undefined);
  assert.equal(shared('3'), undefined);
});

test('a message is found with its retries, and with no message whose id only begins as its own', (t) => {
  const ledger = openedLedger(t);
  for (const nativeID of ['1', '1~a', '1~b', '12', '1}', '0']) put(ledger, nativeID);
  assert.deepEqual(ids(ledger.inbox.findAll(here, '1')), ['inb_1', 'inb_1~a', 'inb_1~b']);
  for (const other of others) assert.deepEqual(ledger.inbox.findAll(parseAddress(other), '1'), []);
});

test('an album is known in its chat for its author, and a chat once something was accepted in it', (t) => {
  const ledger = openedLedger(t);
  const photo = (album: string | undefined, address = here) =>
    ({
      ...{ type: 'message', address, nativeID: '9', at: 1, text: '', files: [] },
      ...(album === undefined ? {} : { album }),
    }) as never; // the fields that it reads
  put(ledger, '1', { event: { album: 'A' } });
  assert.equal(ledger.inbox.hasAlbum(photo('A'), 'per_1'), true);
  assert.equal(ledger.inbox.hasAlbum(photo('A'), 'per_2'), false);
  assert.equal(ledger.inbox.hasAlbum(photo('B'), 'per_1'), false);
  assert.equal(ledger.inbox.hasAlbum(photo(undefined), 'per_1'), false);
  assert.equal(ledger.inbox.hasAlbum(photo('A', thread), 'per_1'), false);
  assert.equal(ledger.inbox.knows(here), true);
  assert.equal(ledger.inbox.knows(thread), false);
});

test('the place of the newest direct message of an account is no room, and nobody else’s', (t) => {
  const ledger = openedLedger(t);
  const direct = (chat: string) => ({ address: parseAddress(`discord:dm:bot:-:${chat}:-`) });
  assert.equal(ledger.inbox.lastDirect('per_1'), undefined);
  put(ledger, '1', { receivedAt: 5, event: direct('D1') });
  put(ledger, '2', { receivedAt: 4, event: direct('D2') });
  put(ledger, '3', { receivedAt: 9 });
  put(ledger, '4', { receivedAt: 9, person: 'per_2', event: direct('D4') });
  const last = ledger.inbox.lastDirect('per_1');
  assert.deepEqual([last?.address.chat, last?.receivedAt], ['D1', 5]);
});

test('the backlog of a platform is what waits there and what is being answered', (t) => {
  const ledger = openedLedger(t);
  const backlog = () => ['discord', 'telegram'].map((at) => ledger.inbox.backlog(at).get('bot') ?? 0);
  assert.deepEqual(backlog(), [0, 0]);
  put(ledger, '1');
  put(ledger, '2', { kind: 'command' });
  put(ledger, '3', { event: { address: parseAddress('telegram:dm:bot:-:7:-') } });
  assert.deepEqual(backlog(), [2, 1]);
  begin(ledger, 'trn_1');
  ledger.inbox.take(['inb_1', 'inb_3'], 'trn_1');
  assert.deepEqual(backlog(), [2, 1]);
  ledger.inbox.settle(['inb_2', 'inb_3'], 'answered');
  assert.deepEqual(backlog(), [1, 0]);
  ledger.turns.setState('trn_1', 'answered');
  assert.deepEqual(backlog(), [0, 0]);
});

test('what a page of a chat should show are its own messages and those that open a thread, no commands and nothing deleted', (t) => {
  const ledger = openedLedger(t);
  const opens = (nativeID: string) => ({ event: { address: { ...here, thread: nativeID } } });
  put(ledger, '1');
  put(ledger, '2', opens('2'));
  put(ledger, '3', { event: { address: thread } });
  put(ledger, '4', { kind: 'command' });
  put(ledger, '5', { event: { placeholder: 'reply' } });
  put(ledger, '6');
  put(ledger, '7');
  put(ledger, 'slash:8');
  for (const [at, other] of others.entries())
    put(ledger, '6', { id: `inb_o${at}`, event: { address: parseAddress(other) } });
  ledger.inbox.erase('inb_6', 1);
  const whole = { from: '0', until: '9' };
  assert.deepEqual(ledger.inbox.accepted(here, whole), ['1', '2', '7']);
  assert.deepEqual(ledger.inbox.accepted(here, { from: '1', until: '6' }), ['2']);
  assert.deepEqual(ledger.inbox.accepted(thread, whole), ['3']);
  assert.deepEqual(ledger.inbox.accepted({ ...here, thread: '2' }, whole), []);
});
