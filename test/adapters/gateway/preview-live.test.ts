// Answers in progress on a surface of the platform's own, and how they end: with the answer, by the person, in failure.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLimiter } from '#adapters/gateway/pace/limiter.ts';
import { createPreview } from '#adapters/gateway/preview/preview.ts';
import type { StreamingOutcome, StreamingSurface } from '#adapters/gateway/terms/channel.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { type Harness, startHarness } from './harness.ts';
import { createScriptedChannel, dm, message, ScriptedFailure } from './scripted-channel.ts';

const texts = (channel: { messages: { text: string }[] }): string[] =>
  channel.messages.map(({ text }) => text);

/** A gateway whose run is in progress, and has said this much. */
async function saying(h: Harness, text: string): Promise<void> {
  await h.channel.sink.accept(message('1', 'hello'));
  await h.pass();
  h.engine.say('run_1', text);
  await h.pass(2_000);
}

interface ScriptedLive {
  live: () => StreamingSurface;
  updates: string[];
  /** Everything that it was told, in order. */
  told: ('update' | 'finish' | 'close')[];
}

/** A live surface that keeps what it was told and ends its updates as given, then with `shown`. */
function scriptedLive(outcomes: (StreamingOutcome | ScriptedFailure)[] = []): ScriptedLive {
  const surface: ScriptedLive = {
    updates: [],
    told: [],
    live: () => ({
      renewAt: () => undefined,
      async update(markdown) {
        surface.updates.push(markdown);
        surface.told.push('update');
        const outcome = outcomes.shift() ?? 'shown';
        if (outcome instanceof ScriptedFailure) throw outcome;
        return outcome;
      },
      async finish() {
        surface.told.push('finish');
      },
      close() {
        surface.told.push('close');
      },
    }),
  };
  return surface;
}

test('a person who presses the stop button of the platform ends the run, and what was written so far is the answer (D10)', async (t) => {
  const surface = scriptedLive(['shown', 'stopped by user']);
  const h = await startHarness(t, { channel: createScriptedChannel({ live: surface.live }) });
  await saying(h, 'one');
  h.engine.say('run_1', ' two');
  await h.pass(2_000);
  assert.equal(h.engine.runs[0]?.run.status, 'cancelled');
  assert.deepEqual(texts(h.channel), ['one two\n\n(stopped)']);
  await h.channel.sink.accept(message('2', 'next'));
  await h.pass();
  assert.equal(h.engine.runs.length, 2, 'the next message is answered');
});

test('a live surface gets nothing more once it was ended, and is ended once (D8)', async (t) => {
  const surface = scriptedLive();
  const h = await startHarness(t, { channel: createScriptedChannel({ live: surface.live }) });
  await saying(h, 'one');
  h.engine.say('run_1', ' two');
  h.engine.complete('run_1', 'one two');
  await h.pass();
  h.engine.say('run_1', ' three');
  await h.pass(60_000);
  assert.equal(surface.updates[0], 'one');
  assert.deepEqual(
    surface.told.filter((what, at) => what === 'finish' || at >= surface.told.indexOf('finish')),
    ['finish', 'close'],
  );
  assert.deepEqual(texts(h.channel), ['one two'], 'and the answer itself is a message');
});

test('words that come early are shown as soon as a preview may begin, and no later', async (t) => {
  const surface = scriptedLive();
  const h = await startHarness(t, { channel: createScriptedChannel({ live: surface.live }) });
  await h.channel.sink.accept(message('1', 'hello'));
  await h.clock.advance(100);
  h.engine.say('run_1', 'one');
  await h.clock.advance(599);
  assert.deepEqual(surface.updates, []);
  await h.clock.advance(51);
  assert.deepEqual(surface.updates, ['one']);
});

test('a stop that the engine does not take is logged, and its answer is shown (D10)', async (t) => {
  const surface = scriptedLive(['shown', 'stopped by user']);
  const h = await startHarness(t, { channel: createScriptedChannel({ live: surface.live }) });
  h.engine.cancelRun = async () => {
    throw new Error('The engine is away.');
  };
  await saying(h, 'one');
  h.engine.say('run_1', ' two');
  await h.pass(2_000);
  assert.match(h.lines.join('\n'), /a stopped answer could not be cancelled/);
  h.engine.complete('run_1', 'one two three');
  await h.pass();
  assert.match(texts(h.channel).join(), /one two/);
});

