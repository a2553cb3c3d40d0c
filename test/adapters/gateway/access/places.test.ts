// Where approval is asked for and who is written to, how accounts are joined, and how many looks at a platform are remembered.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createApprovers } from '#adapters/gateway/admission/approvers.ts';
import { createLinks, LinkRefusal } from '#adapters/gateway/admission/links.ts';
import { phrasesFor } from '#adapters/gateway/phrases/phrases.ts';
import { createLooks } from '#adapters/gateway/readers/looks.ts';
import { openAccess } from '#adapters/gateway/terms/access-types.ts';
import { parseAddress } from '#adapters/gateway/terms/address.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { quietLog } from '../../../support/quiet-log.ts';
import { here, openedLedger, put } from '../ledger/open-ledger.ts';
import { createScriptedChannel, room } from '../scripted-channel.ts';

const phrases = phrasesFor('en');
const directOf = (platform: string, chat: string) => parseAddress(`${platform}:dm:bot:-:${chat}:-`);

/** Two owners and a guest, each with accounts; who wrote last where is the test's. */
function stage(t: TestContext, over: Partial<Parameters<typeof createApprovers>[0]> = {}) {
  const ledger = openedLedger(t);
  const { persons, identities, inbox } = ledger;
  persons.configure(
    {
      Ann: { role: 'owner', accounts: ['discord:u1', 'slack:U1'] },
      Ben: { role: 'owner', accounts: ['discord:u2'] },
      Cid: { role: 'guest', accounts: ['discord:u3'] },
    },
    1,
  );
  const meet = (userID: string, platform = 'discord') =>
    identities.meet(platform, { id: userID, name: userID });
  let count = 0;
  const wrote = (person: string, platform: string, chat: string, receivedAt: number): void => {
    count += 1;
    const address = directOf(platform, chat);
    put(ledger, `${count}`, { person, lane: chat, receivedAt, event: { address, at: receivedAt } });
  };
  const approvers = createApprovers({
    ...{
      ledger: { persons, inbox },
      isConnected: () => true,
      names: () => undefined,
      asked: () => undefined,
    },
    accessOf: ({ platform }) => openAccess(platform === 'terminal' ? 'owner' : 'guest'),
    ...over,
  });
  return { approvers, meet, wrote, ledger };
}

test('approval is requested where an approver is: of the one who speaks in private, in the room, or where one wrote last', (t) => {
  const { approvers, meet, wrote } = stage(t);
  const [ann, annOnSlack, ben, cid] = [meet('u1'), meet('U1', 'slack'), meet('u2'), meet('u3')];
  const at = (person: string, address = here) => ({ person, lane: 'lane', address });
  const chat = (person: string, address = here) => approvers.requestedFor(at(person, address))?.address.chat;
  const private_ = directOf('discord', 'D3');
  assert.equal(chat(ann, directOf('discord', 'D1')), 'D1');
  assert.equal(chat(cid, private_), undefined, 'no approver ever wrote in private');
  assert.equal(chat(cid), 'C', 'an owner has an account on this platform');
  wrote(ann, 'discord', 'D1', 10);
  wrote(ben, 'discord', 'D2', 20);
  assert.equal(chat(cid, private_), 'D2');
  wrote(annOnSlack, 'slack', 'S1', 30);
  assert.equal(chat(cid, private_), 'S1');
  assert.equal(
    chat(cid, parseAddress('telegram:group:bot:-:7:-')),
    'S1',
    'nobody who may approve is on Telegram',
  );
  assert.equal(chat(cid, parseAddress('terminal:group:bot:-:7:-')), '7', 'anyone at the machine may');
});

test('with approvals in private a room is never asked, and a channel that is switched off is no place to ask', (t) => {
  const inPrivate = stage(t, { asked: () => 'direct' });
  const [ann, cid] = [inPrivate.meet('u1'), inPrivate.meet('u3')];
  inPrivate.wrote(ann, 'discord', 'D1', 10);
  const asked = (approvers: typeof inPrivate.approvers, person: string) =>
    approvers.requestedFor({ person, lane: 'lane', address: here })?.address.chat;
  assert.equal(asked(inPrivate.approvers, cid), 'D1');
  assert.equal(asked(inPrivate.approvers, ann), 'D1', 'also for what an approver does in a room');
  const off = stage(t, { asked: () => 'direct', isConnected: ({ platform }) => platform !== 'discord' });
  off.wrote(off.meet('u1'), 'discord', 'D1', 10);
  assert.equal(asked(off.approvers, off.meet('u3')), undefined);
});

