// Rooms in the ledger: what a word means, rooms that move, who is in a thread, and who may read what is written there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readActiveRooms } from '#adapters/gateway/ledger/bindings.ts';
import { readMeant } from '#adapters/gateway/ledger/meant.ts';
import { formatAddress, type Platform, parseAddress } from '#adapters/gateway/terms/address.ts';
import { eventOf, here, openPeople, put, thread } from './open-ledger.ts';

test('the rooms that the bot was spoken to in last are named once, newest first, without direct messages', (t) => {
  const { path, ledger } = openPeople(t);
  const bind = (address: string, at: number): void =>
    ledger.bindings.bind(address, parseAddress(address), { id: `ses ${at}`, at, person: 'per_1' });
  bind('discord:channel:bot:G:C1:-', 1);
  bind('discord:channel:bot:G:C2:T', 5);
  bind('discord:channel:bot:G:C2:-', 4);
  bind('discord:dm:bot:-:D:-', 9);
  bind('telegram:group:bot:-:7:-', 9);
  const rooms = (platform: Platform) =>
    readActiveRooms(path, { platform }).map(({ chat, thread }) => [chat, thread]);
  assert.deepEqual(rooms('discord'), [
    ['C2', 'T'],
    ['C1', undefined],
  ]);
  assert.deepEqual(
    ledger.bindings.chats('telegram').map(({ chat }) => chat),
    ['7'],
  );
  for (let at = 0; at < 30; at += 1) bind(`discord:channel:bot:G:M${at}:-`, 100 + at);
  assert.equal(rooms('discord').length, 25);
  assert.deepEqual(rooms('discord')[0], ['M29', undefined]);
});

test('a word means an account, a person with all accounts, or itself; a session and a room likewise', (t) => {
  const { path, ledger, meet, give } = openPeople(t);
  give('u1', 'Ann');
  give('u2', 'Ann');
  const [one, two, lone] = [meet('u1', 'Annie'), meet('u2', 'Zed'), meet('u3', 'Annie')];
  const ask = <T>(question: Parameters<typeof readMeant<T>>[1]) => readMeant(path, question);
  const persons = (word: string) => ask((meant) => meant.persons(word));
  assert.deepEqual(persons('Ann'), {
    keys: ['Ann', one, 'discord:u1', two, 'discord:u2'],
    persons: [one, two],
  });
  assert.deepEqual(persons('ann').persons, [one, two]);
  for (const word of [one, `person:${one}`, `tandem://user/person:${one}`, 'discord:u1'])
    assert.deepEqual([persons(word).persons, persons(word).oneOf], [[one], 'Ann'], word);
  assert.deepEqual(persons(lone), { keys: [lone, 'discord:u3'], persons: [lone] });
  assert.deepEqual(persons('nobody'), { keys: ['nobody'], persons: [] });
  const audiences = (word: string) => ask((meant) => meant.audiences(word));
  assert.deepEqual(audiences(`person:${one}`), { isKnown: true, alike: [] });
  assert.deepEqual(audiences('person:Ann'), { isKnown: false, alike: [`person:${one}`, `person:${two}`] });
  assert.deepEqual(audiences('person:annie').alike, [`person:${one}`, `person:${lone}`]);
  assert.deepEqual(audiences('room:nowhere'), { isKnown: false, alike: [] });
  ledger.identities.sighted(one, { audience: 'room:seen' }, 1);
  ledger.rooms.seen({ audience: 'room:known', restricted: true } as never, here); // the fields that it reads
  for (const audience of ['room:seen', 'room:known'])
    assert.equal(audiences(audience).isKnown, true, audience);
  const chats = (word: string) => ask((meant) => meant.chats(word));
  assert.deepEqual(chats('ses_1'), { chats: [], sessions: ['ses_1'] });
  assert.deepEqual(chats('tandem://session/ses_1'), { chats: [], sessions: ['ses_1'] });
  assert.deepEqual(chats('room:discord:channel:bot:G:C:-'), {
    chats: ['discord:channel:bot:G:C:-'],
    sessions: [],
  });
  assert.deepEqual(chats('discord:channel:bot:G:C:-#per_1'), {
    chats: ['discord:channel:bot:G:C:-'],
    sessions: [],
  });
});

