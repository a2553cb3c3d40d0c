// An answer in progress on the platforms' own surfaces, and the answer after it: seen live, delivered once, whatever happens to the surface.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { startHarness } from './harness.ts';
import { slackStage, telegramStage } from './live-stage.ts';
import { createScriptedChannel, message } from './scripted-channel.ts';

test('on Telegram an answer is seen as a draft that is renewed, and then once as a message', async (t) => {
  const { sandbox, engine, ask, until, pass, texts, count } = await telegramStage(t);
  const draft = () => sandbox.draft('dm', 'you')?.text;
  const run = await ask('hello');
  engine.say(run, 'The answer is');
  await until('the draft', () => draft() === 'The answer is');
  for (let seconds = 0; seconds < 70; seconds += 1) {
    await pass(1_000);
    assert.equal(draft(), 'The answer is', `after ${seconds} s`);
  }
  assert.deepEqual(texts(), []);
  assert.equal(engine.deliveries.length, 0, 'a draft does not count as delivered');
  engine.say(run, ' 42.');
  await until('its growth', () => draft() === 'The answer is 42.');
  engine.complete(run, 'The answer is 42.');
  await until('the delivery', () => engine.deliveries.length === 1);
  assert.deepEqual([texts(), draft()], [['The answer is 42.'], undefined]);
  await pass(60_000);
  assert.deepEqual([texts(), draft()], [['The answer is 42.'], undefined]);
  assert.equal(count('editMessageText'), 0);
});

test('drafts leave the last place in the chat to the answer, which does not wait (D5)', async (t) => {
  const { engine, ask, until, count, clock } = await telegramStage(t);
  const run = await ask('hello');
  for (let drafts = 0; drafts < 4; drafts += 1) {
    engine.say(run, ' word');
    await until('another draft', () => count('sendMessageDraft') > drafts);
  }
  const before = clock.now();
  engine.complete(run, 'words');
  await until('the delivery', () => engine.deliveries.length === 1);
  assert.ok(clock.now() - before < 1_000, `${clock.now() - before} ms`);
});

test('a draft that Telegram refuses falls back to post and edit, and the answer is there once', async (t) => {
  const { sandbox, engine, ask, until, texts, count } = await telegramStage(t);
  const run = await ask('hello');
  sandbox.inject({ kind: 'server_error', target: 'edit', times: 1 });
  engine.say(run, 'half');
  await until('the preview', () => texts().length === 1);
  assert.deepEqual([texts(), sandbox.draft('dm', 'you')], [['half'], undefined]);
  engine.complete(run, 'half and half');
  await until('the delivery', () => engine.deliveries.length === 1);
  assert.deepEqual(texts(), ['half and half']);
  assert.equal(count('sendMessageDraft'), 1);
});

test('the stop button of a draft cancels the run, and what was written is kept (D10)', async (t) => {
  const { sandbox, engine, ask, until, texts } = await telegramStage(t);
  const run = await ask('hello');
  engine.say(run, 'I could continue');
  await until('the draft', () => sandbox.draft('dm', 'you') !== undefined);
  sandbox.stopDraft('you');
  await until('the answer', () => texts().length === 1);
  assert.equal(engine.runs[0]?.run.status, 'cancelled');
  assert.deepEqual(texts(), ['I could continue\n\n(stopped)']);
});

test('on Slack an answer is seen as a stream in its thread, and then stands there once', async (t) => {
  const { engine, ask, until, pass, answers, texts, count } = await slackStage(t);
  const run = await ask('hello');
  engine.say(run, 'The answer is');
  await until('the stream', () => texts()[0] === 'The answer is');
  assert.equal(engine.deliveries.length, 0, 'a stream does not count as delivered');
  engine.say(run, ' **42**');
  await until('its growth', () => texts()[0] === 'The answer is 42');
  const [streamed] = answers();
  engine.complete(run, 'The answer is **42**.');
  await until('the delivery', () => engine.deliveries.length === 1);
  assert.deepEqual(texts(), ['The answer is 42.']);
  assert.deepEqual(engine.deliveries[0]?.nativeIDs, [streamed?.id]);
  assert.equal(answers()[0]?.thread, streamed?.thread);
  await pass(60_000);
  assert.deepEqual([texts().length, count('chat.startStream'), count('chat.postMessage')], [1, 1, 0]);
});

test('an answer of a quarter of an hour with gaps is seen as it grows and is once and whole (D6, D7)', async (t) => {
  const { engine, ask, until, pass, texts, count } = await slackStage(t);
  const run = await ask('hello');
  const pieces: string[] = [];
  for (let at = 0; at < 5; at += 1) {
    pieces.push(`Part ${at} of it. `);
    engine.say(run, pieces.at(-1) ?? '');
    await until(`part ${at}`, () => texts().join(' ').includes(`Part ${at}`));
    await pass(3 * 60_000);
    assert.equal(texts().join(' '), pieces.join('').trim(), 'all of it is seen');
    // the first was silent from its third minute on: nothing but the clock has ended it
    if (at === 1) assert.equal(count('chat.stopStream'), 1, 'it was left before it expired');
  }
  assert.ok(count('chat.startStream') >= 3, 'it rolled over');
  engine.complete(run, pieces.join(''));
  await until('the delivery', () => engine.deliveries.length === 1);
  assert.deepEqual(texts(), [pieces.join('').trim()]);
  assert.equal(count('chat.stopStream'), count('chat.startStream'), 'no stream was left to expire');
});