test('each owner is written to where they wrote last, on the platform that is named last only where there is no other place', (t) => {
  const { approvers, meet, wrote } = stage(t);
  const [ann, annOnSlack, ben, cid] = [meet('u1'), meet('U1', 'slack'), meet('u2'), meet('u3')];
  const places = (last?: 'discord' | 'slack') =>
    approvers.directOfOwners(last).map(({ address }) => address.chat);
  assert.deepEqual(places(), []);
  wrote(ann, 'discord', 'D1', 30);
  wrote(annOnSlack, 'slack', 'S1', 20);
  wrote(ben, 'discord', 'D2', 10);
  wrote(cid, 'discord', 'D3', 40);
  assert.deepEqual(places(), ['D1', 'D2']);
  assert.deepEqual(places('discord'), ['S1', 'D2']);
  assert.deepEqual(places('slack'), ['D1', 'D2']);
});

test('who may approve is named where they are few and have names, and is an owner otherwise', (t) => {
  const whoMay = (
    names: readonly string[] | undefined,
    platform: 'discord' | 'slack' | 'terminal' = 'discord',
  ) => stage(t, { names: () => names }).approvers.whoMay({ platform, account: 'bot' }, phrases);
  const { anyOf, anOwner } = phrases.requests;
  assert.equal(whoMay(undefined), anyOf({ names: ['Ann', 'Ben'] }));
  assert.equal(whoMay(undefined, 'slack'), anyOf({ names: ['Ann'] }));
  assert.equal(whoMay(['Ann', 'Ben', 'Cid']), anyOf({ names: ['Ann', 'Ben', 'Cid'] }));
  assert.equal(whoMay([]), anOwner);
  assert.equal(whoMay(['Nobody']), anOwner);
  assert.equal(whoMay(undefined, 'terminal'), anOwner);
  const { approvers, ledger } = stage(t);
  for (const [name, userID] of [
    ['Dora', 'u4'],
    ['Eve', 'u5'],
  ] as const)
    ledger.persons.give(
      { platform: 'discord', userID, shownAs: name },
      { name, role: 'owner', by: 'approved', at: 1 },
    );
  assert.equal(
    approvers.whoMay({ platform: 'discord', account: 'bot' }, phrases),
    anOwner,
    'four are not named',
  );
});

test('a code joins one account to the person who made it, once, within ten minutes, and says why it does not', async (t) => {
  const clock = createManualClock();
  const { ledger, meet } = stage(t);
  const links = createLinks({ ledger, now: () => clock.now() });
  const account = (userID: string) => ({
    person: meet(userID),
    platform: 'discord',
    userID,
    shownAs: userID,
  });
  const [ann, new1, new2] = [account('u1'), account('n1'), account('n2')];
  const why = async (code: string, by: typeof ann) =>
    links.join(code, by).then(
      ({ name }) => `joined ${name}`,
      (error: unknown) => (error instanceof LinkRefusal ? error.why : String(error)),
    );
  assert.equal(await why('AAAAAAAA', new1), 'unknown code');
  assert.equal(await why('no code', new1), 'unknown code');
  const first = await links.begin(ann);
  assert.equal(await why(first, ann), 'own code');
  assert.equal(await why(first, account('u2')), 'other person');
  const second = await links.begin(ann);
  assert.equal(await why(first, new1), 'unknown code', 'a later code takes its place');
  await clock.advance(10 * 60_000 - 1);
  assert.equal(links.look(second.toLowerCase(), new1).person, ann.person);
  assert.equal(await why(second, new1), 'joined Ann');
  assert.equal(await why(second, new2), 'unknown code', 'it is good once');
  const third = await links.begin(ann);
  assert.equal(await why(third, new1), 'linked already');
  await clock.advance(10 * 60_000);
  assert.equal(await why(third, new2), 'unknown code');
  assert.equal(ledger.persons.standingOf(new1.person).name, 'Ann');
});

test('of more than twenty thousand looks the first are made again, and a look that is made again counts once', async () => {
  const clock = createManualClock();
  const channel = createScriptedChannel();
  let asked = 0;
  channel.rights.ofRoom = async () => {
    asked += 1;
    return 'everything';
  };
  const looks = createLooks({ channel, clock, log: quietLog().log, signal: new AbortController().signal });
  const look = (n: number) => looks.ofRoom(room, `u${n}`);
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(Array.from({ length: 10 }, (_, n) => look(n)));
    await clock.advance(5 * 60_000);
  }
  assert.equal(asked, 30, 'a look holds for five minutes');
  asked = 0;
  await Promise.all(Array.from({ length: 20_000 }, (_, n) => look(n)));
  assert.equal(asked, 20_000);
  await look(0);
  await look(19_999);
  assert.equal(asked, 20_000, 'all of them are remembered');
  await look(20_000);
  await look(0);
  assert.equal(asked, 20_002);
  looks.dropRoom(room);
  await look(0);
  assert.equal(asked, 20_003);
});
