// What people delete and change, in each form in which Slack tells of it or leaves it to be found, through the real client.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { until } from '../../support/found.ts';
import { type Stage, stage } from './places-stage.ts';

async function said({ places, anna, received }: Stage, room: string, text: string): Promise<string> {
  const id = await places.say({ account: anna, room, text, mention: true });
  await received('message', ({ nativeID }) => nativeID === id);
  return id;
}

/** A clock that a test puts forward: pages are believed only of messages that are some seconds old. */
function laterClock() {
  const shift = { ms: 0 };
  return { shift, clock: { ...systemClock, now: () => systemClock.now() + shift.ms } };
}

test('a message, a reply and the first message of a thread are deleted', async (t) => {
  const made = await stage(t);
  const { places, space, anna, start, received } = made;
  await start();
  for (const kind of ['public', 'private', 'group'] as const) {
    const room = places.addRoom({ space, kind, name: kind, members: [anna] });
    const single = await said(made, room, 'alone');
    const root = await said(made, room, 'root');
    const reply = await said(made, `${room}/${root}`, 'reply');
    for (const id of [single, root, reply]) {
      await places.remove?.(room, id);
      const { address } = await received('delete', ({ nativeID }) => nativeID === id);
      assert.equal(address.chat, room);
    }
  }
});

test('a reply that was edited is an edit, in its thread', async (t) => {
  const made = await stage(t);
  const { places, space, anna, start, received } = made;
  await start();
  const room = places.addRoom({ space, kind: 'private', name: 'private', members: [anna] });
  const root = await said(made, room, 'root');
  const reply = await said(made, `${room}/${root}`, 'reply');
  await places.edit(room, reply, 'other');
  const edit = await received('edit', ({ nativeID }) => nativeID === reply);
  assert.deepEqual([edit.text, edit.address.thread], ['other', root]);
});

test('a message whose only content was a file is deleted with it, and one with words is changed', async (t) => {
  const { sandbox, sink, start, received } = await stage(t);
  await start();
  const share = (text: string) =>
    sandbox.share({
      chat: 'dm',
      user: 'you',
      text,
      name: 'a.txt',
      mime: 'text/plain',
      bytes: new Uint8Array(3),
    });
  const [bare, worded] = [share(''), share('look')];
  await until('both', () => sink.messages.length === 2);
  sandbox.deleteFiles(bare.id);
  sandbox.deleteFiles(worded.id);
  assert.equal((await received('delete')).nativeID, bare.id);
  const edit = await received('edit');
  assert.deepEqual([edit.nativeID, edit.text], [worded.id, 'look']);
});

for (const connection of ['socket', 'polling'] as const)
  test(`what was deleted or edited unheard is noticed when the channel is read again, by ${connection}`, async (t) => {
    const { shift, clock } = laterClock();
    const made = await stage(t, { connection, channel: { clock } });
    const { sandbox, places, space, anna, start, received, sink } = made;
    const room = places.addRoom({ space, kind: 'public', name: 'open', members: [anna] });
    await start(6);
    const [gone, changed, saved] = [
      await said(made, room, 'gone'),
      await said(made, room, 'changed'),
      await said(made, room, 'kept'),
    ];
    const ready = sink.states.filter(({ state }) => state === 'ready').length;
    if (connection === 'socket') sandbox.inject({ kind: 'drop_socket' });
    await places.remove?.(room, gone);
    await places.edit(room, changed, 'other');
    shift.ms = 15_000;
    if (connection === 'socket')
      await until(
        'the connection',
        () => sink.states.filter(({ state }) => state === 'ready').length > ready,
      );
    assert.equal((await received('edit')).nativeID, changed);
    assert.equal((await received('delete')).nativeID, gone);
    await said(made, room, 'after');
    const deleted = sink.received.filter(({ type }) => type === 'delete');
    assert.equal(deleted.length, 1, `${saved} stays`);
  });

test('a page that is cut off says nothing about what is below it', async (t) => {
  const { shift, clock } = laterClock();
  const made = await stage(t, { connection: 'polling', channel: { clock } });
  const { places, space, anna, start, sink } = made;
  const room = places.addRoom({ space, kind: 'public', name: 'open', members: [anna] });
  await start(6);
  await said(made, room, 'old');
  for (let at = 0; at < 120; at += 1) await places.say({ account: anna, room, text: `more ${at}` });
  shift.ms = 15_000;
  await said(made, room, 'last');
  await said(made, room, 'very last');
  assert.deepEqual(
    sink.received.filter(({ type }) => type === 'delete'),
    [],
  );
});

test('after a start, the place of a deleted message with replies says that it is gone', async (t) => {
  const made = await stage(t, { connection: 'polling' });
  const { places, space, anna, start, stop, received } = made;
  const room = places.addRoom({ space, kind: 'public', name: 'open', members: [anna] });
  await start(6);
  const root = await said(made, room, 'root');
  await said(made, `${room}/${root}`, 'reply');
  await stop();
  await places.remove?.(room, root);
  await start();
  assert.equal((await received('delete')).nativeID, root);
});

test('what was deleted or edited while no process was there is noticed by the next one, in whole', async (t) => {
  const { shift, clock } = laterClock();
  const made = await stage(t, { channel: { clock } });
  const { places, space, anna, start, stop, received, sink } = made;
  const room = places.addRoom({ space, kind: 'public', name: 'open', members: [anna] });
  await start(6);
  const [gone, changed] = [await said(made, room, 'gone'), await said(made, room, 'changed')];
  await said(made, room, 'stays');
  await stop();
  await places.remove?.(room, gone);
  await places.edit(room, changed, 'other');
  shift.ms = 15_000;
  await start();
  assert.equal((await received('delete')).nativeID, gone);
  assert.deepEqual((({ nativeID, text }) => [nativeID, text])(await received('edit')), [changed, 'other']);
  assert.equal(sink.received.filter(({ type }) => type === 'delete').length, 1);
});
