// What runs ask in rooms: approval of anyone who may give it, questions of the person who spoke; settled there only by them, and seen by all.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openAccess } from '#adapters/gateway/terms/access-types.ts';
import type { ButtonPressEvent, MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import { type Harness, type HarnessOptions, startHarness } from './harness.ts';
import { createScriptedChannel, dm, message, room } from './scripted-channel.ts';

const inRoom = { address: room, addressed: 'mention' } as const;
const you = { id: 'u1', name: 'you', isBot: false };
const other = { id: 'u2', name: 'Other', isBot: false };
const boss = { id: 'u9', name: 'Boss', isBot: false };
const people = { boss: { role: 'owner' as const, accounts: ['discord:u9'] } };
const bossAlone = { actor: boss, address: { ...dm, chat: 'D9' } };

const start = (t: TestContext, options: HarnessOptions = {}): Promise<Harness> =>
  startHarness(t, {
    channel: createScriptedChannel({ partLimit: 4_000, buttons: true }),
    access: openAccess('guest'),
    people,
    ...options,
  });
const standing = (h: Harness, wanted: RegExp) => h.channel.messages.find(({ text }) => wanted.test(text));
const seen = (h: Harness, wanted: RegExp) => h.seen(String(wanted), () => standing(h, wanted));

let said = 0;
async function say(h: Harness, text: string, over: Partial<MessageEvent> = {}): Promise<void> {
  said += 1;
  await h.channel.sink.accept(message(`r${said}`, text, { ...inRoom, ...over }));
  await h.pass();
}

/** Presses the button with this label on what is asked; what only the person who pressed is told. */
async function press(
  h: Harness,
  label: string,
  actor: ButtonPressEvent['actor'],
): Promise<string | undefined> {
  said += 1;
  const choice = h.channel.messages
    .flatMap(({ text }) => [...text.matchAll(/\[(.+)\|(.+)\]/g)])
    .find(([, words]) => words === label)?.[2];
  const told: (string | undefined)[] = [];
  const settle = (words: string | undefined): void => void told.push(words);
  const event = { type: 'choice', nativeID: `p${said}`, at: 0, choice: choice ?? '', actor, settle } as const;
  await h.channel.sink.accept({ ...event, address: room });
  await h.pass();
  return told[0];
}

/** Someone in the room asks for what needs approval. */
async function asking(h: Harness, args?: unknown): Promise<void> {
  await say(h, 'look it up');
  h.engine.askLeave('run_1', 'per_01ABCDEF', args);
  await h.pass();
}

test('approval is asked for in the room where it is needed, with the tool, what it is given, and who may give it (J2)', async (t) => {
  const h = await start(t);
  await asking(h);
  const { text, address } = await seen(h, /May I use/);
  assert.match(address, /:C1:/);
  assert.match(text, /^What \*\*you\*\* wants needs approval, which boss can give\./);
  assert.match(text, /`web_fetch`[\s\S]*example\.org[\s\S]*1\. yes, this once\n2\. no/);
  assert.match(text, /\[yes, this once\|.*\]\n\[no\|.*\]$/);
  assert.equal(await press(h, 'yes, this once', boss), undefined);
  assert.deepEqual(h.engine.replies, [{ id: 'per_01ABCDEF', reply: 'once', by: 'Boss' }]);
  const { text: settled } = await seen(h, /allowed this once by Boss/);
  assert.doesNotMatch(settled, /\[no\||Answer me/);
  h.engine.complete('run_1', 'Found it.');
  assert.match((await seen(h, /Found it/)).address, /:C1:/);
});

test('anyone who cannot approve is refused: a press in private, a number and /approve as text; nothing is settled (J2, T15)', async (t) => {
  const h = await start(t);
  await asking(h);
  await seen(h, /May I use/);
  for (const actor of [you, other, { ...boss, isBot: true }])
    assert.match((await press(h, 'yes, this once', actor)) ?? '', /cannot approve/);
  const before = h.channel.messages.length;
  await say(h, '1', { actor: other });
  await seen(h, /^You cannot approve this/);
  await say(h, '/approve', { actor: other });
  await h.seen('the refusal', () => (h.channel.messages.length === before + 2 ? true : undefined));
  assert.deepEqual(h.engine.replies, []);
  assert.match(standing(h, /May I use/)?.text ?? '', /Answer me/, 'it stands open');
});

test('an approver answers in the room with just the number, also where everyone has their own session (J2)', async (t) => {
  for (const sessions of ['room', 'person'] as const) {
    const h = await start(t, { sessions });
    await asking(h);
    await seen(h, /May I use/);
    await say(h, 'yes', { actor: boss });
    assert.deepEqual(h.engine.replies, [], 'a bare "yes" goes to the assistant');
    await say(h, '2', { actor: boss, addressed: 'none' });
    assert.deepEqual(h.engine.replies, [], 'what is said to others is no answer');
    await say(h, '2', { actor: boss });
    assert.deepEqual(h.engine.replies, [{ id: 'per_01ABCDEF', reply: 'reject', by: 'Boss' }], sessions);
    await seen(h, /not allowed by Boss/);
  }
});

test('a request in a room survives a kill, is shown once, and says that it is over when nobody has answered (J3, J4)', async (t) => {
  const h = await start(t);
  await asking(h);
  await seen(h, /May I use/);
  await h.kill();
  await h.pass(500);
  h.engine.askLeave('run_2', 'per_01ABCDEF');
  await h.pass(500);
  assert.equal(h.channel.messages.filter(({ text }) => /May I use/.test(text)).length, 1);
  h.engine.expire('per_01ABCDEF');
  await seen(h, /expired, because no one answered in time/);
  assert.match((await press(h, 'no', boss)) ?? '', /This is over|no longer know/);
});

test('with `approvals.requestIn` direct, an approver gets the request in a direct message, and the room sees who got it, and how it ended (J2)', async (t) => {
  const h = await start(t, { asked: 'direct' });
  await h.channel.sink.accept(message('b1', 'hello', bossAlone));
  await h.pass();
  h.engine.complete('run_1', 'Hello.');
  await h.pass(1_000);
  await say(h, 'look it up');
  h.engine.askLeave('run_2', 'per_01ABCDEF');
  const asked = await seen(h, /May I use/);
  assert.match(asked.address, /:D9:/);
  assert.match(asked.text, /^\*\*you\*\* \(discord, in a room\) wants/);
  const told = await seen(h, /have asked boss/);
  assert.match(told.address, /:C1:/);
  assert.doesNotMatch(told.text, /example\.org/);
  await h.channel.sink.accept(message('b2', '1', bossAlone));
  await h.pass();
  assert.deepEqual(h.engine.replies, [{ id: 'per_01ABCDEF', reply: 'once', by: 'Boss' }]);
  const ended = await seen(h, /have asked boss: allowed this once/);
  assert.equal(ended.id, told.id, 'in place');
});

test('a person who can only be reached elsewhere is asked there; where nobody can be, approval is refused at once (J2)', async (t) => {
  const somewhereElse = { boss: { role: 'owner' as const, accounts: ['slack:T1/U9'] } };
  const h = await start(t, { people: somewhereElse });
  await asking(h);
  assert.deepEqual(h.engine.replies, [{ id: 'per_01ABCDEF', reply: 'reject', by: undefined }]);
  assert.equal(standing(h, /May I use/), undefined);
});

test('a question in a room is for anyone who spoke, by name; anyone else who presses is refused, and can still talk to the assistant (TAD)', async (t) => {
  const h = await start(t);
  await say(h, 'book it');
  h.engine.askQuestions('run_1', 'que_01ABCDEF', [{ question: 'Which day?', options: ['Monday', 'Friday'] }]);
  const { text } = await seen(h, /Which day/);
  assert.match(text, /^A question for \*\*you\*\*:\n\n\*\*Question:\*\* Which day\?/);
  assert.match((await press(h, 'Friday', other)) ?? '', /for someone else/);
  await say(h, 'Sunday', { actor: other });
  assert.deepEqual(h.engine.replies, []);
  await say(h, 'Friday', { addressed: 'none' });
  assert.deepEqual(h.engine.replies, [], 'it was said to others');
  await say(h, '2');
  assert.deepEqual(h.engine.replies, [{ id: 'que_01ABCDEF', reply: ['Friday'], by: 'you' }]);
  h.engine.complete('run_1', 'Booked.');
  await seen(h, /Booked/);
  await h.pass(1_000);
  assert.deepEqual(h.engine.prompts().at(-1), ['Sunday']);
});

test('secrets in what a tool is given are masked wherever approval is asked for, also in a direct message (J2)', async (t) => {
  const redact = async (text: string): Promise<string> => text.replaceAll('hunter2', '[redacted:password]');
  const args = { headers: { login: 'hunter2' }, pages: ['a', 'hunter2'] };
  const h = await start(t, { redact });
  await asking(h, args);
  const { text } = await seen(h, /May I use/);
  assert.match(text, /"login": "\[redacted:password\]"/);
  assert.doesNotMatch(JSON.stringify(h.channel.calls), /hunter2/);
  await press(h, 'no', boss);
  h.engine.complete('run_1', 'Not then.');
  assert.doesNotMatch((await seen(h, /not allowed by Boss/)).text, /hunter2/);

  const single = await start(t, { redact });
  await single.channel.sink.accept(message('b1', 'look it up', bossAlone));
  await single.pass();
  single.engine.askLeave('run_1', 'per_1', args);
  assert.match((await seen(single, /May I use/)).text, /"login": "\[redacted:password\]"/);
  assert.doesNotMatch(JSON.stringify(single.channel.calls), /hunter2/);
});

test('/approve without an id means what is asked here, whatever waits elsewhere', async (t) => {
  const h = await start(t);
  await asking(h);
  await seen(h, /May I use/);
  await h.channel.sink.accept(message('b1', 'look it up too', bossAlone));
  await h.pass();
  h.engine.askLeave('run_2', 'per_01GHJKMN');
  await seen(h, /ghjkmn/);
  await say(h, '/approve', { actor: boss });
  await seen(h, /Allowed, this once/);
  assert.deepEqual(
    h.engine.replies.map(({ id }) => id),
    ['per_01ABCDEF'],
  );
});
