// Small parts of runs: waiting with a signal, whose memory runs wrote in, what is spoken, and the model of a session.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ParleyError } from '#base/errors.ts';
import { withAbort } from '#base/waiting/with-abort.ts';
import { createForeignRuns } from '#engine/runs/foreign-runs.ts';
import { createRunTimer } from '#engine/runs/run-timer.ts';
import { createSessionProvider, stillThere } from '#engine/runs/session-provider.ts';
import { createSpeakAnswer, spokenWords } from '#engine/runs/spoken-answer.ts';
import { createManualClock } from '../support/manual-clock.ts';

test('a wait ends with what it waits for, or with its signal, which is then left alone', async () => {
  assert.equal(await withAbort(Promise.resolve(1)), 1);
  const stop = new AbortController();
  const work = Promise.withResolvers<number>();
  const first = withAbort(work.promise, stop.signal);
  const second = withAbort(new Promise<never>(() => {}), stop.signal);
  work.resolve(2);
  assert.equal(await first, 2);
  await assert.rejects(withAbort(Promise.reject(new Error('of the work')), stop.signal), /of the work/);
  const why = new Error('stopped');
  stop.abort(why);
  await assert.rejects(second, why);
  await assert.rejects(withAbort(new Promise<never>(() => {}), stop.signal), why);
  assert.equal(await first, 2);
});

test('the time that a run has worked grows outside of pauses only, and no more after its end', async () => {
  const clock = createManualClock();
  const timer = createRunTimer({ clock, ms: 10_000, over: () => assert.fail('it is not over') });
  await clock.advance(100);
  assert.equal(timer.workedMs(), 100);
  const pause = Promise.withResolvers<void>();
  const other = Promise.withResolvers<void>();
  const [pausing, both] = [timer.pause(() => pause.promise), timer.pause(() => other.promise)];
  await clock.advance(1_000);
  assert.equal(timer.workedMs(), 100);
  pause.resolve();
  await pausing;
  await clock.advance(1_000);
  assert.equal(timer.workedMs(), 100, 'the second one still waits');
  other.resolve();
  await both;
  await clock.advance(50);
  assert.equal(timer.workedMs(), 150);
  timer.end();
  timer.end();
  await clock.advance(20_000);
  assert.equal(timer.workedMs(), 150);
});

test('a run is foreign where it wrote in the memory of another agent than the one that answers now', () => {
  const memories: Record<string, string | null> = { a: 'scout', b: '', c: null };
  const agents = {
    named: (name?: string) => ({ name: name ?? 'main', partition: name === 'scout' ? 'own' : undefined }),
  };
  const of = (...ids: string[]) =>
    createForeignRuns(
      {
        partitionsOf: () => [...new Set(ids.map((id) => memories[id] ?? null))],
        get: (id: string) =>
          ids.includes(id)
            ? ({
                runID: id,
                partition: memories[id] ?? undefined,
                agent: id === 'c' ? 'scout' : 'main',
              } as never) // what is read of a run
            : undefined,
      },
      agents as never, // what is read of agents
    );
  const foreign = (ids: string[], partition: string | undefined) => {
    const isForeign = of(...ids)('ses_1', partition);
    return isForeign && ids.filter(isForeign);
  };
  assert.equal(foreign(['b'], undefined), undefined, 'all of it is shared, and so is what answers');
  assert.equal(foreign(['a'], 'scout'), undefined);
  assert.equal(foreign([], 'scout'), undefined);
  assert.deepEqual(foreign(['a', 'b'], undefined), ['a']);
  assert.deepEqual(foreign(['a', 'b'], 'scout'), ['b']);
  assert.deepEqual(foreign(['a'], 'other'), ['a']);
  assert.equal(foreign(['b', 'c'], undefined), undefined, 'rows of an earlier version count as shared there');
  assert.deepEqual(foreign(['c'], 'scout'), [], 'an earlier version did not note it: the config knows');
  assert.deepEqual(foreign(['c', 'b'], 'scout'), ['b']);
  assert.equal(of('a')('ses_1', undefined)?.('run_none'), false);
});

