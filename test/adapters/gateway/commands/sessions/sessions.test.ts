// The conversations of a chat: begun, listed, resumed, renamed, answered again, exported. Only the chat's own are shown.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileIn } from '#adapters/gateway/terms/file-part.ts';
import { ParleyError } from '#base/errors.ts';
import { message, room } from '../../scripted-channel.ts';
import { as, commandChat } from '../kit.ts';

test('a conversation with its own name stays in the list, and can be continued (TZ)', async (t) => {
  const chat = await commandChat(t);
  await chat.say('first');
  assert.match(await chat.say('/rename Trip to Rome'), /now called Trip to Rome/);
  assert.match(await chat.say('/new Garden *plans*'), /new conversation called Garden \\\*plans\\\*\./);
  await chat.say('second');
  const listed = await chat.say('/sessions');
  assert.match(listed, /Garden .*this one/);
  assert.match(listed, /`(\S+)` Trip to Rome/);
  const [, id = ''] = /`(\S+)` Trip to Rome/.exec(listed) ?? [];
  assert.match(await chat.say(`/resume ${id}`), /are back in Trip to Rome/);
  await chat.say('third');
  assert.deepEqual(
    chat.engine.runs.map(({ run }) => run.sessionID),
    ['ses_1', 'ses_2', 'ses_1'],
  );
});

test('the choice of a conversation survives a restart, and the next turns share it (G1, G2)', async (t) => {
  const chat = await commandChat(t);
  await chat.say('a');
  await chat.say('/new');
  await chat.restart();
  await chat.say('b');
  await chat.say('c');
  assert.deepEqual(
    chat.engine.runs.map(({ run }) => run.sessionID),
    ['ses_1', 'ses_2', 'ses_2'],
  );
});

test('nobody lists or resumes what belongs to another chat, not even in a room that both are in', async (t) => {
  const chat = await commandChat(t);
  await chat.say('my secret');
  await chat.say('/rename My diary');
  const guest = as('u2');
  await chat.say('hello', guest);
  assert.doesNotMatch(await chat.say('/sessions', guest), /diary/);
  assert.match(await chat.say('/resume ses_1', guest), /nothing with the ID `ses_1` here/);
  const inRoom = { address: room, addressed: 'mention' as const };
  await chat.say('hi', inRoom);
  assert.doesNotMatch(await chat.say('/sessions', inRoom), /diary/);
  assert.match(await chat.say('/resume ses_1', inRoom), /nothing with the ID/);
});

test('in private a person has the conversations of all their accounts', async (t) => {
  const people = { me: ['discord:u1', 'discord:u2'] };
  const chat = await commandChat(t, { people });
  await chat.say('over there', as('u2'));
  await chat.say('/rename From there', as('u2'));
  const listed = await chat.say('/sessions');
  assert.match(listed, /From there .*from discord/);
});

test('long lists come in pages, and a page that is not there is refused with a message', async (t) => {
  const chat = await commandChat(t);
  for (let at = 1; at <= 9; at += 1) await chat.say(`/new Talk ${at}`);
  assert.match(
    await chat.say('/sessions 2'),
    /There is no such page: there is only one\. `\/sessions 1` shows it\./,
  );
  for (let at = 10; at <= 12; at += 1) await chat.say(`/new Talk ${at}`);
  const first = await chat.say('/sessions');
  assert.equal(first.match(/Talk/g)?.length, 10);
  assert.match(first, /Page 1 of 2. `\/sessions 2`/);
  assert.equal((await chat.say('/sessions 2')).match(/Talk/g)?.length, 2);
  for (const wrong of ['3', '0', 'x', '-1', '1.5'])
    assert.match(await chat.say(`/sessions ${wrong}`), /There is no such page/);
});

