// Buttons of what runs ask: pressed once, by anyone who may, also after a restart; everyone else is told why not, in private.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openAccess } from '#adapters/gateway/terms/access-types.ts';
import type { ButtonPressEvent } from '#adapters/gateway/terms/inbound.ts';
import { ParleyError } from '#base/errors.ts';
import { type Harness, type HarnessOptions, startHarness } from './harness.ts';
import { createScriptedChannel, dm, message } from './scripted-channel.ts';

const boss = { actor: { id: 'u9', name: 'Boss', isBot: false }, address: { ...dm, chat: 'D9' } };
const you = { actor: { id: 'u1', name: 'you', isBot: false }, address: dm };
const people = { boss: { role: 'owner' as const, accounts: ['discord:u9'] } };

const start = (t: TestContext, options: HarnessOptions = {}): Promise<Harness> =>
  startHarness(t, {
    channel: createScriptedChannel({ partLimit: 4_000, buttons: true }),
    access: openAccess('guest'),
    people,
    ...options,
  });

let presses = 0;
/** Presses a button; resolves with what only the presser is told. */
async function press(
  h: Harness,
  choice: string,
  by: Pick<ButtonPressEvent, 'actor' | 'address'> = boss,
): Promise<string | undefined> {
  presses += 1;
  const told: (string | undefined)[] = [];
  const settle = (words: string | undefined): void => void told.push(words);
  await h.channel.sink.accept({ type: 'choice', nativeID: `p${presses}`, at: 0, choice, settle, ...by });
  await h.pass();
  assert.equal(told.length, 1);
  return told[0];
}

/** The boss asks for something that needs approval; the ids of the buttons by their labels. */
async function asking(h: Harness): Promise<Record<string, string>> {
  await h.channel.sink.accept(message('1', 'look it up', boss));
  await h.pass();
  h.engine.askLeave('run_1', 'per_1');
  const text = await h.seen(
    'the request',
    () => h.channel.messages.find((one) => /May I use/.test(one.text))?.text,
  );
  return Object.fromEntries(
    [...text.matchAll(/\[(.+)\|(.+)\]/g)].map(([, label, id]) => [label ?? '', id ?? '']),
  );
}

test('a button approves once, and goes with it; its press is no message to the assistant', async (t) => {
  const h = await start(t);
  const buttons = await asking(h);
  assert.deepEqual(Object.keys(buttons), ['yes, this once', 'no']);
  assert.equal(await press(h, buttons['yes, this once'] ?? ''), undefined);
  assert.deepEqual(h.engine.replies, [{ id: 'per_1', reply: 'once', by: 'Boss' }]);
  const settled = await h.seen('the end', () =>
    h.channel.messages.find(({ text }) => /allowed this once/.test(text)),
  );
  assert.doesNotMatch(settled.text, /\[no\|/);
  assert.match((await press(h, buttons.no ?? '')) ?? '', /This is over: allowed this once/);
  assert.equal(h.engine.replies.length, 1);
  h.engine.complete('run_1', 'Found it.');
  await h.pass(1_000);
  assert.deepEqual(h.engine.prompts(), [['look it up']]);
});

test('anyone who cannot approve is refused in private, and nothing else happens (J2, T15)', async (t) => {
  const h = await start(t);
  const buttons = await asking(h);
  const before = h.channel.messages.length;
  assert.match((await press(h, buttons.no ?? '', you)) ?? '', /cannot approve/);
  const stranger = { ...you, actor: { id: 'never-seen', name: 'Boss', isBot: false } };
  assert.match((await press(h, buttons.no ?? '', stranger)) ?? '', /cannot approve/);
  const bot = { ...boss, actor: { ...boss.actor, isBot: true } };
  assert.match((await press(h, buttons.no ?? '', bot)) ?? '', /cannot approve/);
  assert.deepEqual(h.engine.replies, []);
  assert.equal(h.channel.messages.length, before);
});

test('a button works after a kill (J3)', async (t) => {
  const h = await start(t);
  const buttons = await asking(h);
  await h.kill();
  await h.pass(500);
  h.engine.askLeave('run_2', 'per_1');
  await h.pass(500);
  assert.equal(await press(h, buttons.no ?? ''), undefined);
  assert.deepEqual(h.engine.replies, [{ id: 'per_1', reply: 'reject', by: 'Boss' }]);
});

test('a button that has expired says so, and gives no leave (J4)', async (t) => {
  const h = await start(t);
  const buttons = await asking(h);
  await h.clock.advance(16 * 60_000);
  h.engine.replyPermission = async () => {
    throw new ParleyError('request_settled', 'This permission request has expired.');
  };
  assert.equal(await press(h, buttons['yes, this once'] ?? ''), undefined);
  const shown = (text: string) => h.channel.messages.find((one) => one.text.includes(text))?.text;
  await h.seen('the words', () => shown('That came too late: this has expired'));
  await h.seen('the end', () => shown('expired, because no one answered in time'));
  assert.deepEqual(h.engine.replies, []);
});

test('two presses at once, and one that the platform reports twice, are one answer', async (t) => {
  const h = await start(t);
  const buttons = await asking(h);
  const told: (string | undefined)[] = [];
  const settle = (words: string | undefined): void => void told.push(words);
  const event = (nativeID: string, choice = ''): ButtonPressEvent => ({
    type: 'choice',
    nativeID,
    at: 0,
    choice,
    settle,
    ...boss,
  });
  await Promise.all([
    h.channel.sink.accept(event('a', buttons.no)),
    h.channel.sink.accept(event('a', buttons.no)),
    h.channel.sink.accept(event('b', buttons['yes, this once'])),
  ]);
  await h.pass();
  assert.equal(h.engine.replies.length, 1);
  assert.equal(told.filter((words) => words === undefined).length, 2);
});

test('buttons that nobody made, or of what is not there, are answered with a message', async (t) => {
  const h = await start(t);
  await asking(h);
  for (const wrong of [
    '',
    'a:per_1:0:7',
    'a:per_1:3:0',
    'a:other:0:0',
    'x'.repeat(200),
    "a:per_1'; DROP TABLE asked:0:0",
  ])
    assert.match(
      (await press(h, wrong)) ?? '',
      /no longer know what this was about|no such choice|This is over: /,
      wrong,
    );
  assert.deepEqual(h.engine.replies, []);
});

test('the options of a question are buttons, for each question its own; a number or words still answer (TAD)', async (t) => {
  const h = await start(t);
  await h.channel.sink.accept(message('1', 'book it'));
  await h.pass();
  h.engine.askQuestions('run_1', 'que_1', [
    { question: 'Which day?', options: ['Monday', '/new'] },
    { question: 'What time?' },
  ]);
  await h.seen('the question', () => h.channel.messages.find(({ text }) => /Which day/.test(text)));
  assert.match((await press(h, 'a:que_1:0:0', boss)) ?? '', /for someone else/);
  assert.equal(await press(h, 'a:que_1:0:1', you), undefined);
  await h.seen('the next', () => h.channel.messages.find(({ text }) => /What time/.test(text)));
  assert.match((await press(h, 'a:que_1:0:0', you)) ?? '', /This is over: answered/);
  await h.channel.sink.accept(message('2', 'at noon'));
  await h.pass();
  assert.deepEqual(h.engine.replies, [{ id: 'que_1', reply: ['/new', 'at noon'], by: 'you' }]);
});
