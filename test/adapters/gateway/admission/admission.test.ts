// Who is admitted, who is not and what they are told: decided before anything of a message is stored, downloaded or shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChannelAccess } from '#adapters/gateway/terms/access-types.ts';
import { codes, from, pairing, saved, start, stranger, texts } from '../access/stranger-kit.ts';
import type { HarnessOptions } from '../harness.ts';
import { message, room } from '../scripted-channel.ts';

test('a stranger is given a code, and of what they said nothing is kept but its id: no text, no file, no run', async (t) => {
  const h = await start(t);
  const files = [{ id: 'secret-file', name: 'passport.png', mime: 'image/png', size: 10 }];
  const said = message('n1', 'my secret plan', { ...from(1), files });
  assert.equal(await h.channel.sink.accept(said), 'ignored');
  await h.pass();
  assert.equal(codes(h).length, 1);
  assert.match(texts(h)[0] ?? '', /parley people approve \w{8} --name NAME/);
  assert.match(texts(h)[0] ?? '', /one hour/);
  assert.deepEqual([h.engine.runs.length, h.engine.sessions.length, h.channel.opened.length], [0, 0, 0]);
  const all = saved(h);
  assert.doesNotMatch(all, /secret plan|passport/);
  assert.match(all, /n1/);
  assert.equal(await h.channel.sink.accept(said), 'ignored', 'reported again, it is refused all the same');
  await h.pass();
  assert.equal(texts(h).length, 1);
});

test('anyone who writes again gets the same code, and not more often than every ten minutes; after an hour there is another', async (t) => {
  const h = await start(t);
  for (const id of ['1', '2', '3']) await h.channel.sink.accept(message(id, 'hello?', from(1)));
  await h.pass();
  assert.equal(codes(h).length, 1);
  await h.clock.advance(11 * 60_000);
  await h.channel.sink.accept(message('4', 'hello?', from(1)));
  await h.pass();
  assert.equal(codes(h)[1], codes(h)[0]);
  await h.clock.advance(50 * 60_000);
  await h.channel.sink.accept(message('5', 'hello?', from(1)));
  await h.pass();
  assert.equal(codes(h).length, 3);
  assert.notEqual(codes(h)[2], codes(h)[0]);
});

test('at most three codes wait at a bot account; who comes then learns it, and the bot answers only so many strangers', async (t) => {
  const h = await start(t);
  for (let number = 1; number <= 40; number += 1)
    await h.channel.sink.accept(message(`${number}`, 'admit me', from(number)));
  await h.pass(60_000);
  assert.equal(new Set(codes(h)).size, 3);
  assert.equal(texts(h).length, 20, 'what a thousand strangers bring out of the bot is bounded');
  assert.match(texts(h)[3] ?? '', /too many are waiting/);
});

test('an approved stranger is told so, and from then on answered; a message from before stays refused', async (t) => {
  const h = await start(t);
  await h.channel.sink.accept(message('1', 'before', from(1)));
  await h.pass();
  const [code = ''] = codes(h);
  await assert.rejects(
    h.gateway.accessAdmin.approve({ code: '22222222', name: 'ann' }),
    /is not a code that waits/,
  );
  await assert.rejects(h.gateway.accessAdmin.approve({ code, name: 'a\nb' }), /Expected a name/);
  const { person } = await h.gateway.accessAdmin.approve({ code: code.toLowerCase(), name: 'ann' });
  assert.equal(person.role, 'member');
  await h.pass();
  assert.match(texts(h).at(-1) ?? '', /admitted as ann, a member/);
  await assert.rejects(
    h.gateway.accessAdmin.approve({ code, name: 'bob' }),
    /is not a code that waits/,
    'used once',
  );
  assert.equal(await h.channel.sink.accept(message('1', 'before', from(1))), 'ignored');
  assert.equal(await h.channel.sink.accept(message('2', 'after', from(1))), 'accepted');
  await h.pass();
  assert.deepEqual(h.engine.prompts(), [['after']]);
});

test('an approval outlives a kill', async (t) => {
  const h = await start(t);
  await h.channel.sink.accept(message('1', 'hello', from(1)));
  await h.pass();
  await h.gateway.accessAdmin.approve({ code: codes(h)[0] ?? '', name: 'ann', role: 'owner' });
  await h.kill();
  assert.equal(await h.channel.sink.accept(message('2', 'after', from(1))), 'accepted');
  assert.equal((await h.gateway.accessAdmin.show({ name: 'ann' })).role, 'owner');
});

test('a code that is an hour old is refused, and the answer says why', async (t) => {
  const h = await start(t);
  await h.channel.sink.accept(message('1', 'hello', from(1)));
  await h.pass();
  await h.clock.advance(60 * 60_000);
  await assert.rejects(
    h.gateway.accessAdmin.approve({ code: codes(h)[0] ?? '', name: 'ann' }),
    /has expired/,
  );
});

test('anyone who was turned away gets no new code', async (t) => {
  const h = await start(t);
  await h.channel.sink.accept(message('1', 'hello', from(1)));
  await h.pass();
  await h.gateway.accessAdmin.deny({ code: codes(h)[0] ?? '' });
  await h.clock.advance(3 * 60 * 60_000);
  await h.channel.sink.accept(message('2', 'hello', from(1)));
  await h.pass();
  assert.equal(texts(h).length, 1);
});