test('wrong input to the commands of conversations is refused with a message', async (t) => {
  const chat = await commandChat(t);
  assert.match(await chat.say('/sessions'), /no conversation here yet/);
  assert.match(await chat.say('/rename Trip'), /no conversation here yet/);
  assert.match(await chat.say('/rename'), /What should this conversation be called/);
  assert.match(await chat.say('/resume'), /Which/);
  assert.match(await chat.say('/retry'), /sent no message/);
  assert.match(await chat.say('/export'), /no conversation here yet/);
});

test('retry takes the last exchange back and answers the same message again, once, also across a kill', async (t) => {
  const chat = await commandChat(t);
  await chat.say('what is it?', { nativeID: 'q1' });
  const info = { sessionID: 'ses_1', time: { created: 0 } };
  chat.engine.said.set('ses_1', [
    { info: { ...info, id: 'msg_1', role: 'user' }, parts: [] },
    { info: { ...info, id: 'msg_2', role: 'assistant', runID: 'run_1' }, parts: [] },
  ]);
  const answered = await chat.say('/retry');
  assert.match(answered, /I am answering that again/);
  await chat.seen('the second answer', () => (chat.engine.runs.length === 2 ? true : undefined));
  assert.deepEqual(chat.engine.reverts, ['ses_1 msg_1']);
  assert.deepEqual(chat.engine.prompts(), [['what is it?'], ['what is it?']]);
  assert.deepEqual(chat.engine.runs[1]?.body.origin?.nativeIDs, ['q1']);
  await chat.kill();
  await chat.pass(500);
  assert.equal(chat.engine.runs.length, 2);
});

test('a retry whose revert succeeded without an answer continues with the call that finds it done', async (t) => {
  const chat = await commandChat(t);
  await chat.say('what is it?', { nativeID: 'q1' });
  const info = { sessionID: 'ses_1', time: { created: 0 } };
  chat.engine.said.set('ses_1', [
    { info: { ...info, id: 'msg_1', role: 'user' }, parts: [] },
    { info: { ...info, id: 'msg_2', role: 'assistant', runID: 'run_1' }, parts: [] },
  ]);
  chat.engine.revertSession = async () => {
    throw new ParleyError('message_not_found', 'There is no message "msg_1" that is in this session.');
  };
  assert.match(await chat.say('/retry'), /I am answering that again/);
  await chat.seen('the second answer', () => (chat.engine.runs.length === 2 ? true : undefined));
  assert.deepEqual(chat.engine.prompts(), [['what is it?'], ['what is it?']]);
});

test('export sends the conversation as a file, which is deleted from the disk after a restart', async (t) => {
  const chat = await commandChat(t);
  await chat.say('hello');
  const info = {
    id: 'm',
    sessionID: 'ses_1',
    role: 'user' as const,
    time: { created: 0 },
    speaker: { id: 'p', name: 'you' },
  };
  chat.engine.said.set('ses_1', [{ info, parts: [{ type: 'text', text: 'hello there' }] }]);
  const sent: string[] = [];
  const send = chat.channel.send.bind(chat.channel);
  chat.channel.send = async (address, part, options) => {
    const file = fileIn(part);
    if (file !== undefined) sent.push(readFileSync(file.path, 'utf8'));
    return send(address, part, options);
  };
  assert.match(await chat.say('/export'), /Here it is/);
  await chat.seen('the file', () => sent[0]);
  assert.match(sent[0] ?? '', /## you, 1970-01-01 00:00 UTC\n\nhello there/);
  const folder = join(dirname(chat.path), 'exports');
  assert.ok(existsSync(folder));
  await chat.restart();
  await chat.pass();
  const { readdirSync } = await import('node:fs');
  assert.deepEqual(readdirSync(folder), []);
});

test('a command that was carried out never runs again, also when the platform reports it again (A3)', async (t) => {
  const chat = await commandChat(t);
  await chat.channel.sink.accept(message('n', '/new'));
  await chat.pass();
  await chat.restart();
  assert.equal(await chat.channel.sink.accept(message('n', '/new')), 'duplicate');
  await chat.pass();
  assert.equal(chat.engine.sessions.length, 1);
});
