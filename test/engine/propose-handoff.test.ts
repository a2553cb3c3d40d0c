// What a conversation hands over: read by the configured model from the newest of it, and nothing where there is no usable answer.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ask, openKit, originOf, textBody } from './support/kit.ts';
import { startRaw } from './support/raw-provider.ts';

const { nativeIDs: _, at: __, ...reader } = originOf();
const open = [
  { id: 'jrn_1', title: 'The wall' },
  { id: 'jrn_2', title: 'The "red" fence' },
];

async function stage(t: TestContext) {
  const raw = await startRaw(t);
  const { engine, logged } = await openKit(t, { model: raw.settings });
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  const say = async (
    text: string,
    answer: string,
    origin?: Parameters<typeof originOf>[0],
  ): Promise<void> => {
    const run = ask(engine, id, textBody(text, origin === undefined ? undefined : originOf(origin)));
    const call = await raw.next();
    call.say(answer);
    call.finish();
    await run;
  };
  const propose = (input: object) => engine.forReader('proposeHandoff', { reader, input: { ...input } });
  return { raw, engine, id, say, propose, logged };
}

test('nobody proposes anything where there is no conversation, or no model', async (t) => {
  const { propose, raw } = await stage(t);
  for (const input of [{}, { sessionID: 'ses_none' }])
    assert.equal((await propose(input)).by, 'nobody', JSON.stringify(input));
  const offline = await openKit(t);
  const { id } = await offline.engine.createSession({});
  await ask(offline.engine, id, 'My boat is blue.');
  const proposal = await offline.engine.forReader('proposeHandoff', { reader, input: { sessionID: id } });
  assert.deepEqual([proposal.by, proposal.elements.summary, proposal.elements.steps], ['nobody', '', []]);
  await assert.rejects(propose({ sessionID: '' }), { code: 'invalid_memory_call' });
  assert.equal(raw.settings.model, 'm');
});

test('the model reads who said what, what was open and the note, and of what it settles only what was open counts', async (t) => {
  const { raw, id, say, propose } = await stage(t);
  await say('We paint the "wall" on Friday.', 'Noted: wall on Friday.', {
    speaker: { person: 'per_1', name: 'Ann "A"' },
  });
  await say('And the fence?', 'Not yet.');
  const proposing = propose({ sessionID: id, note: 'see you', open });
  const call = await raw.next();
  const prompt = String(call.body.messages.at(-1)?.content);
  assert.deepEqual(prompt.split('\n\n'), [
    'Open before:\njrn_1 "The wall"\njrn_2 "The \\"red\\" fence"',
    'Note of the person who ends the session: "see you"',
    [
      'Conversation:',
      '"Ann \\"A\\"": "We paint the \\"wall\\" on Friday."',
      'assistant: "Noted: wall on Friday."',
      '"person": "And the fence?"',
      'assistant: "Not yet."',
    ].join('\n'),
  ]);
  assert.equal(call.body.tools, undefined);
  call.say('Here it is: {"title": "Painting", "summary": "The wall is painted on Friday.", ');
  call.say('"decisions": [{"title": "Friday"}], "settled": ["jrn_1", "jrn_9"]} Good luck.');
  call.finish();
  const { by, elements } = await proposing;
  assert.equal(by, 'model');
  assert.deepEqual(
    [elements.title, elements.summary, elements.decisions, elements.settled, elements.steps],
    ['Painting', 'The wall is painted on Friday.', [{ title: 'Friday', body: '' }], ['jrn_1'], []],
  );
});

test('without a note, and with nothing open, the prompt says so, and the answer without an object, or with a wrong one, proposes nothing', async (t) => {
  const { raw, id, say, propose, logged } = await stage(t);
  await say('We paint the wall on Friday.', 'Noted.');
  for (const answer of ['I cannot.', '{"title": 7}', '{"title": ', '{"title": Harlingen}']) {
    const proposing = propose({ sessionID: id });
    const call = await raw.next();
    const prompt = String(call.body.messages.at(-1)?.content);
    assert.match(prompt, /^Open before:\nnothing\n\nConversation:\n/);
    call.say(answer);
    call.finish();
    assert.equal((await proposing).by, 'nobody', answer);
  }
  assert.equal(logged.filter((line) => line.includes('proposed no handoff')).length, 4);
  assert.doesNotMatch(logged.join('\n'), /Harlingen/, 'the log quotes no answer');
});

test('of a long conversation the model reads the newest lines that fit, and of a long message its beginning', async (t) => {
  const { raw, id, say, propose } = await stage(t);
  await say('The very first words.', 'y'.repeat(5_000));
  for (let n = 1; n <= 5; n += 1) await say(`${n}${'x'.repeat(3_999)}`, `answer ${n} ${'z'.repeat(4_000)}`);
  const proposing = propose({ sessionID: id });
  const call = await raw.next();
  const prompt = String(call.body.messages.at(-1)?.content);
  call.say('{}');
  call.finish();
  await proposing;
  const lines = prompt.slice(prompt.indexOf('Conversation:\n') + 'Conversation:\n'.length).split('\n');
  const chars = lines.reduce((sum, line) => sum + line.length, 0);
  assert.ok(chars <= 40_000 && chars > 30_000, String(chars));
  assert.match(lines.at(-1) ?? '', /^assistant: "answer 5 z+…?"$/);
  assert.ok((lines.at(-1) ?? '').length <= 4_000 + 'assistant: ""'.length);
  assert.ok(lines.includes(`"person": "5${'x'.repeat(3_999)}"`), 'four thousand characters are not cut');
  assert.doesNotMatch(prompt, /very first/);
});
