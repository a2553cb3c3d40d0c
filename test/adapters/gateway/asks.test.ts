// What runs ask people in chats, as numbered text: shown once, answered once by anyone who was asked, settled visibly, across restarts.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ParleyError } from '#base/errors.ts';
import { type Harness, startHarness } from './harness.ts';
import { createScriptedChannel, message, room } from './scripted-channel.ts';
import { repliedWith } from './scripted-requests.ts';

const you = { id: 'u1', name: 'you', isBot: false };

/** A turn whose run asks for approval; gives the id of the message that asks. */
async function asking(h: Harness, args?: unknown): Promise<string> {
  await h.channel.sink.accept(message('1', 'look it up'));
  await h.pass();
  h.engine.askLeave('run_1', 'req_1', args);
  return h.seen('the request', () => h.channel.messages.find(({ text }) => /May I use/.test(text))?.id);
}

const texts = (h: Harness): string[] => h.channel.messages.map(({ text }) => text);
const start = (t: TestContext): Promise<Harness> =>
  startHarness(t, { channel: createScriptedChannel({ partLimit: 4_000 }) });

test('a request shows the tool, its arguments and the choices, and its number alone answers it (T14)', async (t) => {
  const h = await start(t);
  const id = await asking(h, { url: 'https://example.org/```/x' });
  const [text = ''] = texts(h);
  assert.match(text, /`web_fetch`/);
  assert.match(text, /^````json\n\{\n "url": "https:\/\/example\.org\/```\/x"\n\}\n````$/m);
  assert.match(text, /1\. yes, this once\n2\. no\n/);
  assert.doesNotMatch(text, /3\. /, 'what holds for every chat is not for anyone who writes');
  assert.match(text, /within 15 minutes/);
  assert.equal(h.engine.runs[0]?.body.canAsk, true);
  await h.channel.sink.accept(message('2', ' 1. '));
  await h.pass();
  assert.deepEqual(h.engine.replies, [{ id: 'req_1', reply: 'once', by: 'you' }]);
  const shown = await h.seen('the end', () => texts(h).find((one) => /allowed this once/.test(one)));
  assert.doesNotMatch(shown, /Answer with just the number/);
  assert.ok(h.channel.calls.some((call) => call.startsWith(`edit ${id} `)));
  h.engine.complete('run_1', 'Found it.');
  await h.seen('the answer', () => texts(h).find((one) => one === 'Found it.'));
  assert.equal(texts(h).length, 2, 'the answer to the request has no separate message');
});

test('what a tool is given is shown in full, in messages before the one that asks, which says in place how it ended', async (t) => {
  const h = await start(t);
  const body = Array.from({ length: 300 }, (_, line) => `line ${line} of the page`).join('\n');
  const id = await asking(h, { path: 'page.md', body });
  const shown = texts(h);
  assert.ok(shown.length > 2, `${shown.length} messages`);
  assert.match(shown[0] ?? '', /^I would give this to the tool `web_fetch`:/);
  for (const line of [0, 150, 299])
    assert.ok(shown.some((text) => text.includes(`line ${line} of the page`)));
  assert.match(
    shown.at(-1) ?? '',
    /^May I use the tool `web_fetch` with what is shown above\?[\s\S]*1\. yes/,
  );
  assert.equal(h.channel.messages.at(-1)?.id, id);
  await h.channel.sink.accept(message('2', '2'));
  const ended = await h.seen('the end', () =>
    h.channel.messages.find(({ text }) => /not allowed/.test(text)),
  );
  assert.equal(ended.id, id);
  assert.equal(h.channel.messages.length, shown.length);
});

test('a bare "yes" is no answer to a request for approval: it reaches the model (T12, TX)', async (t) => {
  const h = await start(t);
  await asking(h);
  for (const [id, said] of ['yes', 'ok, 1', '7', '0', '3'].entries())
    await h.channel.sink.accept(message(`y${id}`, said));
  await h.pass();
  assert.deepEqual(h.engine.replies, []);
  const hints = texts(h).filter((text) => /write `1` for yes or `2` for no, or `\/approve \w+`/.test(text));
  assert.equal(hints.length, 1, 'someone who wrote a bare yes is told what to write');
  await h.channel.sink.accept(message('2', '2'));
  await h.pass();
  assert.deepEqual(h.engine.replies, [{ id: 'req_1', reply: 'reject', by: 'you' }]);
  h.engine.complete('run_1', 'Then not.');
  await h.pass(1_000);
  assert.deepEqual(h.engine.prompts()[1], ['yes', 'ok, 1', '7', '0', '3']);
});

test('a number without a request reaches the model, before as after', async (t) => {
  const h = await start(t);
  await asking(h);
  await h.channel.sink.accept(message('2', '1'));
  await h.channel.sink.accept(message('3', '1'));
  await h.pass();
  h.engine.complete('run_1', 'Done.');
  await h.pass(1_000);
  assert.equal(h.engine.replies.length, 1, 'it is used once');
  assert.deepEqual(h.engine.prompts()[1], ['1']);
});

