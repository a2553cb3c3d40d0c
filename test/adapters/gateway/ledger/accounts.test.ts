// Accounts and persons in the ledger: who is whose, who was seen where, and what ends with a link.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPersons } from '#adapters/gateway/ledger/people/persons.ts';
import { parseAddress } from '#adapters/gateway/terms/address.ts';
import { begin, here, openPeople } from './open-ledger.ts';

const directOf = (chat: string) => parseAddress(`discord:dm:bot:-:${chat}:-`);
test('an account is one person from its first sight on, on its platform only, under its newest name', (t) => {
  const { ledger, meet } = openPeople(t);
  assert.equal(ledger.identities.known('discord', 'u1'), undefined);
  const ann = meet('u1', 'Ann');
  assert.equal(meet('u1', 'Anna'), ann);
  assert.notEqual(meet('u1', 'Ann', 'slack'), ann);
  assert.equal(ledger.identities.known('discord', 'u1'), ann);
  assert.equal(ledger.persons.standingOf(ann).shownAs, 'Anna');
});

test('a sighting begins at the first time, ends with the room or its whole space, and for that account alone', (t) => {
  const { ledger, meet } = openPeople(t);
  const [ann, ben] = [meet('u1'), meet('u2')];
  const { sighted, joined, left, sightings } = ledger.identities;
  sighted(ann, { audience: 'room:a', space: 'discord:bot:G' }, 10);
  sighted(ann, { audience: 'room:a', space: 'discord:bot:G' }, 30);
  sighted(ann, { audience: 'room:b', space: 'discord:bot:G' }, 20);
  sighted(ann, { audience: 'room:c' }, 5);
  joined({ userID: 'u2', address: here, audience: 'room:a', at: 15 });
  joined({ userID: 'nobody', address: here, audience: 'room:a', at: 15 });
  const of = (person: string, limit = 9) =>
    sightings([person], limit).map(({ audience, firstSeenAt }) => [audience, firstSeenAt]);
  assert.deepEqual(of(ann), [
    ['room:a', 10],
    ['room:b', 20],
    ['room:c', 5],
  ]);
  assert.deepEqual(of(ann, 1), [['room:a', 10]]);
  assert.deepEqual(sightings([ben], 9), [
    { userID: 'u2', audience: 'room:a', space: 'discord:bot:G', firstSeenAt: 15 },
  ]);
  left({ userID: 'u1', address: here, audience: 'room:a' });
  assert.deepEqual(of(ann), [
    ['room:b', 20],
    ['room:c', 5],
  ]);
  assert.deepEqual(of(ben), [['room:a', 15]]);
  sighted(ann, { audience: 'room:a', space: 'discord:bot:G' }, 40);
  assert.deepEqual(of(ann)[0], ['room:a', 40]);
  left({ userID: 'u1', address: parseAddress('slack:channel:bot:G:C:-') });
  assert.equal(of(ann).length, 3);
  left({ userID: 'u1', address: here });
  assert.deepEqual(of(ann), [['room:c', 5]]);
  assert.deepEqual(of(ben), [['room:a', 15]]);
});

test('a person is who an operator made them: a role, accounts with their sources, and nothing once removed', (t) => {
  const { path, ledger, meet, give } = openPeople(t);
  const { persons } = ledger;
  meet('u0');
  give('u1', 'Ann');
  give('u2', 'Ann', { by: 'link', role: undefined });
  const ann = persons.get('Ann');
  assert.deepEqual([ann?.role, ann?.inConfig, ann?.sinceMs], ['guest', false, 1]);
  assert.deepEqual(
    ann?.accounts.map(({ userID, by }) => [userID, by]),
    [
      ['u1', 'approved'],
      ['u2', 'link'],
    ],
  );
  assert.deepEqual(readPersons(path), persons.list());
  assert.deepEqual(
    persons.unlinked().map(({ userID }) => userID),
    ['u0'],
  );
  assert.equal(persons.standing('discord', 'u2').role, 'guest');
  assert.equal(persons.standing('slack', 'u2').role, undefined);
  persons.setRole('Ann', 'owner');
  assert.equal(persons.standing('discord', 'u1').role, 'owner');
  give('u3', 'Ann', { role: 'guest' });
  assert.equal(persons.get('Ann')?.role, 'owner');
  persons.removeAccount('Ann', { platform: 'slack', userID: 'u2' });
  assert.equal(persons.idsOf('Ann').length, 3);
  persons.removeAccount('Ann', { platform: 'discord', userID: 'u2' });
  assert.deepEqual(
    persons.get('Ann')?.accounts.map(({ userID }) => userID),
    ['u1', 'u3'],
  );
  assert.equal(persons.standing('discord', 'u2').name, undefined);
  persons.remove('Ann');
  assert.equal(persons.get('Ann'), undefined);
  assert.deepEqual(persons.idsOf('Ann'), []);
  assert.deepEqual(persons.list(), []);
});

test('the persons of the config are exactly those that it names, and what a code gave stays', (t) => {
  const { ledger, give } = openPeople(t);
  const { persons } = ledger;
  give('u1', 'Ann');
  persons.configure(
    { Ann: { role: 'owner', accounts: ['discord:u1', 'slack:T/u9'] }, Ben: { role: 'guest', accounts: [] } },
    7,
  );
  assert.deepEqual(
    persons.list().map(({ name, role, inConfig }) => [name, role, inConfig]),
    [
      ['Ann', 'owner', true],
      ['Ben', 'guest', true],
    ],
  );
  assert.equal(persons.standing('slack', 'T/u9').role, 'owner');
  persons.remove('Ben');
  assert.equal(persons.get('Ben')?.role, 'guest');
  persons.configure({}, 8);
  assert.deepEqual(
    persons.list().map(({ name, role, inConfig }) => [name, role, inConfig]),
    [['Ann', 'guest', false]],
  );
  assert.equal(persons.standing('slack', 'T/u9').name, undefined);
  assert.deepEqual(
    persons.get('Ann')?.accounts.map(({ userID }) => userID),
    [],
  );
});