test('a refusal in a room is a reply to the message, and one in private stands on its own', async (t) => {
  const access: ChannelAccess = { ...pairing, rooms: { ...pairing.rooms, allow: 'known' } };
  const h = await start(t, { access });
  const replies: (string | undefined)[] = [];
  const { send } = h.channel;
  h.channel.send = (address, part, options) => {
    replies.push(options.replyTo);
    return send(address, part, options);
  };
  await h.channel.sink.accept(message('1', 'hello', from(1)));
  await h.channel.sink.accept(message('2', 'hello', { ...from(2), address: room, addressed: 'mention' }));
  await h.pass(1_000);
  assert.deepEqual(replies, [undefined, '2']);
});

test('anyone who was turned away may ask again after thirty days, and not before', async (t) => {
  const h = await start(t);
  await h.channel.sink.accept(message('1', 'hello', from(1)));
  await h.pass();
  await h.gateway.accessAdmin.deny({ code: codes(h)[0] ?? '' });
  await h.clock.advance(30 * 24 * 60 * 60_000 - 60_000);
  await h.channel.sink.accept(message('2', 'hello', from(1)));
  await h.pass();
  assert.equal(codes(h).length, 1);
  await h.clock.advance(60_000);
  await h.channel.sink.accept(message('3', 'hello', from(1)));
  await h.pass();
  assert.equal(codes(h).length, 2);
});

test('under an allowlist only people on it, and owners, are answered; others are told once, never ignored in silence (T2)', async (t) => {
  const access: ChannelAccess = { ...pairing, directMessages: 'allowlist', allowlist: ['s1'] };
  const people = {
    boss: { role: 'owner' as const, accounts: ['discord:s2'] },
    ann: { role: 'member' as const, accounts: ['discord:s3'] },
  };
  const h = await start(t, { access, people });
  const outcomes: string[] = [];
  for (const number of [1, 2, 3, 4])
    outcomes.push(await h.channel.sink.accept(message(`${number}`, 'hi', from(number))));
  await h.pass();
  assert.deepEqual(outcomes, ['accepted', 'accepted', 'ignored', 'ignored']);
  assert.equal(texts(h).filter((text) => /add you to my list/.test(text)).length, 2);
  await h.channel.sink.accept(message('5', 'hi again', from(4)));
  await h.pass();
  assert.equal(texts(h).filter((text) => /add you to my list/.test(text)).length, 2);
});

test('off is off for owners too, and says where to talk instead', async (t) => {
  const h = await start(t, {
    access: { ...pairing, directMessages: 'off' },
    people: { boss: { role: 'owner', accounts: ['discord:s1'] } },
  });
  assert.equal(await h.channel.sink.accept(message('1', 'hi', from(1))), 'ignored');
  await h.pass();
  assert.match(texts(h)[0] ?? '', /do not answer private messages here/);
});

test("people are identified by ids only: a name that is the same as an owner's opens nothing (TK, J5)", async (t) => {
  const h = await start(t, { people: { boss: { role: 'owner', accounts: ['discord:s1'] } } });
  assert.equal(await h.channel.sink.accept(message('1', 'hi', from(1))), 'accepted');
  const twin = { ...from(2), actor: { ...stranger(2), name: 'Stranger 1' } };
  assert.equal(await h.channel.sink.accept(message('2', 'hi', twin)), 'ignored');
  const asID = { ...from(3), actor: { ...stranger(3), name: 's1' } };
  assert.equal(await h.channel.sink.accept(message('3', 'hi', asID)), 'ignored');
  await h.pass();
});

test('persons of the config are changed there; those of codes can be given a role and removed', async (t) => {
  const h = await start(t, { people: { boss: { role: 'owner', accounts: ['discord:s1'] } } });
  const { accessAdmin } = h.gateway;
  await assert.rejects(accessAdmin.setRole({ name: 'boss', role: 'guest' }), /named in the config/);
  await assert.rejects(accessAdmin.remove({ name: 'boss' }), /named in the config/);
  await assert.rejects(accessAdmin.show({ name: 'nobody' }), /nobody of the name "nobody"/);
  await h.channel.sink.accept(message('1', 'hi', from(2)));
  await h.pass();
  await accessAdmin.approve({ code: codes(h)[0] ?? '', name: 'ann' });
  assert.equal((await accessAdmin.setRole({ name: 'ann', role: 'guest' })).role, 'guest');
  await accessAdmin.remove({ name: 'ann' });
  assert.equal(await h.channel.sink.accept(message('2', 'hi', from(2))), 'ignored');
  assert.deepEqual(
    (await accessAdmin.list()).people.map(({ name }) => name),
    ['boss'],
  );
});

test('taking a person out of the config ends what it granted; accounts that a code brought them stay theirs', async (t) => {
  const people: HarnessOptions['people'] = { ann: { role: 'owner', accounts: ['discord:s1'] } };
  const h = await start(t, { people });
  await h.channel.sink.accept(message('1', 'hi', from(2)));
  await h.pass();
  await h.gateway.accessAdmin.approve({ code: codes(h)[0] ?? '', name: 'ann', samePerson: true });
  delete people.ann;
  await h.restart();
  assert.equal(await h.channel.sink.accept(message('2', 'hi', from(1))), 'ignored');
  assert.equal(await h.channel.sink.accept(message('3', 'hi', from(2))), 'accepted');
  assert.equal((await h.gateway.accessAdmin.show({ name: 'ann' })).role, 'member');
  await h.pass();
});
