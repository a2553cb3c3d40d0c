// Who approves tool calls: owners or the approvers that are named, wherever the run was begun. Everyone else only asks.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openAccess } from '#adapters/gateway/terms/access-types.ts';
import { type Harness, type HarnessOptions, startHarness } from './harness.ts';
import { createScriptedChannel, dm, message } from './scripted-channel.ts';

const boss = { actor: { id: 'u9', name: 'Boss', isBot: false }, address: { ...dm, chat: 'D9' } };
const people = { boss: { role: 'owner' as const, accounts: ['discord:u9'] } };

const start = (t: TestContext, options: HarnessOptions = {}): Promise<Harness> =>
  startHarness(t, {
    channel: createScriptedChannel({ partLimit: 4_000 }),
    access: openAccess('guest'),
    people,
    ...options,
  });
const standing = (h: Harness, wanted: RegExp) => h.channel.messages.find(({ text }) => wanted.test(text));

/** The owner has written once; then a guest's run asks for approval. */
async function asking(h: Harness): Promise<void> {
  await h.channel.sink.accept(message('b1', 'hello', boss));
  await h.pass();
  h.engine.complete('run_1', 'Hello.');
  await h.pass(1_000);
  await h.channel.sink.accept(message('1', 'look it up'));
  await h.pass();
  h.engine.askLeave('run_2', 'req_1');
}

test('the owner approves the call of a guest in a direct message; the guest learns this, and cannot approve it (J2, T15)', async (t) => {
  const h = await start(t);
  await asking(h);
  const asked = await h.seen('the request', () => standing(h, /May I use/));
  assert.match(asked.address, /:D9:/);
  assert.match(asked.text, /^\*\*you\*\* \(discord, in private\) wants/);
  const told = await h.seen('the notice', () => standing(h, /have asked boss/));
  assert.match(told.address, /:D1:/);
  await h.channel.sink.accept(message('2', '1'));
  await h.pass();
  assert.deepEqual(h.engine.replies, []);
  await h.channel.sink.accept(message('b2', '1', boss));
  await h.pass();
  assert.deepEqual(h.engine.replies, [{ id: 'req_1', reply: 'once', by: 'Boss' }]);
  await h.seen('the end', () => standing(h, /allowed this once/));
  h.engine.complete('run_2', 'Found it.');
  const answer = await h.seen('the answer', () => standing(h, /Found it/));
  assert.match(answer.address, /:D1:/);
  await h.pass(1_000);
  assert.deepEqual(
    h.engine.prompts().at(-1),
    ['1'],
    'what the guest said as an answer is a message to the assistant',
  );
});

test('the approver is told that someone whose display name looks like that of a known person is not that person', async (t) => {
  const h = await start(t);
  await h.channel.sink.accept(message('b1', 'hello', boss));
  await h.pass();
  h.engine.complete('run_1', 'Hello.');
  await h.pass(1_000);
  const twin = { id: 'u1', name: 'Bоss', isBot: false }; // with a Cyrillic letter
  await h.channel.sink.accept(message('1', 'look it up', { actor: twin }));
  await h.pass();
  h.engine.askLeave('run_2', 'req_1');
  const asked = await h.seen('the request', () => standing(h, /May I use/));
  assert.match(asked.text, /^\*\*Bоss\*\*, who is not boss \(discord, in private\) wants/);
});

test('where nobody can be asked, approval is refused at once and the run continues (T14)', async (t) => {
  const h = await start(t);
  await h.channel.sink.accept(message('1', 'look it up'));
  await h.pass();
  h.engine.askLeave('run_1', 'req_1');
  await h.pass();
  assert.deepEqual(h.engine.replies, [{ id: 'req_1', reply: 'reject', by: undefined }]);
  assert.equal(standing(h, /May I use/), undefined);
});

test('an empty list of approvers is nobody, the owner included; a list is these and no others (J2)', async (t) => {
  const nobody = await start(t, { approvers: [] });
  await nobody.channel.sink.accept(message('b1', 'look it up', boss));
  await nobody.pass();
  nobody.engine.askLeave('run_1', 'req_1');
  await nobody.pass();
  assert.equal(nobody.engine.replies[0]?.reply, 'reject');

  const ann = { role: 'member' as const, accounts: ['discord:u1'] };
  const h = await start(t, { approvers: ['ann'], people: { ...people, ann } });
  await h.channel.sink.accept(message('1', 'hello'));
  await h.pass();
  h.engine.complete('run_1', 'Hello.');
  await h.pass(1_000);
  await h.channel.sink.accept(message('b1', 'look it up', boss));
  await h.pass();
  h.engine.askLeave('run_2', 'req_1');
  assert.match((await h.seen('the request', () => standing(h, /May I use/))).address, /:D1:/);
});

test('only the person who was asked answers a question, whatever their role', async (t) => {
  const h = await start(t);
  await h.channel.sink.accept(message('1', 'book it'));
  await h.pass();
  h.engine.askQuestions('run_1', 'que_1', [{ question: 'Which day?' }]);
  await h.seen('the question', () => standing(h, /Which day/));
  await h.channel.sink.accept(message('2', 'Monday'));
  await h.pass();
  assert.deepEqual(h.engine.replies, [{ id: 'que_1', reply: ['Monday'], by: 'you' }]);
});

test('a request at an owner survives a kill (T16, J3)', async (t) => {
  const h = await start(t);
  await asking(h);
  await h.seen('the request', () => standing(h, /May I use/));
  await h.kill();
  await h.pass(500);
  h.engine.askLeave('run_3', 'req_1');
  await h.pass(500);
  await h.channel.sink.accept(message('b2', '2', boss));
  await h.pass(500);
  assert.deepEqual(h.engine.replies, [{ id: 'req_1', reply: 'reject', by: 'Boss' }]);
  assert.equal(h.channel.messages.filter(({ text }) => /May I use|have asked boss/.test(text)).length, 2);
});