for (const word of ['method_not_supported_for_channel_type', 'team_access_not_granted', 'missing_scope']) {
  test(`where Slack answers ${word} to a stream, the answer is posted and edited, and is there once`, async (t) => {
    const { engine, ask, until, texts, count } = await slackStage(t, { 'chat.startStream': word });
    for (const question of ['one', 'two']) {
      const run = await ask(question);
      engine.say(run, `half of ${question}`);
      await until('the preview', () => texts().at(-1) === `half of ${question}`);
      engine.complete(run, `all of ${question}`);
      const answers = engine.runs.length;
      await until('the delivery', () => engine.deliveries.length === answers);
    }
    assert.deepEqual(texts(), ['all of one', 'all of two']);
    assert.equal(count('chat.startStream'), 1);
  });
}

test('when the last update of a stream fails permanently, the whole text is still delivered once (D1)', async (t) => {
  const { engine, ask, until, pass, texts } = await slackStage(t, { 'chat.update': 'edit_window_closed' });
  const run = await ask('hello');
  engine.say(run, 'half an ans');
  await until('the stream', () => texts().length === 1);
  engine.complete(run, 'a whole answer');
  await until('the delivery', () => engine.deliveries.length === 1);
  await pass(10_000);
  assert.equal(texts().filter((text) => text === 'a whole answer').length, 1);
});

test('a stream whose start was lost on the way back becomes the answer, and no second message (C1)', async (t) => {
  const { sandbox, engine, ask, until, pass, texts, count } = await slackStage(t);
  const run = await ask('hello');
  sandbox.inject({ kind: 'lost_response', target: 'send', times: 1 });
  engine.say(run, 'half');
  await until('the stream', () => texts().length === 1);
  await pass(5_000);
  engine.complete(run, 'whole');
  await until('the delivery', () => engine.deliveries.length === 1);
  assert.deepEqual([texts(), count('chat.postMessage')], [['whole'], 0]);
});

test('a stream that the person stops cancels the run although the model is silent (D10)', async (t) => {
  const { sandbox, engine, ask, until, texts, answers } = await slackStage(t);
  const run = await ask('hello');
  engine.say(run, 'I could continue');
  await until('the stream', () => texts().length === 1);
  sandbox.stopStream(answers()[0]?.id ?? '', 'you');
  await until('the end of the run', () => engine.runs[0]?.run.status === 'cancelled');
  await until('the answer', () => texts().join().includes('(stopped)'));
  assert.deepEqual(texts().length, 1);
});

test('after a stream that Slack refused, nothing is looked for: the answer is posted', async (t) => {
  const { engine, ask, until, texts, count } = await slackStage(t, { 'chat.startStream': 'access_denied' });
  const run = await ask('hello');
  const looked = count('conversations.replies');
  engine.say(run, 'half');
  await until('the refusal', () => count('chat.startStream') === 1);
  engine.complete(run, 'whole');
  await until('the delivery', () => engine.deliveries.length === 1);
  assert.deepEqual([texts(), count('conversations.replies')], [['whole'], looked]);
});

test('a stream that the disk refused to write down becomes the answer, and no second message', async (t) => {
  const { sandbox, engine, ask, until, pass, texts, count, path } = await slackStage(t);
  const other = new Database(path);
  t.after(() => other.close());
  const run = await ask('hello');
  sandbox.inject({ kind: 'slow', target: 'send', times: 1, delayMs: 1_000 });
  engine.say(run, 'half');
  await until('the intent', () => other.prepare('SELECT 1 FROM previews').get() !== undefined);
  other.exec('BEGIN IMMEDIATE');
  await until('the stream', () => texts().length === 1);
  await pass(3_000);
  other.exec('ROLLBACK');
  engine.say(run, ' and more');
  engine.complete(run, 'whole');
  await until('the delivery', () => engine.deliveries.length === 1);
  assert.deepEqual([texts(), count('chat.postMessage')], [['whole'], 0]);
});

test('the stop button of an answer that is over does not end the next one (D10)', async (t) => {
  const stops: (() => void)[] = [];
  const channel = createScriptedChannel();
  channel.live = ({ stopped }) => {
    stops.push(stopped);
    return { renewAt: () => undefined, update: async () => 'shown' };
  };
  const { engine, pass } = await startHarness(t, { channel });
  for (const [at, run] of ['run_1', 'run_2'].entries()) {
    await channel.sink.accept(message(`${at}`, 'hello'));
    await pass();
    engine.say(run, 'half');
    await pass(2_000);
    if (at === 0) engine.complete(run, 'whole');
    await pass();
  }
  stops[0]?.();
  await pass();
  assert.equal(engine.runs[1]?.run.status, 'running');
  stops[1]?.();
  await pass();
  assert.equal(engine.runs[1]?.run.status, 'cancelled');
});
