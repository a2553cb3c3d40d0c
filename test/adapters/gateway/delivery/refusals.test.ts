// Who is written to in private when a room does not take an answer, how often, and what the status says of it.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createRefusals } from '#adapters/gateway/delivery/refusals.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { OutboxRow } from '#adapters/gateway/ledger/outbox.ts';
import { phrasesFor } from '#adapters/gateway/phrases/phrases.ts';
import { parseAddress } from '#adapters/gateway/terms/address.ts';
import type { ChannelFailure } from '#adapters/gateway/terms/channel.ts';
import { createManualClock, settle } from '../../../support/manual-clock.ts';
import { quietLog } from '../../../support/quiet-log.ts';
import { begin, here, openedLedger, put } from '../ledger/open-ledger.ts';
import { createScriptedChannel } from '../scripted-channel.ts';

const direct = parseAddress('discord:dm:bot:-:D1:-');
const phrases = phrasesFor('en');
const failure: ChannelFailure = { kind: 'permission', words: 'Missing *Permissions*', maybeDelivered: false };

function stage(t: TestContext, { hasDirect = true } = {}) {
  const ledger = openedLedger(t);
  const clock = createManualClock();
  const { log, lines } = quietLog();
  const sent: string[] = [];
  const channel = createScriptedChannel({ partLimit: 500 });
  const opened: string[] = [];
  channel.direct = async (_, userID) => {
    opened.push(userID);
    if (!hasDirect) throw new Error('no direct messages');
    return direct;
  };
  let count = 0;
  const refusals = createRefusals({
    ...{ ledger, clock, log, book: { for: () => phrases } as never }, // all that is called of it
    newId: () => `out_${(++count).toString().padStart(26, '0')}`,
    async deliver(id, { chat }) {
      sent.push(
        `${chat}: ${ledger.outbox
          .get(id)
          ?.parts.map(({ part }) => part.text)
          .join('')}`,
      );
    },
  });
  const outgoing = (more: Partial<OutboxRow>): OutboxRow =>
    ({ id: 'out_x', address: here, ...more }) as OutboxRow; // the fields that are read
  const notify = async (more: Partial<OutboxRow>): Promise<string[]> => {
    refusals.notify(outgoing(more), failure, channel);
    await settle();
    return sent.splice(0);
  };
  return { ledger, clock, refusals, outgoing, notify, opened, lines };
}

/** The platform calls the room by its name. */
const nameRoom = (ledger: Ledger): void =>
  void ledger.transact(() => ledger.placeNames.set(here, { channel: 'lobby' }, 'all'));

const why = 'Missing \\*Permissions\\*';
const told = (room?: string): string =>
  `D1: ${room === undefined ? phrases.answers.couldNotPost({ why }) : phrases.answers.couldNotPostIn({ room, why })}`;

test('the person whose message was to be answered is written to: that of the turn, or the one that is replied to', async (t) => {
  const { ledger, notify, opened } = stage(t);
  put(ledger, '1', { person: 'per_1', event: { actor: { id: 'u1', name: 'Ann', isBot: false } } });
  put(ledger, '2', {
    person: 'per_2',
    event: { actor: { id: 'u2', name: 'Ben', isBot: false } },
  });
  begin(ledger, 'trn_1');
  ledger.inbox.take(['inb_1'], 'trn_1');
  assert.deepEqual(await notify({ turnID: 'trn_1' }), [told()], 'a reminder replies to nothing');
  nameRoom(ledger);
  assert.deepEqual(await notify({ replyTo: '2' }), [told('\\#lobby · Discord')]);
  assert.deepEqual(opened, ['u1', 'u2']);
  assert.deepEqual(await notify({ replyTo: '9' }), [], 'nobody wrote that');
  assert.deepEqual(await notify({}), []);
  assert.deepEqual(await notify({ turnID: 'trn_9' }), []);
});

test('what is refused in private, or to another bot, has no notice, and a direct message in which they wrote before is used', async (t) => {
  const { ledger, notify, opened } = stage(t);
  put(ledger, '1', { event: { address: direct } });
  put(ledger, '2', { person: 'per_2', event: { actor: { id: 'b', name: 'Bot', isBot: true } } });
  put(ledger, '3', {});
  assert.deepEqual(await notify({ address: direct, replyTo: '1' }), []);
  assert.deepEqual(await notify({ replyTo: '2' }), []);
  assert.deepEqual(await notify({ replyTo: '3' }), [told()]);
  assert.deepEqual(opened, [], 'they wrote in private before');
});

test('one notice is enough for an hour of refusals to a person in a room, and another room and another person have theirs', async (t) => {
  const { ledger, notify, clock } = stage(t);
  const other = parseAddress('discord:channel:bot:G:X:-');
  put(ledger, '1', {});
  put(ledger, '2', { person: 'per_2' });
  put(ledger, '3', { event: { address: other } });
  const rounds = async () => [
    (await notify({ replyTo: '1' })).length,
    (await notify({ replyTo: '2' })).length,
    (await notify({ replyTo: '3', address: other })).length,
  ];
  assert.deepEqual(await rounds(), [1, 1, 1]);
  await clock.advance(3_600_000 - 1);
  assert.deepEqual(await rounds(), [0, 0, 0]);
  await clock.advance(1);
  assert.deepEqual(await rounds(), [1, 1, 1]);
});

test('a notice that cannot be given is logged, and the status names the room with the reason', async (t) => {
  const { ledger, notify, lines, refusals, outgoing } = stage(t, { hasDirect: false });
  put(ledger, '1', {});
  assert.deepEqual(await notify({ replyTo: '1' }), []);
  assert.match(lines.join(), /could not be informed of a refused answer/);
  const words = (replyTo: string) => refusals.wordsOf(outgoing({ replyTo }), failure);
  assert.equal(words('1'), 'Missing *Permissions*');
  nameRoom(ledger);
  assert.equal(words('1'), 'in #lobby · Discord: Missing *Permissions*');
});
