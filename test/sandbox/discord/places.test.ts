// The sandbox's Discord as places: who may read what in each kind of room, by Discord's documented rules.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { createDiscordSandbox } from '#sandbox/discord/server.ts';
import { permissionBits } from '#sandbox/discord/world/permission-bits.ts';
import type { RoomKind } from '#sandbox/places.ts';

async function world() {
  const sandbox = await createDiscordSandbox({ clock: systemClock });
  const { places } = sandbox;
  const [ann, bob, eve] = ['Ann', 'Bob', 'Eve'].map((name) => places.addAccount(name));
  assert.ok(ann !== undefined && bob !== undefined && eve !== undefined);
  const space = places.addSpace('club');
  places.joinSpace(ann, space);
  places.joinSpace(bob, space);
  const room = (kind: RoomKind, parent?: string) =>
    places.addRoom({ space, kind, name: kind, parent, members: [ann] });
  return { sandbox, places, ann, bob, eve, space, room, [Symbol.asyncDispose]: () => sandbox.close() };
}

test('a person who is not in a channel cannot write in it, and a channel of voices has no threads', async () => {
  await using at = await world();
  const { places, bob, eve, room } = at;
  const hidden = room('private');
  await assert.rejects(() => places.say({ account: bob, room: hidden, text: 'admit me' }), /may not write/);
  await assert.rejects(() => places.say({ account: eve, room: room('public'), text: 'hi' }), /may not write/);
  assert.throws(() => room('private thread', room('voice')), /Expected a room that may have/);
  assert.throws(() => places.joinSpace(eve, at.space, 'guest'), /no guest/);
});

test('each kind of room is read by those whom Discord lets read it, and by a newcomer once let in', async () => {
  await using at = await world();
  const { places, ann, bob, eve, space, room } = at;
  const seen: Partial<Record<RoomKind, [boolean, boolean, boolean, boolean]>> = {};
  const text = room('public');
  for (const kind of places.kinds) {
    const id = room(kind, /thread|post/.test(kind) ? text : undefined);
    const said = await places.say({ account: ann, room: id, text: kind });
    const reads = (account: string) => places.mayRead(account, id, said);
    const before = [reads(ann), reads(bob), reads(eve)] as const;
    places.joinRoom(bob, id);
    seen[kind] = [...before, reads(bob)];
  }
  assert.deepEqual(seen, {
    public: [true, true, false, true],
    private: [true, false, false, true],
    role: [true, false, false, true],
    denied: [true, false, false, true],
    // Both were there as it was written; nobody who comes later reads it.
    'no history': [true, true, false, true],
    voice: [true, false, false, true],
    announcement: [true, true, false, true],
    'public thread': [true, true, false, true],
    'forum post': [true, true, false, true],
    'private thread': [true, false, false, true],
  });
  places.joinSpace(eve, space);
  assert.equal(
    places.mayRead(eve, text, await places.say({ account: ann, room: text, text: 'again' })),
    true,
  );
});

test('who leaves, is kicked or banned reads nothing any more, and an overwrite outlasts the leave', async () => {
  await using at = await world();
  const { places, ann, bob, eve, space, room } = at;
  const hidden = room('private');
  const thread = room('private thread', room('public'));
  for (const id of [hidden, thread]) places.joinRoom(bob, id);
  const inHidden = await places.say({ account: ann, room: hidden, text: 'secret' });
  const inThread = await places.say({ account: ann, room: thread, text: 'secret' });
  places.leaveSpace(bob, space, 'kicked');
  assert.deepEqual(
    [places.mayRead(bob, hidden, inHidden), places.mayRead(bob, thread, inThread)],
    [false, false],
  );
  places.joinSpace(bob, space);
  assert.deepEqual(
    [places.mayRead(bob, hidden, inHidden), places.mayRead(bob, thread, inThread)],
    [true, false],
  );
  places.leaveRoom(bob, hidden, 'kicked');
  assert.equal(places.mayRead(bob, hidden, inHidden), false);
  places.joinRoom(eve, hidden);
  places.leaveSpace(eve, space, 'banned');
  assert.equal(places.mayRead(eve, hidden, inHidden), false);
});