test('only the person who was asked answers in a direct message, and only there (J2)', async (t) => {
  const h = await start(t);
  const other = { id: 'u2', name: 'other', isBot: false };
  await asking(h);
  await h.channel.sink.accept(message('3', '1', { actor: other }));
  await h.channel.sink.accept(message('4', '1', { address: room, addressed: 'mention', actor: you }));
  await h.pass();
  assert.deepEqual(h.engine.replies, []);
});

test('a request is shown once across a kill, and an answer after it still counts (J3, T16)', async (t) => {
  const h = await start(t);
  await asking(h);
  await h.kill();
  await h.pass(500);
  h.engine.askLeave('run_2', 'req_1');
  await h.pass(500);
  assert.equal(texts(h).filter((text) => /May I use/.test(text)).length, 1);
  await h.channel.sink.accept(message('2', '1'));
  await h.pass(500);
  assert.deepEqual(h.engine.replies, [{ id: 'req_1', reply: 'once', by: 'you' }]);
  h.engine.complete('run_2', 'Found it.');
  await h.seen('the answer', () => texts(h).find((text) => text === 'Found it.'));
  assert.deepEqual(h.engine.prompts().at(-1), ['look it up'], 'the answer is not taken for a message');
});

test('an answer that was accepted and not passed on before a kill is passed on after it (J3)', async (t) => {
  const h = await start(t);
  await asking(h);
  const passing = Promise.withResolvers<never>();
  h.engine.replyPermission = () => passing.promise;
  await h.channel.sink.accept(message('2', '2'));
  await h.pass();
  const passedOn: string[] = [];
  h.engine.replyPermission = async ({ requestID, reply }) => {
    passedOn.push(`${requestID} ${reply}`);
    return repliedWith(requestID, 'reject');
  };
  const killed = h.kill();
  setTimeout(() => passing.reject(new Error('its process is gone')), 20);
  await killed;
  await h.seen('the answer passed on', () => passedOn[0]);
  await h.pass(500);
  assert.deepEqual(passedOn, ['req_1 reject']);
});

test('a turn that is begun again after its request was answered gives the model only the message, not the answer (J3)', async (t) => {
  const h = await start(t);
  await asking(h);
  await h.channel.sink.accept(message('2', '1'));
  await h.seen('the end', () => texts(h).find((text) => /allowed this once/.test(text)));
  await h.kill();
  await h.seen('the run again', () => h.engine.runs[1]);
  assert.deepEqual(h.engine.prompts(), [['look it up'], ['look it up']]);
});

test('closing does not wait for a person: the turn is put off, and asks on at the next start', async (t) => {
  const h = await start(t);
  await asking(h);
  await h.restart(20_000); // the clock stands still: waiting for it would never end
  await h.pass(500);
  h.engine.askLeave('run_2', 'req_1');
  await h.channel.sink.accept(message('2', '1'));
  await h.pass(500);
  assert.deepEqual(h.engine.replies, [{ id: 'req_1', reply: 'once', by: 'you' }]);
  assert.equal(texts(h).filter((text) => /May I use/.test(text)).length, 1);
});

test('what was written long before the request is no answer to it, whenever it comes in', async (t) => {
  const h = await start(t);
  await asking(h);
  const asked = h.clock.now();
  await h.pass(10 * 60_000);
  await h.channel.sink.accept(message('2', '1', { at: asked - 10 * 60_000 }));
  await h.pass();
  assert.deepEqual(h.engine.replies, []);
  await h.channel.sink.accept(message('3', '1', { at: asked + 1_000 }));
  await h.pass();
  assert.equal(h.engine.replies.length, 1, 'one that was written in time and held back by the platform is');
});

test('a new conversation ends what the old one asks, and its first words are no answer', async (t) => {
  const h = await start(t);
  await h.channel.sink.accept(message('1', 'plan'));
  await h.pass();
  h.engine.askQuestions('run_1', 'req_1', [{ question: 'Which day?' }]);
  await h.seen('the question', () => texts(h).find((text) => /Which day/.test(text)));
  await h.channel.sink.accept(message('2', '/new'));
  await h.seen('its end', () => texts(h).find((text) => /Which day[\s\S]*no longer needed/.test(text)));
  await h.channel.sink.accept(message('3', 'hello'));
  await h.pass(1_000);
  assert.deepEqual(h.engine.replies, []);
  assert.deepEqual(h.engine.prompts(), [['plan'], ['hello']]);
});

test('what has expired says so in its place, and so does the reply to an answer that crosses it (J4)', async (t) => {
  const h = await start(t);
  await asking(h);
  await h.pass(15 * 60_000);
  h.engine.replyPermission = async () => {
    h.engine.expire('req_1');
    throw new ParleyError('request_settled', 'This permission request has expired.');
  };
  await h.channel.sink.accept(message('2', '1'));
  await h.seen('the words', () =>
    texts(h).find((text) => /^That came too late: this has expired/.test(text)),
  );
  await h.seen('the end', () =>
    texts(h).find((text) => /expired, because no one answered in time/.test(text)),
  );
  h.engine.complete('run_1', 'Nobody allowed it.');
  await h.seen('the answer', () => texts(h).find((text) => text === 'Nobody allowed it.'));
});