test('a live surface that is refused is left for post and edit, without losing a word', async (t) => {
  const surface = scriptedLive(['refused']);
  const h = await startHarness(t, { channel: createScriptedChannel({ live: surface.live }) });
  await saying(h, 'one');
  await h.pass(2_000);
  assert.deepEqual(texts(h.channel), ['one']);
  h.engine.complete('run_1', 'one two');
  await h.pass();
  assert.deepEqual(texts(h.channel), ['one two']);
});

test('a limit on live surfaces only is not waited for: what is written is posted; a limit on the chat is waited for (D4)', async (t) => {
  for (const sameActOnly of [true, false]) {
    const limit = new ScriptedFailure({ kind: 'rate_limit', retryAfterMs: 60_000, sameActOnly });
    const surface = scriptedLive([limit]);
    const h = await startHarness(t, { channel: createScriptedChannel({ live: surface.live }) });
    await saying(h, 'one');
    h.engine.say('run_1', ' two');
    await h.pass(5_000);
    assert.deepEqual(texts(h.channel), sameActOnly ? ['one two'] : []);
    await h.pass(60_000);
    assert.deepEqual(surface.updates, sameActOnly ? ['one'] : ['one', 'one two']);
  }
});

test('the end of a live surface inside a rate limit makes no call (D4)', async (t) => {
  const surface = scriptedLive();
  const h = await startHarness(t, { channel: createScriptedChannel({ live: surface.live }) });
  await saying(h, 'one');
  h.channel.failing.presence.push(new ScriptedFailure({ kind: 'rate_limit', retryAfterMs: 60_000 }));
  await h.pass(5_000);
  h.engine.complete('run_1', 'one two');
  await h.pass(10_000);
  assert.equal(surface.told.includes('finish'), false);
  assert.deepEqual(surface.told.at(-1), 'close', 'but it lets go of what it holds');
  assert.deepEqual(texts(h.channel), []);
  await h.pass(60_000);
  assert.deepEqual(texts(h.channel), ['one two']);
});

test('where progress is shown, the live surface is ended before a message is posted in its place', async (t) => {
  const clock = createManualClock();
  const surface = scriptedLive();
  const ended = Promise.withResolvers<void>();
  const live = (): StreamingSurface => ({
    ...surface.live(),
    async finish() {
      surface.told.push('finish');
      await ended.promise;
    },
  });
  const channel = createScriptedChannel({ live, buttons: true });
  const preview = createPreview({
    ...{ turnID: 'trn_1', address: dm, replyTo: undefined, inReplies: false, actor: 'u1', channel },
    ledger: {
      turns: { previews: () => [], intendPreview() {}, previewPosted() {} },
      commit: async (work: () => unknown) => work(),
    } as never, // all that a preview of one message asks for
    limiter: createLimiter({ clock, capsOf: () => ({}) }),
    typing: { grew() {}, posted() {} },
    ...{ notices: true, stillWorking: 'Still working on this.', stoppedByUser() {} },
    ...{ clock, log: quietLog().log },
  });
  t.after(() => preview.stop());
  preview.show('one');
  await clock.advance(2_000);
  const choices = [{ id: 'm:mis_1:stop', label: 'Stop' }];
  preview.showProgress({ markdown: 'It reads a file.', choices });
  await clock.advance(2_000);
  assert.deepEqual([surface.told, channel.calls], [['update', 'finish'], []]);
  ended.resolve();
  await clock.advance(2_000);
  assert.deepEqual(texts(channel), ['one\n\nIt reads a file.\n[Stop|m:mis_1:stop]']);
  preview.showProgress(undefined);
  await clock.advance(2_000);
  assert.deepEqual([texts(channel), preview.hadButtons()], [['one'], true], 'no button stays');
});
