// Audio that came with a message: its words as the person's own, as the text of a file, or a sentence that says why there are none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { phrasesFor } from '#adapters/gateway/phrases/phrases.ts';
import { freshRoom } from '#adapters/gateway/turn-files/attached-files.ts';
import { isAudio, transcribedFile } from '#adapters/gateway/turn-files/transcribed-files.ts';
import { systemClock } from '#base/clock.ts';
import type { Transcription } from '#engine/wire/runs/transcription.ts';

const phrases = phrasesFor('en');
const { answers } = phrases;
const audio = {
  ...{
    status: 'stored',
    path: 'discord/C/a.ogg',
    name: 'a.ogg',
    mime: 'audio/ogg',
    bytes: 2_048,
    form: 'binary',
  },
  absolute: '/uploads/discord/C/a.ogg',
} as const;

/** The audio as the model gets it, where the engine says this of it. */
async function listened(
  outcome: Transcription | Error | 'not brought',
  {
    room = freshRoom(),
    stop = false,
    end = false,
    ...over
  }: { room?: ReturnType<typeof freshRoom>; stop?: boolean; end?: boolean; [key: string]: unknown } = {},
) {
  const calls: unknown[] = [];
  const [ending, stopped] = [new AbortController(), new AbortController()];
  const file = await transcribedFile({ ...audio, ...over } as never, room, {
    engine: {
      keepUpload: async ({ path }: { path: string }) =>
        outcome === 'not brought' ? undefined : `upload:${path}`,
      async transcribe(request: unknown) {
        calls.push(request);
        if (stop) stopped.abort();
        if (end) ending.abort();
        if (outcome instanceof Error) throw outcome;
        return outcome;
      },
    } as never, // all that is called of it
    ...{
      agent: 'main',
      uploads: undefined as never,
      phrases,
      clock: systemClock,
      signal: ending.signal,
      stopped: stopped.signal,
    },
  });
  return { file, calls, room };
}

test('what a recorder made is audio, and so is any file of audio', () => {
  for (const [file, expected] of [
    [{ mime: 'audio/mpeg', voice: undefined }, true],
    [{ mime: 'video/mp4', voice: true }, true],
    [{ mime: 'video/mp4', voice: undefined }, false],
    [{ mime: 'text/audio/x', voice: undefined }, false],
  ] as const)
    assert.equal(isAudio(file), expected, JSON.stringify(file));
});

test('the words of a voice message are those of its sender, and of another file a text between two marks', async () => {
  const voice = await listened({ status: 'done', text: 'Hello there.' }, { voice: true, seconds: 0 });
  assert.deepEqual(voice.file, {
    note: '[sent a file whose words are the text of this message: a.ogg (audio/ogg, 2 KiB)]',
    spoken: 'Hello there.',
  });
  assert.deepEqual(voice.calls, [
    { url: 'upload:discord/C/a.ogg', mime: 'audio/ogg', filename: 'a.ogg', seconds: 0 },
  ]);
  assert.equal(voice.room.text, freshRoom().text - 'Hello there.'.length);
  const other = await listened({ status: 'done', text: 'Hello there.' });
  assert.match(
    other.file?.note ?? '',
    /its words written down; all up to the mark ([0-9a-f]{16}) is the file[\s\S]*\nHello there\.\n\[\1 end of the words\]$/,
  );
  assert.deepEqual([other.file?.spoken, other.file?.problem], [undefined, undefined]);
  assert.deepEqual(other.calls, [{ url: 'upload:discord/C/a.ogg', mime: 'audio/ogg', filename: 'a.ogg' }]);
});

test('a transcript is cut at what fits into the turn, and a thousand characters of it always go along', async () => {
  const long = 'x'.repeat(70_000);
  const length = async (left: number): Promise<[number, number]> => {
    const room = { ...freshRoom(), text: left };
    const { file } = await listened({ status: 'done', text: long }, { voice: true, room });
    return [file?.spoken?.length ?? 0, room.text];
  };
  assert.deepEqual(await length(65_000), [60_000, 5_000]);
  assert.deepEqual(await length(2_000), [2_000, 0]);
  assert.deepEqual(await length(10), [1_000, 0]);
});

test('without words the person reads why, and the model that it could not listen', async () => {
  const limit = { seconds: 60, bytes: 1_000 };
  for (const [outcome, problem] of [
    [{ status: 'failed', error: 'It is torn.' }, answers.notHeard({ name: 'a.ogg', why: 'It is torn.' })],
    [{ status: 'too_long', limit }, answers.tooLongToHear({ name: 'a.ogg', ...limit })],
    ['not brought', answers.notHeard({ name: 'a.ogg', why: `${answers.notBroughtInTime}.` })],
  ] as const)
    for (const voice of [true, undefined]) {
      const { file } = await listened(outcome, { voice });
      assert.equal(file?.problem, problem);
      assert.match(file?.note ?? '', /^\[sent a file that could not be listened to: a\.ogg/);
      assert.equal(file?.spoken, undefined);
    }
  const silent = await listened({ status: 'done', text: '' }, { voice: true });
  assert.deepEqual(silent.file, {
    note: '[sent a file in which nobody speaks: a.ogg (audio/ogg, 2 KiB)]',
    problem: answers.noSpeech({ name: 'a.ogg' }),
  });
});

test('where nothing transcribes, a voice message says so, and another file is left to the answering model', async () => {
  const voice = await listened({ status: 'off' }, { voice: true });
  assert.equal(voice.file?.problem, answers.noTranscription({ name: 'a.ogg' }));
  assert.equal((await listened({ status: 'off' })).file, undefined);
});

test('a stop of the person ends the wait with a note, and the end of the program or a fault is no stop', async () => {
  const { file } = await listened(new Error('aborted'), { stop: true });
  assert.deepEqual(file, { note: '[sent a file that was not listened to: a.ogg (audio/ogg, 2 KiB)]' });
  await assert.rejects(listened(new Error('of the engine')), /of the engine/);
  await assert.rejects(listened(new Error('of the engine'), { stop: true, end: true }), /of the engine/);
});
