// Slack's own stream for an answer in progress: where it starts, how it grows, rolls over and ends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { streamPiece, streamText } from '#adapters/slack/outgoing/stream-text.ts';
import { msUntil } from '#base/clock.ts';
import { aside, minute, room, show, stage } from '../live-stage.ts';

test('an answer grows in its thread, one call for each step, and is found by its key when it is finished', async (t) => {
  const { open, texts, streamed, sandbox, channel, address } = await stage(t);
  const { live, posted } = open();
  assert.equal(await live.update('It is'), 'shown');
  assert.equal(await live.update('It is **sunny**'), 'shown');
  assert.equal(await live.update('It is **sunny**'), 'shown');
  assert.deepEqual(texts(), ['It is sunny']);
  assert.deepEqual(streamed(), ['start', 'append']);
  await live.finish?.('');
  assert.deepEqual(streamed(), ['start', 'append', 'stop']);
  const [shown] = sandbox.shown('room', 'you').filter(({ author }) => author === 'bot');
  assert.deepEqual([shown?.id, shown?.thread], [posted[0], address.thread]);
  assert.deepEqual(await channel.find?.(address, 'a1k0', 'preview'), { nativeID: posted[0] });
});

test('the last words end the stream, and an answer that is whole in it is known to stand', async (t) => {
  const { open, texts, streamed, channel } = await stage(t);
  const { live } = open();
  const [whole, other] = ['It is **sunny** today.', 'It is **sunny**.'].flatMap((text) =>
    channel.render(text),
  );
  assert.ok(whole !== undefined && other !== undefined);
  await live.update('It is **sunny**');
  assert.equal(live.exists?.(whole), false, 'it is not finished');
  await live.finish?.('It is **sunny** today.');
  assert.deepEqual(streamed(), ['start', 'stop']);
  assert.deepEqual(texts(), ['It is sunny today.']);
  assert.deepEqual([live.exists?.(whole), live.exists?.(other)], [true, false]);
});

test('there is no stream outside of threads, which Slack demands', async (t) => {
  const { channel, streamed } = await stage(t);
  const dm = { ...room, chat: 'D0YOU0000', space: undefined, kind: 'dm' } as const;
  assert.equal(aside(channel, { address: dm }), undefined);
  assert.equal(aside(channel, { address: room }), undefined);
  assert.deepEqual(streamed(), []);
});

test('an answer of fifteen minutes with gaps rolls over before each stream expires, and nothing of it is lost (D6, D7)', async (t) => {
  const { open, texts, streamed, clock } = await stage(t);
  const { live, posted } = open();
  const pieces: string[] = [];
  for (let at = 0; at < 15; at += 1) {
    pieces.push(`Minute ${at} of the report. `);
    if (at % 4 !== 3) assert.equal(await show(live, pieces.join('')), 'shown');
    for (let second = 0; second < 60; second += 20) {
      await clock.advance(20_000);
      const due = live.renewAt();
      if (due !== undefined && msUntil(clock, due) <= 0) await show(live, pieces.join(''));
    }
  }
  await show(live, pieces.join(''));
  await live.finish?.('');
  assert.ok(posted.length >= 3 && posted.length <= 5, `${posted.length} messages`);
  assert.equal(streamed().filter((name) => name === 'stop').length, posted.length, 'every stream was ended');
  assert.equal(texts().join(' ').replace(/\s+/g, ' '), pieces.join('').trim());
});

test('a stream is left before it expires although the model is silent (D6)', async (t) => {
  const { open, streamed, clock } = await stage(t);
  const { live } = open();
  await live.update('one');
  const due = live.renewAt() ?? assert.fail('it wants to be renewed');
  assert.ok(msUntil(clock, due) < 5 * minute);
  await clock.advance(msUntil(clock, due));
  assert.equal(await live.update('one'), 'shown');
  assert.deepEqual(streamed(), ['start', 'stop']);
  assert.equal(live.renewAt(), undefined);
});

test('what was not yet shown when Slack closed the stream goes into the next message (D7)', async (t) => {
  const { open, texts, clock } = await stage(t);
  const { live, posted } = open();
  await live.update('before ');
  await clock.advance(6 * minute);
  assert.equal(await show(live, 'before and after'), 'shown');
  assert.deepEqual(texts(), ['before', 'and after']);
  assert.equal(posted.length, 2);
  await clock.advance(6 * minute);
  await live.finish?.('');
});

test('a text of any length is streamed whole, in messages that Slack takes (D7)', async (t) => {
  const { open, sandbox } = await stage(t);
  const { live, posted } = open();
  const text = 'All work 👋 and no play makes a dull sentence. '.repeat(700);
  assert.equal(await show(live, text), 'shown');
  assert.ok(posted.length >= 3);
  const raw = sandbox.shown('room', 'you').filter(({ author }) => author === 'bot');
  const words = (parts: readonly string[]) => parts.join('').replace(/\s+/g, '');
  assert.equal(words(raw.map((one) => one.text)), words([text]));
});

test('code that is longer than a message is code in every message, in its language (D7, E2)', async (t) => {
  const { open, sandbox } = await stage(t);
  const code = Array.from({ length: 1_200 }, (_, at) => `const word${at} = ${at};`).join('\n');
  const { live, posted } = open();
  assert.equal(await show(live, `Here:\n\n\`\`\`ts\n${code}\n\`\`\`\n\nDone.`), 'shown');
  assert.ok(posted.length >= 3);
  const blocks = sandbox
    .shown('room', 'you')
    .flatMap(({ author, blocks: shown }) => (author === 'bot' ? shown : []));
  assert.deepEqual(
    blocks.map(({ kind }) => kind),
    ['paragraph', ...posted.map(() => 'code'), 'paragraph'],
  );
  const parts = blocks.filter((block) => block.kind === 'code');
  assert.ok(parts.every(({ language }) => language === 'ts'));
  const letters = (text: string) => text.replace(/\s+/g, '');
  assert.equal(letters(parts.map(({ text }) => text).join('')), letters(code));
});

test('nothing is appended after the stream was ended (D8)', async (t) => {
  const { open, streamed } = await stage(t);
  const { live } = open();
  await live.update('one');
  await live.finish?.('');
  const calls = streamed().length;
  assert.equal(await live.update('one two'), 'refused');
  await live.finish?.('');
  assert.equal(streamed().length, calls);
});

test('an answer that changes its beginning is left to be edited', async (t) => {
  const { open, streamed } = await stage(t);
  const { live } = open();
  await live.update('one two');
  assert.equal(await live.update('another'), 'more');
  assert.equal(await live.update('another'), 'refused');
  assert.deepEqual(streamed(), ['start', 'stop']);
});

test('nobody is called by a stream, however the text is cut (J1)', () => {
  const text = fc.array(
    fc.constantFrom('<', '!channel>', '@U1>', '#C1>', 'a', ' ', '\n', '👋', '&', '<!here>'),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(text, fc.nat(40), (pieces, cut) => {
      const whole = pieces.join('');
      const [shorter, longer] = [streamText(whole.slice(0, cut)), streamText(whole)];
      assert.ok(longer.startsWith(shorter), 'what was shown stays');
      assert.doesNotMatch(longer, /<[!@#]/);
      assert.equal(streamPiece(longer, longer.length), longer);
      assert.ok(streamPiece(longer, cut).isWellFormed());
    }),
  );
});