test('a room that moved is meant under each address that it has had, threads included', (t) => {
  const { path, ledger } = openPeople(t);
  const group = (chat: string) => parseAddress(`telegram:group:bot:-:${chat}:-`);
  for (const [from, to] of [
    ['1', '2'],
    ['2', '3'],
  ] as const)
    ledger.chatMigrations.move(group(from), group(to));
  const chats = (word: string) => readMeant(path, (meant) => meant.chats(word)).chats;
  assert.deepEqual(
    chats('telegram:group:bot:-:2:-').sort(),
    ['1', '2', '3'].map((chat) => `telegram:group:bot:-:${chat}:-`),
  );
  assert.deepEqual(
    chats('telegram:group:bot:-:3:T').sort(),
    ['1', '2', '3'].map((chat) => `telegram:group:bot:-:${chat}:T`),
  );
  assert.deepEqual(chats('telegram:group:bot:-:9:-'), ['telegram:group:bot:-:9:-']);
  const first = (chat: string) => formatAddress(ledger.chatMigrations.originalAddress(group(chat)));
  assert.deepEqual(['3', '9'].map(first), ['telegram:group:bot:-:1:-', 'telegram:group:bot:-:9:-']);
});

test('a room that moves takes along what names it, and forgets message ids that mean something else now', (t) => {
  const { ledger } = openPeople(t);
  const [from, to] = ['1', '2'].map((chat) => parseAddress(`telegram:group:bot:-:${chat}:-`)) as [
    typeof here,
    typeof here,
  ];
  put(ledger, '5', { lane: 'telegram:group:bot:-:1:-', event: { address: from } });
  ledger.turns.insert({ id: 'trn_1', lane: 'telegram:group:bot:-:1:-', address: from, replyTo: '5', at: 1 });
  ledger.turns.insert({ id: 'trn_2', lane: 'other', address: here, replyTo: '6', at: 1 });
  for (const id of ['trn_1', 'trn_2']) ledger.turns.intendPreview(id, { ordinal: 0, key: 'p' });
  const parts = ['one', 'two'].map((key) => ({
    part: { text: key, body: {} },
    key,
    preview: { key: 'p', nativeID: 'm' },
  }));
  ledger.outbox.insert({ id: 'out_1', address: from, replyTo: '5', turnID: 'trn_1', parts, at: 1 });
  ledger.outbox.insert({ id: 'out_2', address: here, replyTo: '6', parts, at: 1 });
  ledger.outbox.received('out_1', { ordinal: 0, nativeID: 'm', at: 2 });
  ledger.bindings.bind('telegram:group:bot:-:1:-', from, { id: 'ses_1', at: 1, person: 'per_1' });
  ledger.chatMigrations.move(from, to);
  assert.equal(ledger.bindings.sessionOf('telegram:group:bot:-:2:-'), 'ses_1');
  assert.equal(ledger.bindings.sessionOf('telegram:group:bot:-:1:-'), undefined);
  assert.equal(ledger.inbox.waiting('telegram:group:bot:-:2:-').length, 1);
  const turn = ledger.turns.get('trn_1');
  assert.deepEqual(
    [turn?.address.chat, turn?.lane, turn?.replyTo],
    ['2', 'telegram:group:bot:-:2:-', undefined],
  );
  assert.deepEqual(
    ['trn_1', 'trn_2'].map((id) => ledger.turns.previews(id).length),
    [0, 1],
  );
  const row = ledger.outbox.get('out_1');
  assert.deepEqual(
    [row?.address.chat, row?.replyTo, row?.parts.map(({ preview }) => preview?.nativeID)],
    ['2', undefined, ['m', undefined]],
  );
  assert.deepEqual([ledger.outbox.get('out_2')?.replyTo, ledger.turns.get('trn_2')?.replyTo], ['6', '6']);
  assert.equal(
    ledger.chatMigrations.renamed('telegram:group:bot:-:1:T', from, to),
    'telegram:group:bot:-:2:T',
  );
  assert.equal(
    ledger.chatMigrations.renamed('telegram:group:bot:-:11:-', from, to),
    'telegram:group:bot:-:11:-',
  );
  ledger.chatMigrations.move(to, to);
  assert.equal(ledger.turns.get('trn_1')?.address.chat, '2');
});

