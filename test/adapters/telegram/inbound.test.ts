// What people say on Telegram as events of the gateway, through grammy and the sandbox.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../support/found.ts';
import { createBench } from './bench.ts';

test('a direct message names the person, the chat and no room', async (t) => {
  const { sandbox, sink, start } = await createBench(t);
  start();
  const { id } = await sandbox.say({ chat: 'dm', user: 'you', text: 'hello 👋' });
  await until('the message', () => sink.events.length === 1);
  const [event] = sink.messages();
  assert.deepEqual(event, {
    type: 'message',
    address: { platform: 'telegram', account: '7000000001', chat: sandbox.userID('you'), kind: 'dm' },
    nativeID: id,
    at: event?.at,
    actor: { id: sandbox.userID('you'), name: 'Robin', isBot: false, locale: 'en' },
    addressed: 'dm',
    text: 'hello 👋',
    files: [],
  });
  assert.ok(Math.abs((event?.at ?? 0) - Date.now()) < 60_000);
});

test('a mention in a group is taken out and remembered, a command for the bot too (TN)', async (t) => {
  const { sandbox, sink, start } = await createBench(t, { privacy: 'off' });
  start();
  const room = { chat: 'room', user: 'guest' } as const;
  await sandbox.say({ ...room, text: ', what is 👋 up?', mention: true });
  await sandbox.say({ ...room, text: `/stop@${sandbox.botName} now` });
  await sandbox.say({ ...room, text: 'I asked @PARLEY_sandbox_bot about @you_sandbox' });
  await sandbox.say({ ...room, text: 'among us' });
  await until('four messages', () => sink.events.length === 4);
  assert.deepEqual(
    sink.messages().map(({ text, addressed }) => [text, addressed]),
    [
      ['what is 👋 up?', 'mention'],
      ['/stop now', 'mention'],
      ['I asked about @you_sandbox', 'mention'],
      ['among us', 'none'],
    ],
  );
  const [first] = sink.messages();
  assert.equal(first?.address.kind, 'group');
  assert.equal(first?.address.space, first?.address.chat);
  assert.deepEqual(first?.room, { names: { channel: 'The room' }, restricted: false });
});

test('a group without a public name is restricted', async (t) => {
  const { sandbox, sink, start } = await createBench(t);
  start();
  await sandbox.say({ chat: 'private', user: 'you', text: 'between us', mention: true });
  await until('the message', () => sink.events.length === 1);
  assert.deepEqual(sink.messages()[0]?.room, { names: { channel: 'The private room' }, restricted: true });
});

test('a reply to the bot addresses it and brings the quoted text (F7)', async (t) => {
  const { sandbox, sink, channel, start } = await createBench(t);
  start();
  const asked = await sandbox.say({ chat: 'room', user: 'you', text: 'first', mention: true });
  await until('the question', () => sink.events.length === 1);
  const [question] = sink.messages();
  assert.ok(question);
  const answer = channel.render('the answer')[0];
  assert.ok(answer);
  const { nativeID } = await channel.send(question.address, answer, { key: 'k', replyTo: asked.id });
  await sandbox.say({ chat: 'room', user: 'guest', text: 'this one?', replyTo: nativeID });
  await until('the reply', () => sink.events.length === 2);
  const reply = sink.messages()[1];
  assert.equal(reply?.addressed, 'reply');
  assert.deepEqual(reply?.quoted, { nativeID, author: 'Parley', text: 'the answer', fromBot: true });
  assert.equal(reply?.address.thread, undefined);
});

