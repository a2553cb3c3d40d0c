// The control interface: what a person does in a chat, and what everyone sees of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { botOn } from './bots.ts';
import { openControl, platforms } from './control-client.ts';

for (const platform of platforms) {
  test(`${platform}: what is said stands in its own chat, with its author, and in no other`, async (t) => {
    const control = await openControl(t);
    await control.say(platform, { text: 'in private, to the bot' });
    await control.say(platform, { chat: 'room', text: 'to everyone' });
    await control.say(platform, { chat: 'private', text: 'to two' });
    await control.say(platform, { user: 'guest', text: 'a guest, to the bot' });
    await control.say(platform, { chat: 'room', user: 'guest', text: 'a guest, to everyone' });
    const shown = async (chat: string, user?: string): Promise<string[]> =>
      (await control.chat(platform, chat, user)).messages.map(({ author, text }) => `${author}: ${text}`);
    assert.deepEqual(await shown('dm'), ['you: in private, to the bot']);
    assert.deepEqual(await shown('room'), ['you: to everyone', 'guest: a guest, to everyone']);
    assert.deepEqual(await shown('private'), ['you: to two']);
    assert.deepEqual(await shown('dm', 'guest'), ['guest: a guest, to the bot']);
  });

  test(`${platform}: the id that was answered is the message's, for replies, threads, edits and deletions`, async (t) => {
    const control = await openControl(t);
    const first = await control.say(platform, { chat: 'room', text: 'first' });
    await control.say(platform, { chat: 'room', text: 'answer', replyTo: first });
    const thread = await control.say(platform, { chat: 'room', text: 'aside', thread: first });
    const [opening, reply, aside] = await control.messages(platform, 'room');
    assert.equal(opening?.id, first);
    assert.equal(reply?.replyTo ?? reply?.thread, first);
    // Telegram has threads only as topics of a forum; elsewhere one opens at any message.
    assert.equal(aside?.thread, platform === 'telegram' ? undefined : first);
    const edit = await control.post(`/sandbox/${platform}/edit`, { id: first, text: 'first, again' });
    assert.equal(edit.status, 204);
    const gone = await control.post(`/sandbox/${platform}/delete`, { id: thread });
    assert.equal(gone.status, 204);
    assert.deepEqual(
      (await control.messages(platform, 'room')).map(({ text, edited }) => [text, edited]),
      [
        ['first, again', true],
        ['answer', false],
      ],
    );
  });

  test(`${platform}: a mention is the platform's own, drawn as one`, async (t) => {
    const control = await openControl(t);
    await control.say(platform, { chat: 'room', text: 'are you there?', mention: true });
    const [message] = await control.messages(platform, 'room');
    const [block] = message?.blocks ?? [];
    assert.match(message?.text ?? '', /^@parley\w* are you there\?$/);
    assert.ok(block?.kind === 'paragraph');
    assert.deepEqual(
      block.runs.map(({ styles }) => styles),
      [['mention'], []],
    );
  });

  test(`${platform}: what the bot posts is shown as the bot's, and no user may edit or delete it`, async (t) => {
    const control = await openControl(t);
    const { id } = await botOn(control.sandbox[platform]).send('from the bot');
    for (const [route, more] of [
      ['edit', { text: 'forged' }],
      ['delete', {}],
    ] as const) {
      const { status, body } = await control.post(`/sandbox/${platform}/${route}`, { id, ...more });
      assert.equal(status, 400, route);
      assert.equal(body.code, 'not_a_users_message');
      assert.match(body.error ?? '', /is the bot's; \w+ change their own/);
    }
    const [message] = await control.messages(platform, 'dm');
    assert.deepEqual([message?.author, message?.text, message?.edited], ['bot', 'from the bot', false]);
  });

  test(`${platform}: what its client would not send is refused with a message, and nothing is shown`, async (t) => {
    const control = await openControl(t);
    for (const text of [' \n ', 'x'.repeat(50_000)]) {
      const { status, body } = await control.post(`/sandbox/${platform}/say`, {
        chat: 'dm',
        user: 'you',
        text,
      });
      assert.equal(status, 400);
      assert.match(body.error ?? '', /^A person's text has 1 to \d+ units, this has (0|50000)\.$/);
    }
    const secret = { chat: 'private', user: 'guest', text: 'admit me' };
    const barred = await control.post(`/sandbox/${platform}/say`, secret);
    assert.equal(barred.status, 400);
    assert.match(barred.body.error ?? '', /guest.*private|private.*guest/);
    assert.deepEqual(await control.messages(platform, 'dm'), []);
    assert.deepEqual(await control.messages(platform, 'private'), []);
  });

  test(`${platform}: an id that nobody has is named in the refusal`, async (t) => {
    const control = await openControl(t);
    const said = { chat: 'room', user: 'you', text: 'x' };
    for (const [route, body] of [
      ['say', { ...said, replyTo: 'nope' }],
      ['say', { ...said, thread: 'nope' }],
      ['edit', { id: 'nope', text: 'x' }],
      ['delete', { id: 'nope' }],
      ['redeliver', { id: 'nope' }],
    ] as const) {
      const answer = await control.post(`/sandbox/${platform}/${route}`, body);
      assert.equal(answer.status, 400, route);
      assert.match(answer.body.error ?? '', /nope/, route);
    }
    assert.deepEqual(await control.messages(platform, 'room'), []);
  });

  test(`${platform}: the calls that the bot made are listed with their status`, async (t) => {
    const control = await openControl(t);
    await botOn(control.sandbox[platform]).send('hello');
    const { body } = await control.ask(`/sandbox/${platform}/calls`);
    const sent = body.calls?.filter(({ name }) => /sendMessage|chat\.postMessage|POST .*messages/.test(name));
    assert.deepEqual(
      sent?.map(({ status }) => status),
      [200],
    );
  });
}

test('typing is part of the state, in the chat where the bot types', async (t) => {
  const control = await openControl(t);
  const { url, tokens, userID } = control.sandbox.telegram;
  const typing = async () => (await control.chat('telegram', 'dm')).typing;
  assert.equal(await typing(), false);
  const body = JSON.stringify({ chat_id: userID('you'), action: 'typing' });
  const headers = { 'content-type': 'application/json' };
  await fetch(`${url}/bot${tokens.bot}/sendChatAction`, { method: 'POST', body, headers });
  assert.equal(await typing(), true);
  assert.equal((await control.chat('telegram', 'room')).typing, false);
  await control.clock.advance(10_000);
  assert.equal(await typing(), false);
});

test('a chat shows its newest 300 messages', async (t) => {
  const control = await openControl(t);
  for (let n = 1; n <= 301; n += 1)
    await control.sandbox.slack.say({ chat: 'room', user: 'you', text: `${n}` });
  const messages = await control.messages('slack', 'room');
  assert.equal(messages.length, 300);
  assert.deepEqual([messages[0]?.text, messages.at(-1)?.text], ['2', '301']);
});