test('a thread is between the bot and one person until another speaks there or someone is called, and never again', (t) => {
  const { ledger } = openPeople(t);
  const { company } = ledger;
  const speak = (id: string, more: object = {}) =>
    company.isAloneIn(
      { ...eventOf('1', { address: thread, actor: { id, name: id, isBot: false } }), ...more },
      1,
    );
  assert.deepEqual([speak('u1'), speak('u1'), speak('u2'), speak('u1')], [true, true, false, false]);
  const other = { address: parseAddress('discord:channel:bot:G:C:T2') };
  assert.deepEqual(
    [speak('u1', other), speak('u1', { ...other, toOthers: true }), speak('u1', other)],
    [true, false, false],
  );
  const third = { address: parseAddress('discord:channel:bot:G:C:T3') };
  assert.deepEqual([speak('u1', { ...third, toOthers: true }), speak('u1', third)], [false, false]);
  const fourth = { address: parseAddress('discord:channel:bot:G:C:T4') };
  assert.equal(speak('u1', fourth), true);
  company.share(fourth.address);
  assert.equal(speak('u1', fourth), false);
  company.share(parseAddress('discord:channel:bot:G:C:T5'));
});

test('a room is as closed as its strictest message, is opened by the platform alone, and is handed over until memory has its state', (t) => {
  const { ledger } = openPeople(t);
  const { rooms } = ledger;
  const place = (restricted: boolean, audience = 'room:a') => ({ audience, restricted }) as never; // the fields that it reads
  const handOver = () => rooms.toHandOver().map(({ audience, restricted }) => [audience, restricted]);
  rooms.set('room:a', true);
  assert.equal(rooms.get('room:a'), undefined);
  assert.deepEqual(rooms.seen(place(false), here), { restricted: false });
  assert.deepEqual(
    rooms.open('discord').map(({ audience }) => audience),
    ['room:a'],
  );
  assert.deepEqual(rooms.open('slack'), []);
  assert.deepEqual(handOver(), []);
  assert.deepEqual(rooms.seen(place(true), here), { restricted: true });
  assert.deepEqual(handOver(), [['room:a', true]]);
  assert.deepEqual(rooms.seen(place(false), thread), { restricted: true });
  assert.deepEqual(rooms.get('room:a')?.address, thread);
  assert.deepEqual(rooms.open('discord'), []);
  rooms.set('room:a', false);
  rooms.handedOver([{ audience: 'room:a', restricted: true }] as never); // an older state than that of the row
  assert.deepEqual(handOver(), [['room:a', false]]);
  rooms.handedOver([{ audience: 'room:a', restricted: false }] as never);
  assert.deepEqual(handOver(), []);
  rooms.set('room:a', false);
  assert.deepEqual(handOver(), []);
  rooms.seen(place(true, 'room:b'), here);
  assert.deepEqual(handOver(), []);
});

test('a chat that moved twice, or there and back, has its present id and its first, whichever of its ids is named', (t) => {
  const { ledger } = openPeople(t);
  const room = (chat: string) => parseAddress(`telegram:group:bot:-:${chat}:-`);
  const { move, currentAddress, originalAddress } = ledger.chatMigrations;
  for (const [from, to] of ['AB', 'BC', 'XY', 'YX']) move(room(from ?? ''), room(to ?? ''));
  const named = (chats: string) =>
    [...chats].map((chat) => currentAddress(room(chat)).chat + originalAddress(room(chat)).chat).join(' ');
  assert.equal(named('ABCN'), 'CA CA CA NN');
  assert.equal(named('XY'), 'XX XX');
});