test('topics are threads, General and plain replies are not, and answers stay where they belong (F1, F2, F3)', async (t) => {
  const { sandbox, sink, channel, start } = await createBench(t);
  start();
  const thread = sandbox.createTopic('Plans');
  const general = await sandbox.say({ chat: 'room', user: 'you', text: 'in General', mention: true });
  await sandbox.say({ chat: 'room', user: 'you', text: 'a reply', mention: true, replyTo: general.id });
  await sandbox.say({ chat: 'room', user: 'you', text: 'in Plans', mention: true, thread });
  await until('three messages', () => sink.messages().length === 3);
  const messages = sink.messages();
  assert.deepEqual(
    messages.map(({ address, quoted }) => [address.thread, quoted?.nativeID]),
    [
      [undefined, undefined],
      [undefined, general.id],
      [thread, undefined],
    ],
  );
  for (const { address, nativeID, text } of messages) {
    const [part] = channel.render(`answer to ${text}`);
    assert.ok(part);
    await channel.presence(address, 'typing');
    await channel.send(address, part, { key: 'k', replyTo: nativeID });
  }
  const [event] = messages;
  const [part] = channel.render('General by its number');
  assert.ok(event && part);
  await channel.send({ ...event.address, thread: '1' }, part, { key: 'k' });
  assert.deepEqual(
    sandbox
      .shown('room', 'you')
      .filter(({ author }) => author === 'bot')
      .map(({ text, thread: shown }) => [text, shown]),
    [
      ['answer to in General', undefined],
      ['answer to a reply', undefined],
      ['answer to in Plans', thread],
      ['General by its number', undefined],
    ],
  );
  assert.deepEqual(sandbox.shown('dm', 'you'), []);
});

test('an edited message is an edit event with the same id, never a second message (A9, A11)', async (t) => {
  const { sandbox, sink, start } = await createBench(t);
  start();
  const { id } = await sandbox.say({ chat: 'room', user: 'you', text: 'helo', mention: true });
  await sandbox.editMessage(id, `@${sandbox.botName} hello`);
  await until('the edit', () => sink.events.length === 2);
  const edit = sink.events[1];
  assert.equal(edit?.type, 'edit');
  assert.equal(edit?.type === 'edit' ? `${edit.nativeID} ${edit.text}` : '', `${id} hello`);
  assert.equal(sink.messages().length, 1);
});

test('a message that is delivered twice is handed in twice under one id, for the sink to know (A2)', async (t) => {
  const { sandbox, sink, start } = await createBench(t);
  start();
  const { id } = await sandbox.say({ chat: 'dm', user: 'you', text: 'once' });
  await until('the message', () => sink.events.length === 1);
  await sandbox.redeliver(id);
  await until('the second delivery', () => sink.duplicates === 1);
  assert.deepEqual(sink.texts(), ['once']);
});

test('a file comes as a reference that opens, up to the limit', async (t) => {
  const { sandbox, sink, channel, start } = await createBench(t);
  start();
  const bytes = Buffer.from('the file');
  const file = { chat: 'dm', user: 'you', name: 'a.txt', mime: 'text/plain', bytes } as const;
  await sandbox.sayFile({ ...file, caption: 'look' });
  await until('the file', () => sink.events.length === 1);
  const [message] = sink.messages();
  const [ref] = message?.files ?? [];
  assert.ok(ref && channel.open);
  assert.deepEqual([message?.text, ref.name, ref.mime, ref.size], ['look', 'a.txt', 'text/plain', 8]);
  const { signal } = new AbortController();
  const stream = await channel.open(ref, 8, signal);
  assert.equal(await new Response(stream).text(), 'the file');
  await assert.rejects(channel.open(ref, 7, signal), /larger than the 7 bytes/);
  await assert.rejects(channel.open({ id: 'unknown' }, 7, signal), (error) => {
    assert.match(channel.explain(error).words, /wrong file_id/);
    return true;
  });
});

test('a group that becomes a supergroup is reported as moved, also by a call that finds the old id (F6)', async (t) => {
  const { sandbox, sink, channel, start } = await createBench(t, { basicGroups: ['private'] });
  start();
  await sandbox.say({ chat: 'private', user: 'you', text: 'before', mention: true });
  await until('the message', () => sink.events.length === 1);
  const old = sink.messages()[0]?.address;
  const [part] = channel.render('late');
  assert.ok(old && part);
  const { from, to } = sandbox.migrate('private');
  await until('the move', () => sink.events.length === 3);
  const moved = sink.events[1];
  assert.deepEqual(moved, sink.events[2]);
  assert.ok(moved?.type === 'moved');
  assert.deepEqual([moved.from, moved.to], [old, { ...old, chat: to, space: to }]);
  assert.equal(moved.from.chat, from);
  await assert.rejects(channel.send(old, part, { key: 'k' }), (error) => {
    const { kind, words, maybeDelivered } = channel.explain(error);
    assert.deepEqual([kind, maybeDelivered], ['transient', false]);
    assert.match(words, new RegExp(`supergroup with the id ${to}`));
    return true;
  });
  assert.deepEqual(sink.events[3], moved);
  await channel.send(moved.to, part, { key: 'k' });
});