test('what is answered in another chat, or no longer needed, is shown as such', async (t) => {
  const h = await start(t);
  await asking(h);
  await h.engine.replyPermission({ requestID: 'req_1', reply: 'once' });
  await h.seen('the end', () => texts(h).find((text) => /answered in another chat/.test(text)));
  h.engine.askLeave('run_1', 'req_2');
  await h.seen('the next', () => texts(h).find((text) => /Answer with just the number/.test(text)));
  await h.channel.sink.accept(message('2', '/stop'));
  await h.seen('its end', () => texts(h).find((text) => /no longer needed/.test(text)));
  assert.ok(texts(h).some((text) => /stopped/.test(text)));
});

test('a preview that began after what was asked becomes the answer, as it does without', async (t) => {
  const h = await start(t);
  await asking(h);
  await h.channel.sink.accept(message('2', '1'));
  await h.pass();
  h.engine.say('run_1', 'It is');
  const preview = await h.seen('it', () => h.channel.messages.find(({ text }) => text === 'It is')?.id);
  h.engine.complete('run_1', 'It is so.');
  await h.seen('the answer', () => texts(h).find((text) => text === 'It is so.'));
  assert.equal(h.channel.messages.find(({ text }) => text === 'It is so.')?.id, preview);
});

test('the next message answers a question, one after another; a number picks an option (TAD)', async (t) => {
  const h = await start(t);
  await h.channel.sink.accept(message('1', 'plan'));
  await h.pass();
  h.engine.askQuestions('run_1', 'req_1', [
    { question: 'Which day?', options: ['Monday', 'Friday'] },
    { question: 'And why?' },
  ]);
  const first = await h.seen('the first', () => texts(h).find((text) => /Which day/.test(text)));
  assert.match(first, /Question \(1 of 2\).*1\. Monday\n2\. Friday/s);
  await h.channel.sink.accept(message('2', '2'));
  const second = await h.seen('the second', () => texts(h).find((text) => /And why/.test(text)));
  assert.match(second, /Question \(2 of 2\)/);
  await h.seen('the first one settled', () =>
    texts(h).find((text) => /Which day.*answered: Friday/s.test(text)),
  );
  await h.channel.sink.accept(message('3', 'yes'));
  await h.pass();
  assert.deepEqual(h.engine.replies, [{ id: 'req_1', reply: ['Friday', 'yes'], by: 'you' }]);
  await h.seen('the end', () => texts(h).find((text) => /And why.*answered: yes/s.test(text)));
  h.engine.complete('run_1', 'Planned.');
  await h.seen('the answer', () => texts(h).find((text) => text === 'Planned.'));
  assert.equal(h.engine.prompts().length, 1);
});

test('the answer to a first question is no answer to the second, also after a kill (TAD, J3)', async (t) => {
  const h = await start(t);
  const questions = [{ question: 'Which day?' }, { question: 'And why?' }];
  await h.channel.sink.accept(message('1', 'plan'));
  await h.pass();
  h.engine.askQuestions('run_1', 'req_1', questions);
  await h.seen('the first', () => texts(h).find((text) => /Which day/.test(text)));
  await h.channel.sink.accept(message('2', 'Friday'));
  await h.seen('the second', () => texts(h).find((text) => /And why/.test(text)));
  await h.kill();
  await h.pass(1_000);
  h.engine.askQuestions('run_2', 'req_1', questions);
  await h.pass(1_000);
  assert.deepEqual(h.engine.replies, []);
  await h.channel.sink.accept(message('3', 'the rain', { at: h.clock.now() }));
  await h.pass(1_000);
  assert.deepEqual(h.engine.replies, [{ id: 'req_1', reply: ['Friday', 'the rain'], by: 'you' }]);
});

test('nothing is typed while a person is waited for, and the answer comes below what was asked (I1)', async (t) => {
  const h = await start(t);
  await h.channel.sink.accept(message('1', 'look it up'));
  await h.pass(300);
  h.engine.say('run_1', 'Let me see.');
  await h.seen('the preview', () => texts(h).find((text) => text === 'Let me see.'));
  h.engine.askLeave('run_1', 'req_1');
  await h.seen('the request', () => texts(h).find((text) => /May I use/.test(text)));
  await h.pass(2_000);
  const before = h.channel.calls.length;
  await h.pass(60_000);
  assert.deepEqual(h.channel.calls.slice(before), []);
  await h.channel.sink.accept(message('2', '1'));
  await h.pass(1_000);
  assert.ok(h.channel.calls.slice(before).includes('presence typing'));
  h.engine.complete('run_1', 'Let me see. It is so.');
  await h.seen('the answer', () => (texts(h).at(-1) === 'Let me see. It is so.' ? true : undefined));
  await h.pass(2_000);
  assert.equal(texts(h).length, 2, 'its preview is gone');
});