test('an answer is spoken without its markup, and without its code', () => {
  for (const [markdown, spoken] of [
    ['# The *boat*\n\n- is **blue**\n- and `fast`', 'The boat is blue and fast'],
    ['Run this:\n```sh\nrm -rf /\n```\nthen wait.', 'Run this: then wait.'],
    ['```\nnever closed', ''],
    ['See [the page](https://x.example/a_b) and ![a cat](cat.png).', 'See the page and a cat.'],
    ['> 1. one\n2) two', '1. one two'],
    ['  ~~no~~ | yes  ', 'no yes'],
  ] as const)
    assert.equal(spokenWords(markdown), spoken, markdown);
});

test('an answer is spoken where its chat wants it and something can speak, and what fails is a sentence', async () => {
  const { signal } = new AbortController();
  const spoken: string[] = [];
  const first = (): string => spoken[0] ?? '';
  const files: unknown[] = [];
  let failure: unknown;
  let canSpeak = true;
  const speakAnswer = createSpeakAnswer({
    media: () => ({
      speak: canSpeak
        ? async (text: string) => {
            spoken.push(text);
            if (failure !== undefined) throw failure;
            return { bytes: new Uint8Array([1]), mediaType: 'audio/ogg' };
          }
        : undefined,
    }),
    artifacts: {
      async write(_: unknown, file: unknown) {
        files.push(file);
        return { id: 'art_1' } as never; // an artifact
      },
    },
  });
  const wants = { settings: { spoken: true } } as never; // what is read of a run
  for (const run of [{}, { settings: {} }, { settings: { spoken: false } }])
    assert.equal(await speakAnswer(run as never, 'Hello.', signal), undefined);
  assert.equal(await speakAnswer(wants, '```\ncode\n```', signal), undefined, 'nothing is left to be said');
  assert.deepEqual(spoken, []);
  assert.deepEqual(await speakAnswer(wants, `**Hello** ${'x'.repeat(5_000)}`, signal), { id: 'art_1' });
  assert.ok(first().startsWith('Hello x') && first().length <= 4_000);
  assert.deepEqual(files, [
    { name: 'answer.ogg', mediaType: 'audio/ogg', bytes: new Uint8Array([1]), kind: 'file', voice: true },
  ]);
  failure = new ParleyError('media_failed', 'The voice is away.');
  assert.deepEqual(await speakAnswer(wants, 'Hello.', signal), { sentence: 'The voice is away.' });
  failure = new TypeError('a fault of the program');
  await assert.rejects(speakAnswer(wants, 'Hello.', signal), TypeError);
  failure = new ParleyError('media_failed', 'The voice is away.');
  const stop = new AbortController();
  stop.abort(new Error('stopped'));
  await assert.rejects(speakAnswer(wants, 'Hello.', stop.signal), /stopped/);
  canSpeak = false;
  assert.equal(await speakAnswer(wants, 'Hello.', signal), undefined);
});

test('next to its answers a session has the model of its newest run, the usual one where that no longer exists, or the one that is named', () => {
  const resolve = (model?: { modelID?: string } | undefined) => {
    if (model?.modelID === 'gone') throw new ParleyError('unknown_model', 'There is no such model.');
    if (model?.modelID === 'broken') throw new ParleyError('other', 'Something else.');
    return { providerID: 'p', modelID: model?.modelID ?? 'usual' } as never; // a provider
  };
  const newest = (modelID: string | undefined) =>
    createSessionProvider(
      { resolve } as never,
      {
        newest: () => (modelID === undefined ? undefined : { model: { providerID: 'p', modelID } }),
      } as never,
    );
  assert.equal(newest('old')('ses_1').modelID, 'old');
  assert.equal(newest('gone')('ses_1').modelID, 'usual');
  assert.equal(newest(undefined)('ses_1').modelID, 'usual');
  assert.equal(newest('old')('ses_1', 'named').modelID, 'named');
  assert.throws(() => newest('old')('ses_1', 'gone'), { code: 'unknown_model' });
  assert.throws(() => stillThere({ resolve } as never, { model: { providerID: 'p', modelID: 'broken' } }), {
    code: 'other',
  });
});
