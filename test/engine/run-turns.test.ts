// Turns of model and tools in one run: how many there are, what ends them, and what a run that says nothing is.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { begin, openKit, textBody, watch } from './support/kit.ts';
import { frame, type RawCall, startRaw } from './support/raw-provider.ts';

async function stage(t: TestContext) {
  const raw = await startRaw(t);
  const { engine } = await openKit(t, { model: raw.settings });
  const { id } = await engine.createSession({});
  const start = (text = 'plan') => begin(engine, id, textBody(text));
  return { raw, engine, id, start };
}

const todo = (call: RawCall): void => call.callTool('todo_write', { todos: [] });
const choiceIn = ({ body }: RawCall): unknown => body.tool_choice;

test('a model may call tools seven times, and has to answer in the eighth turn', async (t) => {
  const { raw, engine, start } = await stage(t);
  const runID = await start();
  for (let turn = 1; turn <= 7; turn += 1) {
    const call = await raw.next();
    assert.notEqual(choiceIn(call), 'none', `turn ${turn}`);
    todo(call);
  }
  const last = await raw.next();
  assert.equal(choiceIn(last), 'none');
  last.say('Planned.');
  last.finish();
  const run = await engine.finished(runID);
  assert.deepEqual([run.status, run.text], ['completed', 'Planned.']);
});

test('a model that calls a tool where it has to answer has failed, with the words that it had said', async (t) => {
  for (const words of ['', 'I plan.']) {
    const { raw, engine, start } = await stage(t);
    const runID = await start();
    for (let turn = 1; turn <= 8; turn += 1) {
      const call = await raw.next();
      if (turn === 1 && words !== '') call.say(words);
      todo(call);
    }
    const run = await engine.finished(runID);
    assert.deepEqual(
      [run.status, run.text, run.failure?.code],
      ['error', words, 'PROVIDER_RESPONSE_INVALID'],
    );
  }
});

test('an answer that the provider withheld has failed without words, and stands with those that came', async (t) => {
  for (const [words, status, code] of [
    ['', 'error', 'CONTENT_FILTERED'],
    ['The first half', 'completed', undefined],
  ] as const) {
    const { raw, engine, start } = await stage(t);
    const runID = await start();
    const call = await raw.next();
    if (words !== '') call.say(words);
    call.write(`${frame({}, 'content_filter')}data: [DONE]\n\n`);
    call.end();
    const run = await engine.finished(runID);
    assert.deepEqual([run.status, run.text.startsWith(words), run.failure?.code], [status, true, code]);
  }
});

test('pieces without a character are none: no part is opened for them', async (t) => {
  const { raw, engine, id, start } = await stage(t);
  const { seen, until } = watch(t, engine, { sessionID: id });
  const runID = await start();
  const call = await raw.next();
  call.say('');
  call.say('One');
  call.say('');
  call.say(' answer.');
  call.finish();
  assert.equal((await engine.finished(runID)).text, 'One answer.');
  await until(({ type }) => type === 'session.run.finished');
  const parts = new Set(
    seen.flatMap((event) => (event.type === 'message.part.updated' ? [event.properties.part.id] : [])),
  );
  assert.equal(parts.size, 1);
});

test('the words before a call and those after it are two parts, and one answer', async (t) => {
  const { raw, engine, id, start } = await stage(t);
  const runID = await start();
  const first = await raw.next();
  first.say('I look.');
  todo(first);
  const second = await raw.next();
  second.say('Done.');
  second.finish();
  assert.equal((await engine.finished(runID)).text, 'I look.\n\nDone.');
  const [, answer] = await engine.messages(id);
  assert.deepEqual(
    answer?.parts.map((part) => (part.type === 'text' ? part.text : part.type)),
    ['I look.', 'tool', 'Done.'],
  );
});

test('a tool that does not exist, and one whose arguments do not fit, are failures that the model reads, and the run continues', async (t) => {
  const { raw, engine, id, start } = await stage(t);
  const runID = await start();
  (await raw.next()).callTool('make_coffee', {});
  const second = await raw.next();
  assert.match(JSON.stringify(second.body.messages.at(-1)), /make_coffee/);
  second.callTool('todo_write', { todos: 'none' });
  const third = await raw.next();
  third.say('No coffee.');
  third.finish();
  assert.equal((await engine.finished(runID)).status, 'completed');
  const [, answer] = await engine.messages(id);
  assert.deepEqual(
    answer?.parts.map((part) =>
      part.type === 'tool' ? (part.error === undefined ? 'done' : 'failed') : part.type,
    ),
    ['failed', 'failed', 'text'],
  );
});

test('what a run was made of is known once it has ended, and not before, nor of one that never was', async (t) => {
  const { raw, engine, start } = await stage(t);
  const runID = await start('What is blue?');
  const call = await raw.next();
  await assert.rejects(engine.runPrompt({ runID }), { code: 'prompt_not_found' });
  call.say('The boat.');
  call.write(`${frame({}, 'stop')}${usageFrame(500)}data: [DONE]\n\n`);
  call.end();
  await engine.finished(runID);
  const prompt = await engine.runPrompt({ runID });
  const names = prompt?.sections.map(({ name }) => name);
  assert.ok(
    names?.includes('Instructions') && names.includes('Tools') && names.includes('Message'),
    `${names}`,
  );
  assert.equal(prompt?.inputTokens, 500);
  assert.equal(
    prompt?.sections.reduce((sum, { tokens }) => sum + (tokens ?? Number.NaN), 0),
    500,
    'the tokens of the sections are those that the provider counted',
  );
  const [times, ...others] = prompt?.calls ?? [];
  assert.deepEqual([others, times?.inputTokens, times?.outputTokens], [[], 500, 1]);
  const order = [0, prompt?.builtMs, times?.fromMs, times?.firstMs, times?.untilMs];
  assert.deepEqual(
    order,
    order.toSorted((a, b) => Number(a) - Number(b)),
  );
  assert.ok(order.every((each) => each !== undefined));
  await assert.rejects(engine.runPrompt({ runID: 'run_none' }), { code: 'run_not_found' });
});

/** The usage of a call, as it comes after its finish. */
const usageFrame = (prompt_tokens: number): string =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage: { prompt_tokens, completion_tokens: 1 } })}\n\n`;

test('what a summary used counts with the newest run, and a second summary counts all that is no longer shown', async (t) => {
  const { raw, engine, id, start } = await stage(t);
  const exchange = async (text: string): Promise<string> => {
    const runID = await start(text);
    const call = await raw.next();
    call.say(`Answer to ${text}.`);
    call.finish();
    return (await engine.finished(runID)).runID;
  };
  const summarize = async (words: string) => {
    const making = engine.summarizeSession({ sessionID: id });
    const call = await raw.next();
    assert.equal(call.body.tools, undefined);
    call.say(`  ${words} `);
    call.write(`${frame({}, 'stop')}${usageFrame(500)}data: [DONE]\n\n`);
    call.end();
    return making;
  };
  await exchange('one');
  const second = await exchange('two');
  const made = await summarize('The notes.');
  assert.deepEqual([made.text, made.messages, made.unseen], ['The notes.', 2, 0]);
  assert.deepEqual((await engine.getRun({ runID: second })).usage?.inputTokens, 500);
  const third = await exchange('three');
  const again = await summarize('More notes.');
  assert.deepEqual([again.messages, again.unseen], [4, 0]);
  assert.equal((await engine.getRun({ runID: third })).usage?.inputTokens, 500);
  assert.equal((await engine.getRun({ runID: second })).usage?.inputTokens, 500);
});