test('a newcomer to a room without history reads only what is written from then on', async () => {
  await using at = await world();
  const { places, ann, eve, space, room } = at;
  const quiet = room('no history');
  const before = await places.say({ account: ann, room: quiet, text: 'before' });
  places.joinSpace(eve, space);
  const after = await places.say({ account: ann, room: quiet, text: 'after' });
  assert.deepEqual([places.mayRead(eve, quiet, before), places.mayRead(eve, quiet, after)], [false, true]);
});

test('a room closes and opens, with its threads and posts; a thread stays what it is', async () => {
  await using at = await world();
  const { places, ann, bob, room } = at;
  const open = room('public');
  const inside = [open, room('public thread', open), room('forum post', open)];
  const said: string[] = [];
  for (const id of inside) said.push(await places.say({ account: ann, room: id, text: 'x' }));
  const reads = () => inside.map((id, index) => places.mayRead(bob, id, said[index] ?? ''));
  assert.equal(places.setOpen(open, false), true);
  assert.deepEqual(reads(), [false, false, false]);
  assert.equal(places.setOpen(open, true), true);
  assert.deepEqual(reads(), [true, true, true]);
  assert.equal(places.setOpen(inside[1] ?? '', false), false);
});

test('the owner and administrators read every room, one who is timed out no voice channel, moderators private threads', async () => {
  await using at = await world();
  const { places, ann, bob, space, room } = at;
  const { admin } = places;
  const hidden = room('private');
  const voice = room('voice');
  const thread = room('private thread', room('public'));
  places.joinRoom(bob, voice);
  const said: [string, string][] = [];
  for (const id of [hidden, voice, thread])
    said.push([id, await places.say({ account: ann, room: id, text: 'x' })]);
  const reads = () => said.map(([id, message]) => places.mayRead(bob, id, message));
  assert.deepEqual(reads(), [false, true, false]);
  const moderators = admin.makeRole(space, { name: 'moderators', permissions: permissionBits.manageThreads });
  admin.changeMember(space, { account: bob, give: moderators });
  assert.deepEqual(reads(), [false, true, true]);
  admin.changeMember(space, { account: bob, timedOut: 'yes' });
  assert.deepEqual(reads(), [false, false, false]);
  admin.changeRole(space, moderators, permissionBits.administrator);
  assert.deepEqual(reads(), [true, true, true]);
});

test('what the bot posts and changes is reported, with its room; a deleted message is read by nobody', async () => {
  await using at = await world();
  const { places, sandbox, ann, room } = at;
  const id = room('public');
  const received: [string, string][] = [];
  const stop = places.onBotMessage(({ room: where, message }) => received.push([where, message.text]));
  const headers = { Authorization: `Bot ${sandbox.tokens.bot}`, 'Content-Type': 'application/json' };
  const call = async (method: string, path: string, content: string) => {
    const body = JSON.stringify({ content });
    const answer = await fetch(`${sandbox.url}/v10/channels/${id}/messages${path}`, {
      method,
      headers,
      body,
    });
    return (await answer.json()) as { id: string };
  };
  const posted = await call('POST', '', 'one');
  await call('PATCH', `/${posted.id}`, 'two');
  stop();
  await call('POST', '', 'three');
  assert.deepEqual(received, [
    [id, 'one'],
    [id, 'two'],
  ]);
  assert.equal(places.mayRead(ann, id, posted.id), true);
  await places.remove?.(id, posted.id);
  assert.equal(places.mayRead(ann, id, posted.id), false);
  assert.deepEqual(
    places.messages(id).map(({ author, text }) => [author, text]),
    [[sandbox.botID, 'three']],
  );
});
