// Which accounts and chats a word of the operator means, read from the ledger next to a gateway.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Meant, readMeant } from '#adapters/gateway/ledger/meant.ts';
import { formatAddress, roomOf } from '#adapters/gateway/terms/address.ts';
import { type Harness, startHarness } from './harness.ts';
import { dm, message, room } from './scripted-channel.ts';

const meant = <T>({ path }: Harness, ask: (meant: Meant) => T): T => readMeant(path, ask);

/** Ann has two accounts, Ben has one, and Cleo is known only by her account. */
async function known(t: TestContext): Promise<Harness> {
  const h = await startHarness(t, { people: { Ann: ['discord:u1', 'discord:u2'], Ben: ['discord:u3'] } });
  for (const id of ['u1', 'u2', 'u3', 'u4'])
    await h.channel.sink.accept(
      message(id, 'hello', { address: { ...dm, chat: `D-${id}` }, actor: { id, name: id, isBot: false } }),
    );
  await h.pass();
  return h;
}

test('a name means all accounts of its person, in any case; an account means itself, and says when its person has others', async (t) => {
  const h = await known(t);
  const persons = (word: string) => meant(h, (all) => all.persons(word));
  const one = (id: string): string => persons(`discord:${id}`).persons[0] ?? '';
  for (const word of ['Ann', 'ann', 'person:Ann', 'tandem://user/Ann']) {
    const { keys, persons: accounts, oneOf } = persons(word);
    assert.deepEqual(accounts.toSorted(), [one('u1'), one('u2')].toSorted(), word);
    for (const key of ['discord:u1', 'discord:u2', ...accounts]) assert.ok(keys.includes(key), key);
    assert.equal(oneOf, undefined, word);
  }
  for (const word of ['discord:u2', one('u2'), `person:${one('u2')}`])
    assert.deepEqual([persons(word).persons, persons(word).oneOf], [[one('u2')], 'Ann'], word);
  for (const id of ['u3', 'u4'])
    assert.deepEqual(
      [persons(`discord:${id}`).persons, persons(`discord:${id}`).oneOf],
      [[one(id)], undefined],
    );
  assert.deepEqual(persons('telegram:u1'), { keys: ['telegram:u1'], persons: [] });
});

test('a room that moved means the same chat under each id that it has had, with its threads, and no other room', async (t) => {
  const h = await startHarness(t);
  const now = { ...room, chat: 'C9' };
  const later = { ...room, chat: 'C10' };
  await h.channel.sink.accept(message('1', 'hello', { address: room, addressed: 'mention' }));
  await h.channel.sink.accept({ type: 'moved', from: room, to: now });
  await h.channel.sink.accept({ type: 'moved', from: now, to: later });
  const chats = (word: string) => meant(h, (all) => all.chats(word).chats.toSorted());
  const ever = [room, now, later].map((address) => formatAddress(address)).toSorted();
  for (const address of [room, now, later]) {
    assert.deepEqual(chats(formatAddress(address)), ever);
    assert.deepEqual(chats(`room:${roomOf(address)}`), ever);
    assert.deepEqual(chats(`${formatAddress(address)}#per_1`), ever, 'a lane of one person there');
  }
  const inThread = ever.map((address) => address.replace(/-$/, 'T1'));
  assert.deepEqual(chats(inThread[0] ?? ''), inThread);
  const other = formatAddress({ ...room, chat: 'C2' });
  assert.deepEqual(chats(other), [other]);
  assert.deepEqual(chats('general'), ['general']);
  assert.deepEqual(
    meant(h, (all) => [all.chats('ses_1'), all.chats('tandem://session/ses_1')]),
    [1, 2].map(() => ({ chats: [], sessions: ['ses_1'] })),
  );
});
