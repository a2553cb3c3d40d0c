// Addresses and cursors: the keys that everything else rests on.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { isBehind } from '#adapters/gateway/ledger/cursors.ts';
import { firstOfOthers } from '#adapters/gateway/ledger/inbox/received-files.ts';
import { openLedger } from '#adapters/gateway/ledger/ledger.ts';
import { type Address, formatAddress, parseAddress } from '#adapters/gateway/terms/address.ts';
import { createActiveProblems } from '#base/active-problems.ts';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { heardStatements, planOf } from '../../support/plans.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const text = fc.string({ minLength: 1, unit: 'grapheme' });
const address: fc.Arbitrary<Address> = fc
  .record(
    {
      platform: fc.constantFrom('discord', 'telegram', 'slack'),
      kind: fc.constantFrom('dm', 'group', 'channel'),
      account: text,
      chat: text,
      space: text,
      thread: text,
    },
    { requiredKeys: ['platform', 'kind', 'account', 'chat'] },
  )
  .map((fields) => ({ ...fields }) as Address); // the record above has exactly an address's keys

const open = (path: string) =>
  openLedger({
    path,
    clock: systemClock,
    newId: createIds(systemClock),
    log: quietLog().log,
    problems: createActiveProblems(systemClock),
  });

test('an address that is none is refused with a message', () => {
  for (const wrong of [
    '',
    'discord',
    'irc:dm:a:-:c:-',
    'discord:dm:a:-:-:-',
    'discord:dm:a:-:c',
    'discord:dm:a:-:c:-:x',
  ]) {
    assert.throws(() => parseAddress(wrong), /Expected an address like/);
  }
});

test('every address comes back from its canonical string, and equal strings mean equal addresses (J5)', () => {
  fc.assert(fc.property(address, (one) => assert.deepEqual(parseAddress(formatAddress(one)), one)));
  fc.assert(
    fc.property(address, address, (one, two) => {
      assert.equal(
        formatAddress(one) === formatAddress(two),
        JSON.stringify(parseAddress(formatAddress(one))) === JSON.stringify(parseAddress(formatAddress(two))),
      );
    }),
  );
});

test('cursors compare as numbers, however long, and never go back', (t) => {
  assert.equal(isBehind('9', '10'), true);
  assert.equal(isBehind('10', '9'), false);
  assert.equal(isBehind('1712345678.000200', '1712345678.001'), true);
  assert.equal(isBehind('123456789012345678901', '123456789012345678902'), true);
  assert.equal(isBehind('abc', 'abd'), false);
  for (const same of ['10', '10.0', '10.00']) assert.equal(isBehind('10', same), false, same);
  const ledger = open(join(tempFolder(t), 'gateway.sqlite'));
  t.after(() => ledger.close());
  ledger.cursors.set('telegram', { name: 'updates', value: '10' });
  ledger.cursors.set('telegram', { name: 'updates', value: '9' });
  assert.equal(ledger.cursors.get('telegram', 'updates'), '10');
  ledger.cursors.set('telegram', { name: 'updates', value: '11' });
  assert.equal(ledger.cursors.get('telegram', 'updates'), '11');
});

test('what was written in a room lately is counted by its time, not among all that was ever said there', async (t) => {
  const path = join(tempFolder(t), 'gateway.sqlite');
  const ledger = open(path);
  const received = heardStatements(t);
  assert.equal(ledger.inbox.countIn(parseAddress('discord:channel:a:-:c:-'), 5), 0);
  await ledger.close();
  const [counting = ''] = [...(received.get('gateway.sqlite') ?? [])];
  const database = new Database(path, { readonly: true });
  t.after(() => database.close());
  assert.match(planOf(database, counting).join(), /chat=\? AND received_at_ms>\?/);
});

test('files of other messages are none of the sender: no export has them, and forgetting takes them along', (t) => {
  const ledger = open(join(tempFolder(t), 'gateway.sqlite'));
  t.after(() => ledger.close());
  const where = { platform: 'discord', account: 'bot', space: 'G', chat: 'C', kind: 'channel' } as const;
  ledger.inbox.insert({
    id: 'inb_1',
    lane: 'lane',
    person: 'per_1',
    kind: 'message',
    receivedAt: 1,
    event: {
      type: 'message',
      address: where,
      nativeID: '1',
      at: 1,
      actor: { id: 'u1', name: 'you', isBot: false },
      addressed: 'mention',
      text: 'what is on it?',
      files: [],
    },
  });
  const stored = (path: string) =>
    ({ status: 'stored', path, name: path, mime: 'image/png', form: 'other', bytes: 1 }) as const;
  ledger.receivedFiles.set('inb_1', 0, stored('own.png'));
  ledger.receivedFiles.set('inb_1', firstOfOthers, stored('quoted.png'));
  const mine = { persons: ['per_1'], chats: [] };
  assert.deepEqual(
    ledger.content.files(mine).map(({ path }) => path),
    ['own.png'],
  );
  assert.equal(ledger.content.count(mine).files, 1);
  assert.deepEqual(ledger.content.forget(mine).toSorted(), ['own.png', 'quoted.png']);
});