test('accounts that are joined without a name are a person as long as there are two of them', (t) => {
  const { ledger, give } = openPeople(t);
  const { persons } = ledger;
  const key = persons.unnamed({ platform: 'discord', userID: 'u1', shownAs: 'Ann' });
  for (const userID of ['u1', 'u2', 'u3']) give(userID, key, { by: 'link', role: undefined });
  assert.equal(persons.standing('discord', 'u2').key, key);
  assert.equal(persons.standing('discord', 'u2').name, undefined);
  assert.equal(persons.get(key)?.role, undefined);
  persons.removeAccount(key, { platform: 'discord', userID: 'u2' });
  assert.equal(persons.get(key)?.accounts.length, 2);
  persons.removeAccount(key, { platform: 'discord', userID: 'u1' });
  assert.equal(persons.get(key), undefined);
  assert.equal(persons.standing('discord', 'u3').key, undefined);
});

test('the unused link codes of a person that loses an account end, and those of others do not', (t) => {
  const { ledger, meet, give } = openPeople(t);
  give('u1', 'Ann');
  give('u2', 'Ann');
  give('u3', 'Ben');
  const persons = ['u1', 'u2', 'u3'].map((userID) => meet(userID));
  for (const [at, person] of persons.entries())
    ledger.linkCodes.put({ code: `C${at}`, person, expiresAtMs: 9 });
  const codes = () => [0, 1, 2].map((at) => ledger.linkCodes.get(`C${at}`)?.code);
  give('u4', 'Ann');
  assert.deepEqual(codes(), ['C0', 'C1', 'C2']);
  ledger.persons.removeAccount('Ann', { platform: 'discord', userID: 'u2' });
  assert.deepEqual(codes(), [undefined, undefined, 'C2']);
  ledger.linkCodes.put({ code: 'D', person: persons[2] ?? '', expiresAtMs: 9 });
  assert.equal(ledger.linkCodes.get('C2'), undefined);
  assert.equal(ledger.linkCodes.get('D')?.person, persons[2]);
});

test('a session that two accounts have shared is nobody’s once they are two persons, and a run that it has begins again', (t) => {
  const { ledger, meet, give } = openPeople(t);
  give('u1', 'Ann');
  give('u2', 'Ann');
  const [one, two] = [meet('u1'), meet('u2')];
  const { bindings } = ledger;
  bindings.bind('lane 1', directOf('D1'), { id: 'ses_1', at: 1, person: one, announced: true });
  bindings.bind('lane 2', directOf('D2'), { id: 'ses_1', at: 2, person: two });
  bindings.bind('lane 2', directOf('D2'), { id: 'ses_2', at: 3, person: two });
  bindings.bind('lane 2', directOf('D2'), { id: 'ses_1', at: 4, person: two });
  assert.equal(bindings.isAnnounced('lane 2', 'ses_1'), false);
  assert.equal(bindings.say('lane 2', 'ses_1'), true);
  assert.equal(bindings.say('lane 3', 'ses_1'), false);
  assert.equal(bindings.isAnnounced('lane 2', 'ses_1'), true);
  assert.deepEqual(
    bindings.sessionsOf('lane 2', [one, two]).map(({ sessionID }) => sessionID),
    ['ses_1', 'ses_2'],
  );
  assert.deepEqual(bindings.separate(), []);
  begin(ledger, 'trn_1', { lane: 'lane 1' });
  begin(ledger, 'trn_2', { lane: 'lane 3' });
  for (const id of ['trn_1', 'trn_2'])
    ledger.turns.started(id, { sessionID: 'ses_1', runID: `run of ${id}` });
  assert.deepEqual(ledger.persons.removeAccount('Ann', { platform: 'discord', userID: 'u2' }).sort(), [
    'lane 1',
    'lane 2',
  ]);
  assert.deepEqual(
    ['lane 1', 'lane 2'].map((lane) => [bindings.sessionOf(lane), bindings.hasLost(lane)]),
    [
      [undefined, true],
      [undefined, true],
    ],
  );
  assert.equal(bindings.hasLost('lane 3'), false);
  assert.deepEqual(
    bindings.sessionsOf('lane 2', [two]).map(({ sessionID }) => sessionID),
    ['ses_2'],
  );
  const turns = ['trn_1', 'trn_2'].map((id) => ledger.turns.get(id));
  assert.deepEqual(
    turns.map((turn) => [turn?.runID, turn?.runKey]),
    [
      [undefined, 'trn_1~'],
      ['run of trn_2', 'trn_2'],
    ],
  );
});

test('a session that another account only looked at stays with the account that it began with', (t) => {
  const { ledger, meet, give } = openPeople(t);
  give('u1', 'Ann');
  give('u2', 'Ann');
  const [one, two] = [meet('u1'), meet('u2')];
  ledger.bindings.bind('lane 1', directOf('D1'), { id: 'ses_1', at: 1, person: one, announced: true });
  ledger.bindings.bind('lane 2', directOf('D2'), { id: 'ses_1', at: 2, person: two });
  ledger.bindings.bind('lane 4', here, { id: 'ses_1', at: 2, person: two, announced: true }); // a room belongs to no account
  assert.deepEqual(ledger.persons.removeAccount('Ann', { platform: 'discord', userID: 'u2' }), ['lane 2']);
  assert.equal(ledger.bindings.sessionOf('lane 1'), 'ses_1');
  assert.equal(ledger.bindings.sessionOf('lane 4'), 'ses_1');
});
